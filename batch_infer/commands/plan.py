"""The plan of a nightly run: what it would do, as far as that is known without writing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from allsaid import console
from batch_infer.commands.chain import Request
from batch_infer.nights import tonight as nights
from batch_infer.nights import training as trainings
from batch_infer.options.nightly import NightlyTrainOptions
from pipelines.datasets import snapshot
from pipelines.ingest.request import nothing_to_do
from pipelines.ingest.run import NOTHING_TO_DO
from training.tracking.versions import Versions

if TYPE_CHECKING:
    from batch_infer.job.plan import Plan

FIRST, DUE = "would be the first", "would write texts"


@dataclass(frozen=True)
class NightPlan:
    """The expected outcome of a nightly run."""

    status: str
    data_set: str
    training: str
    drift: Sequence[str] | None  # a sentence for each change of the table's columns; None: not compared
    gates: Sequence[str]  # sentences on gates that break before a text is written
    texts: Plan | None  # None if it can't be known, or if there is nothing to do
    unknown: Sequence[str]  # sentences on what only the run itself can find out

    def report(self) -> None:
        """Print a table, and sentences below it."""
        drift = "not compared" if self.drift is None else console.counted(len(self.drift), "change")
        rows = [("nightly run", self.status), ("data set", self.data_set), ("training", self.training)]
        rows += [("drift of the table", drift), *(self.texts.lines() if self.texts else ())]
        figures = {name: value for name, value in asdict(self).items() if name != "texts"}
        figures["plan"] = self.texts and asdict(self.texts)
        console.result("nightly", figures, "Plan; nothing is written", ("figure", "value"), rows)
        for sentence in self.gates:
            console.say(f"It would be kept aside. {sentence}", "warning")
        for sentence in self.unknown:
            console.say(sentence)


def make(request: Request) -> NightPlan:
    """Plan a nightly run; raise :class:`UserError` for what would end it at its start."""
    options, train = request.texts, request.train
    tonight = nights.look(options, train.name if train else "")
    registered = tonight.registered()
    known = registered.known
    same = nothing_to_do(request.ingest) if request.ingest else None
    published = snapshot.last(request.ingest.output) if request.ingest else None
    is_missing = known is not None and not known.champion
    is_made = same is not None or request.ingest is None  # the data set, already
    data_run = same.run if same else ""
    last = tonight.last
    is_same = is_made and not is_missing and tonight.is_published(registered.model)
    is_same = is_same and last is not None and last.data_run == data_run
    reads_data = request.ingest is not None and options.input == request.ingest.output
    opened, unknown = None, []
    if is_missing and train is not None:
        unknown.append(f"The rows and the cost of the texts are not known: '{train.name}' has no champion yet.")
    elif reads_data and published is None:
        unknown.append(f"The rows and the cost of the texts are not known: the ingest makes {options.input} first.")
    elif not is_same:
        from batch_infer.nights import night  # it loads PyTorch and Beam

        opened = night.open_run(tonight, registered.model, request.drift)
    training, due = "no section 'train'", ""
    if train is not None and known is not None:
        changes = opened.drift if opened else []
        due = trainings.due(train, known, same.kept if same else None, changes, last, tonight.aside())
        training, open_rule = _training(train, known, due, is_made)
        unknown += open_rule
        if is_missing and not due and not open_rule:
            trainings.check_champion(train.name, known, None)
    if is_same and not due and not (known and known.waiting):
        return NightPlan(NOTHING_TO_DO, "unchanged", training, [], [], None, unknown)
    texts, broken = None, list[str]()
    if opened is not None:
        from batch_infer.nights import gates, night

        texts = night.plan(opened)
        broken = gates.broken(replace(request.drift, values=1), opened.drift, [], [])
        unknown += [f"The rows are those of {options.input} as it is now."] if reads_data and not is_made else []
        if due or (known and known.waiting):
            unknown.append("The texts of the new version, for all rows, and the training are not in hours and files.")
    unknown.append("Gates on figures of the data set, the texts and their values are judged when these are made.")
    if last is None:
        unknown.append("Drift is not known: there is no earlier nightly run to compare the table with.")
    state = "none yet; the ingest makes it"
    if published is not None:
        state = f"{published.kept:,} examples; its input {'is unchanged' if is_made else 'changed, and is read again'}"
    if request.ingest is None:
        state = "no section 'ingest'"
    drift = [change.sentence for change in opened.drift] if opened and last else None
    return NightPlan(FIRST if last is None else DUE, state, training, drift, broken, texts, unknown)


def _training(train: NightlyTrainOptions, known: Versions, due: str, is_made: bool) -> tuple[str, list[str]]:
    """Return what is known of a training, and a sentence on the rule that is not decided yet, if there is one."""
    if due:
        return f"would start: {due}", []
    rest = f"version {known.waiting} waits to be compared with the champion" if known.waiting else "none by any rule"
    if train.share is None or not known.rows or is_made:
        return rest, []
    least, most = known.rows * (1 - train.share), known.rows * (1 + train.share)
    sentence = (
        f"Whether a training starts by the rule 'rows' is known after the ingest: it does if the data set has "
        f"{least:,.0f} examples or fewer, or {most:,.0f} or more."
    )
    return f"{rest} but perhaps 'rows'", [sentence]
