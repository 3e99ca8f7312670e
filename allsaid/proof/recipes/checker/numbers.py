"""Numbers of a text: times and temperatures that nobody gave, and amounts that contradict the list."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from allsaid.proof.recipes import amounts
from allsaid.proof.recipes.amounts import Amount
from allsaid.proof.recipes.checker.view import KITCHEN, View
from schemas.texts.finding import AMOUNT, UNSOURCED, Finding

_DEGREES = frozenset(("degrees", "degree", "f", "c"))
_MORE = 1.02  # a text may state so much of what the list has
# Of a line with several amounts: "1 (3 to 4 lb) hen", "1/4 c plus 2 T sugar".
_SEVERAL = re.compile(r"[(+;]| to | plus | and \d|, .*\d")


def stated(words: Sequence[str]) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Return the times and temperatures of a text: number and unit -> the passages."""
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for place, word in enumerate(words):
        if not word[:1].isdigit():
            continue
        end = place + 1
        while end < len(words) and (words[end][:1].isdigit() or words[end] in ("-", "to", "or")) and end < place + 5:
            end += 1
        unit = words[end] if end < len(words) else ""
        kind = "time" if unit in KITCHEN["timing"] else "degrees" if unit in _DEGREES else ""
        if kind:
            found.setdefault((word, kind), []).append((place, end + 1))
    return found


def unsourced(view: View, sources: Collection[Sequence[str]]) -> Iterator[Finding]:
    """Yield the times and temperatures that no source states; sources: words of the row and of a training recipe."""
    given = {number for words in sources for number in words}
    for (number, _), passages in stated(view.words).items():
        if number not in given:
            yield from (view.finding(UNSOURCED, passage) for passage in passages)


def contradicted(view: View) -> Iterator[Finding]:
    """Yield the amounts of an item that are more than its lines have."""
    for clause in view.steps.clauses:
        for group in clause.groups:
            for member in group.members:
                if member.mention is None or not member.mention.items:
                    continue
                if "water" in view.words[member.mention.start : member.mention.end]:
                    continue
                amount = amounts.find(view.words, member.start, member.mention.start)
                if amount is None or _has_more(view.words[amount.end : member.mention.start]):
                    continue
                total = _total(view, member.mention.items)
                share = amount.amount.share_of(total) if total else None
                if share is not None and share > _MORE and amount.amount.unit:
                    yield view.finding(AMOUNT, (amount.start, member.mention.end))


def _has_more(words: Sequence[str]) -> bool:
    """Whether words between an amount and a name may give the amount to something else."""
    return "of" in words[1:] or any(word[:1].isdigit() for word in words)


def _total(view: View, items: Sequence[int]) -> Amount | None:
    """Return the sum of the amounts of some lines, where they can be added up."""
    found = [amounts.of_line(view.lines[item]) for item in items]
    known = [one for one in found if one is not None]
    if len(known) < len(items) or not known or len({one.unit for one in known}) > 1:
        return None
    if any(_SEVERAL.search(view.lines[item].lower()) for item in items):
        return None
    return Amount(sum((one.number for one in known), start=known[0].number * 0), known[0].unit)
