"""Conversion of generated tokens to the published text: fill placeholders, case words, set spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from allsaid.language import elision
from allsaid.language.inflection import plural, singular
from allsaid.language.units import ratio
from allsaid.modeling.text.restore import Casing, restore
from allsaid.proof import clauses
from batch_infer.rows.inputs import Row
from pipelines.linking.delex import ARTICLE, ARTICLES, fill, speak
from schemas.act import PREFIX, parse_agenda_line

# In tokens, "_" joins the words of a phrase and "<" begins a special token. In values they are literal, so they are
# hidden during the conversion.
_HIDDEN, _SHOWN = str.maketrans("_<", "\ue000\ue001"), str.maketrans("\ue000\ue001", "_<")
_WITH_UNIT = re.compile(r"(?P<first>[^\d\s]*)\s*(?P<number>\d[\d.,]*)\s*(?P<last>[^\d\s]*)")  # "€24", "24 h"
_ONE = re.compile(r"(1\s+)(\w+)")  # "1" and a unit
_SEVERAL = re.compile(r"((?!1\s)\d[\d.,]*\s+)([a-z]{4,})")  # another number and a unit that is a word, not "kg"
# If one of these English words follows a value, the value modifies no noun, unlike "4 hour" in "a 4 hour battery".
_PREPOSITIONS = "of in with for at on to is or per from as by when than each after before"
_NO_NOUN = clauses.ENDS | frozenset(_PREPOSITIONS.split())


def publish(tokens: Sequence[str], row: Row, casing: Casing, english: bool = False) -> str:
    """Convert tokens to text; a placeholder (``SLOT_NAME``) becomes the value of its agenda item.

    A placeholder that is not in the agenda stays as words, so that it is visible. A value is written as training
    texts write values of this column. With ``english`` the article before a value or the goal fits it, and so does
    the singular or plural of a value's unit.
    """
    slots = {
        item[0]: parse_agenda_line(line)
        for item, line in zip(row.agenda_tokens, row.agenda, strict=True)
        if len(item) == 1 and item[0].startswith(PREFIX)
    }
    if not slots:
        return restore(tokens, casing)
    values = {}
    for place, (before, token, after) in enumerate(zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False)):
        if token in slots:
            written = _without_unit(casing.values.write(slots[token], row.goal, before, after), before, after)
            values[place] = _value(written, english, before, after).translate(_HIDDEN)
    if casing.values.language == elision.FRENCH:
        tokens = [
            elision.elide(token, values[following]) if following in values else token
            for following, token in enumerate(tokens, 1)
        ]
    if english:
        values_and_goal = {*slots, *row.goal.lower().split()[:1]}
        pairs = pairwise([*tokens, ""])
        tokens = [ARTICLE if token in ARTICLES and after in values_and_goal else token for token, after in pairs]
    return restore(speak(" ".join(fill(tokens, {}, values))).split(), casing).translate(_SHOWN)


def _without_unit(written: str, before: str, after: str) -> str:
    """Return a number without its unit if that is also the word next to it: "24" of "24 h" before "hours"."""
    match = _WITH_UNIT.fullmatch(written)
    unit = (match["first"] or match["last"]).lower() if match else ""
    words = () if unit in _NO_NOUN else (before, after)  # "24 in in diameter"
    is_next = unit and any(unit == word or ratio((unit,), (word,)) == 1 for word in words)
    return match["number"] if match and is_next else written


def _value(written: str, english: bool, before: str, after: str) -> str:
    """Return a value as written in text: in English "1 year" for "1 years", and "4 hours" unless a noun follows."""
    match = _ONE.fullmatch(written) if english else None
    if match:
        return match[1] + singular(match[2])
    stands_alone = english and before not in {*ARTICLES, ARTICLE} and (not after or after in _NO_NOUN)
    several = _SEVERAL.fullmatch(written) if stands_alone else None
    return several[1] + plural(several[2]) if several else written
