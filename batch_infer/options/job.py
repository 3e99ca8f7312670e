"""Options of every job that writes texts with their proof, and its quality gates."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from math import inf

from allsaid.gates import Gates
from allsaid.options import ENCODING, EXPERIMENT, MODEL, OUTPUT, SHEET, WAIT, Beam, option
from allsaid.settings import number

ROWS, GATES, RUN = "Rows", "Quality gates", "Run"  # sections of the help


@dataclass(frozen=True)
class TextGates(Gates):
    """The limits of a run's texts; by default only a run of mostly error rows fails."""

    given: float = number(0, 0, 100)  # lowest mean of % given (head word)
    extra: float = number(inf, 0)  # highest mean of extra items a text
    errors: float = number(0.5, 0, 1)  # highest share of error rows
    uncertified: float = number(1, 0, 1)  # highest share of uncertified texts among the certifiable ones
    # The largest allowed changes for the worse from the earlier run.
    given_fall: float = number(100, 0, 100)  # of the mean of % given, in points
    extra_rise: float = number(inf, 0)  # of the mean of extra items, in items a text
    errors_rise: float = number(1, 0, 1)  # of the share of error rows, in shares of 1

    @property
    def compare(self) -> bool:
        """Whether a limit asks for an earlier run."""
        return self != self.alone

    @property
    def alone(self) -> TextGates:
        """The limits of a first run, which has no earlier one."""
        return replace(self, given_fall=ANY.given_fall, extra_rise=ANY.extra_rise, errors_rise=ANY.errors_rise)


ANY = TextGates()


@dataclass(frozen=True)
class JobOptions(Beam):
    """Options of a job over the rows of ``input`` that writes texts with their proof to ``output``."""

    model: str = option(MODEL)
    input: str = option("A data set, agendas as .parquet or .jsonl (a glob), or a table the model knows.")
    output: str = option(OUTPUT)
    _: KW_ONLY

    split: str = option("Split of a data set: train, dev or test.", "test", section=ROWS)
    keep: tuple[str, ...] = option("An input column to carry along. Repeatable.", (), section=ROWS)
    table: str = option("The table of offers that dialogues are about, as a CSV.", "", section=ROWS)
    encoding: str = option(ENCODING, "", section=ROWS)
    sheet: str = option(SHEET, "", section=ROWS)

    gate: TextGates = option(
        "A quality gate as key=value. Repeatable. given: lowest mean of % given; extra: most extra items or "
        "values a text; errors: largest share of error rows, 0.5 unless set; uncertified: largest share of texts "
        "without a certificate; given_fall, extra_rise, errors_rise: the largest changes of given, extra and "
        "errors for the worse since --against.",
        ANY,
        section=GATES,
    )
    against: str | None = option("Output folder of an earlier run, for the last three gates.", None, section=GATES)

    format: str = option("parquet, and next to it one file as csv, jsonl or xlsx: parquet,csv.", "parquet", section=RUN)
    publish: str = option(
        "Texts in the file of --format: all, or certified (without a model: those without a finding). Then "
        "texts-kept-aside has the others.",
        "all",
        section=RUN,
    )
    plan: bool = option("Report the rows and the cost, by a probe of 50 rows, and write nothing.", False, section=RUN)
    show: bool = option(
        "Print the first texts with their items ticked; of `prove`, all with a finding.", False, section=RUN
    )
    stage: str = option("A folder that keeps the model's files for workers. [default: in the output]", "", section=RUN)
    previous: str | None = option(
        "Output folder of an earlier run, whose texts unchanged rows keep.", None, section=RUN
    )
    rows_per_file: int | None = option("Most rows of the input in one file of texts.", None, section=RUN, low=1)
    experiment: str = option(EXPERIMENT, "", section=RUN)
    wait: float = option(WAIT, 0, section=RUN, low=0)
