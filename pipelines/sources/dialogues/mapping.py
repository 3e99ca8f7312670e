"""The mapping of a user's conversations: a YAML file that names columns that differ from the defaults.

dialogue: session        # the column whose cells are the same in all turns of a dialogue
speaker: author
text: message
machine: Agent           # the speaker that is the machine
names: [name, phone]     # columns of the table of offers that identify a row; by default their cells decide
missing: [n/a, "-"]      # cells of that table that count as empty
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any  # Any: values of YAML, checked here

from pipelines.sources.mappings import (
    DEFAULT_MISSING,
    known_keys,
    missing_at,
    parse_yaml,
    strings_at,
    text_at,
    text_of_mapping,
)
from schemas.dialogue import MACHINE

KEYS: Mapping[str, str] = {
    "dialogue": "the column that is the same in all turns of a dialogue; by default `dialogue`",
    "speaker": "the column that says who speaks; by default `speaker`",
    "text": "the column of the messages; by default `text`",
    "machine": f"the name of the machine as a speaker; by default `{MACHINE}`. All other speakers are the user",
    "names": "columns whose cells identify a row of the table that the conversations are about (`--table`); by default "
    "columns in which more than half of the filled cells are unique",
    "missing": "cells of that table that count as empty; by default "
    + ", ".join(f"`{cell}`" for cell in DEFAULT_MISSING),
}


@dataclass(frozen=True)
class DialogueMapping:
    dialogue: str = "dialogue"
    speaker: str = "speaker"
    text: str = "text"
    machine: str = MACHINE
    names: tuple[str, ...] | None = None  # columns of the offers that name a row; None: their cells decide
    missing: frozenset[str] = frozenset(DEFAULT_MISSING)  # in lower case

    @property
    def columns(self) -> tuple[str, str, str]:
        return self.dialogue, self.speaker, self.text


def load_mapping(path: str) -> DialogueMapping:
    """Load the mapping of a YAML file, for "" the defaults; raises UserError if it is none."""
    if not path:
        return DialogueMapping()
    named = f"--mapping {path}"
    return parse_mapping(parse_yaml(text_of_mapping(path), named) or {}, named)


def parse_mapping(found: Any, path: str) -> DialogueMapping:
    """Parse a mapping from plain data; ``path`` names it in the errors."""
    given = known_keys(found, KEYS, path)
    return DialogueMapping(
        **{key: name for key in ("dialogue", "speaker", "text", "machine") if (name := text_at(given, key, path))},
        names=None if given.get("names") is None else strings_at(given, "names", path),
        missing=missing_at(given, path),
    )
