"""Soundness of clauses: reference texts have errors, too, and only intact clauses become forms.

A clause is left out if

- its sentence begins with a word that hardly any other sentence begins with ("is 329 dollars.");
- it has a word twice in a row, or repeats a word of a value next to the value ("15 inch inch");
- it contains a known value that its row lacks;
- it gives another answer (yes or no) than most clauses with the same words, or its negations contradict the answer of
  the row and no other clause agrees with it;
- it has a word that occurs in no other text and is one letter away from a frequent one ("prduct");
- its sentence has no verb ("Part of the Elm line."), unless many sentences begin with the same two symbols. Verbs are
  the words that follow a subject ("it weighs") and also occur without one ("and weighs");
- it has a strange word before a value: few clauses with the same value and following word have it ("with 4 hour
  battery").

If there are many different clauses, those that occur once are left out. In texts by many people (a crowd), many clauses
occur once. There, such a clause is kept if all its runs of three symbols occur in other clauses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from allsaid.proof.clauses import BEGINS
from allsaid.proof.foods.names import Stems, Trie, find_names, stems_of
from allsaid.proof.forms.clauses import Clause, Form, Sentence
from allsaid.proof.forms.symbols import ANSWER_BAR, RowIndex, bare, is_value
from schemas.act import PREFIX, parse_agenda_line
from schemas.example import Example

MIN_PLACES = 20  # a word with fewer occurrences may begin any sentence
MIN_BEGINS = 0.05  # smallest share of a word's occurrences that begin a sentence
MIN_OPENS, MIN_OPENS_SHARE = 2, 0.2  # fewest sentences that begin with two words; smallest share of their occurrences
MAX_DIFFERENT = 5000  # different clauses; if there are more, those that occur once are left out
CROWD_CLAUSES, CROWD_SINGLE = 100, 0.35  # a crowd has at least this many clauses; more than this share occur once
MAX_FORMS = 8000  # the most frequent ones
MIN_AGREE = 0.8  # of the clauses with the same words: smallest share with the same answers
USUAL = 0.1  # a word of at least this share of the texts is not taken for part of a value
# A sentence without a verb is kept if enough sentences begin with the same two symbols: at least the first number, and
# this share of the number of texts. The larger share holds if few sentences have no verb.
MIN_VERBLESS, VERBLESS, RARELY_VERBLESS = 2, 0.01, 0.05
FEW_VERBLESS = 0.1  # share of all sentences
# A word before a value is strange if it has less than this share of the clauses with the same value and following word,
# of which there are at least this many.
MIN_BEFORE, STRANGE = 20, 0.05
CROWD_BEFORE, CROWD_STRANGE = 8, 0.2  # the same for a crowd's texts
LONG = 5  # fewest letters of a word that may be misspelt
OFTEN, VERY_OFTEN = 5, 100  # fewest texts with the intended word; the second if two texts have the misspelt one


@dataclass(frozen=True)
class Text:
    """A training text in symbols."""

    example: Example
    index: RowIndex
    sentences: list[Sentence]
    opposed: frozenset[str]  # agenda tokens whose answer the negations of the text contradict


@dataclass
class Counts:
    """Counts over the texts of a training part."""

    values: Trie[Stems]  # known ones
    texts: int = 0
    marked: int = 0  # texts that end with a mark
    places: Counter[str] = field(default_factory=Counter)  # symbol -> places
    begins: Counter[str] = field(default_factory=Counter)  # symbol -> sentences that begin with it
    pairs: Counter[Form] = field(default_factory=Counter)  # two symbols in a row -> places
    opens: Counter[Form] = field(default_factory=Counter)  # two symbols -> sentences that begin with them
    texts_with: Counter[str] = field(default_factory=Counter)  # token -> texts
    clauses: Counter[Form] = field(default_factory=Counter)
    before: defaultdict[Form, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # `_before_values`
    all_sentences: list[tuple[str, frozenset[str]]] = field(default_factory=list)  # the first symbol, and all
    seconds: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # first symbol of a sentence -> next
    later_begins: Counter[str] = field(default_factory=Counter)  # symbol -> clauses within sentences that begin with it
    # words -> answers -> clauses
    answers: defaultdict[Form, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, text: Text) -> None:
        self.texts += 1
        self.marked += bool(text.sentences and text.sentences[-1].mark)
        self.texts_with.update(set(text.example.tokens))
        for sentence in text.sentences:
            for clause in sentence.clauses:
                self.clauses[clause.form] += 1
                self.places.update(clause.form)
                self.answers[bare(clause.form)][_answers(clause.form)] += 1
                self.pairs.update(pairwise(clause.form))
                for before, value in _before_values(clause.form):
                    self.before[value][before] += 1
            if sentence.clauses and sentence.clauses[0].form:
                first = sentence.clauses[0].form
                words = frozenset(word for clause in sentence.clauses for word in clause.form)
                self.all_sentences.append((first[0], words))
                self.begins[first[0]] += 1
                self.opens[first[:2]] += 1
                self.seconds[first[0]].update(first[1:2])
            self.later_begins.update(clause.form[0] for clause in sentence.clauses[1:] if clause.form)

    @property
    def subjects_and_verbs(self) -> tuple[set[str], set[str]]:
        """The symbols that may be a whole subject ("it"), and the verbs that follow them and begin later clauses."""
        subjects, verbs = set[str](), set[str]()
        for first, seconds in self.seconds.items():
            known = {word for word in seconds if self.later_begins[word] and not is_value(word)}
            if len(known) > 1 and 2 * len(known) >= len(seconds):
                subjects.add(first)
                verbs |= known
        return subjects, verbs

    @cached_property
    def is_crowd(self) -> bool:
        """Return whether a large part of the clauses occurs only once, as it does where many people wrote the texts."""
        single, total = sum(count == 1 for count in self.clauses.values()), self.clauses.total()
        return total >= CROWD_CLAUSES and single / CROWD_SINGLE > total

    @property
    def usable_forms(self) -> set[Form]:
        """The forms that are frequent enough or confirmed by others."""
        single = {form for form, count in self.clauses.items() if count == 1}
        least = 1 if len(self.clauses) <= MAX_DIFFERENT else 2
        frequent = [form for form, count in self.clauses.items() if count >= least]
        usable = set(sorted(frequent, key=lambda form: (-self.clauses[form], form))[:MAX_FORMS])
        if self.is_crowd:
            usable -= single - confirmed(self.clauses)
        return usable


class Soundness:
    """Judge of clauses, by the counts over all texts."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._frequent: defaultdict[str, list[str]] = defaultdict(list)  # word without a letter -> frequent words
        for word, count in counts.texts_with.items():
            if count >= OFTEN and len(word) >= LONG - 1:
                for key in _deletions(word):
                    self._frequent[key].append(word)
        self._subjects, self._verbs = counts.subjects_and_verbs
        without = sum(self._is_verbless(*sentence) for sentence in counts.all_sentences)
        are_few = without < FEW_VERBLESS * len(counts.all_sentences)
        self._verbless = max(MIN_VERBLESS, (RARELY_VERBLESS if are_few else VERBLESS) * counts.texts)
        self._is_misspelt = lru_cache(maxsize=1 << 14)(self._looks_misspelt)

    def is_sound(self, clause: Clause, sentence: Sentence, text: Text) -> bool:
        """Return whether a clause may become a form."""
        if not clause.form or any(symbol.text.startswith(PREFIX) and not symbol.expresses for symbol in clause.symbols):
            return False
        if clause is sentence.clauses[0] and not self._may_begin(clause.form[:2]):
            return False
        if (sentence.clauses[0].form and self._lacks_verb(sentence)) or self._is_strange(clause.form):
            return False
        tokens = text.example.tokens
        words = [token for symbol in clause.symbols for token in tokens[symbol.first : symbol.end]]
        if any(word == following and word.isalnum() for word, following in pairwise(words)):
            return False
        plain = [symbol.text for symbol in clause.symbols if not symbol.expresses]
        if any(map(self._is_misspelt, plain)) or find_names(stems_of(plain), self._counts.values):
            return False
        expressed = {symbol.expresses for symbol in clause.symbols} - {""}
        return self._agrees(clause.form, expressed, text) and not self._repeats_value(clause, text)

    def _is_verbless(self, first: str, words: Collection[str]) -> bool:
        return bool(self._verbs) and first not in self._subjects and self._verbs.isdisjoint(words)

    def _lacks_verb(self, sentence: Sentence) -> bool:
        first = sentence.clauses[0].form
        words = {word for clause in sentence.clauses for word in clause.form}
        return self._is_verbless(first[0], words) and self._counts.opens[first[:2]] < self._verbless

    def _is_strange(self, form: Form) -> bool:
        """Return whether hardly any clause has the same word before a value."""
        crowd = self._counts.is_crowd
        least, share = (CROWD_BEFORE, CROWD_STRANGE) if crowd else (MIN_BEFORE, STRANGE)
        for before, value in _before_values(form):
            counts = self._counts.before[value]
            if counts.total() >= least and counts[before] < share * counts.total():
                return True
        return False

    def _may_begin(self, first: Form) -> bool:
        """Return whether sentences begin with these two symbols, or at least with the first of them."""
        opens = self._counts.opens[first]
        if first[0] in BEGINS or (opens >= MIN_OPENS and opens >= MIN_OPENS_SHARE * self._counts.pairs[first]):
            return True
        places = self._counts.places[first[0]]
        return places < MIN_PLACES or self._counts.begins[first[0]] >= MIN_BEGINS * places

    def _agrees(self, form: Form, expressed: Collection[str], text: Text) -> bool:
        """Return whether most clauses with the same words give its answers, as do its negations or another clause."""
        answers = self._counts.answers[bare(form)]
        same = answers[_answers(form)]
        return same >= MIN_AGREE * answers.total() and (text.opposed.isdisjoint(expressed) or same > 1)

    def _repeats_value(self, clause: Clause, text: Text) -> bool:
        """Return whether a clause repeats a word of a value next to it; frequent words belong to no value."""
        values: set[str] = set()
        for tokens, line in zip(text.example.agenda_tokens, text.example.agenda, strict=True):
            if any(
                tokens[0] in text.example.tokens[symbol.first : symbol.end]
                for symbol in clause.symbols
                if symbol.expresses
            ):
                values.update(parse_agenda_line(line).value.lower().split())
        return any(
            not symbol.expresses
            and symbol.text in values
            and len(symbol.text) > 2
            and symbol.text.isalpha()
            and self._counts.texts_with[symbol.text] < USUAL * self._counts.texts
            for symbol in clause.symbols
        )

    def _looks_misspelt(self, word: str) -> bool:
        """Return whether a rare word differs from a frequent one in a letter: left out, added or changed."""
        texts = self._counts.texts_with[word]
        if texts > 2 or len(word) < LONG or not word.isalpha():
            return False
        least_texts = OFTEN if texts < 2 else VERY_OFTEN
        near = {other for key in _deletions(word) for other in self._frequent.get(key, ())}
        near = {other for other in near if self._counts.texts_with[other] >= least_texts}
        return any(other != word and _is_near(word, other) for other in near)


