"""A generated text with the proof of its content (the output of ``allsaid generate``)."""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.checks.rules import Between, EitherOr, OneOf, PointsInto, Rule, SameLength
from schemas.checks.table import Int16, Int32, versioned
from schemas.texts.finding import Finding

CELLS = "cells"  # a further column of models that copy cells of a table: for each of T tokens "row 3, phone", or ""
BY_MODEL, SUBMITTED = "model", "submitted"  # origins
# Reasons why a text can't give an item: banned words, no such words in the model, low coverage.
BANNED, UNKNOWN, NO_PLACE = "banned", "unknown", "no place"
REQUIRED, TOO_LONG = "required", "too long"  # requirements that a text does not meet

# Keys in the footer of a file of texts, in addition to the schema's name; values are "" if unknown.
RUN_KEY = b"allsaid.model_run"  # the training run in MLflow
MODEL_KEY = b"allsaid.model"  # name and version: "recipes/3"; for a folder "model/"
DATA_KEY = b"allsaid.data_fingerprint"  # of the model's training data set


@dataclass(frozen=True)
class Generated:
    id: str  # the input's own
    goal: str  # as given: the dish, the act
    agenda: list[str]  # as given; for a task whose rows are no agendas, the lines that it shows of a row
    text: str  # ready to publish; "" in an error row
    tokens: list[str]  # T, the raw sequence
    ref_items: list[Int16]  # T positions in the agenda by the model's own account, -1: none (`used` compares words)
    used: list[str]  # agenda items given by the text, by head word; for a table's row also its goal ("goal=laptop")
    missing: list[str]  # agenda items (and goal) that the text does not give
    extra: list[str]  # known names in the text that the agenda lacks; forbidden claims ("claim=easy to carry")
    percent_given: float | None  # by head word, 0 to 100; null in an error row, and without items
    percent_given_full_name: float | None  # the same by full name: its words side by side, in order
    percent_given_any_word: float | None  # the same by any word of the name
    extra_count: Int32 | None  # number of names in `extra`; null in an error row, and if it is not measured
    log_probability: float | None  # natural logarithm, of the whole sequence, 4 digits; null if not by the model
    model_name: str  # as registered, or the model folder's own name
    model_version: str  # as registered, "" for a plain folder
    error: str | None = None  # a sentence, if no text could be generated
    text_number: Int32 = 0  # of the row's texts, from 0
    texts_found: Int32 = 0  # number of different texts of the row; 0 in an error row
    below_min_coverage: bool = False  # the text gives a smaller share of its items than `min_coverage`
    unfitted: list[str] = field(default_factory=list)  # items that did not fit; unmet requirements ("require=new")
    unfitted_why: list[str] = field(default_factory=list)  # for each: BANNED, UNKNOWN, NO_PLACE, REQUIRED or TOO_LONG
    # A text is certified if it states each item once, in forms of training texts, and nothing else. A recipe is
    # certified if it gives each item, nothing else, and has no finding.
    certified: bool | None = None  # null: the model has no certificate
    unattested: list[str] = field(default_factory=list)  # passages in no form of training texts, as written
    is_assembled: bool = False  # true: joined from sentences of training texts; false: found by the search
    claims: list[str] = field(default_factory=list)  # claims that no column supports and the mapping does not forbid
    unfamiliar: list[str] = field(default_factory=list)  # goal ("goal=chair") and values never trained on or unreadable
    origin: str | None = BY_MODEL  # "model", or "submitted" by another author; null in an error row
    replaced: list[str] = field(default_factory=list)  # submitted texts that this text by the model replaces
    findings: list[Finding] = field(default_factory=list)  # of a record's values; in a recipe: what stops a cook
    retry: str = ""  # one JSON line for another try: missing values and wrong passages; "" if there are none
    # Of a text that was edited from a training recipe:
    prototype: str = ""  # the recipe's id
    prototype_source: str = ""  # the data set's source, the file and the place in it
    prototype_licence: str = ""  # as the model's settings name it
    prototype_text: str = ""  # as the data set has it
    copied_percent: float | None = None  # of the text's words that are the prototype's, in its order
    swapped: list[str] = field(default_factory=list)  # names in the prototype, and what they are now: "beef -> turkey"
    deleted: list[str] = field(default_factory=list)  # names
    inserted: list[str] = field(default_factory=list)  # names
    confidence: float | None = None  # in the edit, 0 to 1

    @property
    def asked(self) -> list[str]:
        """The lines that the text is measured by: the agenda and, where texts have to state it, the goal."""
        return [*self.agenda, *(line for line in (*self.used, *self.missing) if line not in self.agenda)]


GOAL = "goal"


def goal_line(goal: str) -> str:
    """Return a goal as a line of an agenda."""
    return f"{GOAL}={goal}"


GENERATED = versioned("generated", 6, Generated)

RULES: tuple[Rule, ...] = (
    SameLength("tokens", "ref_items"),
    PointsInto("ref_items", "agenda"),
    Between("percent_given", 0, 100),
    Between("percent_given_full_name", 0, 100),
    Between("percent_given_any_word", 0, 100),
    Between("extra_count", 0),
    Between("log_probability", None, 0),
    Between("copied_percent", 0, 100),
    Between("confidence", 0, 1),
    EitherOr("origin", "error"),
    Between("text_number", 0),
    Between("texts_found", 0),
    SameLength("unfitted", "unfitted_why"),
    OneOf("unfitted_why", (BANNED, UNKNOWN, NO_PLACE, REQUIRED, TOO_LONG)),
)

# Figure of the summary -> the rule that also applies if this figure is measured.
OF_MEASURED: dict[str, Rule] = {
    "percent_given": EitherOr("percent_given", "error"),
    "extra_items": EitherOr("extra_count", "error"),
}
