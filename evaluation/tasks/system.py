"""What can be evaluated: a trained model, or a baseline, which needs no training; and their texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from allsaid.console import progress
from allsaid.decoding.hypothesis import NOTHING, Hypothesis
from allsaid.decoding.write import PIECE
from allsaid.modeling import systems
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.folder_files import WEIGHTS
from allsaid.modeling.saved.model_folder import Bundle, load
from allsaid.modeling.tasks.contract import Task, WritesTexts
from allsaid.settings import parse_value, split_setting
from batch_infer.writer import Writer
from batch_infer.writer.settings import WriterSettings
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError
from training.baselines import BASELINES, Baseline
from training.baselines.retrieval import Nearest
from training.baselines.swap import swap
from training.tracking.registry import ResolvedModel, resolve

REVISION = 4  # raised where a figure gets another meaning: runs before it are then not found again


@dataclass(frozen=True)
class System:
    name: str  # as it was asked for
    model: ResolvedModel | None = None  # None where nothing is trained
    bundle: Bundle | None = None  # its parts
    search: SearchConfig | None = None
    swap: bool = False  # NN-Swap: the model rewrites the nearest training text
    baseline: Baseline | None = None  # where nothing is trained

    @property
    def task(self) -> Task:
        """The task that it does."""
        if self.baseline is not None:
            return self.baseline.TASK
        assert self.bundle is not None
        return self.bundle.task

    @property
    def text_task(self) -> WritesTexts:
        """The task, of a system that writes texts."""
        if self.baseline is not None:
            return self.baseline.TASK
        assert self.bundle is not None
        return self.bundle.text_task

    @cached_property
    def writer(self) -> Writer:
        """The writer of a model that generates texts."""
        assert self.bundle is not None and self.search is not None
        return Writer(self.bundle, WriterSettings(self.search))

    @property
    def kind(self) -> str:
        return self.name if self.bundle is None else self.bundle.config.model.kind

    @property
    def params(self) -> dict[str, JsonValue]:
        """What a run of it says beside its model: the search, and what tells models of one kind apart."""
        if self.bundle is None or self.search is None:
            return {}
        config = self.bundle.config
        return asdict(self.search) | {
            "kind": self.kind,
            "seed": config.fit.seed,
            "epochs": config.fit.epochs,
            "swap": self.swap,
        }

    @property
    def identity(self) -> dict[str, JsonValue]:
        """All that its texts depend on, beside the data; a search setting left at its default is left out."""
        if self.model is None or self.search is None:
            return {"system": self.name}
        weights = hashlib.sha256((self.model.folder / WEIGHTS).read_bytes()).hexdigest()
        default = asdict(SearchConfig())
        search = {key: value for key, value in asdict(self.search).items() if value != default[key]}
        return {"weights": weights, "search": search, "swap": self.swap}

    def split(self, data: DataSet) -> DataSet:
        """The data in the parts that its training had."""
        return data if self.bundle is None else data.of_fold(self.bundle.config.data.fold)


@dataclass(frozen=True)
class Subject:
    """What is scored: a system's texts for one split of a data set."""

    system: System
    data: DataSet
    split: str
    limit: int | None = None

    @property
    def key(self) -> str:
        """Equal for evaluations that must give the same figures."""
        return digest([REVISION, self.system.identity, self.data.manifest.fingerprint, self.split, self.limit])


def find(
    name: str,
    settings: Sequence[str] = (),
    device: str = "cpu",
    swap: bool = False,
    search: SearchConfig | None = None,
) -> System:
    """The system of this name; ``settings`` are key=value of ``search``, which is by default the model's own."""
    baseline = _baseline(name)
    if baseline is not None:
        if settings:
            raise UserError(f"'{name}' has no search, so {settings[0]} can't be set. Leave --set out.")
        if swap:
            raise UserError(f"'{name}' has no model that could swap. Give a trained checklist with --swap.")
        return System(name, baseline=baseline)
    model = resolve(name)
    bundle = load(Path(model.folder), device)
    return System(name, model, bundle, _search(search or bundle.config.search, settings), swap)


def _baseline(name: str) -> Baseline | None:
    """The baseline's module; None where the name is a model's. Raises UserError where it is nearly a baseline's."""
    known = systems.kinds(BASELINES)
    is_meant = name in known or (get_close_matches(name, known, n=1) and not Path(name).exists())
    return systems.find(name, "The command", BASELINES) if is_meant else None


def write(system: System, data: DataSet, examples: Sequence[Any]) -> list[list[str]]:  # of the system's task
    """One text for each example, as tokens."""
    if system.baseline is not None:
        return system.baseline.texts(data, examples)
    assert system.bundle is not None and system.search is not None
    if system.swap:
        searching = replace(system.bundle, config=replace(system.bundle.config, search=system.search))
        return swap(searching, Nearest.build(data.tables("train")).find(examples), examples)
    found = hypotheses(system.writer, examples)
    best = [texts[0] if texts else NOTHING for texts in found]
    return [system.bundle.words(text.tokens, example) for text, example in zip(best, examples, strict=True)]


def hypotheses(writer: Writer, examples: Sequence[Any]) -> list[list[Hypothesis]]:
    """Return the hypotheses of each example, best first, as `allsaid generate` finds them; show the progress."""
    found: list[list[Hypothesis]] = []
    with progress("texts generated", len(examples)) as bar:
        for start in range(0, len(examples), PIECE):
            part = examples[start : start + PIECE]
            found += writer.search(part)
            bar.advance(len(part))
    return found


def _search(base: SearchConfig, settings: Sequence[str]) -> SearchConfig:
    given = dict(split_setting(setting, asdict(base)) for setting in settings)
    values = {key: parse_value(SearchConfig, key, value, f"'{key}'") for key, value in given.items()}
    return replace(base, **values)


def digest(values: object) -> str:
    """16 hex digits of plain values."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
