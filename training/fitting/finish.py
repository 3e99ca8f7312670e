"""The end of a training: measure the best epoch's model; write its folder, plots and lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from allsaid.console import say
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, load, save
from allsaid.modeling.tasks.contract import EncodedSplit, Learned, MeasuresLosses, Scores, Task
from allsaid.proof.forms import listing, mapped, review
from schemas.errors import UserError
from training.fitting import plots, samples
from training.fitting.recorder import Recorder
from training.fitting.samples import Measured
from training.fitting.scores import finite_dev_losses, score_model
from training.fitting.state import TrainState


@dataclass(frozen=True)
class Result:
    """A finished training."""

    model_folder: Path
    steps: int
    measured: Measured
    rescore: Callable[[Path], Scores]  # measures another model folder in the same way
    task: Task


def finish(
    task: Task,
    bundle: Bundle,
    data: DataSet,
    examples: list[Learned],
    dev_ids: EncodedSplit,
    run_dir: Path,
    state: TrainState,
    tracker: Recorder,
) -> Result:
    """Measure the bundle's model on dev examples; write the model folder and the plots.

    ``dev_ids``: the dev part as the task encodes it.
    """
    config = bundle.config
    _, losses = finite_dev_losses(bundle, dev_ids, state.epoch)
    if isinstance(task, MeasuresLosses):
        measured = Measured(task.measure_losses(bundle.model, dev_ids, config.data), data.manifest.fingerprint)
    else:
        measured = samples.measure(bundle, data, examples, losses, run_dir)
    save(run_dir / "model", replace(bundle, **measured.background))
    plots.loss_curves(run_dir / "loss.png", state.history, task.figures[task.deciding[0]])
    for name in [*measured.files, *_write_lists(bundle, run_dir), "loss.png", "model/vocabulary.json"]:
        tracker.artifact(run_dir / name)
    tracker.metrics(measured.figures, state.step)
    say(f"The learning curve is {run_dir / 'loss.png'}.")

    def rescore(folder: Path) -> Scores:
        other = load(folder, config.fit.device)
        if other.task != task:
            raise UserError(f"Its task is '{other.task}', not '{task}'.")
        if (theirs := other.config.data.merges) != (ours := config.data.merges):
            raise UserError(f"Its words are split with merges={theirs}, not with merges={ours}.")
        return score_model(other, data, examples, config.search, bundle.lexicon)

    return Result(run_dir / "model", state.step, measured, rescore, task)


def _write_lists(bundle: Bundle, run_dir: Path) -> list[str]:
    """Write the lists of the phrasebook to the run's folder; report claims without a decision."""
    book, mapping = bundle.phrasebook, bundle.mapping
    if book is None:
        return []
    review.write(run_dir, book)
    if not mapping:
        return [review.PHRASEBOOK]
    listing.write_claims(run_dir, book.claims, mapped.read(mapping))
    if sentence := listing.sentence_of(book.claims, mapped.read(mapping)):
        say(sentence)
    return [review.PHRASEBOOK, listing.CLAIMS]
