"""Numbers of a text: times and temperatures without a source, and amounts that contradict the list."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from allsaid.language.text import listed
from allsaid.proof.recipes import amounts
from allsaid.proof.recipes.amounts import Amount, Stated
from allsaid.proof.recipes.checker.parsed import KITCHEN, ParsedRecipe
from allsaid.proof.recipes.frames import Clause
from allsaid.proof.recipes.mentions import Mention
from schemas.texts.finding import AMOUNT, UNSOURCED, Finding

_DEGREES = frozenset(("degrees", "degree", "f", "c"))
# Marks and words that begin another recipe with amounts of its own, or the author's remarks.
_VARIATIONS = listed(": [ variation variations note notes nb i alternatively")
# Words of a sentence about another amount than the recipe's: "for each cup", "makes sauce for 25 lb of meat".
_OTHER_AMOUNTS = listed(
    "each every makes serves instead substitute called calls original doubled doubling reserve reserving"
)
_UNFINISHED = re.compile(r"\b(plus|and|or)$")  # a line that goes on in the next one
_BETWEEN = frozenset(("of", "the", "your"))  # words that may be between an amount and a name
_NEAR = 12  # words between water and its salt
_MORE = 1.02  # largest share of the list's amount that a text may state
# In a line with several amounts: "1 (3 to 4 lb) hen", "1/4 c plus 2 T sugar".
_SEVERAL = re.compile(r"[(+;]| to | plus | and \d|, .*\d")


def stated(words: Sequence[str]) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Return the times and temperatures of a text: (number, kind) -> passages."""
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


def unsourced(recipe: ParsedRecipe, sources: Collection[Sequence[str]]) -> Iterator[Finding]:
    """Yield the times and temperatures that no source states; sources: words of the row and of a training recipe."""
    given = {number for words in sources for number in words}
    for (number, _), passages in stated(recipe.words).items():
        if number not in given:
            yield from (recipe.finding(UNSOURCED, passage) for passage in passages)


def contradicted(recipe: ParsedRecipe) -> Iterator[Finding]:
    """Yield the amounts in the text that exceed the amount in the ingredient line."""
    if any(_UNFINISHED.search(line.lower()) for line in recipe.lines):
        return
    end = next((place for place, word in enumerate(recipe.words) if word in _VARIATIONS), len(recipe.words))
    for clause in recipe.steps.clauses:
        if clause.verb is None or not _OTHER_AMOUNTS.isdisjoint(recipe.words[clause.start : clause.end]):
            continue
        for group in clause.groups:
            for member in group.members:
                mention = member.mention
                if (
                    mention is None
                    or mention.end > end
                    or not mention.items
                    or any(recipe.first(item) != mention.start for item in mention.items)
                    or recipe.is_listed_again(mention)
                    or _is_for_water(recipe, clause, mention)
                    or not recipe.ends_name(mention.end)  # "1/3 cup of chile vinegar" is no chile
                ):
                    continue
                found = amounts.find(recipe.words, member.start, mention.start)
                is_limit = found is not None and recipe.words[max(found.start - 1, 0)] in ("to", "or", "-")
                if (
                    found is None
                    or is_limit
                    or found.amount.unit in (None, "", "can")
                    or _has_more(recipe, mention.items, recipe.words[found.end : mention.end - 1])
                ):
                    continue
                total = _total(recipe, mention.items)
                share = _least(recipe.words, found).share_of(total) if total else None
                if share is not None and share > _MORE:
                    yield recipe.finding(AMOUNT, (found.start, mention.end))


def _is_for_water(recipe: ParsedRecipe, clause: Clause, mention: Mention) -> bool:
    """Return whether a mention is water, or salt for boiling water; a list may leave out both."""
    words = recipe.words[mention.start : mention.end]
    return "water" in words or (
        "salt" in words and "water" in recipe.words[max(clause.start - _NEAR, 0) : mention.start]
    )


def _has_more(recipe: ParsedRecipe, items: Sequence[int], words: Sequence[str]) -> bool:
    """Return whether words between an amount and the last word of a name may assign the amount to something else."""
    known = {word.strip(",;()") for item in items for word in recipe.lines[item].lower().split()} | _BETWEEN
    return "of" in words[1:] or any(word not in known for word in words)


def _least(words: Sequence[str], found: Stated) -> Amount:
    """Return a stated amount, of a range the smaller one."""
    to = next((place for place in range(found.start, found.end) if words[place] in ("-", "to", "or")), None)
    number = amounts.number_of(words[found.start : to]) if to else None
    return found.amount if number is None else Amount(number, found.amount.unit)


def _total(recipe: ParsedRecipe, items: Sequence[int]) -> Amount | None:
    """Return the sum of the amounts of some lines; None if they can't be added up."""
    lines = [recipe.lines[item] for item in items]
    found = [stated for line in lines if (stated := amounts.of_line(line)) is not None]
    is_clear = len(found) == len(lines) and not any(_SEVERAL.search(line.lower()) for line in lines)
    if not is_clear or len({amount.unit for amount in found}) != 1:
        return None
    return Amount(sum((amount.number for amount in found), Fraction(0)), found[0].unit)