def _before_values(form: Form) -> Iterator[tuple[str, Form]]:
    """Yield the symbol before each value, and the value with the symbol after it; "" at the clause's borders."""
    words = ("", *form, "")
    for place in range(1, len(words) - 1):
        if words[place].startswith(PREFIX):
            yield words[place - 1], words[place : place + 2]


def confirmed(forms: Mapping[Form, int]) -> set[Form]:
    """Return the forms that recur, or whose runs of three symbols all occur in other forms."""
    forms_with_run = Counter[Form]()
    for form in forms:
        forms_with_run.update(set(_threes(form)))
    return {
        form for form, count in forms.items() if count > 1 or all(forms_with_run[three] > 1 for three in _threes(form))
    }


def _threes(form: Form) -> Iterator[Form]:
    """Yield the runs of three symbols, with the borders of the clause."""
    words = ("", *form, "")
    yield from (words[place : place + 3] for place in range(len(words) - 2))


def _deletions(word: str) -> set[str]:
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}


def _is_near(first: str, second: str) -> bool:
    """Return whether two words that share a deletion are one edit apart; a plural ending is no error."""
    if first.removesuffix("s") == second.removesuffix("s"):
        return False
    if len(first) != len(second):
        return abs(len(first) - len(second)) == 1
    different = [place for place in range(len(first)) if first[place] != second[place]]
    is_swap = len(different) == 2 and different[1] == different[0] + 1
    return len(different) == 1 or (is_swap and sorted(first) == sorted(second))


def _answers(form: Form) -> str:
    return " ".join(word.partition(ANSWER_BAR)[2] for word in form if ANSWER_BAR in word)
