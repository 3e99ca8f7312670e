"""The commands about generated texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from allsaid import console
from allsaid.options import (
    DEVICE,
    ENCODING,
    EXPERIMENT,
    SHEET,
    WAIT,
    Device,
    OutputFolder,
    beam_options,
)
from batch_infer.commands.validate import run_validation

ROWS, TEXTS, GATES, RUN = "Rows", "Texts", "Quality gates", "Run"  # sections of the help

if TYPE_CHECKING:
    from batch_infer.job.request import Request
    from batch_infer.proof.summary import Summary


def generate(
    context: typer.Context,
    model: Annotated[str, typer.Option("--model", help="models:/NAME@ALIAS, models:/NAME/VERSION or a model folder.")],
    input: Annotated[
        str,
        typer.Option("--input", help="A data set, agendas as .parquet or .jsonl (a glob), or a table the model knows."),
    ],
    output: OutputFolder,
    split: Annotated[
        str, typer.Option("--split", help="Split of a data set: train, dev or test.", rich_help_panel=ROWS)
    ] = "test",
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", help="An input column to carry along. Repeatable.", rich_help_panel=ROWS),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first rows.", rich_help_panel=ROWS)
    ] = None,
    table: Annotated[
        str,
        typer.Option("--table", help="The table of offers that dialogues are about, as a CSV.", rich_help_panel=ROWS),
    ] = "",
    encoding: Annotated[str, typer.Option("--encoding", help=ENCODING, rich_help_panel=ROWS)] = "",
    sheet: Annotated[str, typer.Option("--sheet", help=SHEET, rich_help_panel=ROWS)] = "",
    refuse_unfamiliar: Annotated[
        bool,
        typer.Option(
            "--refuse-unfamiliar", help="Write no text for a goal that training never saw.", rich_help_panel=ROWS
        ),
    ] = False,
    texts_per_row: Annotated[
        int, typer.Option("--texts-per-row", min=1, help="Number of distinct texts per row.", rich_help_panel=TEXTS)
    ] = 1,
    min_coverage: Annotated[
        float | None,
        typer.Option(
            "--min-coverage",
            min=0,
            max=100,
            help="% of its items that each text must give; others are flagged. [default: the model's]",
            rich_help_panel=TEXTS,
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", min=1, help="Longest text. [default: the model's]", rich_help_panel=TEXTS),
    ] = None,
    beam: Annotated[
        int | None,
        typer.Option("--beam", min=1, help="Width of the beam search. [default: the model's]", rich_help_panel=TEXTS),
    ] = None,
    variety: Annotated[
        bool,
        typer.Option(
            "--variety", help="Word the texts of different rows differently, by the rows' ids.", rich_help_panel=TEXTS
        ),
    ] = False,
    sentence_case: Annotated[
        bool,
        typer.Option(
            "--sentence-case",
            help="Begin sentences with a capital and end texts with a mark.",
            rich_help_panel=TEXTS,
        ),
    ] = False,
    supported_numbers_only: Annotated[
        bool,
        typer.Option(
            "--supported-numbers-only", help="Write no number that the row's agenda lacks.", rich_help_panel=TEXTS
        ),
    ] = False,
    ban: Annotated[
        str | None,
        typer.Option(
            "--ban", help="A file of words and phrases that no text may have, one per line.", rich_help_panel=TEXTS
        ),
    ] = None,
    phrasebook: Annotated[
        str | None,
        typer.Option(
            "--phrasebook", help="A reviewed phrasebook.csv; clauses with an x are not used.", rich_help_panel=TEXTS
        ),
    ] = None,
    attention: Annotated[
        bool,
        typer.Option(
            "--attention",
            help="Keep what the model attended to, word by word, for `allsaid report`.",
            rich_help_panel=TEXTS,
        ),
    ] = False,
    gate: Annotated[
        list[str] | None,
        typer.Option(
            "--gate",
            help="A quality gate as key=value. Repeatable. given: lowest mean of % given; extra: most extra items or "
            "values a text; errors: largest share of error rows, 0.5 unless set; uncertified: largest share of texts "
            "without a certificate; given_fall, extra_rise, errors_rise: the largest changes of given, extra and "
            "errors for the worse since --against.",
            rich_help_panel=GATES,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", help="Output folder of an earlier run, for the last three gates.", rich_help_panel=GATES
        ),
    ] = None,
    format: Annotated[
        str,
        typer.Option(
            "--format", help="parquet, and next to it one file as csv, jsonl or xlsx: parquet,csv.", rich_help_panel=RUN
        ),
    ] = "parquet",
    show: Annotated[
        bool, typer.Option("--show", help="Print the texts with their items ticked.", rich_help_panel=RUN)
    ] = False,
    previous: Annotated[
        str | None,
        typer.Option(
            "--previous", help="Output folder of an earlier run, whose texts unchanged rows keep.", rich_help_panel=RUN
        ),
    ] = None,
    device: Annotated[str, typer.Option("--device", help=DEVICE, rich_help_panel=RUN)] = "cpu",
    precision: Annotated[
        str | None,
        typer.Option(
            "--precision",
            help="Precision of matrix products: float32, tf32 or bfloat16. [default: as trained]",
            rich_help_panel=RUN,
        ),
    ] = None,
    stage: Annotated[
        str,
        typer.Option(
            "--stage",
            help="A folder that keeps the model's files for workers. [default: in the output]",
            rich_help_panel=RUN,
        ),
    ] = "",
    rows_per_file: Annotated[
        int | None,
        typer.Option(
            "--rows-per-file", min=1, help="Most rows of the input in one file of texts.", rich_help_panel=RUN
        ),
    ] = None,
    experiment: Annotated[str, typer.Option("--experiment", help=EXPERIMENT, rich_help_panel=RUN)] = "",
    wait: Annotated[float, typer.Option("--wait", min=0, help=WAIT, rich_help_panel=RUN)] = 0,
) -> None:
    """Write texts for each agenda, with the proof of what they say.

    A Beam job writes them, then they are checked. Exits with 2 when a quality gate is broken (by default: over half of
    the rows are error rows), with 1 when a rule of the output is.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid generate --model models:/recipes@champion --input samples/agendas.jsonl --output texts
    """
    from allsaid.gates import GateBroken
    from batch_infer.job import generate as room

    request = request_of(context.params, beam_options(context))
    broken = None
    try:
        summary = room.run(request)
    except GateBroken as fault:
        summary, broken = fault.reached, fault
    console.result(
        "generate", asdict(summary), f"Texts in {output}", ("figure", "texts", "reference texts"), summary.rows()
    )
    tell(summary)
    is_sound = run_validation(output)
    if broken is not None:
        raise broken
    if not is_sound:
        raise typer.Exit(1)


def request_of(options: Mapping[str, Any], beam_args: Sequence[str]) -> Request:
    """What the options of `generate`, by their names, ask for."""
    from allsaid.settings import fill
    from batch_infer.job.gates import TextGates
    from batch_infer.job.request import Request

    own = dict(options)
    gates = fill(TextGates, own.pop("gate") or ())
    formats, keep = own.pop("format"), own.pop("keep") or ()
    return Request(**own, keep=keep, formats=formats, gates=gates, beam_args=beam_args)


def tell(summary: Summary) -> None:
    """Tell why rows became no text, and what was found in the cells of a table."""
    from batch_infer.proof import reasons
    from pipelines.sources.records.cell_findings import sentences

    reasons.show(summary.reasons)
    for sentence in sentences(summary.findings):
        console.say(sentence, "warning")


def try_model(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="models:/NAME@ALIAS, models:/NAME/VERSION or a model folder.")
    ],
    table: Annotated[
        str, typer.Option("--table", help="The table of offers that dialogues speak of, such as a CSV.")
    ] = "",
    device: Device = "cpu",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Of the page, on this machine; by default a free one.")
    ] = 0,
) -> None:
    """Open a page on this machine to try a model by hand.

    A person types a goal and items, or a row of their columns, and sees the texts with their items ticked, what the
    model looked at, and the search's options. The page is served on the loopback address until Ctrl-C.

    Example: allsaid try models:/recipes@champion
    """
    from batch_infer.trial import server, trial

    server.serve(trial.open_trial(model, table, device), port)


def report(
    texts: Annotated[str, typer.Argument(metavar="DIR", help="The output folder of `allsaid generate`.")],
) -> None:
    """Write a page about texts, DIR/report.html.

    It shows the means, the spread of coverage, the best and the worst texts.

    Example: allsaid report texts
    """
    from batch_infer.report import report as room

    console.answer("report", path=room.write(texts))
