"""Assembly of a text from sentences of training texts that together express a row, each value once.

A text begins like a training text, up to the sentence with the subject. Then sentences without a common value follow,
until all values are expressed. Each is a sentence of a training text, or a clause of one that may be a sentence by
itself. Each is attested for the row (`allsaid.proof.forms.certificate.attest`), so the text omits a value that no such
sentence expresses.

Texts are ranked by the number of values, then by a score. It is better if the sentences are frequent among those that
express the same values, if their number is usual for these values, and if they follow each other as in training texts.
"""

from __future__ import annotations

import hashlib
import math
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from allsaid.proof.forms.assembly.templates import Template, Templates, values_of
from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.certificate.fits import SEEN, Facts
from allsaid.proof.forms.symbols import ANSWER_BAR, GOAL, SEVERAL, Row, RowIndex, is_value
from allsaid.proof.values.measures import is_unsupported_number

WIDTH = 32  # drafts that are kept
OPTIONS = 8  # sentences tried for the same values, and beginnings
FOLLOWS = 0.5  # weight of the probability that the first symbols of sentences follow each other
UNCONFIRMED = 4.0  # nats for a clause that may be an error, since one text alone has it
NEW_VALUE = 3.0  # nats for a value that the clause was not seen with
SMOOTH = 2.0  # sentences added to those for the same values, so that a rare one is not taken for the rule
PER_SENTENCE = 0.5  # nats times the squared difference from the usual number of sentences


@dataclass(frozen=True)
class Assembled:
    tokens: list[str]  # T, with the row's placeholders
    score: float  # nats, the higher the better
    missing: int  # number of values that it does not express


class _Option(NamedTuple):
    template: Template
    score: float


class _Draft(NamedTuple):
    templates: tuple[Template, ...]
    left: frozenset[str]
    score: float

    @property
    def closing(self) -> str:
        return self.templates[-1].closing if self.templates else ""


