"""Scores of a system's texts for dialogue acts and for rows of a table (Kiddon et al. 2016, table 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from allsaid.decoding.measured import Measured
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.contract import Task
from allsaid.proof.coverage import Coverage
from allsaid.proof.figures import OF_VALUES
from allsaid.proof.slots import SlotErrors, add_up, slot_errors
from allsaid.proof.values.facts import Inventory
from allsaid.proof.values.matching import measure_values
from allsaid.proof.values.seen import build_values, goals_mentioned
from batch_infer.proof.choice import Chooser
from batch_infer.rows import facts, inputs
from batch_infer.rows.kinds import tables
from batch_infer.writer import Writer
from evaluation.measures import bootstrap, meteor, protocols, slots
from evaluation.measures.bootstrap import with_intervals
from evaluation.measures.protocols import PAPER, RNNLG
from evaluation.tasks.rows import TRUE, Evaluation, Row, sample
from evaluation.tasks.system import Subject, System, hypotheses
from pipelines.linking.delex import items_of, relexicalise, speak
from pipelines.sources.records.mapping import TableMapping
from schemas.act import PREFIX, Act, agenda_line
from schemas.errors import UserError
from schemas.example import Example
from schemas.texts.generated import goal_line

PROTOCOL = f"{PAPER},{RNNLG}"
FIGURES = OF_VALUES  # with the names that suit these texts
TEXTS_AN_ACT = 5  # of RNNLG's protocol

Prompt = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


@dataclass(frozen=True)
class ActTexts:
    """A system's texts for one act, best first."""

    tokens: list[list[str]]  # up to five texts, delexicalised
    texts: list[str]  # the same with the act's values, normalised
    segments: list[str]  # scored by RNNLG's protocol: ``texts``, or the first text of the act's group for a baseline


@dataclass(frozen=True)
class Values:
    """Values to find in texts, by the same rules as in `allsaid generate` (docs/coverage.md)."""

    known: Inventory  # of the training part, with the goals if texts state them
    goals: Inventory | None  # of a user's table whose texts state their goal, which then counts as a value
    is_goal_asked: bool  # whether a text has to state its row's goal
    mapping: TableMapping | None

    def lines(self, act: Act) -> list[str]:
        """Return an act as the lines of an agenda."""
        return [*map(agenda_line, act.slots), *([goal_line(act.act_type)] if self.goals else [])]

    def covered(self, text: str, act: Act) -> Coverage:
        """Return the coverage of an act by a text with its values."""
        values = facts.facts_of(self.lines(act), self.mapping)
        result = measure_values(facts.text_of(text, self.mapping), values, self.known)
        return result.of_first(len(act.slots) + self.is_goal_asked)

    def goal_errors(self, text: str, act: Act) -> SlotErrors:
        """Return the slot errors of the goal in a text with its values; none if texts state no goals."""
        if self.goals is None:
            return SlotErrors()
        *values, goal = facts.facts_of(self.lines(act), self.mapping)
        errors = slots.goal_errors(facts.text_of(text, self.mapping), values, goal, self.goals)
        return errors if self.is_goal_asked else replace(errors, missing=0, values=0)


def values_of(data: DataSet) -> Values:
    """Return the values of a data set's acts, with the goals for a user's table."""
    acts, mapping_yaml = list(data.acts("train")), data.mapping()
    mapping = tables.mapping_of(mapping_yaml) if mapping_yaml else None
    goal_words, is_asked = goals_mentioned(data.goals("train"), acts) if mapping else ((), False)
    goals = facts.inventory_of({}, mapping, goal_words) if goal_words else None
    return Values(facts.inventory_of(build_values(acts), mapping, goal_words), goals, is_asked, mapping)


def read(data: DataSet, split: str) -> tuple[list[Example], list[Act]]:
    """Return the examples of a split and their acts in the same order."""
    examples, acts = list(data.examples(split)), list(data.acts(split))
    if [example.id for example in examples] != [act.id for act in acts]:
        raise UserError(f"The acts of {data.where} are not those of its examples. This protocol needs dialogue acts.")
    return examples, acts


def measured(task: Task) -> tuple[str, ...]:
    """Return the keys of the figures that a run may have, in the order of its table."""
    return (
        "bleu/paper",
        "bleu/rnnlg",
        "meteor/paper",
        "percent_given",
        "extra_items",
        "slot_error_percent",
        "polarity_error_percent",
        "texts",
    )


def check(subject: Subject) -> None:
    """Raise UserError for a limit on the acts."""
    if subject.limit is not None:
        raise UserError(
            "--limit: an act's references are the texts of all similar acts, so all are scored. Leave it out."
        )


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Return the figures of a system's texts, and its texts for the dev acts that every run shows."""
    system, data, split = subject.system, subject.data, subject.split
    examples, acts = read(data, split)
    dev, dev_acts = (examples, acts) if split == "dev" else read(data, "dev")
    sampled = {example.id for example in sample(system.task, data, subject.limit)}
    sample_rows = [(example, act) for example, act in zip(dev, dev_acts, strict=True) if example.id in sampled]
    to_write = [*examples, *(example for example, _ in sample_rows)]
    generated = generate(system, data, to_write, [*acts, *(act for _, act in sample_rows)])
    scored, values = generated[: len(acts)], values_of(data)
    table = [row(texts, *pair, values) for texts, pair in zip(generated[len(acts) :], sample_rows, strict=True)]
    figures = score(scored, acts, slow, values) | {"texts": len(acts)}
    figures |= coverage([texts.texts[0] for texts in scored], acts, values)
    truth = coverage([act.normalised for act in acts], acts, values)
    figures |= {f"{TRUE}{name}": value for name, value in truth.items()}
    return Evaluation(figures, sorted(table, key=lambda row: row.id), {})


