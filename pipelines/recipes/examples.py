"""A recipe -> an example, in two steps.

`prepare` cleans a recipe and checks its limits. `finish` needs the phrases of the whole corpus: it merges them into
tokens and links words of the directions to ingredients. A ``table`` of phrases is a sequence of passes, each of which
joins pairs of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allsaid.language.text import latin_share, normalize, tokenize_steps
from pipelines.linking.phrases import Pass, join, merge
from pipelines.linking.splits import content_hash, content_letters
from pipelines.recipes.ingredients import agenda_line, name_words, title_words
from pipelines.recipes.linking import link
from pipelines.recipes.steps import clean_steps
from pipelines.source import RecordFault
from schemas.example import MAX_ITEMS, MAX_TOKENS, MIN_ITEMS, MIN_TOKENS, PHRASE_JOINER, Example
from schemas.recipe import Recipe

MIN_LATIN = 0.7  # share of Latin letters below which a text is in another script


@dataclass(frozen=True)
class Prepared:
    """A cleaned recipe, whose phrases are not merged yet."""

    id: str  # as in the example
    content_hash: str  # as in the example
    goal: str  # the title as written
    goal_tokens: list[str]  # word tokens of the title, lower case
    agenda: list[str]  # L items as written
    agenda_words: list[list[str]]  # L lists of name words, phrases not yet merged
    text: str  # the cleaned directions, with a line feed between steps
    surface: str  # tokens as written, separated by blanks, with LINE_BREAK between steps; phrases not yet merged
    file: str
    offset: int  # of the recipe's header, in bytes of the decompressed file


def prepare(recipe: Recipe) -> Prepared:
    """Clean a recipe and check its limits; raise :class:`RecordFault` if it is not usable."""
    goal = normalize(recipe.title)
    goal_tokens = goal_words(goal)
    steps = [step for step in map(normalize, clean_steps(recipe.steps)) if step]
    named = [(line, name_words(line)) for line in map(agenda_line, recipe.ingredients)]
    named = [(line, words) for line, words in named if words]
    text = "\n".join(steps)
    _check_words(goal, goal_tokens, [line for line, _ in named], text)
    surface = tokenize_steps(steps)
    _check_length(len(surface))
    return Prepared(
        id=recipe.id,
        content_hash=content_hash(content_letters(steps)),
        goal=goal,
        goal_tokens=goal_tokens,
        agenda=[line for line, _ in named],
        agenda_words=[words for _, words in named],
        text=text,
        surface=" ".join(surface),
        file=recipe.file,
        offset=recipe.offset,
    )


def _check_words(goal: str, goal_tokens: list[str], agenda: list[str], text: str) -> None:
    if not text:
        raise RecordFault("no_directions", "Nothing in the directions is a step.")
    share = latin_share(" ".join([goal, *agenda, text]))
    if share < MIN_LATIN:
        raise RecordFault("other_script", f"{share:.0%} of the letters are Latin; at least {MIN_LATIN:.0%} must be.")
    if not goal_tokens:
        raise RecordFault("no_title_word", f"The title '{goal}' has no word.")
    if len(agenda) < MIN_ITEMS:
        raise RecordFault("too_few_items", f"{len(agenda)} ingredients with a name; at least {MIN_ITEMS} are needed.")
    if len(agenda) > MAX_ITEMS:
        raise RecordFault("too_many_items", f"{len(agenda)} ingredients; at most {MAX_ITEMS} are allowed.")


def _check_length(tokens: int) -> None:
    if tokens < MIN_TOKENS:
        raise RecordFault("too_few_tokens", f"{tokens} tokens in the directions; at least {MIN_TOKENS} are needed.")
    if tokens > MAX_TOKENS:
        raise RecordFault("too_many_tokens", f"{tokens} tokens in the directions; at most {MAX_TOKENS} are allowed.")


def finish(prepared: Prepared, table: Sequence[Pass]) -> Example:
    """Merge the phrases in ingredients and text, and link them; raise :class:`RecordFault` if too few tokens remain."""
    surface = prepared.surface.split(" ")
    groups, tokens = _merged(surface, table)
    _check_length(len(groups))
    agenda_tokens = [merge(words, table) for words in prepared.agenda_words]
    ref_types, ref_items = link(agenda_tokens, tokens)
    return Example(
        id=prepared.id,
        content_hash=prepared.content_hash,
        goal=prepared.goal,
        goal_tokens=prepared.goal_tokens,
        agenda=prepared.agenda,
        agenda_tokens=agenda_tokens,
        text=prepared.text,
        tokens=tokens,
        surface=[" ".join(surface[position] for position in group) for group in groups],
        ref_types=ref_types,
        ref_items=ref_items,
        file=prepared.file,
        offset=prepared.offset,
    )


def text_tokens(text: str, table: Sequence[Pass]) -> list[str]:
    """Return the tokens of directions, one step per line, as in the training data."""
    steps = [step for step in map(normalize, text.splitlines()) if step]
    return _merged(tokenize_steps(steps), table)[1]


def _merged(surface: Sequence[str], table: Sequence[Pass]) -> tuple[list[list[int]], list[str]]:
    """Return the positions of each token's words, and the tokens, with phrases merged."""
    lower = [token.lower() for token in surface]
    groups = join(lower, table)
    return groups, [PHRASE_JOINER.join(lower[position] for position in group) for group in groups]


def goal_words(title: str) -> list[str]:
    """Return the goal's tokens: the word tokens of the title, in lower case."""
    return title_words(normalize(title))


def item_tokens(line: str, table: Sequence[Pass]) -> list[str]:
    """Return the name tokens of an agenda line, as in the training data: "2 limes, juiced" -> ["limes"]."""
    return merge(name_words(line), table)