class Assembler:
    """Writer of texts from a phrasebook."""

    def __init__(self, attester: Attester, words: Collection[str] | None = None, asks_goal: bool = False) -> None:
        """words: the tokens that texts may have; None: all. asks_goal: whether a text must mention its goal."""
        self.attester, self.book, self.asks_goal = attester, attester.book, asks_goal
        self._words = None if words is None else frozenset(words)
        self.templates = Templates(attester, self._words)
        self._follows = lru_cache(maxsize=1 << 14)(self._count_follows)

    def write(self, row: Row, count: int = 1, seed: str = "", own: Collection[str] = ()) -> list[Assembled]:
        """Write different texts of a row, the best first; a seed draws their wording at random.

        own: tokens that only texts of this row may have.
        """
        index = self.book.reader.index(row)
        facts, wanted = Facts.of(row, index), _wanted(index)
        known = None if self._words is None else self._words.union(own)
        asks_goal = self.asks_goal and (known is None or known.issuperset(facts.goal.split()))

        def fits(template: Template) -> bool:
            if any(is_unsupported_number(word, row.agenda) for word in template.words if not is_value(word)):
                return False
            return (
                template.values <= wanted
                and all(self.attester.is_attested(sentence, facts) for sentence in template.sentences)
                and (known is None or known.issuperset(self._tokens(template, index, facts.goal)))
            )

        def options(found: Sequence[Template]) -> list[_Option]:
            """Return those that fit, the best first; each is scored among those with the same values."""
            fitting = [template for template in found if fits(template)]
            sums: defaultdict[frozenset[str], float] = defaultdict(float)
            for template in fitting:
                sums[template.values] += template.count
            scored = [
                _Option(template, self._score(template, sums[template.values], facts, seed)) for template in fitting
            ]
            return sorted(scored, key=lambda option: -option.score)[:OPTIONS]

        by_values = {
            expressed: options(found)
            for expressed, found in self.templates.sentences.items()
            if expressed and expressed <= wanted
        }
        firsts = options(
            [template for template in self.templates.beginnings if GOAL in template.expresses or not asks_goal]
        )
        drafts = [
            _Draft((template.template,), wanted - template.template.values, template.score) for template in firsts
        ]
        done = list(drafts)
        alike = (count + 1) // 2  # texts that end alike
        while drafts := self._longer(drafts, by_values, alike):
            done += drafts
        ranked = sorted(done, key=lambda draft: (len(draft.left), -self._total(draft, len(wanted))))
        texts: dict[tuple[str, ...], Assembled] = {}
        for draft in ranked[: 4 * count]:
            tokens = [token for template in draft.templates for token in self._tokens(template, index, facts.goal)]
            texts.setdefault(tuple(tokens), Assembled(tokens, self._total(draft, len(wanted)), len(draft.left)))
        return [*texts.values()][:count]

    def _longer(
        self, drafts: Sequence[_Draft], by_values: Mapping[frozenset[str], Sequence[_Option]], alike: int
    ) -> list[_Draft]:
        """Extend the drafts by one sentence, and keep the best.

        alike: how many are kept that lack the same values and begin their last sentence with the same symbol.
        """
        best: defaultdict[tuple[frozenset[str], str], list[_Draft]] = defaultdict(list)
        for draft in drafts:
            for expressed, found in by_values.items():
                if expressed <= draft.left:
                    left = draft.left - expressed
                    for option in found:
                        template = option.template
                        score = draft.score + option.score + FOLLOWS * self._follows(draft.closing, template.opening)
                        same = best[left, template.closing]
                        if len(same) < alike or score > same[-1].score:
                            extended = _Draft((*draft.templates, template), left, score)
                            insort(same, extended, key=lambda draft: -draft.score)
                            del same[alike:]
        # The mean over sentences counts, so that a draft of few long sentences has no disadvantage.
        longer = chain.from_iterable(best.values())
        return sorted(longer, key=lambda draft: (-draft.score / len(draft.templates), len(draft.left)))[: alike * WIDTH]

    def _score(self, template: Template, same: float, facts: Facts, seed: str) -> float:
        """Return ln p of a sentence among those for the same values, less its penalties."""
        forms = [clause.form for sentence in template.sentences for clause in sentence.clauses]
        pairs = ((form, column, value) for form in forms for column, value in facts.values.items())
        new = sum(self.attester.fits.fit_of(*pair) != SEEN for pair in pairs)
        new += sum(not self.attester.fits.is_usual(form, facts.numbers) for form in forms)
        chance = _chance(seed, template) if seed else 0.0
        share = math.log(template.count / (same + SMOOTH))
        return share - UNCONFIRMED * template.unconfirmed - NEW_VALUE * new + chance

    def _total(self, draft: _Draft, values: int) -> float:
        sentences = sum(len(template.sentences) for template in draft.templates)
        usual = 1 + values / self._values_a_sentence
        return draft.score - PER_SENTENCE * (sentences - usual) ** 2

    def _count_follows(self, before: str, after: str) -> float:
        """Return ln p of a sentence's first symbol after that of another, smoothed by the symbol's own frequency."""
        pairs, firsts = self._pairs[before], self._firsts
        alone = (firsts[after] + 1) / (firsts.total() + len(firsts) + 1)
        return math.log((pairs[after] + alone) / (pairs.total() + 1))

    @cached_property
    def _firsts(self) -> Counter[str]:
        counts = Counter[str]()
        for known in self.book.usable:
            counts[known.words[0]] += known.count
        return counts

    @cached_property
    def _pairs(self) -> defaultdict[str, Counter[str]]:
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for (before, after), count in self.book.follows.items():
            found[before][after] += count
        return found

    @cached_property
    def _values_a_sentence(self) -> float:
        """The mean number of values in a sentence that has any."""
        sizes = Counter[int]()
        for counted in self.book.usable:
            sizes[len(values_of(counted.sentence) - {GOAL})] += counted.count
        del sizes[0]
        return max(sum(size * count for size, count in sizes.items()) / max(sizes.total(), 1), 1.0)

    def _tokens(self, template: Template, index: RowIndex, goal: str) -> Iterator[str]:
        for sentence in template.sentences:
            for clause in sentence.clauses:
                yield from clause.joint
                for word in clause.form:
                    yield from self._written(word, index, goal)
            if sentence.mark:
                yield sentence.mark

    def _written(self, word: str, index: RowIndex, goal: str) -> Sequence[str]:
        if word == GOAL:
            return goal.split()
        if ANSWER_BAR in word:
            return [word.partition(ANSWER_BAR)[0]]
        column = word.removesuffix(SEVERAL)
        items = [item for item, item_column in index.columns.items() if item_column == column]
        if not items:
            return [word]
        written = [items[0]]
        for place, item in enumerate(items[1:], 2):
            written += [*self._gap(is_last=place == len(items)), item]
        return written

    @lru_cache(maxsize=2)  # noqa: B019 - as long as the model lives
    def _gap(self, is_last: bool) -> tuple[str, ...]:
        """Return the tokens between two values of an enumeration."""
        gaps = sorted(self.book.reader.gaps, key=lambda gap: (len(gap), gap))
        marks = [gap for gap in gaps if not gap[-1].isalpha()]
        joints = [gap for gap in gaps if gap[-1].isalpha()]
        chosen = (joints or marks) if is_last else (marks or joints)
        return chosen[0] if chosen else (",",)


def _wanted(index: RowIndex) -> frozenset[str]:
    """Return the symbols of the values that a text of a row should express."""
    columns = Counter(index.columns.values())
    return frozenset((*(column + SEVERAL * (count > 1) for column, count in columns.items()), *index.spoken))


def _chance(seed: str, template: Template) -> float:
    """Draw from Gumbel's distribution, so that sentences come first in proportion to their shares."""
    text = repr((seed, template.words))
    number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")
    return -math.log(-math.log((number + 0.5) / 2**56))
