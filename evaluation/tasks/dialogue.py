"""A model's texts for the acts of a split, and what they score (Kiddon et al. 2016, table 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import Task
from allsaid.proof.coverage import Coverage
from allsaid.proof.figures import OF_VALUES
from allsaid.proof.values.facts import Inventory
from allsaid.proof.values.inventory import build_values
from allsaid.proof.values.matching import measure_values
from allsaid.proof.values.seen import said_goals
from allsaid.proof.values.slots import SlotErrors, add_up, slot_errors
from batch_infer.proof.choice import Chooser
from batch_infer.rows import facts, inputs
from batch_infer.rows.kinds import tables
from batch_infer.writer import Writer
from evaluation.measures import bootstrap, meteor, protocols, slots
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
FIGURES = OF_VALUES  # as its texts call them
TEXTS_AN_ACT = 5  # of RNNLG's protocol

Prompt = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


@dataclass(frozen=True)
class Told:
    """What a system says of one act, best first."""

    tokens: list[list[str]]  # up to five texts, delexicalised
    texts: list[str]  # the same with the act's values, normalised
    segments: list[str]  # what RNNLG's protocol scores: these, or of a baseline's texts the first of the act's group


@dataclass(frozen=True)
class Values:
    """What texts are looked through for, as those of `allsaid generate` are (docs/coverage.md)."""

    known: Inventory  # of the training part, goals that texts say among them
    mapping: TableMapping | None
    says_goals: bool
    is_goal_asked: bool

    def covered(self, written: str, act: Act) -> Coverage:
        """What a text with its values says of its act and beyond it."""
        lines = [*map(agenda_line, act.slots), *([goal_line(act.act_type)] if self.says_goals else [])]
        found = measure_values(facts.text_of(written, self.mapping), facts.facts_of(lines, self.mapping), self.known)
        return found.of_first(len(act.slots) + self.is_goal_asked)


def values_of(data: DataSet) -> Values:
    """The values of a data set's acts, and of a user's table the goals."""
    mapping, goals = _mapping(data), _goals(data)
    known = facts.inventory_of(build_values(data.acts("train")), mapping, goals[0])
    return Values(known, mapping, bool(goals[0]), goals[1])


@dataclass(frozen=True)
class Goals:
    """The goals of a user's table whose texts say some, which count as values."""

    known: Inventory
    mapping: TableMapping
    is_asked: bool  # whether a text is to say its own

    def errors(self, written: str, act: Act) -> SlotErrors:
        """What a text with its values does to its goal."""
        lines = [*map(agenda_line, act.slots), goal_line(act.act_type)]
        *values, goal = facts.facts_of(lines, self.mapping)
        found = slots.goal_errors(facts.text_of(written, self.mapping), values, goal, self.known)
        return found if self.is_asked else replace(found, missing=0, values=0)


def goals_of(data: DataSet) -> Goals | None:
    """The goals that the texts of a data set say; None where they say none."""
    mapping, (said, is_asked) = _mapping(data), _goals(data)
    if mapping is None or not said:
        return None
    return Goals(facts.inventory_of({}, mapping, said), mapping, is_asked)


def _mapping(data: DataSet) -> TableMapping | None:
    written = data.mapping()
    return tables.mapping_of(written) if written else None


def _goals(data: DataSet) -> tuple[tuple[str, ...], bool]:
    """The goals that texts of a user's table say, and whether a text is to say its own."""
    return said_goals(data.goals("train"), data.acts("train")) if data.mapping() else ((), False)


def read(data: DataSet, split: str) -> tuple[list[Example], list[Act]]:
    """Examples of a split and their acts, side by side."""
    examples, acts = list(data.examples(split)), list(data.acts(split))
    if [example.id for example in examples] != [act.id for act in acts]:
        raise UserError(f"The acts of {data.where} are not those of its examples. Only dialogue acts can be scored so.")
    return examples, acts


def measured(task: Task) -> tuple[str, ...]:
    """What a run may hold, in the order of its table."""
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
    """Raises UserError where only some of the acts are to be scored."""
    if subject.limit is not None:
        raise UserError("--limit: an act's references are the texts of all like it, so all are scored. Leave it out.")


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Figures of a system's texts, and its texts for the dev acts that every run shows."""
    system, data, split = subject.system, subject.data, subject.split
    examples, acts = read(data, split)
    dev, dev_acts = (examples, acts) if split == "dev" else read(data, "dev")
    wanted = {example.id for example in sample(system.task, data, subject.limit)}
    shown = [(example, act) for example, act in zip(dev, dev_acts, strict=True) if example.id in wanted]
    every = [*examples, *(example for example, _ in shown)]
    told = tell(system, data, every, [*acts, *(act for _, act in shown)])
    goals = goals_of(data)
    table = [row(one, example, act, goals) for one, (example, act) in zip(told[len(acts) :], shown, strict=True)]
    values = values_of(data)
    figures = score(told[: len(acts)], acts, slow, goals) | {"texts": len(acts)}
    figures |= said([one.texts[0] for one in told[: len(acts)]], acts, values)
    figures |= {f"{TRUE}{name}": value for name, value in said([act.normalised for act in acts], acts, values).items()}
    return Evaluation(figures, sorted(table, key=lambda row: row.id), {})


def tell(system: System, data: DataSet, examples: Sequence[Example], acts: Sequence[Act]) -> list[Told]:
    """What a system says of each act."""
    if system.baseline is not None:
        texts = system.baseline.texts(data, examples)
        if any(token.startswith(PREFIX) for text in texts for token in text):  # as training texts have them
            return [_filled([text], act) for text, act in zip(texts, acts, strict=True)]
        return of_texts([" ".join(text) for text in texts], acts)
    return _search(system.writer, examples, acts)


