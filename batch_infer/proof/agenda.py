"""Measurement of texts against agendas, whose items are values of records or names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.language.inflection import is_english
from allsaid.proof import coverage
from allsaid.proof.coverage import Coverage
from allsaid.proof.faults import count_faults
from allsaid.proof.findings import FORBIDDEN_CLAIM, agreeing
from allsaid.proof.forms import mapped
from allsaid.proof.forms.claims import COLUMN, claims_in
from allsaid.proof.recipes.checker.check import check
from allsaid.proof.usage.learn import Observed, observe
from allsaid.proof.values import matching
from allsaid.proof.values.contexts import Contexts
from allsaid.proof.values.facts import Fact, Inventory
from allsaid.proof.values.seen import Seen, plain
from batch_infer.proof import judge
from batch_infer.proof.judge import Measure
from batch_infer.proof.summary import MEANS
from batch_infer.rows import facts
from batch_infer.rows.inputs import NO_TEXT, Row
from batch_infer.rows.kinds import tables
from batch_infer.rows.known import ignored_in, no_numbers
from batch_infer.rows.wording import publish
from pipelines.linking.phrases import Pass, passes
from pipelines.recipes.examples import text_tokens
from pipelines.recipes.linking import link
from pipelines.sources.records.mapping import TableMapping
from schemas.act import PREFIX, parse_agenda_line
from schemas.checks.table import from_table
from schemas.errors import UserError
from schemas.phrase import Phrase
from schemas.texts.finding import WRONG, Finding
from schemas.texts.generated import goal_line

LINES = 1 << 16  # agenda lines in the cache of facts


class Judge(judge.Judge):
    """Judge of the texts of a model of agendas."""

    MEANS = MEANS

    def publish(self, tokens: Sequence[str], row: Row) -> str:
        """Return the published text of T tokens."""
        return publish(tokens, row, self.knowledge.casing, self._is_english)

    def measure(self, tokens: Sequence[str], row: Row) -> Coverage:
        return self.measure_published(self.publish(tokens, row) if self.is_record(row) else "", tokens, row)

    def read(self, text: str, row: Row) -> tuple[list[str], list[int]]:
        if self.is_record(row):
            return facts.linked(text, row, self._mapping, self._item_and_stems)
        tokens = text_tokens(text, self._phrases)
        return tokens, link(row.agenda_tokens, tokens)[1]

    def measure_published(self, text: str, tokens: Sequence[str], row: Row) -> Coverage:
        """Measure a published text; positions in the coverage count the text's words, in a recipe its T tokens."""
        if not self.is_record(row):
            sources = None if self.knowledge.edits else [" ".join([row.goal, *row.agenda]).lower().split()]
            return self._recipe(tokens, row, sources)
        words = facts.text_of(text, self._mapping)
        contexts = self.knowledge.contexts
        lines = [*row.agenda, goal_line(row.goal)] if self._known_goals else row.agenda
        goal = self._words(row.goal)
        mapping = self._mapping if isinstance(row, Row) else None  # `allsaid evaluate` measures examples
        row_facts = [self._fact(line) for line in (*lines, *(row.omissible if mapping else ()))]
        submitted_of = mapping if mapping and row.submitted else None
        ignored = facts.ignored_of(ignored_in(text, row.ignored, submitted_of), submitted_of) if submitted_of else ()
        found = matching.measure_values(words, row_facts, self._known, goal, ignored)
        found = found.of_first(len(self.required_lines(row)))
        found = self._with_faults(found, words.words, tokens, row, contexts) if contexts else found
        claims = {f"{COLUMN}={claim}": claim.lower() for claim in claims_in([text], self.knowledge.forbidden)}
        forbidden = [Finding(FORBIDDEN_CLAIM, -1, -1, claim, WRONG, COLUMN, line) for line, claim in claims.items()]
        mentions = [*found.extra_mentions, *([] for _ in claims)]
        proven = self._certified(replace(found, extra=[*found.extra, *claims], extra_mentions=mentions), tokens, row)
        all_findings = [*proven.findings, *forbidden]
        findings = agreeing(all_findings, self.required_lines(row), proven.given, proven.extra, found.given)
        return replace(proven, findings=findings)

    def observe(self, text: str, goal: str, agenda: Sequence[str]) -> Observed:
        """Return the parts of a record's text that the rules do not explain."""
        words = facts.text_of(text, self._mapping)
        return observe(matching.read_values(words, [self._fact(line) for line in agenda], self._known), goal)

    def measure_reference(self, tokens: Sequence[str], row: Row) -> Coverage:
        if self.is_record(row):
            return self.measure(tokens, row)
        return replace(self._recipe(tokens, row, None), certified=None)

    def _recipe(self, tokens: Sequence[str], row: Row, sources: Sequence[Sequence[str]] | None) -> Coverage:
        """Measure a recipe by the names of its items, and check its steps.

        sources: words of the possible sources of its times and temperatures; None to accept any.
        """
        found = coverage.measure(tokens, row.agenda_tokens, self.knowledge.lexicon)
        if self.knowledge.lexicon.foods is None:
            return found
        findings = check(tokens, row.goal_tokens, row.agenda, row.agenda_tokens, self.knowledge.lexicon, sources)
        is_certified = all(found.given) and not found.extra and not findings
        return replace(found, recipe=tuple(findings), certified=is_certified)

    def claims(self, text: str) -> list[str]:
        book = self.knowledge.phrasebook
        decided = mapped.read(self.knowledge.mapping)
        known = dict.fromkeys((*(claim.words for claim in book.claims), *decided.allowed)) if book else ()
        return claims_in([text], [claim for claim in known if claim not in decided.forbidden])

    def _certified(self, found: Coverage, tokens: Sequence[str], row: Row) -> Coverage:
        """Update the coverage by the forms of training texts: covered items, unattested passages and the certificate.

        A yes or no counts as covered if an attested clause expresses it. A value does not count as covered if it
        occurs only among words of another column.
        """
        certifier = self.knowledge.certifier
        if certifier is None:
            return found
        certificate = certifier.certify(tokens, row)
        stated = [*certificate.stated, *([certificate.states_goal] if self.knowledge.says_goals else [])]
        misplaced = certifier.misplaced(tokens, row)
        given = [
            is_stated or (is_given and item not in misplaced)
            for item, (is_given, is_stated) in enumerate(zip(found.given, stated, strict=True))
        ]
        denied = {opposite(line) for line, is_stated in zip(row.agenda, certificate.stated, strict=True) if is_stated}
        undenied = [index for index, line in enumerate(found.extra) if line not in denied]
        other_goals = [line for line in map(goal_line, certificate.other_goals) if line not in found.extra]
        extra = [*(found.extra[index] for index in undenied), *other_goals]
        passages = no_numbers(row.agenda, self._mapping)
        is_certified = certificate.is_certified and all(given) and not (extra or found.faults or passages)
        shown = [finding for finding in certificate.findings if finding.end > finding.first]
        passages += [self.publish(tokens[finding.first : finding.end], row) for finding in shown]
        return replace(
            found,
            given=given,
            full_name=given,
            any_word=[any(pair) for pair in zip(found.any_word, given, strict=True)],
            extra=extra,
            extra_mentions=[*(found.extra_mentions[index] for index in undenied), *([] for _ in other_goals)],
            unattested=tuple(passages),
            certified=is_certified,
        )

    def _with_faults(
        self, found: Coverage, words: Sequence[str], tokens: Sequence[str], row: Row, contexts: Contexts
    ) -> Coverage:
        """Add to the coverage the faults of wording, and values among the words of another column.

        ``words`` are the ``tokens`` as published.
        """
        wrong = contexts.wrong(tokens, row.agenda, row.agenda_tokens)
        wrong = [line for line in wrong if line not in found.extra]
        columns = [parse_agenda_line(line).slot for line in row.agenda]
        habits, repeatable = self.knowledge.habits, set(contexts.again)
        if habits and len(row.agenda) > habits.most:  # each sentence of a long text may name the subject
            repeatable.add(habits.subject)
        once = [places for column, places in zip(columns, found.mentions, strict=False) if column not in repeatable]
        return replace(
            found,
            extra=[*found.extra, *wrong],
            extra_mentions=[*found.extra_mentions, *([] for _ in wrong)],
            faults=count_faults(words, once, self._mapping.language if self._mapping else "") + len(wrong),
        )

    def required_lines(self, row: Row) -> list[str]:
        """Return the lines that a text must cover: the agenda and, if texts mention it, the goal."""
        return [*row.agenda, goal_line(row.goal)] if self.knowledge.says_goals else row.agenda

    def check_seen(self, refuse: bool) -> None:
        """Raise UserError if unfamiliar rows are to be refused, but the model can't recognise them."""
        if self.knowledge.seen is None:
            super().check_seen(refuse)
        elif refuse and self.knowledge.seen.goals is None:
            raise UserError(
                "Most goals of the model's training part occur only once, so a new goal is nothing unusual. "
                "Leave --refuse-unfamiliar out."
            )

    def mark_unfamiliar(self, row: Row, refuse: bool = False) -> Row:
        seen = self.knowledge.seen
        if seen is None or row.error not in (None, NO_TEXT):
            return row
        is_new = not seen.has_goal(row.goal)
        new = [goal_line(row.goal)] if is_new else []
        if self.is_record(row):
            slots = zip(row.agenda, facts.agenda_slots(row.agenda, self._mapping), strict=True)
            new += [
                line
                for line, slot in slots
                if not any(seen.has_value(slot.slot, value) for value in facts.same_values(slot, self._mapping))
                or facts.is_flagged(line, self._mapping)
            ]
        error = refusal(plain(row.goal), seen) if refuse and is_new else row.error
        return replace(row, unfamiliar=list(dict.fromkeys(new)), error=error)

    def in_order(self, row: Row, found: Sequence[Hypothesis], measure: Measure) -> Iterator[Hypothesis]:
        """Yield the hypotheses in the order of the search; for a record, sort those that the search ranks as equal.

        They are sorted by figures that the search can't measure: whether a passage is unattested, then the number of
        extra items minus that of covered ones, then faults. A perfect text is yielded at once, so that the hypotheses
        after it are measured only on demand.
        """
        if not self.is_record(row):
            yield from found
            return
        best = (False, -len(self.required_lines(row)), 0)
        for _, equal in groupby(sorted(found, key=attrgetter("penalised")), attrgetter("penalised")):
            others: list[tuple[tuple[bool, int, int], Hypothesis]] = []
            for hypothesis in equal:
                covered = measure(hypothesis)
                extra = len(covered.extra) - sum(covered.given)
                rank = bool(covered.unattested) or not hypothesis.tokens, extra, covered.faults
                if rank == best:
                    yield hypothesis
                else:
                    others.append((rank, hypothesis))
            yield from (hypothesis for _, hypothesis in sorted(others, key=itemgetter(0)))

    def is_record(self, row: Row) -> bool:
        """Return whether the agenda holds values, with placeholders, rather than names."""
        placeholders = (item[0].startswith(PREFIX) for item in row.agenda_tokens if item)
        return bool(self.knowledge.values) or self.knowledge.says_goals or any(placeholders)

    @cached_property
    def _fact(self) -> Callable[[str], Fact]:
        """The cached parser of agenda lines into facts; rows share many lines."""
        mapping = self._mapping
        return lru_cache(maxsize=LINES)(lambda line: facts.facts_of([line], mapping)[0])

    @cached_property
    def _words(self) -> Callable[[str], tuple[str, ...]]:
        """The cached words of a goal."""
        mapping = self._mapping
        return lru_cache(maxsize=LINES)(lambda goal: tuple(facts.text_of(goal, mapping).words))

    @cached_property
    def _phrases(self) -> Sequence[Pass]:
        return passes(from_table(self.knowledge.phrases, Phrase))

    @cached_property
    def _item_and_stems(self) -> Callable[[str, str], facts.ItemAndStems]:
        """The cached parser of agenda lines and their tokens into items and the stems of words for their columns."""
        mapping = self._mapping
        return lru_cache(maxsize=LINES)(lambda line, token: facts.item_and_stems_of(line, token, mapping))

    @property
    def columns(self) -> list[str]:
        """The columns of a user's table."""
        return self._mapping.named if self._mapping else []

    @cached_property
    def _mapping(self) -> TableMapping | None:
        return tables.mapping_of(self.knowledge.mapping) if self.knowledge.mapping else None

    @cached_property
    def _is_english(self) -> bool:
        """Whether texts are English, by the mapping or else by the words of the training part."""
        found = self._mapping.is_english if self._mapping else None
        return is_english(self.knowledge.known_words) if found is None else found

    @cached_property
    def _known(self) -> Inventory:
        known = facts.inventory_of(self.knowledge.values, self._mapping, self._known_goals)
        return replace(known, usage=self.knowledge.usage)

    @property
    def _known_goals(self) -> tuple[str, ...]:
        return self.knowledge.seen.mentioned_goals if self.knowledge.seen else ()


def opposite(line: str) -> str:
    """Return the line that denies a line of a yes or no: "waterproof=no" for "waterproof=yes"."""
    column, _, value = line.rpartition("=")
    return f"{column}={ {'yes': 'no', 'no': 'yes'}.get(value, '') }"


@lru_cache(maxsize=1 << 10)
def _nearest(goal: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(get_close_matches(goal, known, cutoff=0.5))


def refusal(goal: str, seen: Seen) -> str:
    """Return the error message for a row whose goal was never seen."""
    near = _nearest(goal, seen.goals or ())
    known = ", ".join(f"'{name}'" for name in near or (seen.goals or ())[:3])
    return (
        f"The goal '{goal}' was never seen in training ({'similar' if near else 'most frequent'}: {known}). "
        "Train with texts for it, or leave --refuse-unfamiliar out."
    )
