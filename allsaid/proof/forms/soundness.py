"""Which clauses of training texts are sound enough to become forms. People's texts have errors, too.

A clause is left out

- of a sentence that begins with a word that begins hardly any other sentence ("is 329 dollars.");
- that has a word twice in a row, or says a value's own word again beside the value ("15 inch inch");
- that says a known value which its row lacks;
- that says yes where its row says no, by the negations in it, unless the same words say so of more rows than otherwise;
- that has a word which one text alone has, and which is a letter away from a frequent one ("prduct");
- of a sentence without a verb ("Part of the Elm line."), unless many texts have one that begins so. Verbs are the words
  that follow a subject ("it weighs") and also go on without one ("and weighs");
- that has another word before a value than nearly all clauses with the same word behind it ("with 4 hour battery").

Of many different clauses only those are kept that several texts have. Where people word things anew in most clauses, as
crowds do, a clause of one text is kept only if other clauses have every three symbols of it in a row.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from allsaid.proof.foods.names import Stems, Trie, find_names, stems_of
from allsaid.proof.forms.clauses import Clause, Form, Sentence
from allsaid.proof.forms.symbols import CARRIES, View, is_value
from allsaid.proof.polarity import BEGINS
from schemas.act import PREFIX, parse_agenda_line
from schemas.example import Example

MIN_PLACES = 20  # of a word, from which its share of sentence beginnings is known
MIN_BEGINS = 0.05  # of a word's places: so many begin sentences of a word that may begin one
MIN_OPENS, MIN_OPENING = 2, 0.2  # the same of two words: so many sentences, so many of their places
MAX_SINGLE = 5000  # different clauses; where there are more, those that only one text has are left out
MIN_CLAUSES, MOST_SINGLE = 100, 0.35  # clauses that tell, and the share of them that are worded as no other is
MAX_FORMS = 8000  # the most frequent ones
MIN_AGREE = 0.8  # of the clauses with the same words that say of a yes/no column what this one says
USUAL = 0.1  # of the texts have a word that is no value's own
MIN_VERBLESS = 2  # texts that have a sentence which begins as one without a verb
VERBLESS, RARELY_VERBLESS = 0.01, 0.05  # the same in shares of all; the second where few sentences have no verb
FEW_VERBLESS = 0.1  # of all sentences
MIN_BESIDE, STRANGE = 20, 0.05  # places of a value with a word behind it; shares of them with a strange word before it
CROWD_BESIDE, CROWD_STRANGE = 8, 0.2  # the same in a crowd's texts
LONG = 5  # letters of a word that may be misspelt
OFTEN, VERY_OFTEN = 5, 100  # texts that have the word that was meant; the second where two texts have the other


@dataclass(frozen=True)
class Text:
    """A training text as it is learned from."""

    example: Example
    view: View
    sentences: list[Sentence]
    opposed: frozenset[str]  # agenda tokens whose yes or no the text denies, by its negations


@dataclass
class Counts:
    """What the texts of a training part have, and how often."""

    values: Trie[Stems] = field(default_factory=Trie)  # known values
    texts: int = 0
    marked: int = 0  # texts that end with a mark
    places: Counter[str] = field(default_factory=Counter)  # symbol -> places
    begins: Counter[str] = field(default_factory=Counter)  # symbol -> sentences that begin with it
    pairs: Counter[Form] = field(default_factory=Counter)  # two symbols in a row -> places
    opens: Counter[Form] = field(default_factory=Counter)  # two symbols -> sentences that begin with them
    having: Counter[str] = field(default_factory=Counter)  # token -> texts
    clauses: Counter[Form] = field(default_factory=Counter)
    beside: defaultdict[Form, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # `_beside`
    all_sentences: list[tuple[str, frozenset[str]]] = field(default_factory=list)  # the first symbol, and all
    behind: defaultdict[str, set[str]] = field(
        default_factory=lambda: defaultdict(set)
    )  # first -> second, of sentences
    goes_on: Counter[str] = field(default_factory=Counter)  # first symbol of a clause behind another one
    said: defaultdict[Form, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # words -> carried

    def add(self, text: Text) -> None:
        self.texts += 1
        self.marked += bool(text.sentences and text.sentences[-1].mark)
        self.having.update(set(text.example.tokens))
        for sentence in text.sentences:
            for clause in sentence.clauses:
                self.clauses[clause.form] += 1
                self.places.update(clause.form)
                self.said[_bare(clause.form)][_said(clause.form)] += 1
                self.pairs.update(pairwise(clause.form))
                for before, value in _beside(clause.form):
                    self.beside[value][before] += 1
            if sentence.clauses and sentence.clauses[0].form:
                first = sentence.clauses[0].form
                words = frozenset(word for clause in sentence.clauses for word in clause.form)
                self.all_sentences.append((first[0], words))
                self.begins[first[0]] += 1
                self.opens[first[:2]] += 1
                self.behind[first[0]].update(first[1:2])
            self.goes_on.update(clause.form[0] for clause in sentence.clauses[1:] if clause.form)

    @property
    def verbs(self) -> tuple[set[str], set[str]]:
        """The symbols that are a subject by themselves, since most that follows them also goes on without; and this."""
        subjects, verbs = set[str](), set[str]()
        for first, seconds in self.behind.items():
            known = {word for word in seconds if self.goes_on[word] and not is_value(word)}
            if len(known) > 1 and 2 * len(known) >= len(seconds):
                subjects.add(first)
                verbs |= known
        return subjects, verbs

    @cached_property
    def is_crowd(self) -> bool:
        """Whether most clauses are worded anew, as where many people write a text each."""
        single = sum(count == 1 for count in self.clauses.values())
        return MIN_CLAUSES <= self.clauses.total() < single / MOST_SINGLE

    @property
    def kept(self) -> set[Form]:
        """The forms that are frequent enough, or confirmed by others."""
        single = {form for form, count in self.clauses.items() if count == 1}
        least = 1 if len(self.clauses) <= MAX_SINGLE else 2
        often = [form for form, count in self.clauses.items() if count >= least]
        kept = set(sorted(often, key=lambda form: (-self.clauses[form], form))[:MAX_FORMS])
        if self.is_crowd:
            kept -= single - confirmed(self.clauses)
        return kept


class Soundness:
    """Judges clauses by what all texts have."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._frequent: defaultdict[str, list[str]] = defaultdict(list)  # with a letter left out -> frequent words
        for word, count in counts.having.items():
            if count >= OFTEN and len(word) >= LONG - 1:
                for key in _deletions(word):
                    self._frequent[key].append(word)
        self._subjects, self._verbs = counts.verbs
        without = sum(self._is_verbless(*one) for one in counts.all_sentences)
        are_few = without < FEW_VERBLESS * len(counts.all_sentences)
        self._verbless = max(MIN_VERBLESS, (RARELY_VERBLESS if are_few else VERBLESS) * counts.texts)
        self._is_misspelt = lru_cache(maxsize=1 << 14)(self._look_up)

    def is_sound(self, clause: Clause, sentence: Sentence, text: Text) -> bool:
        """Whether what people wrote here may become a form."""
        if not clause.form or any(one.text.startswith(PREFIX) and not one.carries for one in clause.symbols):
            return False
        if clause is sentence.clauses[0] and not self._may_begin(clause.form[:2]):
            return False
        if (sentence.clauses[0].form and self._lacks_verb(sentence)) or self._is_strange(clause.form):
            return False
        tokens = text.example.tokens
        words = [token for one in clause.symbols for token in tokens[one.first : one.last]]
        if any(one == other and one.isalnum() for one, other in pairwise(words)):
            return False
        plain = [one.text for one in clause.symbols if not one.carries]
        if any(map(self._is_misspelt, plain)) or find_names(stems_of(plain), self._counts.values):
            return False
        carried = {one.carries for one in clause.symbols} - {""}
        return self._agrees(clause.form, carried, text) and not self._says_again(clause, text)

    def _is_verbless(self, first: str, words: Collection[str]) -> bool:
        return bool(self._verbs) and first not in self._subjects and self._verbs.isdisjoint(words)

    def _lacks_verb(self, sentence: Sentence) -> bool:
        first = sentence.clauses[0].form
        words = {word for clause in sentence.clauses for word in clause.form}
        return self._is_verbless(first[0], words) and self._counts.opens[first[:2]] < self._verbless

    def _is_strange(self, form: Form) -> bool:
        """Whether a value has a word before it that hardly any clause has there."""
        crowd = self._counts.is_crowd
        least, share = (CROWD_BESIDE, CROWD_STRANGE) if crowd else (MIN_BESIDE, STRANGE)
        for before, value in _beside(form):
            counts = self._counts.beside[value]
            if counts.total() >= least and counts[before] < share * counts.total():
                return True
        return False

    def _may_begin(self, first: Form) -> bool:
        """Whether sentences begin with these two symbols, or at least with the first of them."""
        opens = self._counts.opens[first]
        if first[0] in BEGINS or (opens >= MIN_OPENS and opens >= MIN_OPENING * self._counts.pairs[first]):
            return True
        places = self._counts.places[first[0]]
        return places < MIN_PLACES or self._counts.begins[first[0]] >= MIN_BEGINS * places

    def _agrees(self, form: Form, carried: Collection[str], text: Text) -> bool:
        """Whether a clause says the yes or no of its row: by its negations, or else since it is said again so."""
        said = self._counts.said[_bare(form)]
        is_usual = said[_said(form)] >= MIN_AGREE * said.total()
        return is_usual and (text.opposed.isdisjoint(carried) or said[_said(form)] > 1)

    def _says_again(self, clause: Clause, text: Text) -> bool:
        """Whether a word of a value is beside the value again; words that many texts have are no value's own."""
        values: set[str] = set()
        for tokens, line in zip(text.example.agenda_tokens, text.example.agenda, strict=True):
            if any(tokens[0] in text.example.tokens[one.first : one.last] for one in clause.symbols if one.carries):
                values.update(parse_agenda_line(line).value.lower().split())
        return any(
            not one.carries
            and one.text in values
            and len(one.text) > 2
            and one.text.isalpha()
            and self._counts.having[one.text] < USUAL * self._counts.texts
            for one in clause.symbols
        )

    def _look_up(self, word: str) -> bool:
        """Whether one text alone has a word, and many have one that differs in a letter: left out, added or changed."""
        texts = self._counts.having[word]
        if texts > 2 or len(word) < LONG or not word.isalpha():
            return False
        often = OFTEN if texts < 2 else VERY_OFTEN
        near = {other for key in _deletions(word) for other in self._frequent.get(key, ())}
        near = {other for other in near if self._counts.having[other] >= often}
        return any(other != word and _is_near(word, other) for other in near)


