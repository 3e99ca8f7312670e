"""The search options in the form of `allsaid try`: their labels, their ranges, and the parsing of their input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from allsaid.decoding.step import ban
from allsaid.decoding.write import EDIT_ONLY_SETTINGS, EDIT_SETTINGS, check_rows
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import WritesTexts
from allsaid.settings import parse_value
from batch_infer.options.texts import TextOptions
from batch_infer.rows.kinds.form import FieldFault
from batch_infer.writer.settings import WriterSettings
from schemas.errors import UserError

SETTINGS = {item.name: item for item in fields(SearchConfig)}
# The first clause of the help of each text option of `allsaid generate`. `USUAL` are those that are search settings,
# `ADVANCED` all other search settings except `search_batch`, which has no effect on a single row.
LABELS = {item.name: re.split(r"; |\.(?: \[default|$)", item.metadata["help"])[0] for item in fields(TextOptions)}
USUAL = {key: label for key, label in LABELS.items() if key in SETTINGS}
ADVANCED: Mapping[str, str] = {
    "finished": "Finished texts that end the search",
    "item_bonus": "Nats added at an item's first mention",
    "rank_by_model_items": "Rank first the texts that use most items, by the model's own count",
    "distinct_items": "An item that the model introduces twice counts once",
    "length_power": "Power of the length that log-probabilities are divided by",
    "consensus": "Sampled texts to compare with; the most similar text is best (0: off)",
    "adjacent_items": "Two items may be named side by side",
    "values_once": "No value occurs twice",
    "once_a_list": "No list names an item twice",
    "rewrites": "How often a text with missing items is written again, at most",
    "banks": "Room in the beam for texts that give more items",
    "assemble": "With a least coverage: assemble a text of known sentences if no other is certified",
    "extra_penalty": "With banks or a least coverage: nats subtracted for an extra name",
    "shortlist": "Frequent words to choose from (0: all)",
    "no_repeat_ngram": "Length of token sequences that may occur only once (0: off)",
}
EDITED = "Nearest training recipes that are edited"  # the meaning of `width` in models that edit
# Limits far above useful values, so that a typing error does not overload the machine.
MOST = {"texts": 20, "width": 100, "max_tokens": 2000, "finished": 500, "rewrites": 50, "consensus": 50}
SEARCH = "search."  # prefix of the options' names in the form
SENTENCE_CASE, BAN = "sentence_case", "ban"  # options that are no settings of the search


@dataclass(frozen=True)
class Option:
    key: str  # of the section `search`, SENTENCE_CASE or BAN
    label: str
    kind: Literal["whole", "number", "check", "lines"]
    default: str = ""  # the model's value, as a user would type it; "true" for a checked box
    low: float | None = None
    high: float | None = None
    is_advanced: bool = False


def options_of(bundle: Bundle) -> list[Option]:
    """Return the options that apply to the model's task, the advanced ones last."""
    settings = bundle.config.search
    labels = {key: label for key, label in {**USUAL, **ADVANCED}.items() if _applies(bundle.text_task, key)}
    if bundle.edits:
        labels = {key: label for key, label in labels.items() if key in EDIT_SETTINGS} | {"width": EDITED}
    labels = {key: label for key, label in labels.items() if bundle.edits or key not in EDIT_ONLY_SETTINGS}
    options = [_option(key, label, getattr(settings, key), SETTINGS[key].metadata) for key, label in labels.items()]
    no_settings = [Option(SENTENCE_CASE, LABELS[SENTENCE_CASE], "check")]
    if _is_allowed(bundle.text_task, SearchConfig(), ("a",)):
        no_settings.append(Option(BAN, "Words and phrases that no text may have, one per line", "lines"))
    return [
        *(option for option in options if not option.is_advanced),
        *no_settings,
        *(option for option in options if option.is_advanced),
    ]


def default_values(options: Sequence[Option]) -> dict[str, str]:
    """Return the initial values of the form: the search settings of the model."""
    return {SEARCH + option.key: option.default for option in options}


def with_typed(settings: WriterSettings, options: Sequence[Option], typed: Mapping[str, str]) -> WriterSettings:
    """Return the settings with the values in ``typed``, whose keys are the names of the form's fields.

    Raises FieldFault if a value is wrong.
    """
    values: dict[str, Any] = {}  # Any: spread over typed fields
    for option in options:
        try:
            values[option.key] = _read(option, typed.get(SEARCH + option.key, ""))
        except UserError as fault:
            raise FieldFault(SEARCH + option.key, fault) from fault
    cased, banned = values.pop(SENTENCE_CASE), values.pop(BAN, ())
    search = replace(settings.search, **values)
    return replace(settings, search=search, sentence_case=cased, banned=banned)


def _read(option: Option, typed: str) -> Any:  # of the setting's type
    if option.kind == "check":
        return typed == "true"
    if option.kind == "lines":
        return ban.phrases_of(typed.splitlines())
    value = parse_value(SearchConfig, option.key, typed.strip() or option.default, f"'{option.label}'")
    if option.high is not None and value > option.high:
        raise UserError(f"'{option.label}' must be at most {option.high:g} here; {value} is not.")
    return value


def _option(key: str, label: str, value: float, limits: Mapping[str, float | None]) -> Option:
    """``value``: the model's; ``limits``: the metadata of the setting."""
    is_advanced = key in ADVANCED
    if isinstance(value, bool):
        return Option(key, label, "check", "true" if value else "", is_advanced=is_advanced)
    high = max(MOST[key], value) if key in MOST else limits["high"]
    kind: Literal["whole", "number"] = "whole" if isinstance(value, int) else "number"
    return Option(key, label, kind, str(value) if kind == "whole" else f"{value:g}", limits["low"], high, is_advanced)


def _applies(task: WritesTexts, key: str) -> bool:
    """Return whether a setting applies to the task, that is, the task accepts a value other than the default."""
    default = getattr(SearchConfig(), key)
    other = not default if isinstance(default, bool) else default + 1
    return _is_allowed(task, replace(SearchConfig(), **{key: other}), ())


def _is_allowed(task: WritesTexts, search: SearchConfig, banned: tuple[str, ...]) -> bool:
    try:
        check_rows(task, search, banned)
    except UserError:
        return False
    return True
