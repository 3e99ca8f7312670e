"""Sentences of the mapping (`say:` of a column), for values that training texts never express.

Each of these sentences is attested as a whole, for every goal, and is never joined to another one. "It comes in {}."
becomes "it comes in SLOT_COLOUR .". In a sentence for yes or no, one word expresses the answer: "it is
waterproof|SLOT_…_YES .".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from allsaid.language.elision import FRENCH
from allsaid.proof.forms.clauses import Form
from allsaid.proof.forms.mapped import Say
from allsaid.proof.forms.symbols import ANSWER_BAR, ARTICLE, ARTICLES, GOAL, SEVERAL, is_value, speaks_of
from schemas.act import Slot, item_token, placeholder

VALUE, GOAL_MARK = "{}", "{goal}"  # in a mapping
_TOKEN = re.compile(r"\{(?:goal)?\}|n't\b|'(?:s|d|m|re|ll|ve)\b|\d+(?:[.,]\d+)*|\w+?(?=n't\b)|\w+(?:-\w+)*|[^\w\s]")
_FRENCH_TOKEN = re.compile(rf"aujourd'hui|[^\W\d_]+'(?=\w|\{{)|{_TOKEN.pattern}")


def tokens_of(text: str, language: str = "") -> list[str]:
    """Split a sentence into words and marks in lower case, like training tokens."""
    token = _FRENCH_TOKEN if language == FRENCH else _TOKEN
    return token.findall(text.replace("’", "'").lower())


def sentences_of(says: Iterable[Say], spoken: Mapping[str, frozenset[str]]) -> tuple[Form, ...]:
    """Return the sentences in symbols; spoken: the words by which training texts mention each yes/no column."""
    found: dict[Form, None] = {}
    for say in says:
        words = tokens_of(say.text, say.language)
        if say.answer:
            item = item_token(Slot(say.column, say.answer))
            found[_answering(words, item, spoken.get(say.column, frozenset()))] = None
            continue
        token = placeholder(say.column)
        for value in (token, token + SEVERAL) if say.is_list else (token,):
            found[_filled(words, value)] = None
    return tuple(found)


def vocabulary_of(says: Iterable[Say]) -> set[str]:
    """Return the tokens that texts with these sentences may have."""
    found: set[str] = set()
    for say in says:
        found.update(word for word in tokens_of(say.text, say.language) if word not in (VALUE, GOAL_MARK))
        if not say.answer:
            found.update((placeholder(say.column), ARTICLE))
    return found


def _filled(words: list[str], value: str) -> Form:
    found = [GOAL if word == GOAL_MARK else value if word == VALUE else word for word in words]
    is_before = [*(is_value(word) and word != GOAL for word in found[1:]), False]
    return tuple(
        ARTICLE if word in ARTICLES and before else word for word, before in zip(found, is_before, strict=True)
    )


def _answering(words: list[str], item: str, spoken: frozenset[str]) -> Form:
    """Return the symbols of a sentence: words that mention the column express the answer, else the longest word."""
    plain = [word for word in words if word != GOAL_MARK]
    answering = {word for word in plain if speaks_of(word, spoken)} or {max(plain, key=len)}
    symbols = {GOAL_MARK: GOAL} | {word: word + ANSWER_BAR + item for word in answering}
    return tuple(symbols.get(word, word) for word in words)
