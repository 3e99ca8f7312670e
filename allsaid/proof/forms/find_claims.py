"""Recurring claims that no column supports: "a small workshop", "easy to carry".

A claim is a run of content words in a clause. A word is a *content word* unless

- at least a third of the texts have it, or it is next to values of many columns;
- it is part of a value, of a column's name or of a unit, or it mentions a yes/no column;
- it is a *carrier*: the only such word of clauses that express a column, next to the placeholder ("it costs …").

In a clause with a value, the run is a claim only if the clause has a carrier without it: "it tips the scales at …"
states only the weight. A clause without a value needs none. No word lists are used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from allsaid.proof.forms.claims import Claim
from allsaid.proof.forms.clauses import Form, cut, surface_of
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.forms.symbols import ANSWER_BAR, GOAL, SEVERAL, is_value
from schemas.act import column_and_answer
from schemas.example import Example

MIN_SHARE, MIN_TEXTS = 0.01, 3  # smallest share and number of texts with a claim
USUAL = 0.35  # a word of at least this share of the texts is no content word
MOST = 6  # most tokens of a claim
MAX_GAP = 2  # most words between two content words of a claim
NEAR = 3  # largest distance of a carrier from its placeholder
MANY = 0.25  # a word in clauses about more than this share of the columns expresses none of them
MIN_OPENS = 5  # fewest sentences that begin with two words, if these may begin a clause after a value
MOSTLY = 0.9  # a column in at least this share of a claim's clauses may need the claim to be expressed
MANY_LEFT = 3  # fewest words of a clause beyond the claim that are taken to express the value
ALWAYS = 0.95  # a word before at least this share of a claim's places belongs to the claim
MIN_CARRIED = 0.3  # smallest share of a carrier's clauses in which it is the only content word


@dataclass(frozen=True)
class _Clause:
    text: int
    words: Form
    is_last: bool  # in its sentence
    example: str


def find(
    examples: Callable[[], Iterable[Example]], book: Phrasebook, values: Iterable[str] = (), columns: Iterable[str] = ()
) -> list[Claim]:
    """Find the recurring claims of a training part, the most frequent first.

    values: all known ones; columns: the words by which the mapping names columns and units.
    """
    return _Finder(examples(), book, {word for text in (*values, *columns) for word in _pieces(text)}).claims()


class _Finder:
    def __init__(self, examples: Iterable[Example], book: Phrasebook, known: Collection[str]) -> None:
        self._known = {*known, *(word for words in book.reader.spoken.values() for word in words)}
        self._clauses: list[_Clause] = []
        self._subject = book.subject
        self._texts_with = Counter[str]()  # word -> texts
        opens = Counter[Form]()
        self.texts = 0
        read = []
        for example in examples:
            self.texts += 1
            symbols = book.reader.read(example.tokens, example)
            self._texts_with.update({symbol.text for symbol in symbols if not is_value(symbol.text)})
            for sentence in cut(symbols, book.abbreviations):
                if sentence.clauses:
                    opens[sentence.clauses[0].form[:2]] += 1
                    read.append((self.texts, sentence, surface_of(sentence, example)))
        for number, sentence, shown in read:
            for clause in sentence.clauses:
                is_last = clause is sentence.clauses[-1]
                self._clauses += [_Clause(number, words, is_last, shown) for words in _split(clause.form, opens)]

    def claims(self) -> list[Claim]:
        found: defaultdict[Form, list[tuple[_Clause, int]]] = defaultdict(list)
        for clause in self._clauses:
            for first, last in self._runs(clause.words):
                found[clause.words[first:last]].append((clause, first))
        claims = []
        for run, places in found.items():
            texts = {clause.text for clause, _ in places}
            if len(texts) >= MIN_TEXTS and len(texts) >= MIN_SHARE * self.texts and self._is_optional(run, places):
                before = Counter(clause.words[first - 1] if first else "" for clause, first in places)
                words = " ".join((*_article(before), *run))
                shown = min((clause.example for clause, _ in places), key=lambda text: (len(text), text))
                claims.append(Claim(words, len(texts) / self.texts, len(texts), shown))
        return sorted(claims, key=lambda claim: (-claim.text_count, claim.words))

    def _runs(self, words: Form) -> Iterator[tuple[int, int]]:
        """Yield (first, last) of each run of content words in a clause."""
        places = [place for place, word in enumerate(words) if self._is_content(word) and word not in self._carriers]
        for first, last in _grouped(words, places, self._carriers):
            if last - first <= MOST and (first or last - first > 1):  # a first word alone joins sentences: "besides"
                yield first, last

    def _is_optional(self, run: Form, places: Sequence[tuple[_Clause, int]]) -> bool:
        """Return whether the clauses with a run express their columns without it."""
        columns = Counter(column for clause, _ in places for column in self._columns(clause.words))
        has_several = sum(map(self._is_content, run)) > 1
        if not columns and (has_several or not any(is_value(word) for clause, _ in places for word in clause.words)):
            return True
        left = [(*clause.words[:first], *clause.words[first + len(run) :]) for clause, first in places]
        if has_several and self._spoken.isdisjoint(columns):
            several = max(columns.values()) < MOSTLY * len(places)  # a run with several columns expresses none
            if several or sum(map(self._is_expressed, left)) >= MOSTLY * len(places):
                return True
        known = sum(
            any(_cut(words, first, more) in self._forms for more in range(MAX_GAP + 1))
            for words, (_, first) in zip(left, places, strict=True)
        )
        return 2 * known >= len(places)

    def _is_expressed(self, words: Form) -> bool:
        """Return whether there are many words, or a carrier or a column's name among them expresses the columns."""
        plain = [word for word in words if not is_value(word)]
        return len(plain) >= MANY_LEFT or any(word in self._carriers or word in self._known for word in plain)

    def _columns(self, words: Form) -> set[str]:
        """Return the columns that a clause expresses, without the goal and the subject."""
        return {_column(word) for word in words if is_value(word)} - {GOAL, self._subject}

    @cached_property
    def _spoken(self) -> set[str]:
        return {_column(word) for clause in self._clauses for word in clause.words if ANSWER_BAR in word}

    @cached_property
    def _forms(self) -> set[Form]:
        """The clauses that end a sentence; others, such as "at 2 kg ,", are incomplete."""
        return {clause.words for clause in self._clauses if clause.is_last}

    def _is_content(self, word: str) -> bool:
        is_excluded = word in self._plain or word in self._known or is_value(word)
        return not is_excluded and any(map(str.isalpha, word))

    @cached_property
    def _plain(self) -> set[str]:
        """The words that are usual, or next to values of many columns."""
        usual = {word for word, count in self._texts_with.items() if count >= USUAL * self.texts}
        return usual | self._common

    @cached_property
    def _common(self) -> set[str]:
        columns_of: defaultdict[str, Counter[str]] = defaultdict(Counter)
        columns_so_far: set[str] = set()
        for clause in self._clauses:
            columns = {_column(word) for word in clause.words if is_value(word)}
            columns_so_far |= columns
            for word in clause.words if len(columns) == 1 else ():
                if not is_value(word):
                    columns_of[word].update(columns)
        least = max(MANY * len(columns_so_far), 3)
        return {word for word, seen in columns_of.items() if sum(count >= 3 for count in seen.values()) > least}

    @cached_property
    def _carriers(self) -> set[str]:
        alone, places = Counter[str](), Counter[str]()
        for clause in self._clauses:
            content = [place for place, word in enumerate(clause.words) if self._is_content(word)]
            values = [place for place, word in enumerate(clause.words) if is_value(word)]
            places.update({clause.words[place] for place in content})
            for place in content if len(content) == 1 else ():
                if any(abs(place - other) <= NEAR for other in values):
                    alone[clause.words[place]] += 1
        return {word for word, count in alone.items() if count >= MIN_CARRIED * places[word]}


