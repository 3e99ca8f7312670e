"""What can be evaluated: a trained model, or a system that needs no training."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from allsaid.console import UserError
from allsaid.settings import parse_value, split_setting
from training.config import SearchConfig
from training.models.model_folder import WEIGHTS, Bundle, load
from training.tracking.registry import ResolvedModel, resolve

HANDCRAFTED = "handcrafted"  # a dialogue corpus's own texts
NEAREST = "nn"  # the text of the training recipe that is most like the one asked for
UNTRAINED = (HANDCRAFTED, NEAREST)


@dataclass(frozen=True)
class System:
    name: str  # as it was asked for
    model: ResolvedModel | None = None  # None where nothing is trained
    bundle: Bundle | None = None  # its parts
    search: SearchConfig | None = None
    swap: bool = False  # NN-Swap: the model rewrites the nearest training text

    @property
    def params(self) -> dict[str, Any]:
        """What a run of it says beside its model: the search, and what tells models of one kind apart."""
        if self.bundle is None or self.search is None:
            return {}
        config = self.bundle.config
        return asdict(self.search) | {
            "kind": config.model.kind,
            "seed": config.fit.seed,
            "epochs": config.fit.epochs,
            "swap": self.swap,
        }

    @property
    def identity(self) -> dict[str, Any]:
        """All that its texts depend on, beside the data; a search setting left at its default is left out."""
        if self.model is None or self.search is None:
            return {"system": self.name}
        weights = hashlib.sha256((self.model.folder / WEIGHTS).read_bytes()).hexdigest()
        default = asdict(SearchConfig())
        search = {key: value for key, value in asdict(self.search).items() if value != default[key]}
        return {"weights": weights, "search": search, "swap": self.swap}


def find(
    name: str,
    settings: Sequence[str] = (),
    device: str = "cpu",
    swap: bool = False,
    search: SearchConfig | None = None,
) -> System:
    """The system of this name; ``settings`` are key=value of ``search``, which is by default the model's own."""
    if name in UNTRAINED:
        if settings:
            raise UserError(f"'{name}' has no search, so {settings[0]} can't be set. Leave --set out.")
        if swap:
            raise UserError(f"'{name}' has no model that could swap. Give a trained checklist with --swap.")
        return System(name)
    model = resolve(name)
    bundle = load(Path(model.folder), device)
    return System(name, model, bundle, _search(search or bundle.config.search, settings), swap)


def _search(base: SearchConfig, settings: Sequence[str]) -> SearchConfig:
    given = dict(split_setting(setting, asdict(base)) for setting in settings)
    values = {key: parse_value(SearchConfig, key, value, f"'{key}'") for key, value in given.items()}
    return replace(base, **values)


def digest(values: Any) -> str:
    """16 hex digits of plain values."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
