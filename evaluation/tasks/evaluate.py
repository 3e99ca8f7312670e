"""``allsaid evaluate``: a system's texts for one split of a data set, scored by the protocols of its task.

The figures become an MLflow run of kind ``evaluate`` on the system's logged model, with the data set as its input and
one table of texts, of the same dev examples in every run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allsaid import console
from allsaid.console import UserError
from evaluation.measures import bootstrap, meteor, protocols
from evaluation.tasks import dialogue, recipes, rows
from evaluation.tasks import system as systems
from evaluation.tasks.rows import Row
from evaluation.tasks.system import HANDCRAFTED, NEAREST, System, digest
from schemas.example import SPLITS
from training.config import DataConfig
from training.metrics.coverage import build_lexicon
from training.metrics.figures import FIGURES
from training.tasks.agenda import build_vocabularies
from training.tasks.dataset import DataSet, fixed_sample
from training.tasks.restore import learn_casing
from training.tracking.results import Results, Server, Used

KIND = "evaluate"
VOCABULARY = "vocabulary.json"  # in a run: counts of the words of its texts and of the true ones, largest first
DIALOGUE, RECIPES = "dialogue", "recipes"
TRUE = "true/"  # before the names of the true texts' own figures
REVISION = 3  # raised where a figure gets another meaning: runs before it are then not found again
PROTOCOLS = {DIALOGUE: f"{protocols.PAPER},{protocols.RNNLG}", RECIPES: recipes.PROTOCOL}
MEASURED = (  # what a run of this kind may hold, in the order of its table
    "bleu/paper",
    "bleu/rnnlg",
    "bleu/tokens",
    "meteor/paper",
    "meteor/tokens",
    "slot_error_percent",
    "polarity_error_percent",
    "percent_given",
    "extra_items",
    "distinct_tokens",
    "catch_all_percent",
    "doubled_items",
    "texts",
)


@dataclass(frozen=True)
class Evaluation:
    figures: dict[str, float]  # by name and protocol
    rows: list[Row]  # of the dev examples that every run shows
    documents: Mapping[str, Any]  # what the pages draw, by file name


@dataclass(frozen=True)
class Request:
    """What `allsaid evaluate` is asked for."""

    system: str  # models:/NAME@ALIAS, models:/NAME/VERSION, a model folder, "handcrafted" or "nn"
    data: str  # a data set's folder
    split: str = "test"
    limit: int | None = None  # of recipes: only those with the smallest ids
    device: str = "cpu"
    settings: Sequence[str] = ()  # key=value of the search, above the model's own
    swap: bool = False  # NN-Swap: the model rewrites the nearest training recipe's text


@dataclass(frozen=True)
class Subject:
    """What is scored: a system's texts for one split of a data set."""

    system: System
    data: DataSet
    split: str
    limit: int | None = None

    @property
    def key(self) -> str:
        """Equal for evaluations that must give the same figures."""
        return digest([REVISION, self.system.identity, self.data.manifest.fingerprint, self.split, self.limit])


def task_of(data: DataSet) -> str:
    return DIALOGUE if data.manifest.files.get("acts") else RECIPES


def run(request: Request) -> dict[str, float]:
    """Figures of a system by name and protocol, printed and logged.

    Raises :class:`UserError`; where the tracking server can't be reached, before anything is generated. One that is
    lost later costs no figures.
    """
    data = DataSet(request.data)
    check(request, data)
    # Before the server, whose database the first use makes.
    system = systems.find(request.system, request.settings, request.device, request.swap)
    subject = Subject(system, data, request.split, request.limit)
    server = Server()
    found = measure(subject)
    show(system.name, request.split, found.figures)
    try:
        run_id = log(server, subject, found)
        console.say(f"MLflow has these figures and {len(found.rows)} dev texts as run {run_id}.")
    except UserError as fault:
        console.say(f"The figures above are not logged. {fault}")
    return found.figures


def check(request: Request, data: DataSet) -> None:
    """Refuse what can't be scored, before any work is done."""
    split = request.split
    if split not in SPLITS:
        raise UserError(f"--split {split}: a data set has the splits {', '.join(SPLITS)}.")
    if task_of(data) == DIALOGUE:
        if request.limit is not None:
            raise UserError(
                "--limit: an act's references are the texts of all like it, so all are scored. Leave it out."
            )
        if request.system == NEAREST or request.swap:
            raise UserError(
                f"'{NEAREST}' and --swap take a recipe's text, but {data.where} holds dialogue acts. Give a model."
            )
    if not data.manifest.splits.get(split):
        raise UserError(f"The {split} part of {data.where} is empty. Choose another with --split.")
    if request.system == HANDCRAFTED and not any(act.handcrafted for act in data.acts(split)):
        raise UserError(f"The {split} part of {data.where} has no handcrafted texts. Give a model.")