def _search(writer: Writer, examples: Sequence[Example], acts: Sequence[Act]) -> list[Told]:
    """The model's texts, in the order in which the batch job takes them; acts that differ in values only are searched
    once.
    """
    prompts: dict[Prompt, Example] = {_prompt(example): example for example in examples}
    order = sorted(prompts)
    found = dict(zip(order, hypotheses(writer, [prompts[prompt] for prompt in order]), strict=True))
    judge, search = writer.judge, writer.settings.search
    chooser = Chooser(writer.bundle, judge, Measured(judge.measure), search)
    return [
        _told(writer.bundle, example, [*chooser.ranked(_row(example), found[_prompt(example)])], act)
        for example, act in zip(examples, acts, strict=True)
    ]


def of_texts(texts: Sequence[str], acts: Sequence[Act]) -> list[Told]:
    """One text an act with its values, such as the corpus's own rule-based ones (HDC)."""
    texts = [protocols.written(text) for text in texts]
    return [
        Told([protocols.each_value_once(text.split(), items_of(act.slots))], [text], [first])
        for text, act, first in zip(texts, acts, protocols.firsts(acts, texts), strict=True)
    ]


def score(told: Sequence[Told], acts: Sequence[Act], slow: bool, goals: Goals | None = None) -> dict[str, float]:
    """Figures by name and protocol: BLEU, slot and polarity errors in percent; METEOR if ``slow``, where Java is."""
    found = protocols.references(acts)
    each = [_slot_errors(one, act, goals) for one, act in pairs(told, acts)]
    polarity = [slots.polarity(one.texts[0].split(), act.slots) for one, act in pairs(told, acts)]
    asked = sum(len(slots.binary(act.slots)) for act in acts)
    figures = {
        f"bleu/{PAPER}": protocols.paper_bleu([one.texts[0] for one in told], found),
        f"bleu/{RNNLG}": protocols.rnnlg_bleu([one.segments for one in told], found),
        "slot_error_percent": 100 * add_up(each).rate,
        "polarity_error_percent": 100 * sum(len(one.wrong) for one in polarity) / max(asked, 1),
    }
    texts = [protocols.as_in_paper(one.texts[0]) for one in told]
    references = [[protocols.as_in_paper(text) for text in theirs] for theirs in found]
    wrong = bootstrap.of_ratio([100 * (one.missing + one.redundant) for one in each], [one.values for one in each])
    figures |= bootstrap.named("slot_error_percent", wrong)
    figures |= bootstrap.named(f"bleu/{PAPER}", bootstrap.of_bleu(texts, references))
    if not slow:
        return figures
    return figures | meteor.figures(f"meteor/{PAPER}", texts, references)


def said(texts: Sequence[str], acts: Sequence[Act], values: Values) -> dict[str, float]:
    """How much texts say of their acts, in percent, and how many values beyond them; means with their intervals.

    A placeholder that could not be filled is such a value.
    """
    covered = [values.covered(text, act) for text, act in zip(texts, acts, strict=True)]
    unfilled = [{word for word in text.split() if word.startswith(PREFIX)} for text in texts]
    each = {
        "percent_given": [one.percent_given for one in covered],
        "extra_items": [float(len(one.extra) + len(left)) for one, left in zip(covered, unfilled, strict=True)],
    }
    figures = {key: fmean(found) for key, found in each.items()}
    for key, found in each.items():
        figures |= bootstrap.named(key, bootstrap.of_mean(found))
    return figures


def _slot_errors(told: Told, act: Act, goals: Goals | None) -> SlotErrors:
    found = slot_errors(told.tokens[0], [item.token for item in items_of(act.slots) if item.forms])
    return found if goals is None else add_up([found, goals.errors(told.texts[0], act)])


def row(told: Told, example: Example, act: Act, goals: Goals | None = None) -> Row:
    """The first text in the table; a yes or no that it tells the other way round counts as missing."""
    goal = [] if goals is None else [goal_line(act.act_type)]
    items = items_of(act.slots)
    said, wrong = Counter(told.tokens[0]), slots.polarity(told.texts[0].split(), act.slots).wrong
    lines = list(zip(example.agenda, items, act.slots, strict=True))
    return Row(
        id=example.id,
        goal=example.goal,
        agenda=[*example.agenda, *goal],
        reference=act.text,
        text=speak(told.texts[0]),
        tokens=told.tokens[0],
        missing=[line for line, item, slot in lines if (item.forms and not said[item.token]) or slot.slot in wrong]
        + [line for line in goal if goals and goals.errors(told.texts[0], act).missing],
        extra=sorted(token for token in said if token.startswith(PREFIX) and token not in {one.token for one in items}),
        doubled=[line for line, item, _ in lines if item.forms and said[item.token] > 1],
    )


def pairs(told: Sequence[Told], acts: Sequence[Act]) -> list[tuple[Told, Act]]:
    return list(zip(told, acts, strict=True))


def _prompt(example: Example) -> Prompt:
    return tuple(example.goal_tokens), tuple(tuple(item) for item in example.agenda_tokens)


def _row(example: Example) -> inputs.Row:
    return inputs.Row(example.goal, example.agenda, example.goal_tokens, example.agenda_tokens)


def _told(bundle: Bundle, example: Example, hypotheses: Sequence[Hypothesis], act: Act) -> Told:
    return _filled([bundle.words(one.tokens, example) for one in hypotheses[:TEXTS_AN_ACT]], act)


def _filled(tokens: list[list[str]], act: Act) -> Told:
    """Delexicalised texts of one act."""
    texts = [relexicalise(one, act.slots) for one in tokens]
    return Told(tokens, texts, texts)
