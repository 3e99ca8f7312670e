"""Restore text from tokens, ready to publish, and measure how well reference texts survive the round trip.

Preparation lowercases words, separates punctuation from words and merges phrases. Restoring undoes it: sentences begin
with a capital, words get their most frequent letter case in the training part, blanks follow English rules, phrases are
split, steps are separated by line feeds. Special tokens such as ``<unk>`` never reach the text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any  # Any: JSON; a row of the task, known only at run time

from allsaid.language import elision
from allsaid.modeling.text.marks import Marks, learn_marks
from allsaid.modeling.text.spelling import Spelling, learn_spelling, written_in
from allsaid.modeling.text.surface import Learned, Surfaced
from allsaid.proof.habits import ENDS
from schemas.act import PREFIX, parse_agenda_line
from schemas.example import LINE_BREAK, PHRASE_JOINER, Example

SPECIAL_TOKEN = re.compile(r"<[^<>]*>")  # <unk>, <text>, </text>, <pad>; a reference text's "<" is a separate token
_CLOSING = "\"“”»')]"  # what may follow a final mark
_OPEN = frozenset(",;:…")  # marks that no full stop follows
_NO_BLANK_BEFORE = frozenset([*ENDS, *",;:)]}>", "..."])
_NO_BLANK_AFTER = frozenset("([{<")
_AFTER_NUMBER, _BEFORE_NUMBER = frozenset("%°"), frozenset("$#")  # 50%, #8; otherwise words: "a % of"
_NO_BLANK_AROUND = frozenset("-/")
_CONTRACTION = re.compile(r"n['’]t|['’](s|d|m|t|ll|re|ve)")
_MIN_STOPS = 5  # minimum times that an abbreviation's stop precedes a word in lower case
_DIGIT_SHARE = 0.5  # if more of its stops precede numbers, these do not begin sentences
_SMALL, _CAPITAL, _DIGIT = "a", "A", "9"  # kinds of first characters
_STOP_SHARE = 0.1  # minimum share of its places, since words also precede stops of careless sentences
_SUFFIXES = frozenset(("-s", "-sg", "-ly", "-er"))  # tokens that change the word before them
_ARTICLE = "a/an"  # before a placeholder
_VOWELS = frozenset("aeiou8")
_SENTENCE_BREAK = re.compile(r"(?<=[.!?])\s+|\n")


@dataclass(frozen=True)
class Casing:
    """How the training part writes words; a word that is missing here is written in lower case."""

    forms: dict[str, str]  # lower case -> most frequent written form, if it is not lower case
    abbreviations: frozenset[str]  # words whose full stop usually ends no sentence ("tsp")
    capitals: bool = True  # whether sentences begin with a capital
    marks: bool = False  # whether a text that ends without a mark gets a full stop
    blanks: Marks = field(default_factory=Marks)  # of a user's table
    values: Spelling = field(default_factory=Spelling)  # of a user's table

    def to_json(self) -> dict[str, Any]:
        """Return plain data for ``json.dump``, sorted."""
        small: dict[str, Any] = {} if self.capitals else {"capitals": False}
        if (self.blanks, self.values) != (Marks(), Spelling()):
            small |= {"blanks": self.blanks.to_json(), "values": self.values.to_json()}
        return {"forms": dict(sorted(self.forms.items())), "abbreviations": sorted(self.abbreviations)} | small

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Casing:
        casing = cls(dict(data["forms"]), frozenset(data["abbreviations"]), bool(data.get("capitals", True)))
        if "blanks" in data:
            casing = replace(casing, blanks=Marks.from_json(data["blanks"]), values=Spelling.from_json(data["values"]))
        return casing


def learn_writing(casing: Casing, examples: Callable[[], Iterable[Example]], language: str) -> Casing:
    """Add to ``casing`` how texts of a user's table write marks and values; each call of ``examples`` starts anew."""
    return replace(
        casing,
        capitals=begins_with_capitals(examples()),
        blanks=learn_marks(examples(), has_elisions=language == elision.FRENCH),
        values=learn_spelling(examples(), language),
    )


def learn_casing(examples: Iterable[Surfaced]) -> Casing:
    """Count how words are written, except at the beginning of sentences and in texts in capitals."""
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    after_stop: defaultdict[str, Counter[str]] = defaultdict(Counter)  # word before "." -> kinds of the next one
    words: Counter[str] = Counter()
    for example in examples:
        steps = list(_written_steps(example))
        for lower, written in _inner_words(steps):
            forms[lower][written] += 1
        for step in steps if _has_capitals(example) else ():
            words.update(lower for lower, _ in step)
            for (before, _), (stop, _), (word, after), then in zip(
                step, step[1:], step[2:], [*step[3:], ("", "")], strict=False
            ):
                if stop == "." and before[-1].isalnum() and not before.startswith(PREFIX):
                    is_initial = word.isalpha() and len(word) == 1 and then[0] == "."  # "z. B."
                    after_stop[before][_SMALL if is_initial else _kind(after[0])] += 1
                    if is_initial:
                        forms[word][after] += 1
    usual = {
        lower: min(counts, key=lambda form: (-counts[form], form.isupper(), form)) for lower, counts in forms.items()
    }
    return Casing(
        forms={lower: form for lower, form in usual.items() if form != lower},
        abbreviations=frozenset(word for word, kinds in after_stop.items() if _is_abbreviation(kinds, words[word])),
    )


