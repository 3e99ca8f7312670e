"""The request of `allsaid generate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from allsaid.modeling.config import SearchConfig
from batch_infer.job.gates import ANY, TextGates

ON_GPU = 256  # least number of rows decoded at once on a GPU: batches sized for a CPU leave it idle


@dataclass(frozen=True)
class Request:
    """A request for texts of each row of ``input``, written to ``output``."""

    model: str  # models:/NAME@ALIAS, models:/NAME/VERSION or a model folder
    input: str  # a data set, files of agendas (a glob), or a table in the form that the model knows
    output: str  # a folder, new or of the same request
    # Rows:
    split: str = "test"  # of a data set
    keep: Sequence[str] = ()  # input columns to carry along
    limit: int | None = None  # only the first rows
    table: str = ""  # for a model of dialogues: a file of offers, which the rows refer to
    encoding: str = ""  # of a table in a text format; "": detected from its bytes
    sheet: str = ""  # of an Excel file; "": the first
    # Texts; None means the model's own setting, as in `allsaid evaluate`:
    beam: int | None = None  # width of the beam search
    max_tokens: int | None = None
    min_coverage: float | None = None  # % of its items that each text must cover
    texts_per_row: int = 1
    variety: bool = False  # word the texts of different rows differently
    sentence_case: bool = False  # begin sentences with a capital and end them with a mark, whatever training texts do
    ban: str | None = None  # a file of phrases that must not be written (`allsaid.decoding.step.ban`)
    phrasebook: str | None = None  # a reviewed table of clauses (`proof.forms.review`); struck ones are not used
    supported_numbers_only: bool = False
    refuse_unfamiliar: bool = False  # no text for a goal that training never saw
    attention: bool = False  # write the attention of each word for the report
    formats: str = "parquet"  # separated by commas; each further format is one file (`batch_infer.job.formats`)
    # Run:
    device: str = "cpu"  # of the workers
    precision: str | None = None  # of matrix products (`allsaid.modeling.precision`); None: as trained
    stage: str = ""  # a folder that keeps the model's files for the workers; "": the output, while the job runs
    rows_per_file: int | None = None  # approximate rows per file of texts; None: derived from the number of all rows
    beam_args: Sequence[str] = ()  # Apache Beam's own options
    show: bool = False  # print the first texts
    gates: TextGates = ANY
    against: str | None = None  # output folder of an earlier run for the gates to compare with
    previous: str | None = None  # output folder of an earlier run; the texts of unchanged rows are reused
    experiment: str = ""  # MLflow experiment; "": that of the model's training
    wait: float = 0  # minutes to wait for another run on the same output

    def search(self, own: SearchConfig) -> SearchConfig:
        """Return the requested search settings for a model whose own settings are ``own``."""
        return replace(
            own,
            width=own.width if self.beam is None else self.beam,
            search_batch=own.search_batch if self.device == "cpu" else max(own.search_batch, ON_GPU),
            max_tokens=own.max_tokens if self.max_tokens is None else self.max_tokens,
            min_coverage=own.min_coverage if self.min_coverage is None else self.min_coverage,
            texts=self.texts_per_row,
            variety=self.variety or own.variety,
            supported_numbers_only=self.supported_numbers_only or own.supported_numbers_only,
        )
