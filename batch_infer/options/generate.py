"""Options of `allsaid generate`."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.options import DEVICE, option
from batch_infer.options.job import ROWS, RUN, JobOptions
from batch_infer.options.texts import TextOptions


@dataclass(frozen=True)
class GenerateOptions(JobOptions, TextOptions):
    """Options of `allsaid generate`: texts for each row of ``input``, written to ``output``."""

    limit: int | None = option("Only the first rows.", None, section=ROWS, low=1)
    device: str = option(DEVICE, "cpu", section=RUN)
    precision: str | None = option(
        "Precision of matrix products: float32, tf32 or bfloat16. [default: as trained]", None, section=RUN
    )