def _kind(first: str) -> str:
    return _DIGIT if first.isdigit() else _SMALL if first.islower() else _CAPITAL if first.isalpha() else ""


def _is_abbreviation(after_stop: Counter[str], places: int) -> bool:
    """Return whether a word is an abbreviation, by what follows its stops; a sentence may also begin with a number."""
    small, digits = after_stop[_SMALL], after_stop[_DIGIT]
    if digits > _DIGIT_SHARE * places:
        small += digits  # "ca. 9 kg"
    return small >= max(_MIN_STOPS, _STOP_SHARE * places) and small > after_stop[_CAPITAL]


def _has_capitals(example: Surfaced) -> bool:
    """Return whether a text begins with a capital; in others a small letter after a stop is not informative."""
    return bool(example.surface and example.surface[0][:1].isupper())


def fill(tokens: Sequence[str], row: Any) -> list[str]:  # with an agenda, where placeholders are learned
    """Replace the placeholders of T tokens by a row's values from its agenda, for samples of training.

    The letter after an article decides its form; a suffix is joined to its word. Published texts are filled by
    `batch_infer.rows.wording`, which knows sounds and irregular plurals.
    """
    if not any(token.startswith(PREFIX) for token in tokens):
        return list(tokens)
    lines = zip(row.agenda_tokens, row.agenda, strict=True)
    values = {item[0]: parse_agenda_line(line).value for item, line in lines if item}
    filled: list[str] = []
    for token, after in pairwise([*(values.get(token, token) for token in tokens), ""]):
        if token == _ARTICLE:
            filled.append("an" if after[:1].lower() in _VOWELS else "a")
        elif token in _SUFFIXES and filled:
            filled[-1] = filled[-1].removesuffix("s") if token == "-sg" else filled[-1] + token.removeprefix("-")
        else:
            filled.append(token)
    return filled


def begins_with_capitals(examples: Iterable[Surfaced]) -> bool:
    """Return whether at least half of the texts that begin with a letter begin with a capital."""
    letters = [example.surface[0][0] for example in examples if example.surface and example.surface[0][:1].isalpha()]
    return 2 * sum(letter.isupper() for letter in letters) >= len(letters)


def restore(tokens: Sequence[str], casing: Casing) -> str:
    """Return T tokens as text, one line per step; a step without a word gets no line."""
    return "\n".join(filter(None, (_write(step, casing) for step in _steps(tokens))))


def survival(examples: Iterable[Learned], casing: Casing) -> tuple[int, int]:
    """Count the reference texts' sentences, and how many of them are in the restored texts, ignoring letter case.

    Placeholders and the articles before them are first replaced by the words of the text. Two kinds of texts are left
    out: those with a suffix token, since suffixes are joined only in published texts, and those that a corpus has only
    as tokens, with blanks around marks.
    """
    sentences = survived = 0
    for example in examples:
        surface = getattr(example, "surface", ())  # rows of a task's own kind may have none
        is_tokenized = example.text == " ".join(surface) and not all(any(map(str.isalnum, word)) for word in surface)
        if is_tokenized or not _SUFFIXES.isdisjoint(example.tokens):
            continue
        reference, restored = _sentences(example.text), _sentences(restore(_as_written(example, surface), casing))
        sentences += reference.total()
        survived += (reference & restored).total()
    return sentences, survived


def _as_written(example: Learned, surface: Sequence[str]) -> list[str]:
    """Return the tokens, with the words of the text in place of placeholders."""
    if not any(token.startswith(PREFIX) or token == _ARTICLE for token in example.tokens):
        return list(example.tokens)
    return [
        written_in(written, example.text) if token.startswith(PREFIX) or token == _ARTICLE else token
        for token, written in zip(example.tokens, surface, strict=True)
    ]


def _sentences(text: str) -> Counter[str]:
    return Counter(" ".join(part.split()).casefold() for part in _SENTENCE_BREAK.split(text) if part.strip())


def _steps(tokens: Iterable[str]) -> Iterator[list[str]]:
    """Yield the words of each step: phrases split, special tokens left out."""
    step: list[str] = []
    for token in tokens:
        if token == LINE_BREAK:
            yield step
            step = []
        elif token[:1] != "<" or not SPECIAL_TOKEN.fullmatch(token):
            step += filter(None, token.split(PHRASE_JOINER))
    yield step