def generate(system: System, data: DataSet, examples: Sequence[Example], acts: Sequence[Act]) -> list[ActTexts]:
    """Return a system's texts for each act."""
    if system.baseline is not None:
        texts = system.baseline.texts(data, examples)
        if any(token.startswith(PREFIX) for text in texts for token in text):  # placeholders, as in training texts
            return [_filled([text], act) for text, act in zip(texts, acts, strict=True)]
        return of_texts([" ".join(text) for text in texts], acts)
    return _search(system.writer, examples, acts)


def _search(writer: Writer, examples: Sequence[Example], acts: Sequence[Act]) -> list[ActTexts]:
    """Return a model's texts, in the batch job's order; acts that differ only in their values are searched once."""
    prompts: dict[Prompt, Example] = {_prompt(example): example for example in examples}
    order = sorted(prompts)
    hypotheses_of = dict(zip(order, hypotheses(writer, [prompts[prompt] for prompt in order]), strict=True))
    judge, search = writer.judge, writer.settings.search
    chooser = Chooser(writer.bundle, judge, Measured(judge.measure), search)
    texts = []
    for example, act in zip(examples, acts, strict=True):
        row = inputs.Row(example.goal, example.agenda, example.goal_tokens, example.agenda_tokens)
        best = [*chooser.ranked(row, hypotheses_of[_prompt(example)])][:TEXTS_AN_ACT]
        texts.append(_filled([writer.bundle.words(hypothesis.tokens, example) for hypothesis in best], act))
    return texts


def of_texts(texts: Sequence[str], acts: Sequence[Act]) -> list[ActTexts]:
    """Return one text with its values per act, such as the corpus's rule-based texts (HDC)."""
    texts = [protocols.written(text) for text in texts]
    return [
        ActTexts([protocols.each_value_once(text.split(), items_of(act.slots))], [text], [first])
        for text, act, first in zip(texts, acts, protocols.firsts(acts, texts), strict=True)
    ]


def score(generated: Sequence[ActTexts], acts: Sequence[Act], slow: bool, values: Values) -> dict[str, float]:
    """Return BLEU, slot and polarity errors (percent) by name and protocol; slow: also METEOR, if Java is installed."""
    groups = protocols.references(acts)
    best = [texts.texts[0] for texts in generated]
    each = []
    for texts, act in zip(generated, acts, strict=True):
        errors = slot_errors(texts.tokens[0], [item.token for item in items_of(act.slots) if item.forms])
        each.append(add_up([errors, values.goal_errors(texts.texts[0], act)]))
    polarity = [slots.polarity(text.split(), act.slots) for text, act in zip(best, acts, strict=True)]
    binary = sum(len(slots.binary(act.slots)) for act in acts)
    figures = {
        f"bleu/{PAPER}": protocols.paper_bleu(best, groups),
        f"bleu/{RNNLG}": protocols.rnnlg_bleu([texts.segments for texts in generated], groups),
        "slot_error_percent": 100 * add_up(each).rate,
        "polarity_error_percent": 100 * sum(len(checked.wrong) for checked in polarity) / max(binary, 1),
    }
    ours = [protocols.as_in_paper(text) for text in best]
    references = [[protocols.as_in_paper(text) for text in group] for group in groups]
    wrong = [100 * (errors.missing + errors.redundant) for errors in each]
    interval = bootstrap.ratio_interval(wrong, [errors.values for errors in each])
    figures |= bootstrap.ends("slot_error_percent", interval)
    figures |= bootstrap.ends(f"bleu/{PAPER}", bootstrap.bleu_interval(ours, references))
    return figures | (meteor.figures(f"meteor/{PAPER}", ours, references) if slow else {})


def coverage(texts: Sequence[str], acts: Sequence[Act], values: Values) -> dict[str, float]:
    """Return the mean percentage of covered items and the mean number of extra values, with intervals.

    A placeholder that was not filled is an extra value.
    """
    covered = [values.covered(text, act) for text, act in zip(texts, acts, strict=True)]
    unfilled = [{word for word in text.split() if word.startswith(PREFIX)} for text in texts]
    each = {
        "percent_given": [result.percent_given for result in covered],
        "extra_items": [float(len(result.extra) + len(words)) for result, words in zip(covered, unfilled, strict=True)],
    }
    return with_intervals(each)


def row(texts: ActTexts, example: Example, act: Act, values: Values) -> Row:
    """Return the row of the best text; a polarity error counts as a missing item."""
    tokens, text = texts.tokens[0], texts.texts[0]
    goal = values.lines(act)[len(act.slots) :]
    items = items_of(act.slots)
    counts, wrong = Counter(tokens), slots.polarity(text.split(), act.slots).wrong
    lines = list(zip(example.agenda, items, act.slots, strict=True))
    return Row(
        id=example.id,
        goal=example.goal,
        agenda=[*example.agenda, *goal],
        reference=act.text,
        text=speak(text),
        tokens=tokens,
        missing=[line for line, item, slot in lines if (item.forms and not counts[item.token]) or slot.slot in wrong]
        + (goal if values.goal_errors(text, act).missing else []),
        extra=sorted({token for token in tokens if token.startswith(PREFIX)} - {item.token for item in items}),
        doubled=[line for line, item, _ in lines if item.forms and counts[item.token] > 1],
    )


def _prompt(example: Example) -> Prompt:
    return tuple(example.goal_tokens), tuple(tuple(item) for item in example.agenda_tokens)


def _filled(tokens: list[list[str]], act: Act) -> ActTexts:
    """Fill the values of an act into its delexicalised texts."""
    texts = [relexicalise(text, act.slots) for text in tokens]
    return ActTexts(tokens, texts, texts)
