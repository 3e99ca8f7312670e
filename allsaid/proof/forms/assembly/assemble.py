"""A text from sentences of training texts: those that together express a row, each value once.

A text begins as training texts do, up to the sentence that has the subject; then come sentences that share no value,
until all are expressed. Sentences are whole ones of training texts, or one clause of them that may stand by itself.
Every one is attested for the row (`allsaid.proof.forms.certificate.attest`), so a row that has a value which no such
sentence expresses gets a text without it.

Of the texts that express most values, that one is best whose sentences are frequent among those that express the same,
whose number is usual for so many values, and whose beginnings follow each other as in training texts.
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

from allsaid.proof.forms.assembly.templates import Template, Templates, carried_by
from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.certificate.fits import SEEN, Facts
from allsaid.proof.forms.symbols import CARRIES, GOAL, SEVERAL, Row, View, is_value
from allsaid.proof.values.matching import is_unsupported_number

WIDTH = 32  # texts in the making
OPTIONS = 8  # sentences tried that express the same values, and beginnings
FOLLOWS = 0.5  # weight of how beginnings follow each other
UNCONFIRMED = 4.0  # nats for a clause that may be an error of its one text
NEW_VALUE = 3.0  # nats for a value that the clause is not seen with
SMOOTH = 2.0  # sentences added to those that express the same, so that a rare one is not taken for the rule
PER_SENTENCE = 0.5  # nats for each sentence more or fewer, squared, than are usual for so many values


@dataclass(frozen=True)
class Assembled:
    tokens: list[str]  # T, with the row's placeholders
    score: float  # nats, the higher the better
    missing: int  # values that it does not express


@dataclass(frozen=True)
class _Option:
    """A sentence for a row."""

    template: Template
    score: float


@dataclass(frozen=True)
class _Draft:
    templates: tuple[Template, ...]
    left: frozenset[str]
    score: float

    @property
    def closing(self) -> str:
        return self.templates[-1].closing if self.templates else ""


class Assembler:
    """Writes texts of rows from a phrasebook."""

    def __init__(self, attester: Attester, words: Collection[str] | None = None, asks_goal: bool = False) -> None:
        """words: the tokens that texts may have; None: all. asks_goal: whether a text has to say its goal."""
        self.attester, self.book, self.asks_goal = attester, attester.book, asks_goal
        self._words = None if words is None else frozenset(words)
        self.templates = Templates(attester, self._words)
        self._follows = lru_cache(maxsize=1 << 14)(self._count_follows)

    def write(self, row: Row, count: int = 1, seed: str = "", own: Collection[str] = ()) -> list[Assembled]:
        """Different texts of a row, the best first; with a seed their wording is drawn at random, by the seed.

        own: the tokens that texts of this row may have, too.
        """
        view = self.book.reader.view(row)
        facts, wanted = Facts.of(row, view), _wanted(view)
        known = None if self._words is None else self._words.union(own)
        asks_goal = self.asks_goal and (known is None or known.issuperset(facts.goal.split()))

        def fits(template: Template) -> bool:
            if any(is_unsupported_number(word, row.agenda) for word in template.words if not is_value(word)):
                return False
            return (
                template.values <= wanted
                and all(self.attester.is_attested(sentence, facts) for sentence in template.sentences)
                and (known is None or known.issuperset(self._tokens(template, view, facts.goal)))
            )

        def options(found: Sequence[Template]) -> list[_Option]:
            """Those that fit, each with its score among those that express the same; the best first."""
            fitting = [one for one in found if fits(one)]
            sums = Counter[frozenset[str]]()
            for one in fitting:
                sums[one.values] += one.count  # type: ignore[assignment]
            scored = [_Option(one, self._score(one, sums[one.values], facts, seed)) for one in fitting]
            return sorted(scored, key=lambda one: -one.score)[:OPTIONS]

        by_values = {
            carried: options(found)
            for carried, found in self.templates.sentences.items()
            if carried and carried <= wanted
        }
        firsts = options([one for one in self.templates.beginnings if GOAL in one.carries or not asks_goal])
        drafts = [_Draft((one.template,), wanted - one.template.values, one.score) for one in firsts]
        done = list(drafts)
        alike = (count + 1) // 2  # texts that end alike
        while drafts := self._longer(drafts, by_values, alike):
            done += drafts
        ranked = sorted(done, key=lambda one: (len(one.left), -self._total(one, len(wanted))))
        texts: dict[tuple[str, ...], Assembled] = {}
        for draft in ranked[: 4 * count]:
            tokens = [token for one in draft.templates for token in self._tokens(one, view, facts.goal)]
            texts.setdefault(tuple(tokens), Assembled(tokens, self._total(draft, len(wanted)), len(draft.left)))
        return [*texts.values()][:count]

    def _longer(
        self, drafts: Sequence[_Draft], by_values: Mapping[frozenset[str], Sequence[_Option]], alike: int
    ) -> list[_Draft]:
        """The best drafts with a sentence more; alike: how many that lack the same and begin their last one alike."""
        best: defaultdict[tuple[frozenset[str], str], list[_Draft]] = defaultdict(list)
        for draft in drafts:
            for carried, found in by_values.items():
                if carried <= draft.left:
                    left = draft.left - carried
                    for option in found:
                        template = option.template
                        score = draft.score + option.score + FOLLOWS * self._follows(draft.closing, template.opening)
                        same = best[left, template.closing]
                        if len(same) < alike or score > same[-1].score:
                            insort(same, _Draft((*draft.templates, template), left, score), key=lambda one: -one.score)
                            del same[alike:]
        # The mean of the sentences counts, so that drafts with large ones don't lose for having few.
        longer = chain.from_iterable(best.values())
        return sorted(longer, key=lambda one: (-one.score / len(one.templates), len(one.left)))[: alike * WIDTH]

    def _score(self, template: Template, same: float, facts: Facts, seed: str) -> float:
        """ln p of a sentence among those that express the same, less what speaks against it."""
        forms = [clause.form for one in template.sentences for clause in one.clauses]
        pairs = ((form, column, value) for form in forms for column, value in facts.values.items())
        new = sum(self.attester.fits.fit_of(*pair) != SEEN for pair in pairs)
        new += sum(not self.attester.fits.is_usual(form, facts.numbers) for form in forms)
        chance = _chance(seed, template) if seed else 0.0
        share = math.log(template.count / (same + SMOOTH))
        return share - UNCONFIRMED * template.unconfirmed - NEW_VALUE * new + chance

    def _total(self, draft: _Draft, values: int) -> float:
        sentences = sum(len(one.sentences) for one in draft.templates)
        usual = 1 + values / self._values_a_sentence
        return draft.score - PER_SENTENCE * (sentences - usual) ** 2

    def _count_follows(self, before: str, behind: str) -> float:
        """ln p of the first symbol of a sentence behind that of another, between that of the pair and of the symbol."""
        pairs, firsts = self._pairs[before], self._firsts
        alone = (firsts[behind] + 1) / (firsts.total() + len(firsts) + 1)
        return math.log((pairs[behind] + alone) / (pairs.total() + 1))

    @cached_property
    def _firsts(self) -> Counter[str]:
        counts = Counter[str]()
        for known in self.book.usable:
            counts[known.words[0]] += known.count
        return counts

    @cached_property
    def _pairs(self) -> defaultdict[str, Counter[str]]:
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for (before, behind), count in self.book.follows.items():
            found[before][behind] += count
        return found

    @cached_property
    def _values_a_sentence(self) -> float:
        """The mean number of values that a sentence with any has."""
        having = [(one.count, len(carried_by(one.sentence) - {GOAL})) for one in self.book.usable]
        having = [(count, values) for count, values in having if values]
        return max(sum(count * values for count, values in having) / max(sum(count for count, _ in having), 1), 1.0)

    def _tokens(self, template: Template, view: View, goal: str) -> Iterator[str]:
        for sentence in template.sentences:
            for clause in sentence.clauses:
                yield from clause.joint
                for word in clause.form:
                    yield from self._written(word, view, goal)
            if sentence.mark:
                yield sentence.mark

    def _written(self, word: str, view: View, goal: str) -> Sequence[str]:
        if word == GOAL:
            return goal.split()
        if CARRIES in word:
            return [word.partition(CARRIES)[0]]
        column = word.removesuffix(SEVERAL)
        items = [item for item, own in view.columns.items() if own == column]
        if not items:
            return [word]
        written = [items[0]]
        for place, item in enumerate(items[1:], 2):
            written += [*self._gap(is_last=place == len(items)), item]
        return written

    @lru_cache(maxsize=2)  # noqa: B019 - as long as the model lives
    def _gap(self, is_last: bool) -> tuple[str, ...]:
        """What stands between two values of an enumeration."""
        gaps = sorted(self.book.reader.gaps, key=lambda gap: (len(gap), gap))
        marks = [gap for gap in gaps if not gap[-1].isalpha()]
        joints = [gap for gap in gaps if gap[-1].isalpha()]
        chosen = (joints or marks) if is_last else (marks or joints)
        return chosen[0] if chosen else (",",)


def _wanted(view: View) -> frozenset[str]:
    """What a text of a row is to express."""
    columns = Counter(view.columns.values())
    return frozenset([column + SEVERAL if count > 1 else column for column, count in columns.items()] + [*view.spoken])


def _chance(seed: str, template: Template) -> float:
    """A draw of Gumbel's distribution, so that the best sentence is drawn in proportion to its share."""
    text = repr((seed, template.words))
    number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")
    return -math.log(-math.log((number + 0.5) / 2**56))
