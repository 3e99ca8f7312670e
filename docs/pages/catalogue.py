"""What readers would publish of a catalogue, on docs/figures.md."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import facts, labels, result

SORTS = labels("publishable")


def reading() -> str:
    """Return how many texts blinded readers would publish."""
    counts = result("publishable")["counts"]
    rows = [
        [label, *(str(counts[key][figure]) for figure in ("publishable", "wrong_value", "texts"))]
        for key, label in SORTS.items()
    ]
    return table(["texts", "publishable", "with a wrong value", "read"], rows)


def bound() -> str:
    """Return the cost of `--min-coverage`."""
    found = result("min_coverage")
    again, limit = found["searched_again"]["log_probability_a_word"], "--min-coverage 100"
    return facts(
        {
            "new venues": found["rows"],
            "% of their values in the texts of the plain search": f"{found['satisfied_by_plain_percent']:.1f}",
            f"% of their values in the texts with `{limit}`": f"{found['given_percent'][limit]:.1f}",
            "time, as a multiple of that of the plain search": f"{found['times_plain']:.2f}",
            "log-probability a word, texts that were searched again": f"{again[limit]:.2f}",
            "log-probability a word, plain texts of the same rows": f"{again['plain']:.2f}",
        }
    )
