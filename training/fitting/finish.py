"""The end of a training: the best epoch's model is measured, and its folder, pictures and lists are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from allsaid.console import say
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, load, save
from allsaid.modeling.tasks.contract import MeasuresLosses, name_of
from allsaid.proof.forms import listing, mapped, review
from schemas.errors import UserError
from training.fitting import plots, samples
from training.fitting.course import Course
from training.fitting.recorder import Recorder
from training.fitting.samples import Measured
from training.fitting.scores import finite_dev_losses, score_model


@dataclass(frozen=True)
class Result:
    model_folder: Path
    steps: int
    measured: Measured
    rescore: Callable[[Path], Any]  # measures another model folder in the same way
    task: Any  # the module of what the model does


def finish(
    task: Any,
    bundle: Bundle,
    data: DataSet,
    examples: list[Any],
    dev_ids: Any,
    run_dir: Path,
    course: Course,
    tracker: Recorder,
) -> Result:
    """Measure the bundle's model by dev examples, and write the model folder and the pictures.

    ``dev_ids`` are the dev part as the task encodes it.
    """
    config = bundle.config
    _, losses = finite_dev_losses(bundle, dev_ids, course.epoch)
    if isinstance(task, MeasuresLosses):
        measured = Measured(task.measure_losses(bundle, dev_ids), data.manifest.fingerprint)
    else:
        measured = samples.measure(bundle, data, examples, losses, run_dir)
    save(run_dir / "model", replace(bundle, **measured.background))
    plots.loss_curves(run_dir / "loss.png", course.history, task.FIGURES[task.DECIDING[0]])
    for name in [*measured.files, *_write_lists(bundle, run_dir), "loss.png", "model/vocabulary.json"]:
        tracker.artifact(run_dir / name)
    tracker.metrics(measured.figures, course.step)

    def rescore(folder: Path) -> Any:
        other = load(folder, config.fit.device)
        if other.task is not task:
            raise UserError(f"Its task is '{name_of(other.task)}', and not '{name_of(task)}'.")
        if (theirs := other.config.data.merges) != (ours := config.data.merges):
            raise UserError(f"Its words are cut by merges={theirs}, and not by merges={ours}.")
        return score_model(other, data, examples, config.search, bundle.lexicon)

    return Result(run_dir / "model", course.step, measured, rescore, task)


def _write_lists(bundle: Bundle, run_dir: Path) -> list[str]:
    """Write the lists of the phrasebook into the run's folder; report claims that nobody has decided on."""
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
