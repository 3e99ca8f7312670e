"""All figures of texts by key, each with its label, unit, number of digits and better direction.

Training, generation and evaluation log each figure under its key, some with a prefix: ``true/`` (of the reference
texts), ``low/`` and ``high/`` (ends of an interval), ``dev_`` (after an epoch) or ``final_`` (after a training). Tasks
add their own figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Better = Literal["up", "down", ""]  # "": neither, as for a length
WORDS = {"up": "more is better", "down": "less is better"}


@dataclass(frozen=True)
class Figure:
    """A figure in a run, a summary or a table of systems, under its key; mostly a mean over texts."""

    key: str
    label: str  # without its unit
    unit: str  # "%", "a text"; "" if it is in the label
    places: int  # digits after the point
    better: Better
    head: str = ""  # short, for the head of a column; by default the name

    @property
    def name(self) -> str:
        """Label and unit: "% slot errors", "extra items a text"."""
        return f"% {self.label}" if self.unit == "%" else f"{self.label} {self.unit}".strip()

    @property
    def short(self) -> str:
        return self.head or self.name

    def show(self, value: float | None) -> str:
        """Format a value with the figure's digits; "" for None."""
        return "" if value is None else f"{value:.{self.places}f}"


def by_key(*figures: Figure) -> dict[str, Figure]:
    return {figure.key: figure for figure in figures}


FIGURES = by_key(
    Figure("percent_given", "given items (head word)", "%", 1, "up", "% given"),
    Figure("percent_given_full_name", "given items (full name)", "%", 1, "up"),
    Figure("percent_given_any_word", "given items (any word)", "%", 1, "up"),
    Figure("extra_items", "extra items", "a text", 2, "down", "extra items"),
    Figure(
        "extra_items/training", "extra items among names of the training part", "a text", 2, "down", "extra, old rule"
    ),
    Figure("tokens", "tokens", "a text", 1, ""),
    Figure("bleu", "BLEU-4 against the example's own text", "", 2, "up", "BLEU-4"),
    Figure("bleu/paper", "BLEU-4, the paper's protocol", "", 2, "up", "BLEU-4, paper's"),
    Figure("bleu/rnnlg", "BLEU-4, RNNLG's protocol", "", 4, "up", "BLEU-4, RNNLG's"),
    Figure("meteor", "METEOR 1.5 over the text's tokens", "", 2, "up", "METEOR"),
    Figure("meteor/paper", "METEOR 1.5, the paper's protocol", "", 2, "up", "METEOR"),
    Figure("slot_error_percent", "slot errors", "%", 3, "down"),
    Figure("polarity_error_percent", "polarity errors of yes/no slots", "%", 3, "down", "% polarity errors"),
    Figure("certified_percent", "certified texts", "%", 1, "up"),
    Figure("false_certificates", "false certificates", "", 0, "down"),
    Figure("attested_percent", "texts in attested clauses", "%", 1, "up"),
    Figure("unknown_wording_percent", "texts in an unknown wording", "%", 1, ""),
    Figure("contradicted_percent", "texts that the row contradicts", "%", 1, "down"),
    Figure("distinct_tokens", "different words", "", 0, "", "words"),
    Figure("catch_all_percent", "texts with 'all ingredients'", "%", 1, "down", "% catch-alls"),
    Figure("doubled_items", "items introduced twice", "a text", 2, "down", "doubled items"),
    Figure("perplexity", "perplexity of the dev texts", "", 3, "down", "perplexity"),
    Figure("texts", "texts", "", 0, ""),
    Figure("errors", "rows without a text", "", 0, "down"),
    Figure("rejected_texts", "texts by other authors rejected", "", 0, ""),
    Figure("unfamiliar_rows", "rows with something never seen in training", "", 0, ""),
    Figure("unfamiliar_goals", "rows with a goal never seen", "", 0, ""),
    Figure("sentences_survived", "share of reference sentences unchanged by tokenizing and restoring", "", 3, "up"),
    Figure("texts_per_second", "texts a second", "", 1, "up"),
    Figure("training_minutes", "minutes of training", "", 1, "down"),
)


# For items that are values, not names: of users' tables and dialogue acts.
OF_VALUES = by_key(
    Figure("percent_given", "given values", "%", 1, "up", "% given"),
    Figure("percent_given_full_name", "given values (whole)", "%", 1, "up"),
    Figure("percent_given_any_word", "given values (at least a word)", "%", 1, "up"),
    Figure("extra_items", "values that the row lacks", "a text", 2, "down", "extra values"),
)
_COLUMNS = "against all texts of rows with the same columns"
_OF_TABLE = by_key(
    Figure("bleu", "BLEU-4 against the row's own text, values as placeholders", "", 2, "up", "BLEU-4"),
    Figure("bleu/paper", f"BLEU-4 {_COLUMNS}, the paper's protocol", "", 2, "up", "BLEU-4, paper's"),
    Figure("bleu/rnnlg", f"BLEU-4 {_COLUMNS}, RNNLG's protocol", "", 4, "up", "BLEU-4, RNNLG's"),
)
RECORD_FIGURES = FIGURES | OF_VALUES | _OF_TABLE
