"""All rules of the checker of recipes, over one text."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.proof.coverage import Lexicon
from allsaid.proof.recipes.checker import cooking, handling, making, numbers, sentences
from allsaid.proof.recipes.checker.parsed import ParsedRecipe
from schemas.texts.finding import Finding


def check(
    tokens: Sequence[str],
    goal: Sequence[str],
    lines: Sequence[str],
    names: Sequence[Sequence[str]],
    lexicon: Lexicon,
    sources: Sequence[Sequence[str]] | None = None,
) -> list[Finding]:
    """Return the findings in a recipe of T tokens, in text order.

    goal: tokens of the title; lines, names: the agenda's L lines and the tokens of their names; sources: words of the
    possible sources of times and temperatures, such as the edited recipe; None for a text by a person, whose author is
    the source.
    """
    recipe = ParsedRecipe(goal, lines, names, tokens, lexicon)
    found = [*making.check(recipe), *cooking.check(recipe), *handling.check(recipe)]
    found += [*numbers.contradicted(recipe), *sentences.check(recipe)]
    if sources is not None:
        found += numbers.unsourced(recipe, sources)
    return sorted({*found}, key=lambda finding: (finding.start, finding.end, finding.kind))
