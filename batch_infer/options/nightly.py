"""Options of the sections of a nightly run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from allsaid.options import option
from allsaid.settings import key_and_value
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import RUN
from batch_infer.options.prove import ProveOptions
from schemas.errors import UserError
from training.options import TrainOptions

UNITS = {"d": "days", "h": "hours"}


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The option of a section of texts, whose output is the folder of all nightly runs."""

    keep_snapshots: int = option("Number of nightly runs to keep on disk.", 7, section=RUN, low=1)


@dataclass(frozen=True, kw_only=True)
class NightlyGenerateOptions(Kept, GenerateOptions):
    """Options of the section 'generate'."""


@dataclass(frozen=True, kw_only=True)
class NightlyProveOptions(Kept, ProveOptions):
    """Options of the section 'prove'."""


@dataclass(frozen=True, kw_only=True)
class NightlyTrainOptions(TrainOptions):
    """Options of the section 'train': a training, and the rules that start it, each by itself."""

    name: str = option("Name of the registered model, from the section 'generate'.", "")
    every: str = option("Time between two trainings, such as 7d or 12h.", "")
    drift: bool = option("After a change of the table's columns.", False)
    rows: str = option("Change of the data set's number of rows since the last training, such as 10%.", "")

    def check(self, where: str) -> None:
        """Raise UserError for a mistake; ``where`` names the section."""
        if self.config is None:
            raise UserError(f"{where} has no key 'config', which is needed: the configuration to train.")
        if not (self.every or self.drift or self.rows):
            raise UserError(f"{where} needs a rule that starts a training: 'every', 'drift' or 'rows'.")
        if any("," in value for _, value in map(key_and_value, self.set)):
            raise UserError(f"{where}: 'set' may give each setting one value; a nightly run trains no grid.")
        if self.every and not re.fullmatch(r"[1-9]\d*[dh]", self.every):
            raise UserError(f"{where}: 'every' must be a number of days or hours, such as 7d; '{self.every}' is not.")
        if self.rows and not re.fullmatch(r"\d+(\.\d+)?%", self.rows):
            raise UserError(f"{where}: 'rows' must be a percentage, such as 10%; '{self.rows}' is not.")

    @property
    def interval(self) -> timedelta | None:
        return timedelta(**{UNITS[self.every[-1]]: int(self.every[:-1])}) if self.every else None

    @property
    def share(self) -> float | None:
        """The share of rows that is a change."""
        return float(self.rows[:-1]) / 100 if self.rows else None