def _beside(form: Form) -> Iterator[tuple[str, Form]]:
    """Each value with the symbol behind it, and the symbol before it; "" at the clause's borders."""
    words = ("", *form, "")
    for place in range(1, len(words) - 1):
        if words[place].startswith(PREFIX):
            yield words[place - 1], words[place : place + 2]


def confirmed(forms: Mapping[Form, int]) -> set[Form]:
    """The forms that several texts have, or of which other forms have every three symbols in a row."""
    having = Counter[Form]()
    for form in forms:
        having.update(set(_threes(form)))
    return {form for form, count in forms.items() if count > 1 or all(having[three] > 1 for three in _threes(form))}


def _threes(form: Form) -> Iterator[Form]:
    """Three symbols in a row, the borders of the clause among them."""
    words = ("", *form, "")
    yield from (words[place : place + 3] for place in range(len(words) - 2))


def _deletions(word: str) -> set[str]:
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}


def _is_near(one: str, other: str) -> bool:
    """Whether two words that share a deletion are one edit apart; the ending of a plural is no error."""
    if one.removesuffix("s") == other.removesuffix("s"):
        return False
    if len(one) != len(other):
        return abs(len(one) - len(other)) == 1
    different = [place for place in range(len(one)) if one[place] != other[place]]
    is_swap = len(different) == 2 and different[1] == different[0] + 1
    return len(different) == 1 or (is_swap and sorted(one) == sorted(other))


def _bare(form: Form) -> Form:
    """The words of a form without what they carry."""
    return tuple(word.partition(CARRIES)[0] for word in form)


def _said(form: Form) -> str:
    return " ".join(word.partition(CARRIES)[2] for word in form if CARRIES in word)


def count(texts: Iterable[Text], values: Trie[Stems]) -> Counts:
    """Count what some texts have; values: the known ones."""
    counts = Counts(values)
    for text in texts:
        counts.add(text)
    return counts
