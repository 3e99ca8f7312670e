"""Certificate of a generated text: it states all of its row, in attested clauses, and each value once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allsaid.proof.forms.certificate.attest import Attested, Attester, Finding
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.forms.symbols import GOAL, Row, RowIndex
from allsaid.proof.values.seen import is_stated_by
from schemas.act import parse_agenda_line


@dataclass(frozen=True)
class Certificate:
    """The findings against a text; a text without any is certified."""

    findings: list[Finding]  # passages that no form attests
    stated: list[bool]  # L: whether an attested clause expresses the item
    states_goal: bool
    repeated: int  # values that several clauses express
    other_goals: list[str]  # goals of other rows that the text mentions, by a synonym
    is_complete: bool  # whether all items are stated, and the goal if texts mention theirs

    @property
    def is_attested(self) -> bool:
        """Whether every clause is attested and no value repeated; a text may omit values."""
        return not (self.findings or self.repeated)

    @property
    def is_certified(self) -> bool:
        return self.is_complete and self.is_attested and not self.other_goals


class Certifier:
    """Certifies the texts of a model's rows."""

    def __init__(self, book: Phrasebook, asks_goal: bool) -> None:
        """asks_goal: whether a text must mention its goal."""
        self.attester, self.asks_goal = Attester(book), asks_goal

    def certify(self, tokens: Sequence[str], row: Row) -> Certificate:
        """Certify T tokens, with placeholders, as a text of a row."""
        index = self.attester.book.reader.index(row)
        attested = self.attester.check(tokens, row)
        stated = [self._is_stated(item, tokens, attested, index) for item in row.agenda_tokens]
        values = (
            parse_agenda_line(line).value for line, is_stated in zip(row.agenda, stated, strict=True) if is_stated
        )
        states_goal = GOAL in attested.expressed or is_stated_by(row.goal, values)
        book = self.attester.book
        may_repeat = {book.subject, *(token for token, column in index.named.items() if column in book.again)}
        once = {*index.columns.values(), *index.spoken} - may_repeat
        return Certificate(
            attested.findings,
            stated,
            states_goal,
            sum(count > 1 and token in once for token, count in attested.expressed.items()),
            attested.other_goals,
            bool(tokens) and all(stated) and (states_goal or not self.asks_goal),
        )

    def _is_stated(self, item: Sequence[str], tokens: Sequence[str], attested: Attested, index: RowIndex) -> bool:
        if len(item) != 1:
            return False
        if item[0] in index.spoken:
            return item[0] in attested.expressed
        return item[0] in index.columns and any(tokens[place] == item[0] for place in attested.places)

    def misplaced(self, tokens: Sequence[str], row: Row) -> set[int]:
        """Return the items whose values are next to words that training texts never have next to their column."""
        index = self.attester.book.reader.index(row)
        wrong = self.attester.out_of_place(tokens, index)
        items = [item[0] if len(item) == 1 else "" for item in row.agenda_tokens]
        return {item for item, token in enumerate(items) if token in index.columns and token in wrong}
