"""The commands about generated texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from allsaid import console
from allsaid.options import DEVICE, MODEL, argument, option
from batch_infer.commands.validate import run_validation
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.prove import ProveOptions

if TYPE_CHECKING:
    from batch_infer.job.plan import Plan
    from batch_infer.proof.summary import Summary


def generate(options: GenerateOptions) -> None:
    """Write texts for each row, with the proof of what they say.

    A Beam job writes them, then they are checked. Exits with 2 when a quality gate is broken (by default: over half of
    the rows are error rows), with 1 when a rule of the output is.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid generate --model models:/recipes@champion --input samples/agendas.jsonl --output texts
    """
    from batch_infer.job import generate as job

    if options.plan:
        return report_plan("generate", job.plan(options))
    _report("generate", partial(job.run, options), options.output)


def prove(options: ProveOptions) -> None:
    """Check what given texts omit from their rows, and what they add.

    Texts are joined to their rows by id; a row may have several. The proof has the columns and the gates of `generate`.
    Exits with 2 when a quality gate is broken, with 1 when a rule of the output is.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid prove texts.csv --input samples/products.csv --mapping samples/products.yaml --output proof
    """
    from batch_infer.job import prove as job

    if options.plan:
        return report_plan("prove", job.plan(options))
    _report("prove", partial(job.run, options), options.output)


def report_plan(command: str, plan: Plan) -> None:
    """Report what a command would do."""
    console.result(command, {"plan": asdict(plan)}, "Plan; nothing is written", ("figure", "value"), plan.lines())


def _report(command: str, job: Callable[[], Summary], output: str) -> None:
    """Run a job, report its figures and check its texts; raise the exit code of the outcome."""
    from allsaid.gates import GateBroken

    broken = None
    try:
        summary = job()
    except GateBroken as fault:
        summary, broken = fault.reached, fault
    console.result(
        command, asdict(summary), f"Texts in {output}", ("figure", "texts", "reference texts"), summary.rows()
    )
    report_faults(summary)
    if summary.texts_with_findings:
        found = f"{summary.texts_with_findings} of {console.counted(summary.texts, 'text')}"
        console.say(f"{found} need a look; `allsaid report {output}` shows why.")
    is_sound = run_validation(output)
    if broken is not None:
        raise broken
    if not is_sound:
        raise typer.Exit(1)


def report_faults(summary: Summary) -> None:
    """Report why rows have no text, and the findings in the cells of a table."""
    from batch_infer.proof import reasons
    from pipelines.sources.records.cell_findings import sentences

    reasons.show(summary.reasons)
    reasons.show(summary.rejected, "Rejected texts", "texts")
    if summary.rows_with_several_texts:
        several = console.counted(summary.rows_with_several_texts, "row")
        console.say(f"{several} had several texts; each is proven by itself.")
    for sentence in sentences(summary.findings):
        console.say(sentence, "warning")


@dataclass(frozen=True)
class TryOptions:
    """Options of `allsaid try`."""

    model: str = argument("MODEL", MODEL)
    table: str = option("The table of offers that dialogues are about, as a CSV.", "")
    device: str = option(DEVICE, "cpu")
    port: int = option("Port of the page on this machine; 0 takes a free one.", 0, low=0, high=65535)


def try_model(options: TryOptions) -> None:
    """Open a page on this machine to try a model by hand.

    A person types a goal and items, or a row of their columns, and sees the texts with their items ticked, what the
    model looked at, and the search's options. The page is served on the loopback address until Ctrl-C.

    Example: allsaid try models:/recipes@champion
    """
    from batch_infer.trial import server, trial

    server.serve(trial.open_trial(options.model, options.table, options.device), options.port)


def report(
    texts: Annotated[str, typer.Argument(metavar="DIR", help="The output folder of `allsaid generate` or `prove`.")],
) -> None:
    """Write a page about texts, DIR/report.html.

    The command counts the flagged texts by grade, and the findings of the columns that have most. The page shows the
    findings, the means, the spread of coverage, the best and the worst texts.

    Example: allsaid report texts
    """
    from batch_infer.report.report import write_and_count

    path, counts = write_and_count(texts)
    console.say(counts)
    console.answer("report", path=path)