def _written_steps(example: Surfaced) -> Iterator[list[tuple[str, str]]]:
    """Yield (word, written form) pairs of each step, without phrases whose numbers of parts differ."""
    step: list[tuple[str, str]] = []
    for token, surface in zip(example.tokens, example.surface, strict=True):
        if token == LINE_BREAK:
            yield step
            step = []
        elif PHRASE_JOINER not in token or token.startswith(PREFIX):
            step.append((token, surface))
        elif all(lower := token.split(PHRASE_JOINER)) and len(lower) == len(written := surface.split()):
            step += zip(lower, written, strict=True)
    yield step


def _inner_words(steps: Sequence[Sequence[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Return the pairs that don't begin a sentence; none if most of them begin with a capital."""
    inner = []
    for step in steps:
        starts = _sentence_starts([lower for lower, _ in step], frozenset())
        words = [pair for pair, start in zip(step, starts, strict=True) if pair[0][0].isalpha() and not start]
        inner += [pair for pair in words if not pair[0].startswith(PREFIX)]
    shouts = sum(written[0].isupper() for _, written in inner) > len(inner) / 2
    return [] if shouts else inner


def _sentence_starts(words: Sequence[str], abbreviations: frozenset[str]) -> list[bool]:
    """Return which words of a step begin a sentence; brackets and quotes before them don't count."""
    starts, waiting, before = [], True, ""
    for word in words:
        begins = waiting and (word[0].isalnum() or any(character.isalnum() for character in word))
        starts.append(begins)
        if word in ENDS:
            waiting = word != "." or before not in abbreviations
        elif begins:
            waiting = False
        before = word
    return starts


def _write(words: Sequence[str], casing: Casing) -> str:
    starts = _sentence_starts(words, casing.abbreviations)
    opening, closing, signs = _quotes(words)
    blanks, is_french = casing.blanks, casing.values.language == elision.FRENCH
    quotes = dict.fromkeys(opening, blanks.quotes[0]) | dict.fromkeys(closing, blanks.quotes[1])
    text, before = "", ""
    for place, (word, start) in enumerate(zip(words, starts, strict=True)):
        written = quotes.get(place, word) if word == '"' else casing.forms.get(word, word)
        has_blank_after, has_blank_before = _blanks_between(before, word)
        is_joined = not blanks.after.get(before, has_blank_after) or not blanks.before.get(word, has_blank_before)
        is_joined |= place - 1 in opening or place in closing or place in signs
        is_joined |= word == before and not word[0].isalnum()
        if is_french:
            is_joined |= elision.is_elided(before) or elision.is_inverted(word)
            written = written.replace("'", blanks.apostrophe) if elision.has_apostrophe(word) else written
        if place and not is_joined:
            text += " "
        text += _capitalised(written) if start and casing.capitals else written
        before = word
    last = text.rstrip(_CLOSING)[-1:]
    return text + blanks.stop if casing.marks and last and last not in ENDS | _OPEN else text


def _capitalised(word: str) -> str:
    """Return the word with a capital; a word with a later capital ("iPhone") is a name, and stays unchanged."""
    return word if any(map(str.isupper, word[1:])) else word[0].upper() + word[1:]


@lru_cache(maxsize=1 << 14)
def _blanks_between(before: str, word: str) -> tuple[bool, bool]:
    """Return whether a blank follows the first of two words, and whether one precedes the second, by default."""
    is_mark = before in _NO_BLANK_AFTER or before in _NO_BLANK_AROUND
    has_blank_after = not (word[:1].isnumeric() if before in _BEFORE_NUMBER else is_mark)
    if word in _AFTER_NUMBER:
        return has_blank_after, not before[-1:].isnumeric()
    is_mark = word in _NO_BLANK_BEFORE or word in _NO_BLANK_AROUND
    return has_blank_after, not is_mark and _CONTRACTION.fullmatch(word) is None


def _quotes(words: Sequence[str]) -> tuple[set[int], set[int], set[int]]:
    """Return the places of marks that open a quotation, of those that close one, and of signs after a word.

    Signs are inch signs (9"), apostrophes (cooks') and accents (saute').
    """
    opening: set[int] = set()
    closing: set[int] = set()
    signs: set[int] = set()
    for mark in ('"', "'"):
        is_open = False
        places = [place for place, word in enumerate(words) if word == mark]
        for place in places:
            before = words[place - 1] if place else ""
            is_sign = before[-1:].isdigit() or (mark == "'" and (before.endswith("s") or place == places[-1]))
            if is_open or not is_sign:
                is_open = not is_open
                (opening if is_open else closing).add(place)
            else:
                signs.add(place)
    return opening, closing, signs