def measure(subject: Subject, slow: bool = True) -> Evaluation:
    """A system's texts for a split and for the dev examples that every run shows, written once, and their figures.

    METEOR, which takes Java half a minute to begin with, is measured only if ``slow``.
    """
    return (_dialogue if task_of(subject.data) == DIALOGUE else _recipes)(subject, slow)


def show(name: str, split: str, figures: dict[str, float]) -> None:
    truth = any(key.startswith(TRUE) for key in figures)
    header = ["figure", "texts", "95% interval", *(["true texts"] if truth else [])]
    lines = [
        [one.name, one.show(figures[key]), interval(figures, key), one.show(figures.get(TRUE + key))][: len(header)]
        for key, one in ((key, FIGURES[key]) for key in MEASURED if key in figures)
    ]
    console.result(KIND, figures, f"{name} on {split}", header, lines)
    if why := meteor.unavailable():
        console.say(why)


def interval(figures: Mapping[str, float], key: str) -> str:
    """The bootstrap interval of a figure, as tables show it; "" where there is none."""
    ends = [FIGURES[key].show(figures.get(end + key)) for end in (bootstrap.LOW, bootstrap.HIGH)]
    return f"[{', '.join(ends)}]" if all(ends) else ""


def log(server: Server, subject: Subject, found: Evaluation, label: str = "") -> str:
    """Write the run of kind ``evaluate``, the system named ``label`` where a table calls it so; gives back its id."""
    system, data, split, limit = subject.system, subject.data, subject.split, subject.limit
    task, label = task_of(data), label or system.name
    tags = {"task": task, "system": label, "protocol": PROTOCOLS[task], "split": split}
    used = Used(data.manifest.source, data.manifest.fingerprint, data.address, split)
    results = Results(
        kind=KIND,
        experiment=task,
        name=f"{label} on {split}",
        tags=tags | {"evaluation": subject.key},
        params=system.params | {"split": split, "limit": limit or ""},
        metrics=found.figures,
        used=used,
        model=system.model,
        table=rows.to_columns(found.rows),
        documents=found.documents,
    )
    return server.log(results)


def _dialogue(subject: Subject, slow: bool) -> Evaluation:
    system, data, split = subject.system, subject.data, subject.split
    examples, acts = dialogue.read(data, split)
    dev, dev_acts = (examples, acts) if split == "dev" else dialogue.read(data, "dev")
    wanted = {example.id for example in rows.sample(data, subject.limit)}
    shown = [(example, act) for example, act in zip(dev, dev_acts, strict=True) if example.id in wanted]
    told = dialogue.tell(system, [*examples, *(example for example, _ in shown)], [*acts, *(act for _, act in shown)])
    goals = dialogue.goals_of(data)
    pairs = zip(told[len(acts) :], shown, strict=True)
    table = [dialogue.row(one, example, act, goals) for one, (example, act) in pairs]
    figures = dialogue.score(told[: len(acts)], acts, slow, goals) | {"texts": len(acts)}
    return Evaluation(figures, sorted(table, key=lambda row: row.id), {})


def _recipes(subject: Subject, slow: bool) -> Evaluation:
    system, data = subject.system, subject.data
    examples = fixed_sample(data.examples(subject.split), subject.limit or data.manifest.splits[subject.split])
    shown = rows.sample(data, subject.limit)
    chosen = {example.id for example in examples}
    wanted = [*examples, *(example for example in shown if example.id not in chosen)]
    texts = dict(zip([example.id for example in wanted], recipes.tell(system, data, wanted), strict=True))
    lexicon = build_lexicon(data.examples("train"))
    casing = system.bundle.casing if system.bundle else learn_casing(data.examples("train"))
    words = (system.bundle.vocabularies if system.bundle else build_vocabularies(data, DataConfig())).text.ids
    scored = [texts[example.id] for example in examples]
    return Evaluation(
        recipes.score(scored, examples, lexicon, words, slow),
        [recipes.row(texts[one.id], one, lexicon, casing) for one in shown],
        {VOCABULARY: recipes.vocabulary_use(scored, examples, words)},
    )
