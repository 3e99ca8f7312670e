"""Templates: the sentences that new texts are made of, each with the values that it expresses.

They are sentences of training texts or of the mapping, or a clause that may be a sentence by itself. A beginning holds
the first sentences of a text, up to the one with the subject; sentences without the subject may follow it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.clauses import Form, Sentence
from allsaid.proof.forms.phrasebook import Known
from allsaid.proof.forms.soundness import confirmed
from allsaid.proof.forms.symbols import ANSWER_BAR, GOAL, SEVERAL, bare, expressed_by, is_value
from allsaid.proof.habits import FULL_STOP
from schemas.act import PREFIX

SINGLE = 0.5  # count of a sentence that training texts do not have: a clause by itself, or of the mapping


@dataclass(frozen=True)
class Template:
    """A sentence, or the first ones of a text, with their values."""

    sentences: tuple[Sentence, ...]
    expresses: frozenset[str]  # "SLOT_COLOUR", "SLOT_MATERIALS+", "SLOT_WATERPROOF_NO", GOAL
    count: float
    words: Form  # all its symbols
    unconfirmed: int  # clauses of one text alone, in words that no other has side by side

    @property
    def opening(self) -> str:
        return self.words[0]

    @cached_property
    def closing(self) -> str:
        """The first symbol of the last sentence."""
        return self.sentences[-1].words[0]

    @cached_property
    def values(self) -> frozenset[str]:
        return self.expresses - {GOAL}


class Templates:
    """The templates of an attester's phrasebook."""

    def __init__(self, attester: Attester, words: frozenset[str] | None) -> None:
        """words: the tokens that texts may have; None: all."""
        self.book, self.forms, self.joins = attester.book, attester.forms, attester.joins
        self._words = words

    @cached_property
    def sentences(self) -> dict[frozenset[str], list[Template]]:
        """Values -> the templates without the subject, which may follow a beginning; the most frequent first."""
        known = [(counted.sentence, float(counted.count)) for counted in self.book.usable]
        known += [(Known(words, {}).sentence, SINGLE) for words in self.book.from_mapping]
        for form, times in self.forms.counts.items():
            if self.joins.may_begin(form) and self.joins.may_end(form):
                known.append((Known((*form, FULL_STOP), {}).sentence, SINGLE * times))
        best: dict[Form, Template] = {}
        for sentence, count in known:
            template = self._template((sentence,), count)
            if template and self.book.subject not in template.values:
                before = best.get(template.words, template)
                best[template.words] = max(before, template, key=lambda template: template.count)
        by_values: defaultdict[frozenset[str], list[Template]] = defaultdict(list)
        for template in sorted(best.values(), key=lambda template: (-template.count, template.words)):
            by_values[template.values].append(template)
        return dict(by_values)

    @cached_property
    def beginnings(self) -> list[Template]:
        known = [(texts, float(count)) for texts, count in self.book.beginnings]
        known += [((words,), SINGLE) for words in self.book.from_mapping if self.book.subject in words]
        for form, times in self.forms.counts.items():
            if self.book.subject in form and form[:2] in self.joins.text_openings and self.joins.may_end(form):
                known.append((((*form, FULL_STOP),), SINGLE * times))
        found = []
        for texts, count in known:
            sentences = tuple(Known(words, {}).sentence for words in texts)
            template = self._template(sentences, count) if all(map(self.book.allows, sentences)) else None
            if template:
                found.append(template)
        return found

    def _template(self, sentences: tuple[Sentence, ...], count: float) -> Template | None:
        """Return a template; None if it has an unknown word, or expresses a value twice, or as one and as several."""
        expressed = [word for sentence in sentences for word in _list_expressed(sentence)]
        values = [word for word in expressed if word != GOAL]
        words = tuple(word for sentence in sentences for word in (*sentence.words, sentence.mark))
        plain = {word for word in bare(words) if word and word != GOAL and not word.startswith(PREFIX)}
        is_known = self._words is None or plain <= self._words
        if not is_known or len(values) != len({word.removesuffix(SEVERAL) for word in values}):
            return None
        unconfirmed = sum(clause.form not in self._confirmed for sentence in sentences for clause in sentence.clauses)
        return Template(sentences, frozenset(expressed), count, words, unconfirmed)

    @cached_property
    def _confirmed(self) -> set[Form]:
        return confirmed(self.forms.counts)


def values_of(sentence: Sentence) -> set[str]:
    """Return the symbols of the values, and the goal, that a sentence expresses."""
    return {*_list_expressed(sentence)}


def _list_expressed(sentence: Sentence) -> list[str]:
    """List what a sentence expresses; an answer that several of its words carry counts once."""
    values = [word for word in sentence.words if is_value(word)]
    answers = sorted({expressed_by(word) for word in values if ANSWER_BAR in word})
    return [*(word for word in values if ANSWER_BAR not in word), *answers]
