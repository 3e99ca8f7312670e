"""Check whether a text states its row in forms of training texts: each clause must be attested.

A clause is *attested* if

- it is a known form (`known_forms`);
- it begins, ends and joins sentences like clauses of training texts (`joins`);
- its words fit the row's goal: the text of a mug has no "for the open road", and "a" does not precede "headphones";
- the row is within the form's bounds, and training texts would not be expected to have its value in the form, if they
  never do (both in `fits`).

The row must have what a form carries, since its symbols depend on the row: an answer or a value that the row lacks
makes another symbol. No word lists are used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from allsaid.proof.forms.certificate.fits import NEVER, Facts, Fits
from allsaid.proof.forms.certificate.joins import Joins
from allsaid.proof.forms.certificate.known_forms import KnownForms
from allsaid.proof.forms.clauses import Clause, Form, Sentence, cut
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.forms.symbols import GOAL, SEVERAL, Row, Symbol, View, bare, carried_by, frame_at, is_value
from allsaid.proof.habits import ENDS, FULL_STOP
from schemas.act import PREFIX

UNKNOWN, BEGINNING, END, JOINT = "unknown", "beginning", "end", "joint"
GOAL_WORDS, BOUND, VALUE, NO_MARK = "goal", "bound", "value", "no mark"


@dataclass(frozen=True)
class Finding:
    """A passage that no form attests."""

    kind: str  # one of the names above
    first: int  # of its tokens
    last: int  # after its tokens


@dataclass(frozen=True)
class Attested:
    """The statements of a text's clauses."""

    findings: list[Finding]
    places: set[int]  # of the tokens of attested clauses
    carried: Counter[str]  # column's placeholder or agenda token -> attested clauses that express it
    others: list[str]  # other goals that the text mentions, by a synonym


class Attester:
    """Checks texts and sentences against a phrasebook."""

    def __init__(self, book: Phrasebook) -> None:
        self.book = book
        self.forms = KnownForms(book)
        self.joins = Joins(book, self.forms)
        self.fits = Fits(book)
        self._before: set[tuple[str, str]] = set()  # a word, and the column's placeholder after it
        self._after: set[tuple[str, ...]] = set()  # a column's placeholder, and the two words after it
        self._said = {bare(form): form for form in book.said}
        for form in (*(known.words for known in book.unstruck), *book.said):
            words = ["", *(word.removesuffix(SEVERAL) for word in form), "", ""]
            for place, word in enumerate(words):
                if word.startswith(PREFIX):
                    self._before.add((words[place - 1], word))
                    self._after.add((word, *words[place + 1 : place + 3]))

    def check(self, tokens: Sequence[str], row: Row) -> Attested:
        """Check T tokens, with placeholders, as a text of a row."""
        view = self.book.reader.view(row)
        symbols = self.book.reader.read(tokens, view)
        sentences = cut(symbols, self.book.abbreviations)
        facts = Facts.of(row, view)
        findings: list[Finding] = []
        carried, places = Counter[str](), set[int]()
        for number, sentence in enumerate(sentences):
            said = self.said_of(sentence, view)
            if said and (number or self.book.subject in said):
                carried.update({carried_by(word) for word in said if is_value(word)})
                places.update(at for symbol in sentence.symbols for at in range(symbol.first, symbol.last))
                continue
            for place, clause in enumerate(sentence.clauses):
                is_strange_first = not number and not place and clause.form[:2] not in self.joins.firsts
                kind = next(self._faults(sentence, place, facts), BEGINNING if is_strange_first else "")
                if kind:
                    findings.append(_finding(kind, clause, sentence, place))
                else:
                    carried.update({symbol.carries for symbol in clause.symbols} - {""})
                    places.update(at for symbol in clause.symbols for at in range(symbol.first, symbol.last))
        if sentences and not _has_mark(tokens[-1]) and self.book.has_marks:
            findings.append(Finding(NO_MARK, max(len(tokens) - 1, 0), len(tokens)))
        return Attested(findings, places, carried, self._other_goals(symbols, facts.goal))

    def is_attested(self, sentence: Sentence, facts: Facts) -> bool:
        """Return whether all clauses of a sentence are attested for a row."""
        if self.said_of(sentence, facts.view):
            return True
        places = range(len(sentence.clauses))
        return not any(next(self._faults(sentence, place, facts), "") for place in places)

    def _faults(self, sentence: Sentence, place: int, facts: Facts) -> Iterator[str]:
        """Yield what is wrong with the clause at a place of a sentence, by the names above."""
        clauses = sentence.clauses
        clause = clauses[place]
        is_strange = self.book.is_strict and not self.forms.has_goal(clause.form, facts.goal)
        if is_strange or not self.forms.is_known(clause.form) or not _has_all(facts.view, clause.form):
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
        """Return the equal sentence of the mapping, if the row has all that it expresses; else no symbols."""
        said = self._said.get(bare(sentence.written), ())
        return said if _has_all(view, said) and not self.book.has_forbidden(said) else ()

    def out_of_place(self, tokens: Sequence[str], view: View) -> set[str]:
        """Return the placeholders none of whose places has a known word before it or two known words after it."""
        symbols = self.book.reader.read(tokens, view)
        words = ["", *(symbol.text.removesuffix(SEVERAL) for symbol in symbols), "", ""]
        seen: dict[str, bool] = {}
        for place, symbol in enumerate(symbols, 1):
            for token in tokens[symbol.first : symbol.last] if symbol.carries in view.columns.values() else ():
                is_known = (words[place - 1], symbol.carries) in self._before
                is_known |= (symbol.carries, *words[place + 1 : place + 3]) in self._after
                seen[token] = seen.get(token, False) or is_known
        return {token for token, is_known in seen.items() if not is_known}

    def _other_goals(self, symbols: Sequence[Symbol], goal: str) -> list[str]:
        """Return the goals that a text mentions by a synonym, in a frame of goals."""
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


def _has_all(view: View, form: Form) -> bool:
    """Return whether a row has all values that a form carries."""
    return all(carried_by(word) in view.named or carried_by(word) == GOAL for word in form if is_value(word))


def _finding(kind: str, clause: Clause, sentence: Sentence, place: int) -> Finding:
    """Return a finding about a clause; one without symbols gets the passage of the clause before."""
    symbols = clause.symbols or sentence.clauses[place - 1].symbols
    return Finding(kind, symbols[0].first, symbols[-1].last) if symbols else Finding(kind, 0, 0)
