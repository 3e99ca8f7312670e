"""Which clauses may begin or end a sentence, and which words or marks (*joints*) may be between two clauses.

Two clauses may be joined if training texts join clauses like them by the same joint. A *general* joint, such as ";",
joins many different whole clauses in training texts, so it may join any two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import takewhile
from statistics import fmean

from allsaid.proof.forms.certificate.known_forms import KnownForms
from allsaid.proof.forms.clauses import Form, Sentence
from allsaid.proof.forms.phrasebook import Known, Phrasebook
from allsaid.proof.forms.symbols import is_value

MIN_GENERAL = 3  # fewest pairs of whole clauses that a general joint joins
# If this share of the clauses after a general joint begin sentences elsewhere, all of them may begin one.
MIN_WHOLE = 0.9


class Joins:
    """Looks up whether the clauses of a phrasebook may begin, end and join sentences."""

    def __init__(self, book: Phrasebook, forms: KnownForms) -> None:
        self.forms = forms
        # Forms that end or begin a sentence in training texts; below, the clauses next to general joints are added.
        self._ends: set[Form] = set(forms.ends)
        self._begins: set[Form] = set(forms.begins)
        self._sentence_openings: set[Form] = set()  # the first two symbols of sentences
        self._near: set[tuple[str, Form, Form]] = set()  # last symbol before, joint, first symbol after
        pairs = []
        for known in book.usable:
            clauses = known.sentence.clauses
            self._sentence_openings.add(clauses[0].form[:2])
            for number, clause in enumerate(clauses[1:]):
                before = clauses[number].form
                self._near.add((before[-1], clause.joint, clause.form[:1]))
                pairs.append((before, clause.joint, clause.form))
        # The first two symbols of texts; only one if the first clause has one.
        self.text_openings = {Known(texts[0], {}).sentence.clauses[0].form[:2] for texts, _ in book.beginnings}
        general: defaultdict[Form, set[tuple[Form, Form]]] = defaultdict(set)
        for before, joint, after in pairs:
            if before in self._ends and after in self._begins:
                general[joint].add((before, after))
        self._general = {joint for joint, found in general.items() if len(found) >= MIN_GENERAL}
        self._ends.update(before for before, joint, after in pairs if joint in self._general and after in self._begins)
        self._begins.update(self._whole(pairs))
        # The first two symbols of sentences, and their joints.
        self._shapes = {self._shape(known.sentence) for known in book.usable}
        self._subjects = self._find_subjects({after[:1] for _, _, after in pairs if after not in self._begins})
        # Verbs follow a subject, and also begin clauses after a joint.
        self._verbs = {form[1] for form in self._begins if form[0] in self._subjects and form[1:2]}
        self._verbs &= {after[0] for _, _, after in pairs if after}
        # If many clauses occur once (texts by a crowd), a single occurrence of a join shows nothing.
        joins = Counter((self._left_context(before, joint, after), joint, after[:1]) for before, joint, after in pairs)
        self._joins = {join for join, count in joins.items() if count > 1 or not book.is_crowd}

    def may_begin(self, form: Form) -> bool:
        return form[:2] in self._sentence_openings or any(
            training_form in self._begins for training_form in self.forms.training_forms(form)
        )

    def may_end(self, form: Form) -> bool:
        return any(training_form in self._ends for training_form in self.forms.training_forms(form))

    def may_join(self, before: Form, joint: Form, after: Form) -> bool:
        """Return whether training texts join clauses like these by this joint."""
        if (self._left_context(before, joint, after), joint, after[:1]) in self._joins:
            return True
        is_plain = bool(before) and not is_value(before[-1])
        if is_plain and (before[-1], joint, after[:1]) in self._near:
            return True
        return joint in self._general and self.may_end(before) and self.may_begin(after)

    def is_complete(self, sentence: Sentence) -> bool:
        """Return whether the first clause is whole or, like "If it rains", continued as in training texts."""
        first = sentence.clauses[0].form
        return len(sentence.clauses) == 1 or self.may_end(first) or self._shape(sentence) in self._shapes

    def _shape(self, sentence: Sentence) -> tuple[Form, ...]:
        """Return the first two symbols of a sentence, its first joint, and the next joints up to a general one."""
        first, *others = sentence.clauses
        joints = takewhile(lambda joint: joint not in self._general, (clause.joint for clause in others[1:]))
        return first.form[:2], *(clause.joint for clause in others[:1]), *joints

    def _whole(self, pairs: Sequence[tuple[Form, Form, Form]]) -> set[Form]:
        """Return the forms after those general joints, like ";", that nearly always precede whole clauses."""
        after: defaultdict[Form, list[Form]] = defaultdict(list)
        for _, joint, form in pairs:
            after[joint].append(form)
        shares = {joint: fmean(form in self._begins for form in after[joint]) for joint in self._general}
        return {form for joint, share in shares.items() if share >= MIN_WHOLE for form in after[joint]}

    def _find_subjects(self, continuing: set[Form]) -> set[str]:
        """Return the subjects of one symbol: at least half of the symbols after them, and two, are in ``continuing``.

        continuing: the first symbols of clauses that begin no sentence, like "weighs" after "it is blue and".
        """
        after: defaultdict[str, set[Form]] = defaultdict(set)
        for form in self._begins:
            if len(form) > 1:
                after[form[0]].add(form[1:2])
        shared = {word: len(found & continuing) for word, found in after.items()}
        return {word for word, found in after.items() if shared[word] > 1 and 2 * shared[word] >= len(found)}

    def _left_context(self, before: Form, joint: Form, after: Form) -> Form:
        """Return the part of a clause that decides whether another clause may follow it.

        If the next clause begins with a verb, it is the subject: the first symbol, or the first two ("the price").
        Otherwise, as in "has a lid and a handle", it is the last verb with the symbol after it. In a clause without a
        verb it is the last two symbols if the joint ends with a word, else the first two.
        """
        if after and after[0] in self._verbs:
            return before[:1] if before and before[0] in self._subjects else before[:2]
        place = next((place for place in range(len(before) - 1, -1, -1) if before[place] in self._verbs), None)
        if place is not None:
            return before[place : place + 2]
        return before[-2:] if joint[-1:] and joint[-1].isalpha() else before[:2]
