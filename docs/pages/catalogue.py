"""The figures of docs/catalogue.md."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paragraph, result, when

SORTS = {
    "few": "3 to 8 values, by the model",
    "many": "9 to 18 values, by the model",
    "people": "2 to 5 values, by people",
}


def reading() -> str:
    """How many texts a reader would put online who did not know whose they are."""
    counts = result("publishable")["counts"]
    rows = [
        [label, str(counts[key]["publishable"]), str(counts[key]["wrong_value"]), str(counts[key]["texts"])]
        for key, label in SORTS.items()
    ]
    return f"{table(['texts', 'publishable', 'with a wrong value', 'read'], rows)}\n\n{paragraph(when('publishable'))}"


def bound() -> str:
    """What `--min-coverage` costs."""
    found = result("min_coverage")
    again = found["searched_again"]["log_probability_a_word"]
    limit = "--min-coverage 100"
    given, plain = found["given_percent"][limit], found["satisfied_by_plain_percent"]
    return paragraph(
        f"Of {found['rows']} new venues the plain search said all values of {plain:.1f}%; with `{limit}` {given:.1f}% "
        f"of the values were said, in {found['times_plain']:.2f} times the plain search's time. A word of the texts "
        f"that were searched again has a mean log-probability of {again[limit]:.2f}, that of their plain texts "
        f"{again['plain']:.2f}. {when('min_coverage')}"
    )
