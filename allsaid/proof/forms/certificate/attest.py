"""Check that each clause of a text states values of its row as training texts do; it is then *attested*.

A clause is attested if

- it is a known form (`known_forms`);
- it begins, ends and joins sentences like clauses of training texts (`joins`);
- its words fit the row's goal: the text of a mug has no "for the open road", and "a" does not precede "headphones";
- the row is within the form's bounds (`fits`);
- training texts have the row's value in this form, or are too few to expect it there by chance (`fits`).

A known form always states the row's own values, since symbols depend on the row: "dishwasher" is read as
``dishwasher|SLOT_DISHWASHER_SAFE_YES`` only if the row says yes. No word lists are used.
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
from allsaid.proof.forms.symbols import GOAL, SEVERAL, Row, RowIndex, Symbol, bare, expressed_by, frame_at, is_value
from allsaid.proof.habits import ENDS, FULL_STOP
from schemas.act import PREFIX

UNKNOWN, BEGINNING, END, JOINT = "unknown", "beginning", "end", "joint"
GOAL_WORDS, BOUND, VALUE, NO_END_MARK = "goal", "bound", "value", "no mark"
ERROR = 0.02  # if a new context of a value is likelier than this, it says nothing about the value


@dataclass(frozen=True)
class Finding:
    """A passage that is not attested."""

    kind: str  # one of the eight constants above
    first: int  # position of its first token
    end: int  # the position after its last token


@dataclass(frozen=True)
class Attested:
    """Result of a check: the passages that are not attested, and the values that attested clauses express."""

    findings: list[Finding]
    places: set[int]  # positions of the tokens of attested clauses
    expressed: Counter[str]  # column's placeholder or agenda token -> attested clauses that express it
    other_goals: list[str]  # goals of other rows that the text mentions, by a synonym


class Attester:
    """Checks texts and sentences against a phrasebook."""

    def __init__(self, book: Phrasebook) -> None:
        self.book = book
        self.forms = KnownForms(book)
        self.joins = Joins(book, self.forms)
        self.fits = Fits(book)
        # A word and the column's placeholder after it, or the placeholder and the two words after it -> sentences.
        self._contexts_before = Counter[tuple[str, str]]()
        self._contexts_after = Counter[tuple[str, ...]]()
        self._from_mapping = {bare(form): form for form in book.from_mapping}
        counted = [(known.words, known.count) for known in book.sentences_not_struck]
        for form, count in (*counted, *((form, 1) for form in book.from_mapping)):
            for _, before, after in _contexts(form):
                self._contexts_before[before] += count
                self._contexts_after[after] += count
        self._fixed = self._columns_in_fixed_contexts(counted)

    def _columns_in_fixed_contexts(self, counted: Sequence[tuple[Form, int]]) -> set[str]:
        """Return the placeholders for which a new context is unlikely: its probability is below ERROR.

        The probability is the share of sentences whose context no other sentence has. In texts by many authors, or in a
        few texts, a new context is no sign of a wrong one.
        """
        sentences, new = Counter[str](), Counter[str]()
        for form, count in counted:
            for column, before, after in _contexts(form):
                sentences[column] += count
                new[column] += self._contexts_before[before] == self._contexts_after[after] == 1
        return {column for column, total in sentences.items() if new[column] + 1 <= ERROR * (total + 1)}

    def check(self, tokens: Sequence[str], row: Row) -> Attested:
        """Check T tokens, with placeholders, as a text of a row."""
        index = self.book.reader.index(row)
        symbols = self.book.reader.read(tokens, index)
        sentences = cut(symbols, self.book.abbreviations)
        facts = Facts.of(row, index)
        findings: list[Finding] = []
        expressed, attested_places = Counter[str](), set[int]()
        for number, sentence in enumerate(sentences):
            mapped_form = self.mapping_sentence(sentence, index)
            if mapped_form and (number or self.book.subject in mapped_form):
                expressed.update({expressed_by(word) for word in mapped_form if is_value(word)})
                attested_places.update(at for symbol in sentence.symbols for at in range(symbol.first, symbol.end))
                continue
            for clause_number, clause in enumerate(sentence.clauses):
                is_strange_first = not number and not clause_number and clause.form[:2] not in self.joins.text_openings
                kind = next(self._faults(sentence, clause_number, facts), BEGINNING if is_strange_first else "")
                if kind:
                    findings.append(_finding(kind, clause, sentence, clause_number))
                else:
                    expressed.update({symbol.expresses for symbol in clause.symbols} - {""})
                    attested_places.update(at for symbol in clause.symbols for at in range(symbol.first, symbol.end))
        if sentences and not _has_end_mark(tokens[-1]) and self.book.has_end_marks:
            findings.append(Finding(NO_END_MARK, max(len(tokens) - 1, 0), len(tokens)))
        return Attested(findings, attested_places, expressed, self._other_goals(symbols, facts.goal))

    def is_attested(self, sentence: Sentence, facts: Facts) -> bool:
        """Return whether all clauses of a sentence are attested for a row."""
        if self.mapping_sentence(sentence, facts.index):
            return True
        numbers = range(len(sentence.clauses))
        return not any(next(self._faults(sentence, number, facts), "") for number in numbers)

    def _faults(self, sentence: Sentence, number: int, facts: Facts) -> Iterator[str]:
        """Yield the kinds of the faults of a sentence's clause; number: the clause's index."""
        clauses = sentence.clauses
        clause = clauses[number]
        is_strange = self.book.is_strict and not self.forms.has_goal(clause.form, facts.goal)
        if is_strange or not self.forms.is_known(clause.form) or not _has_all(facts.index, clause.form):
            yield UNKNOWN
        if not number and (clause.joint or not self.joins.may_begin(clause.form)):
            yield BEGINNING
        if number and not self.joins.may_join(clauses[number - 1].form, clause.joint, clause.form):
            yield JOINT
        if number == len(clauses) - 1 and not (self.joins.may_end(clause.form) and self.joins.is_complete(sentence)):
            yield END
        if not self.fits.fits_goal(clause.form, facts.goal):
            yield GOAL_WORDS
        if not self.fits.is_within(clause.form, facts.index, facts.numbers):
            yield BOUND
        if any(self.fits.fit_of(clause.form, column, value) == NEVER for column, value in facts.values.items()):
            yield VALUE

    def mapping_sentence(self, sentence: Sentence, index: RowIndex) -> Form:
        """Return the form of a sentence that the mapping gives under `say`, if the row has its values; else ()."""
        form = self._from_mapping.get(bare(sentence.written), ())
        return form if _has_all(index, form) and not self.book.has_forbidden(form) else ()

    def out_of_place(self, tokens: Sequence[str], index: RowIndex) -> set[str]:
        """Return the placeholders in no context that training texts have: the word before, or the two words after.

        Placeholders whose contexts vary are never out of place.
        """
        symbols = self.book.reader.read(tokens, index)
        words = ["", *(symbol.text.removesuffix(SEVERAL) for symbol in symbols), "", ""]
        seen: dict[str, bool] = {}
        for place, symbol in enumerate(symbols, 1):
            is_fixed = symbol.expresses in self._fixed and symbol.expresses in index.columns.values()
            for token in tokens[symbol.first : symbol.end] if is_fixed else ():
                is_known = (words[place - 1], symbol.expresses) in self._contexts_before
                is_known |= (symbol.expresses, *words[place + 1 : place + 3]) in self._contexts_after
                seen[token] = seen.get(token, False) or is_known
        return {token for token, is_known in seen.items() if not is_known}

    def _other_goals(self, symbols: Sequence[Symbol], goal: str) -> list[str]:
        """Return the goals that a text mentions by a synonym, between words that surround goals in training texts."""
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


def _contexts(form: Form) -> Iterator[tuple[str, tuple[str, str], tuple[str, ...]]]:
    """Yield each placeholder of a form, with the word before it and with the two words after it."""
    words = ["", *(word.removesuffix(SEVERAL) for word in form), "", ""]
    for place, word in enumerate(words):
        if word.startswith(PREFIX):
            yield word, (words[place - 1], word), (word, *words[place + 1 : place + 3])


def _has_end_mark(last: str) -> bool:
    """Return whether a text's last token is a final mark, or an abbreviation that ends in one ("usw.")."""
    return last in ENDS or (last[-1] == FULL_STOP and last[-2:-1].isalnum())


def _has_all(index: RowIndex, form: Form) -> bool:
    """Return whether a row has all values that a form expresses."""
    return all(expressed_by(word) in index.named or expressed_by(word) == GOAL for word in form if is_value(word))


def _finding(kind: str, clause: Clause, sentence: Sentence, place: int) -> Finding:
    """Return a finding about a clause; one without symbols gets the passage of the clause before."""
    symbols = clause.symbols or sentence.clauses[place - 1].symbols
    return Finding(kind, symbols[0].first, symbols[-1].end) if symbols else Finding(kind, 0, 0)
