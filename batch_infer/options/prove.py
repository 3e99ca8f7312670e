"""Options of `allsaid prove`."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.options import MODEL, argument, option
from batch_infer.options.job import ROWS, JobOptions
from batch_infer.options.requirements import TEXTS, RequirementOptions


@dataclass(frozen=True, kw_only=True)
class ProveOptions(JobOptions, RequirementOptions):
    """Options of `allsaid prove`: the proof of texts by another author for the rows of ``input``."""

    texts: str = argument("TEXTS", "The texts: CSV, JSON lines, Excel or Parquet (a glob), with the ids of their rows.")
    texts_sheet: str = option("Sheet of an Excel file of texts. [default: the first]", "", section=ROWS)
    mapping: str = option("A YAML file that says what each column of the table is.", "", section=ROWS)
    model: str = option(f"In place of --mapping: {MODEL}", "", section=ROWS)
    mend: bool = option("Write the model's own certified text for rows without a certified one.", False, section=TEXTS)
