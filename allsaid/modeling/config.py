"""The configuration of a training run: frozen dataclasses, filled from YAML files and ``--set key=value``.

A YAML file has one section for each field of :class:`Config`; field names are unique over the sections, so that
``--set`` takes the bare name.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal  # Any: values of YAML, and settings of a model that is known only at run time

import yaml

from allsaid.modeling import systems
from allsaid.modeling.precision import Precision
from allsaid.settings import number, parse_value, split_setting
from schemas.errors import UserError


@dataclass(frozen=True)
class DataConfig:
    """How examples become ids and batches."""

    text_cutoff: int = number(5, 1)  # minimum count in the training part of a word in the vocabulary
    title_cutoff: int = number(5, 1)  # the same for words of titles
    agenda_cutoff: int = number(5, 1)  # the same for words of items
    field_cutoff: int = number(100, 1)  # minimum number of boxes that have a field in the vocabulary of fields
    text_size: int = number(0, 0)  # maximum number of words in the vocabulary of texts; 0: all (dialogues have all)
    merges: int = number(0, 0)  # maximum number of merges that join characters to pieces of words; 0: whole words
    batch_size: int = number(30, 1)  # texts in a batch
    max_text: int = number(814, 2)  # most tokens of a training text; the rest of a longer one is not learned
    fold: int = number(-1, -1, 4)  # part of the dialogues (0 to 4) to test on; -1: the data set's own splits


@dataclass(frozen=True)
class FitConfig:
    """The training loop."""

    epochs: int = number(35, 1)
    optimiser: Literal["sgd", "adam"] = "sgd"
    learning_rate: float = number(0.1, 0)
    clip: float = number(5.0, 0)  # the gradient's norm is cut to this
    schedule: Literal["halve", "linear"] = "halve"  # of the learning rate; "linear": down to 0 at the last step
    average: float = number(0.0, 0, 0.9999)  # decay of the moving average of weights; 0: no average
    halve_after: int = number(1, 1)  # epochs without a better dev score after which the learning rate is halved
    stop_after: int = number(0, 0)  # epochs without a better dev score after which training ends; 0: never
    best_by: Literal["loss", "bleu"] = "loss"  # dev score that selects the epoch; halve_after and stop_after watch it
    seed: int = number(1, 0)
    start_from: str = ""  # model (folder or models:/NAME/VERSION) whose weights replace initial weights of equal names
    device: Literal["cpu", "cuda"] = "cpu"
    dtype: Precision = "float32"  # of large matrix multiplications; parameters stay float32
    log_steps: int = number(20, 1)  # steps between two logs of training figures
    checkpoint_steps: int = number(500, 1)  # steps between checkpoints, in addition to that at each epoch's end
    sample_texts: int = number(50, 0)  # dev texts generated after each epoch
    score_texts: int = number(200, 1)  # dev texts generated for the final scores


@dataclass(frozen=True)
class TextSettings:
    """Settings for users: the number of texts per row, their length and their required content."""

    texts: int = number(1, 1)  # distinct texts of each row
    width: int = number(10, 1)  # hypotheses of a text that the beam keeps
    max_tokens: int = number(200, 1)  # most tokens of a text
    min_coverage: float = number(0.0, 0, 100)  # % of its items that a text must give; turns on `banks`
    assemble: bool = True  # with min_coverage: assemble a text of known sentences if no text of the search is certified
    variety: bool = False  # true: texts of different rows are worded differently, by the rows' ids
    supported_numbers_only: bool = False  # true: no number that the row's agenda lacks
    max_copied: float = number(1.0, 0, 1)  # largest share of an edited recipe's words copied from its prototype
    min_confidence: float = number(0.0, 0, 1)  # an edited recipe with less confidence is not published


@dataclass(frozen=True)
class PaperSettings:
    """Settings of search and ranking in which the papers and the shipped configurations differ.

    "The authors' code" is that of Kiddon et al. 2016 (uwnlp/neural-checklist), which does more than their paper says.
    """

    finished: int = number(10, 0)  # finished texts that end a search; 0: they stay in the beam, as in the authors' code
    item_bonus: float = number(0.0, 0)  # nats added for a word of an item's name where the item is first mentioned
    rank_by_model_items: bool = True  # rank first the texts that use most items, by the model's own count (paper)
    distinct_items: bool = True  # an item introduced twice counts once (authors' code); false: twice (paper)
    length_power: float = number(1.0, 0, 2)  # log-probabilities are divided by words to this power (1: authors' code)
    consensus: float = number(0.0, 0)  # prefer the text most similar to this many sampled references; 0: off
    adjacent_items: bool = False  # true: two items may be named side by side; the authors' code rules it out
    values_once: bool = False  # true: no placeholder appears twice in a text
    once_a_list: bool = False  # true: no list names an item twice (decoding/step/lists.py)
    rewrites: int = number(0, 0)  # Checklist+: how often a text with missing items is generated again, at most
    no_repeat_ngram: int = number(0, 0)  # length of token sequences that may appear only once in a text; 0: off


@dataclass(frozen=True)
class BeamSettings:
    """Settings of speed and of room in the beam; users rarely change them."""

    search_batch: int = number(20, 1)  # texts searched at once, rounded to fill blocks (modeling/data/shapes.py)
    banks: bool = False  # the beam keeps room for texts that give more items (decoding/step/banks.py)
    extra_penalty: float = number(5.0, 0)  # with banks: nats subtracted for a known name that the agenda lacks
    shortlist: int = number(0, 0)  # frequent words that all texts may use, in addition to words of their rows; 0: all


@dataclass(frozen=True)
class SearchConfig(TextSettings, PaperSettings, BeamSettings):
    """The beam search (Kiddon et al. 2016, section 4.7)."""

    @property
    def is_banked(self) -> bool:
        return self.banks or self.min_coverage > 0


@dataclass(frozen=True)
class Config:
    data: DataConfig = field(default_factory=DataConfig)
    # The Settings of the model's module; each module has its own class.
    model: Any = field(default_factory=lambda: systems.find(systems.DEFAULT).Settings())
    fit: FitConfig = field(default_factory=FitConfig)
    search: SearchConfig = field(default_factory=SearchConfig)

    def to_yaml(self) -> str:
        return yaml.safe_dump(dataclasses.asdict(self), sort_keys=False)

    def flat(self) -> dict[str, Any]:
        """Return all settings by their names, without sections."""
        return {name: value for section in dataclasses.asdict(self).values() for name, value in section.items()}

    @property
    def learned(self) -> str:
        """Hash (16 hex digits) of the settings that affect the weights, so without search and device.

        A setting at its default is left out, so that a new setting does not change the hashes of earlier runs.
        """
        sections = [(part, type(part)()) for part in (self.data, self.model, self.fit)]
        chosen = [
            {key: value for key, value in vars(part).items() if value != getattr(default, key) and key != "device"}
            for part, default in sections
        ]
        return hashlib.sha256(json.dumps([self.model.kind, *chosen], sort_keys=True).encode()).hexdigest()[:16]


SECTIONS = ("data", "model", "fit", "search")


def parse_config(text: str, where: str, settings: Iterable[str] = ()) -> Config:
    """Parse a configuration; ``where`` names the file in the errors."""
    try:
        loaded = yaml.safe_load(text) or {}
    except (yaml.YAMLError, ValueError, RecursionError) as fault:  # a date of month 99; brackets in brackets
        raise UserError(f"{where} is no YAML: {fault}.") from fault
    if not isinstance(loaded, dict):
        raise UserError(f"{where} must hold sections; the valid ones are {', '.join(SECTIONS)}.")
    values: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
    for name, section in loaded.items():
        if name not in SECTIONS:
            raise UserError(f"{where} has an unknown section '{name}'; the valid ones are {', '.join(SECTIONS)}.")
        if not isinstance(section or {}, Mapping):
            raise UserError(f"Section '{name}' of {where} must hold settings, one `key: value` a line.")
        values[name] = dict(section or {})
    model = systems.find(str(values["model"].get("kind", systems.DEFAULT)), where).Settings
    kinds: dict[str, type] = {"data": DataConfig, "model": model, "fit": FitConfig, "search": SearchConfig}
    section_of = {item.name: name for name, kind in kinds.items() for item in dataclasses.fields(kind)}
    for name, kind in kinds.items():
        values[name] = _read_section(name, kind, values[name], where)
    for setting in settings:
        key, value = split_setting(setting, section_of)
        section = section_of[key]
        values[section][key] = parse_value(kinds[section], key, value, f"'{key}'")
    return Config(**{name: kinds[name](**values[name]) for name in SECTIONS})


def _read_section(name: str, kind: type, section: Mapping[str, Any], where: str) -> dict[str, Any]:
    keys = [item.name for item in dataclasses.fields(kind)]
    for key in section:
        if key not in keys:
            raise UserError(
                f"{where} has an unknown key '{key}' in section '{name}'; the valid ones are {', '.join(keys)}."
            )
    return {key: parse_value(kind, key, value, f"'{key}' in {where}") for key, value in section.items()}
