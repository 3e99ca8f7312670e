"""What a training run is asked to do: frozen dataclasses that YAML files and ``--set key=value`` only fill.

A YAML file has one section for each field of :class:`Config`; field names are unique over the sections, so that
``--set`` takes the bare name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import yaml

from console import UserError


def _number(default: float, low: float, high: float | None = None) -> Any:
    """A numeric field that must lie within [low, high]."""
    return field(default=default, metadata={"low": low, "high": high})


@dataclass(frozen=True)
class DataConfig:
    """How examples become ids and batches."""

    text_cutoff: int = _number(5, 1)  # a vocabulary keeps words seen at least so often in the training part
    title_cutoff: int = _number(5, 1)
    agenda_cutoff: int = _number(5, 1)
    batch_size: int = _number(30, 1)  # texts
    max_text: int = _number(814, 2)  # tokens; a longer text is learned up to here, without its end


@dataclass(frozen=True)
class ChecklistConfig:
    """Kiddon et al. 2016, section 4; the defaults are the paper's for recipes (section 5)."""

    hidden: int = _number(256, 1)  # k, the size of states and embeddings
    init: float = _number(0.35, 0)  # parameters start uniformly in [-init, init]
    agenda_init: Literal["uniform", "output"] = (
        "uniform"  # "output": an agenda word begins as its text word's row of W_o
    )
    type_temperature: float = _number(5.0, 0)  # β of the reference classifier
    item_temperature: float = _number(2.0, 0)  # γ of the item attentions
    type_scale: float = _number(5.0, 0)  # both sides of the reference type's squared loss are multiplied by this
    dropout: float = _number(0.0, 0, 0.9)  # on input embeddings and output states; the paper has none


@dataclass(frozen=True)
class FitConfig:
    """The training loop."""

    epochs: int = _number(35, 1)
    optimiser: Literal["sgd", "adam"] = "sgd"
    learning_rate: float = _number(0.1, 0)
    clip: float = _number(5.0, 0)  # the gradient's norm is cut to this
    schedule: Literal["halve", "linear"] = "halve"  # of the learning rate; "linear": down to 0 at the last step
    halve_after: int = _number(1, 1)  # epochs without a better dev loss after which the learning rate is halved
    seed: int = _number(1, 0)
    device: Literal["cpu", "cuda"] = "cpu"
    dtype: Literal["float32", "bfloat16"] = "float32"  # of the large products; parameters stay float32
    log_steps: int = _number(20, 1)  # training figures are logged every so many steps
    checkpoint_steps: int = _number(500, 1)  # beside the checkpoint at each epoch's end
    sample_texts: int = _number(50, 0)  # dev texts generated after each epoch
    score_texts: int = _number(200, 1)  # dev texts generated for the final scores


@dataclass(frozen=True)
class SearchConfig:
    """The beam search (section 4.7)."""

    width: int = _number(10, 1)
    max_tokens: int = _number(200, 1)
    search_batch: int = _number(20, 1)  # texts searched at once; always the same, so that the same input gives the same
    no_repeat_ngram: int = _number(0, 0)  # no sequence of so many tokens stands twice in a text; 0: off


@dataclass(frozen=True)
class Config:
    data: DataConfig = field(default_factory=DataConfig)
    model: ChecklistConfig = field(default_factory=ChecklistConfig)
    fit: FitConfig = field(default_factory=FitConfig)
    search: SearchConfig = field(default_factory=SearchConfig)

    def to_yaml(self) -> str:
        return yaml.safe_dump(dataclasses.asdict(self), sort_keys=False)

    def flat(self) -> dict[str, Any]:
        """Every setting by its bare name."""
        return {name: value for section in dataclasses.asdict(self).values() for name, value in section.items()}


SECTIONS: dict[str, type] = {
    "data": DataConfig,
    "model": ChecklistConfig,
    "fit": FitConfig,
    "search": SearchConfig,
}
_SECTION_OF = {item.name: section for section, kind in SECTIONS.items() for item in dataclasses.fields(kind)}


def load_config(source: str, settings: Iterable[str] = ()) -> Config:
    """Read a YAML file, or the shipped configuration of that name, and apply ``key=value`` settings to it."""
    path = Path(source)
    if path.is_file():
        return parse_config(path.read_text(encoding="utf-8"), source, settings)
    shipped = {item.name.removesuffix(".yaml"): item for item in resources.files("training.configs").iterdir()}
    if source not in shipped:
        names = ", ".join(sorted(name for name in shipped if not name.startswith("_")))
        raise UserError(f"There is no configuration file '{source}', nor a shipped one of that name: {names}.")
    return parse_config(shipped[source].read_text(encoding="utf-8"), source, settings)


def parse_config(text: str, where: str, settings: Iterable[str] = ()) -> Config:
    """Parse a configuration; ``where`` names the file in the errors."""
    try:
        written = yaml.safe_load(text) or {}
    except yaml.YAMLError as fault:
        raise UserError(f"{where} is no YAML: {fault}.") from fault
    if not isinstance(written, dict):
        raise UserError(f"{where} must hold sections; the valid ones are {', '.join(SECTIONS)}.")
    values: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
    for name, section in written.items():
        if name not in SECTIONS:
            raise UserError(f"{where} has an unknown section '{name}'; the valid ones are {', '.join(SECTIONS)}.")
        values[name] = _read_section(name, section or {}, where)
    for setting in settings:
        key, value = _read_setting(setting)
        values[_SECTION_OF[key]][key] = value
    return Config(**{name: SECTIONS[name](**values[name]) for name in SECTIONS})


def _read_section(name: str, section: Any, where: str) -> dict[str, Any]:
    if not isinstance(section, Mapping):
        raise UserError(f"Section '{name}' of {where} must hold settings, one `key: value` a line.")
    keys = [item.name for item in dataclasses.fields(SECTIONS[name])]
    for key in section:
        if key not in keys:
            raise UserError(
                f"{where} has an unknown key '{key}' in section '{name}'; the valid ones are {', '.join(keys)}."
            )
    return {key: _parse_value(name, key, value, f"'{key}' in {where}") for key, value in section.items()}


def _read_setting(setting: str) -> tuple[str, Any]:
    key, equals, value = setting.partition("=")
    if not equals:
        raise UserError(f"A setting must be key=value, but '{setting}' has no '='.")
    if key not in _SECTION_OF:
        raise UserError(f"There is no setting '{key}'; the valid ones are {', '.join(_SECTION_OF)}.")
    return key, _parse_value(_SECTION_OF[key], key, value, f"'{key}'")


def _parse_value(section: str, key: str, value: Any, what: str) -> Any:
    """A setting's value in its field's type and range."""
    kind = get_type_hints(SECTIONS[section])[key]
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise UserError(f"{what} must be one of {', '.join(get_args(kind))}; '{value}' is not.")
        return value
    try:
        if isinstance(value, bool) or (kind is int and isinstance(value, float)):
            raise ValueError
        number = kind(value)
    except (TypeError, ValueError) as fault:
        wanted = "a whole number" if kind is int else "a number"
        raise UserError(f"{what} must be {wanted}; '{value}' is not.") from fault
    (limits,) = (item.metadata for item in dataclasses.fields(SECTIONS[section]) if item.name == key)
    if not limits["low"] <= number <= (limits["high"] if limits["high"] is not None else float("inf")):
        range_ = f"between {limits['low']} and {limits['high']}" if limits["high"] else f"at least {limits['low']}"
        raise UserError(f"{what} must be {range_}; {number} is not.")
    return number