def _article(before: Counter[str]) -> list[str]:
    """Return the word that nearly always precedes a claim, if it is no value."""
    word, count = before.most_common(1)[0]
    return [word] if word.isalpha() and not is_value(word) and count >= ALWAYS * before.total() else []


def _cut(words: Form, place: int, count: int) -> Form:
    """Return the words without ``count`` of them before a place."""
    return (*words[: max(place - count, 0)], *words[place:])


def _grouped(words: Form, places: Sequence[int], carriers: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of runs of content words with at most ``MAX_GAP`` other words between them."""
    first = last = -1
    for place in places:
        between = words[last + 1 : place]
        if first >= 0 and len(between) <= MAX_GAP and not any(is_value(w) or w in carriers for w in between):
            last = place
            continue
        if first >= 0:
            yield first, last + 1
        first = last = place
    if first >= 0:
        yield first, last + 1


def _split(form: Form, opens: Counter[Form]) -> list[Form]:
    """Split a clause if sentences begin with the words after its last value: "with … | it is no lightweight"."""
    last = max((place for place, word in enumerate(form) if is_value(word)), default=-1)
    tail = form[last + 1 :]
    if last < 0 or len(tail) < 3 or opens[tail[:2]] < MIN_OPENS:
        return [form]
    return [form[: last + 1], tail]


def _column(word: str) -> str:
    """Return the column of a symbol that is a value; the goal counts as one."""
    return column_and_answer(word.rpartition(ANSWER_BAR)[2])[0] if ANSWER_BAR in word else word.removesuffix(SEVERAL)


def _pieces(text: str) -> list[str]:
    words = text.lower().replace("_", " ").replace("-", " ").split()
    return [*words, *(word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü") for word in words)]
