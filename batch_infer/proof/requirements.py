"""Requirements on a text apart from its row: phrases that it must have, and its length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from allsaid.proof.forms.claims import claims_in
from allsaid.proof.values.seen import plain
from allsaid.storage import files
from pipelines.sources.mappings import parse_yaml
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError
from schemas.texts.generated import REQUIRED, TOO_LONG

ALL = "all"  # in place of a goal
_SHAPE = "Write lines of goal: [phrase, phrase], with `all` for every row."


@dataclass(frozen=True)
class Requirements:
    """The requirements on each text of a run."""

    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # goal, or ALL -> required phrases
    max_characters: int | None = None

    def __bool__(self) -> bool:
        return bool(self.phrases) or self.max_characters is not None

    def to_json(self) -> dict[str, JsonValue]:
        """Return plain data, for the job."""
        phrases = {goal: list(required) for goal, required in self.phrases.items()}
        return {"requirements": {"phrases": phrases, "max_characters": self.max_characters}} if self else {}

    def unmet(self, text: str, goal: str) -> dict[str, str]:
        """Return the requirements that a published text does not meet, as lines, with the kind of each."""
        required = dict.fromkeys((*self.phrases.get(ALL, ()), *self.phrases.get(plain(goal), ())))
        unmet = {f"require={phrase}": REQUIRED for phrase in required if not claims_in([text], [phrase])}
        if self.max_characters is not None and len(text) > self.max_characters:
            unmet[f"max_characters={self.max_characters}"] = TOO_LONG
        return unmet


def read(path: str, max_characters: int | None) -> Requirements:
    """Return the requirements, with the phrases of a YAML file; raise UserError for a fault in it."""
    if not path:
        return Requirements(max_characters=max_characters)
    where = f"--require {path}"
    try:
        written = files.read_text(path)
    except (OSError, ValueError) as fault:
        raise UserError(f"{where} can't be read: {fault}") from fault
    found = parse_yaml(written, where)
    if not isinstance(found, dict) or not found:
        raise UserError(f"{where} has no phrases by goal. {_SHAPE}")
    phrases = {}
    for goal, given in found.items():
        required = given if isinstance(given, list) else [given]
        if not required or not all(isinstance(phrase, str) and any(map(str.isalnum, phrase)) for phrase in required):
            raise UserError(f"{where}: what '{goal}' must have is no phrase, nor a list of phrases. {_SHAPE}")
        phrases[plain(str(goal))] = tuple(required)
    return Requirements(phrases, max_characters)
