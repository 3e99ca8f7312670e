"""Systems to evaluate: trained models and baselines, and their texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

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
from evaluation.tasks.rows import AnyExample
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError
from training.baselines import BASELINES, Baseline
from training.baselines.retrieval import Nearest
from training.baselines.swap import swap
from training.tracking.registry import ResolvedModel, resolve

REVISION = 4  # raise it if a figure changes its meaning: earlier runs are then not reused


@dataclass(frozen=True)
class System:
    name: str  # as given by the user
    model: ResolvedModel | None = None  # None for a baseline
    bundle: Bundle | None = None
    search: SearchConfig | None = None
    swap: bool = False  # NN-Swap: the model rewrites the nearest training text
    baseline: Baseline | None = None

    @property
    def task(self) -> Task:
        """The system's task."""
        return self.bundle.task if self.bundle else self.text_task

    @property
    def text_task(self) -> WritesTexts:
        """The task of a system that generates texts."""
        if self.bundle is not None:
            return self.bundle.text_task
        assert self.baseline is not None
        return self.baseline.TASK

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
        """The parameters of its runs: the search, and what distinguishes models of one kind."""
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
        """Everything that its texts depend on except the data, without search settings at their defaults."""
        if self.model is None or self.search is None:
            return {"system": self.name}
        weights = hashlib.sha256((self.model.folder / WEIGHTS).read_bytes()).hexdigest()
        default = asdict(SearchConfig())
        search = {key: value for key, value in asdict(self.search).items() if value != default[key]}
        return {"weights": weights, "search": search, "swap": self.swap}

    def split(self, data: DataSet) -> DataSet:
        """Return the data with the splits of its training."""
        return data if self.bundle is None else data.of_fold(self.bundle.config.data.fold)


@dataclass(frozen=True)
class Subject:
    """A system and a split of a data set to evaluate it on."""

    system: System
    data: DataSet
    split: str
    limit: int | None = None

    @property
    def key(self) -> str:
        """A digest that is equal for evaluations with the same figures."""
        return digest([REVISION, self.system.identity, self.data.manifest.fingerprint, self.split, self.limit])


def find(
    name: str, settings: Sequence[str] = (), device: str = "cpu", swap: bool = False, search: SearchConfig | None = None
) -> System:
    """Return a system by name; settings: key=value, for ``search``, which is by default the model's own."""
    known = systems.kinds(BASELINES)
    if name in known or (get_close_matches(name, known, n=1) and not Path(name).exists()):
        baseline: Baseline = systems.find(name, "The command", BASELINES)  # raises UserError for a misspelt one
        if settings:
            raise UserError(f"'{name}' has no search, so {settings[0]} can't be set. Leave --set out.")
        if swap:
            raise UserError(f"'{name}' has no model that could swap. Give a trained checklist with --swap.")
        return System(name, baseline=baseline)
    model = resolve(name)
    bundle = load(Path(model.folder), device)
    base = search or bundle.config.search
    chosen = dict(split_setting(setting, asdict(base)) for setting in settings)
    values = {key: parse_value(SearchConfig, key, value, f"'{key}'") for key, value in chosen.items()}
    return System(name, model, bundle, replace(base, **values), swap)


def write(system: System, data: DataSet, examples: Sequence[AnyExample]) -> list[list[str]]:
    """Return the tokens of one text for each example of the system's task."""
    if system.baseline is not None:
        return system.baseline.texts(data, examples)
    assert system.bundle is not None and system.search is not None
    if system.swap:
        searching = replace(system.bundle, config=replace(system.bundle.config, search=system.search))
        return swap(searching, Nearest.build(data.tables("train")).find(examples), examples)
    hypotheses_of = hypotheses(system.writer, examples)
    best = [texts[0] if texts else NOTHING for texts in hypotheses_of]
    return [system.bundle.words(text.tokens, example) for text, example in zip(best, examples, strict=True)]


def hypotheses(writer: Writer, examples: Sequence[AnyExample]) -> list[list[Hypothesis]]:
    """Return the hypotheses of each example, best first, as `allsaid generate` finds them; show the progress."""
    results: list[list[Hypothesis]] = []
    with progress("texts generated", len(examples)) as bar:
        for start in range(0, len(examples), PIECE):
            part = examples[start : start + PIECE]
            results += writer.hypotheses(part)
            bar.advance(len(part))
    return results


def digest(values: object) -> str:
    """Return 16 hex digits for plain values."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
