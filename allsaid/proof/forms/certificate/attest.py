"""Whether a text states its row in forms that training texts use: each clause must be attested.

A clause is *attested* if

- it is a known form, or becomes one when a run of up to six symbols is replaced by another that carries the same values
  and stands in the same frame elsewhere, too;
- it begins or ends a sentence only as clauses of training texts do, and is joined to the clause before as they are;
- its words fit the row's goal: the text of a mug has no "for the open road", and "a" does not precede "headphones";
- the row is within the form's bounds (`allsaid.proof.forms.bounds`), and its value is not one that the form should have
  had in training texts, and never has.

The first rule is in `known_forms`, the second in `joins`, the others in `fits`, beside this module.

What a form carries must be in the row, since symbols are read with the row at hand: a "no" that the row does not say,
or a value that it lacks, makes another symbol. Nothing here is a list of words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from allsaid.proof.forms.certificate.fits import NEVER, Facts, Fits
from allsaid.proof.forms.certificate.joins import Joins
from allsaid.proof.forms.certificate.known_forms import KnownForms
from allsaid.proof.forms.clauses import Clause, Form, Sentence, cut, written
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.forms.said import bare
from allsaid.proof.forms.symbols import CARRIES, GOAL, SEVERAL, Row, Symbol, View, frame_at, is_value
from allsaid.proof.habits import ENDS, FULL_STOP

UNKNOWN, BEGINNING, END, JOINT, GOAL_WORDS, BOUND, VALUE, NO_MARK = (
    "unknown",
    "beginning",
    "end",
    "joint",
    "goal",
    "bound",
    "value",
    "no mark",
)


@dataclass(frozen=True)
class Finding:
    """A passage that no form attests."""

    kind: str  # one of the names above
    first: int  # of its tokens
    last: int  # behind its tokens


@dataclass(frozen=True)
class Attested:
    """What the clauses of a text state."""

    findings: list[Finding]
    places: set[int]  # of the tokens of attested clauses
    carried: Counter[str]  # what these express, by the column's placeholder or the agenda token -> how many do
    repeated: list[str]  # what is carried by several clauses
    others: list[str]  # other goals that the text says, by a synonym


class Attester:
    """Checks texts and sentences against a phrasebook; `allsaid.proof.forms.assembly` uses it and its parts, too."""

    def __init__(self, book: Phrasebook) -> None:
        self.book = book
        self.forms = KnownForms(book)
        self.joins = Joins(book, self.forms)
        self.fits = Fits(book)
        self._before: set[tuple[str, str]] = set()  # a word, and a column's placeholder behind it
        self._behind: set[tuple[str, ...]] = set()  # a column's placeholder, and two words behind it
        self._said = {bare(form): form for form in book.said}
        for form in (*(known.words for known in book.unstruck), *book.said):
            words = ["", *(word.removesuffix(SEVERAL) for word in form), "", ""]
            for place, word in enumerate(words):
                if word.startswith("SLOT_"):
                    self._before.add((words[place - 1], word))
                    self._behind.add((word, *words[place + 1 : place + 3]))

    def check(self, tokens: Sequence[str], row: Row) -> Attested:
        """What T tokens, with placeholders, state of a row."""
        view = self.book.reader.view(row)
        symbols = self.book.reader.read(tokens, view)
        sentences = cut(symbols, self.book.abbreviations)
        facts = Facts.of(row, view)
        findings: list[Finding] = []
        carried, places = Counter[str](), set[int]()
        for number, sentence in enumerate(sentences):
            said = self.said_of(sentence, view)
            if said and (number or self.book.subject in said):
                carried.update({_carrying(word) for word in said} - {""})
                places.update(_places_of(sentence))
                continue
            for place, clause in enumerate(sentence.clauses):
                kinds = [*self._faults(sentence, place, facts)]
                if not number and not place and clause.form[:2] not in self.joins.firsts:
                    kinds.append(BEGINNING)
                findings += [_finding(kind, clause, sentence, place) for kind in kinds[:1]]
                if not kinds:
                    carried.update({one.carries for one in clause.symbols} - {""})
                    places.update(at for one in clause.symbols for at in range(one.first, one.last))
        if sentences and not _has_mark(tokens[-1]) and self.book.has_marks:
            findings.append(Finding(NO_MARK, max(len(tokens) - 1, 0), len(tokens)))
        repeated = [token for token, count in carried.items() if count > 1]
        return Attested(findings, places, carried, repeated, self._other_goals(symbols, facts.goal))

    def is_attested(self, sentence: Sentence, facts: Facts) -> bool:
        """Whether all clauses of a sentence are attested for a row."""
        if self.said_of(sentence, facts.view):
            return True
        places = range(len(sentence.clauses))
        return not any(next(self._faults(sentence, place, facts), "") for place in places)

    def _faults(self, sentence: Sentence, place: int, facts: Facts) -> Iterator[str]:
        clauses = sentence.clauses
        clause = clauses[place]
        if not self.forms.is_known(clause.form) or (
            self.book.is_strict and not self.forms.has_goal(clause.form, facts.goal)
        ):
            yield UNKNOWN
        if not place and (clause.joint or not self.joins.may_begin(clause.form)):
            yield BEGINNING
        if place and not self.joins.may_join(clauses[place - 1].form, clause.joint, clause.form):
            yield JOINT
        if place == len(clauses) - 1 and not (self.joins.may_end(clause.form) and self.joins.is_whole(sentence)):
            yield END
        if not self.fits.fits_goal(clause.form, facts.goal):
            yield GOAL_WORDS
        if not self.fits.is_within(clause.form, facts.view, facts.numbers):
            yield BOUND
        if any(self.fits.fit_of(clause.form, column, value) == NEVER for column, value in facts.values.items()):
            yield VALUE

    def said_of(self, sentence: Sentence, view: View) -> Form:
        """The sentence of the mapping that this is, if the row has what it expresses; else no symbols."""
        said = self._said.get(bare(written(sentence)), ())
        having = {*view.columns.values(), *view.spoken, GOAL}
        is_given = all(_carrying(word) in having for word in said if is_value(word))
        return said if is_given and self.book.holds_none(said) else ()

    def out_of_place(self, tokens: Sequence[str], view: View) -> set[str]:
        """The placeholders that stand nowhere behind a word, nor before two, beside which their column is known."""
        symbols = self.book.reader.read(tokens, view)
        words = ["", *(symbol.text.removesuffix(SEVERAL) for symbol in symbols), "", ""]
        seen: dict[str, bool] = {}
        for place, symbol in enumerate(symbols, 1):
            for token in tokens[symbol.first : symbol.last] if symbol.carries in view.columns.values() else ():
                is_known = (words[place - 1], symbol.carries) in self._before or (
                    symbol.carries,
                    *words[place + 1 : place + 3],
                ) in self._behind
                seen[token] = seen.get(token, False) or is_known
        return {token for token, is_known in seen.items() if not is_known}

    def _other_goals(self, symbols: Sequence[Symbol], goal: str) -> list[str]:
        """The goals that a text says by a synonym, where the goal's own text has the goal."""
        words = [symbol.text for symbol in symbols]
        found = {
            other: None
            for place, word in enumerate(words)
            for other in self._goals_by_word.get(word, ())
            if other != goal and frame_at(words, place) in self.book.reader.frames
        }
        return list(found)

    @cached_property
    def _goals_by_word(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for goal, words in self.book.reader.synonyms.items():
            for word in words:
                found[word].append(goal)
        return dict(found)


def _has_mark(last: str) -> bool:
    """Return whether a text's last token ends it, as a mark or as an abbreviation with its stop ("usw.")."""
    return last in ENDS or (last[-1] == FULL_STOP and last[-2:-1].isalnum())


def _places_of(sentence: Sentence) -> set[int]:
    """The places of a sentence's tokens."""
    symbols = [one for clause in sentence.clauses for one in clause.symbols]
    return {place for one in symbols for place in range(one.first, one.last)}


def _carrying(word: str) -> str:
    """What a symbol expresses, as `Symbol.carries` has it."""
    if not is_value(word):
        return ""
    return word.rpartition(CARRIES)[2] if CARRIES in word else word.removesuffix(SEVERAL)


def _finding(kind: str, clause: Clause, sentence: Sentence, place: int) -> Finding:
    """The passage of a clause; of one without a symbol, the joint, that of its neighbour."""
    symbols = clause.symbols or sentence.clauses[place - 1].symbols
    return Finding(kind, symbols[0].first, symbols[-1].last) if symbols else Finding(kind, 0, 0)
