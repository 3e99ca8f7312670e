"""What `allsaid generate` is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from allsaid.modeling.config import SearchConfig
from batch_infer.job.gates import ANY, Gates

ON_GPU = 256  # texts searched at once there, at least: those that suit a processor leave it idle


@dataclass(frozen=True)
class Request:
    """Texts of each row of ``input`` are wanted under ``output``."""

    model: str  # models:/NAME@ALIAS, models:/NAME/VERSION or a model folder
    input: str  # a data set, files of agendas (a glob), or a table that the model knows
    output: str  # a folder, new or of the same request
    # Of the rows:
    split: str = "test"  # of a data set
    keep: Sequence[str] = ()  # input columns to carry along
    limit: int | None = None  # only the first rows
    table: str = ""  # a file of offers, which the rows speak of; of a model of dialogues
    encoding: str = ""  # of a table that is text; "": its bytes tell it
    sheet: str = ""  # of an Excel file; "": the first
    # Of the texts; None stands for the model's own, as in `allsaid evaluate`:
    beam: int | None = None  # the search's width
    max_tokens: int | None = None
    min_coverage: float | None = None  # % of its items that each text must give
    texts_per_row: int = 1
    variety: bool = False  # texts of different rows are worded differently
    sentence_case: bool = False  # sentences begin with a capital and end with a mark, whatever training texts do
    ban: str | None = None  # a file of phrases that must not be written (`allsaid.decoding.step.ban`)
    phrasebook: str | None = None  # a reviewed table of clauses (`proof.forms.review`), of which no struck one is used
    supported_numbers_only: bool = False
    refuse_unfamiliar: bool = False  # no text for a goal that training never saw
    attention: bool = False  # write down what the model looks at, word by word, for the report
    formats: str = "parquet"  # with commas; further ones go into one file each (`batch_infer.job.formats`)
    # Of the run:
    device: str = "cpu"  # of the workers
    precision: str | None = None  # of the model's products (`allsaid.modeling.precision`); None: that of its training
    stage: str = ""  # a folder that keeps the model's files for the workers; "": in the output, while the job runs
    rows_per_file: int | None = None  # about so many rows in each file of texts; None: by the number of all rows
    beam_args: Sequence[str] = ()  # Apache Beam's own options
    show: bool = False  # print the first texts
    gates: Gates = ANY
    against: str | None = None  # output folder of an earlier run, which the gates may compare with
    previous: str | None = None  # output folder of an earlier run, whose texts are kept where nothing has changed
    experiment: str = ""  # of the run in MLflow; "": that of the model's training
    wait: float = 0  # minutes for which another run on the same output is waited for

    def search(self, own: SearchConfig) -> SearchConfig:
        """The search that is asked for, of a model whose own settings are ``own``."""
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
