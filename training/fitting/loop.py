"""The training loop: epochs, checkpoints and logged figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypedDict  # Any: JSON

import torch

from allsaid import scratch
from allsaid.console import progress, say
from allsaid.decoding.write import check_model
from allsaid.modeling.config import Config
from allsaid.modeling.data.dataset import DataSet, epoch_order, fixed_sample
from allsaid.modeling.json_file import find_misfit
from allsaid.modeling.layers.losses import NLL, means
from allsaid.modeling.precision import set_tf32
from allsaid.modeling.saved.model_folder import VIEW, Bundle, build_model
from allsaid.modeling.tasks.choose import task_for, views_agendas
from allsaid.modeling.tasks.contract import MeasuresLosses, WritesTexts, check_cut
from allsaid.proof.forms import review
from schemas.errors import UserError
from training.fitting import checkpoint, expectations, samples
from training.fitting.finish import Result, finish
from training.fitting.learner import Learner
from training.fitting.process_group import ALONE, ProcessGroup
from training.fitting.recorder import Recorder, Silent
from training.fitting.scores import finite_dev_losses
from training.fitting.state import TrainState, Window
from training.fitting.warm_start import count_weights, take_weights
from training.tracking.spool import DATA_ROWS


class _Facts(TypedDict):
    """The header of a checkpoint."""

    state: TrainState  # as a dictionary
    learning_rate: float


def train(
    config: Config,
    data: DataSet,
    run_dir: Path,
    tracker: Recorder,
    resume: bool = False,
    start: Path | None = None,
    group: ProcessGroup = ALONE,
    phrasebook: str = "",
) -> Result:
    """Train on a published data set, in a folder prepared by `run_folder.claim`, and write ``run_dir/model``.

    The folder gets config.yaml, ids/, checkpoint.safetensors, best.safetensors, samples/, loss.png and model/; for a
    table or acts phrasebook.csv, for a table claims.csv, and for a model that shows its attention attention.png.

    Args:
        resume: continue from the last checkpoint; on a CPU, the weights are the same as without the interruption.
        start: the folder of a model with the initial weights.
        group: the training processes; this is the first one.
        phrasebook: a reviewed table of clauses (`allsaid.proof.forms.review`).

    Raises UserError for errors that the user can fix.
    """
    run = _Run(config, data, run_dir, tracker, group, run_dir / "ids", start)
    if phrasebook:
        run.bundle = replace(run.bundle, phrasebook=review.strike(run.bundle.phrasebook, phrasebook))
    views = {"table": bool(data.mapping()), "view": views_agendas(config.model.kind, data)}
    tracker.params(config.flat() | run.sizes() | views)
    expectations.warn(data, run.bundle.origin["task"], len(run.dev_ids), config.fit.score_texts)
    tracker.dataset("examples", data.manifest.fingerprint, data.address)
    tags = {"kind": "train", "config_hash": config.learned, "dataset_fingerprint": data.manifest.fingerprint}
    tags[DATA_ROWS] = str(data.manifest.kept)
    tracker.tags(tags)
    run.learn(resume)
    return run.finish()


def follow(config: Config, data: DataSet, run_dir: Path, resume: bool, group: ProcessGroup) -> None:
    """Learn in a process other than the first, without writing to the run's folder."""
    with TemporaryDirectory(dir=scratch.folder("training")) as folder:
        _Run(config, data, run_dir, Silent(), group, Path(folder)).learn(resume)


class _Run:
    """A training run. Its state is in ``state``, the model, the optimiser and the random generators."""

    def __init__(
        self,
        config: Config,
        data: DataSet,
        run_dir: Path,
        tracker: Recorder,
        group: ProcessGroup,
        ids: Path,  # folder for the encoded texts
        start: Path | None = None,
    ) -> None:
        data = data.of_fold(config.data.fold)
        self.config, self.data, self.run_dir, self.tracker, self.group = config, data, run_dir, tracker, group
        say("Reading the training part.")
        self.task = task_for(config.model.kind, data)
        check_cut(config.data, self.task)
        vocabularies = self.task.build_vocabularies(data, config.data)
        self.train_ids = self.task.encode(data, "train", vocabularies, ids / "train")
        self.dev_ids = self.task.encode(data, "dev", vocabularies, ids / "dev")
        if not self.dev_ids.lengths.sum():
            raise UserError(
                f"The dev part of {data.where} holds no text; training needs one to choose the best epoch. "
                "Add texts, or run `allsaid ingest` again with a larger dev part: --set dev_share=0.3."
            )
        self.dev = fixed_sample(self.task.examples(data, "dev"), max(config.fit.score_texts, config.fit.sample_texts))
        torch.manual_seed(config.fit.seed)
        model = build_model(config, vocabularies)
        if not (run_dir / checkpoint.FILE).exists():
            count_weights(model, self.train_ids, ids)
        if config.fit.device == "cuda":
            set_tf32(config.fit.dtype)
        model.to(config.fit.device)
        # A model without parameters learns nothing; one pass measures it on the training texts.
        self.epochs = config.fit.epochs if [*model.parameters()] else 1
        if start is not None:
            take_weights(model, vocabularies, start)
        self.learner = Learner(model, config.fit, group)
        if not group.is_first:
            torch.manual_seed(config.fit.seed + group.rank)  # each process draws its own dropout
        self.bundle = Bundle(
            self.learner.average,
            config,
            vocabularies,
            origin={
                "data_run": data.manifest.run,
                "data_fingerprint": data.manifest.fingerprint,
                "task": self.task.protocol(data),
                VIEW: str(views_agendas(config.model.kind, data)),
            },
            **self.task.background(data),
        )
        if isinstance(self.task, WritesTexts):
            check_model(self.bundle, config.search)
        self.state = TrainState()
        self._check_best_by()
        self._report_cut()

    def sizes(self) -> dict[str, int]:
        words = self.bundle.vocabularies
        return {
            "train_examples": len(self.train_ids),
            "dev_examples": len(self.dev_ids),
            **{f"{part.name}_words": len(getattr(words, part.name)) for part in fields(words)},
            "parameters": sum(parameter.numel() for parameter in self.learner.model.parameters()),
            "processes": self.group.size,
        }

    def _report_cut(self) -> None:
        longest = self.config.data.max_text
        cut = int((self.train_ids.lengths > longest).sum())
        if cut:
            say(f"{cut} of {len(self.train_ids)} training texts are longer than {longest} tokens and are cut there.")
        self.tracker.params({"train_texts_cut": cut})

    def _check_best_by(self) -> None:
        has_bleu = self.config.fit.sample_texts and "bleu" in self.task.deciding
        if self.config.fit.best_by == "bleu" and not has_bleu:
            raise UserError(
                "best_by is 'bleu', but no dev texts with a BLEU are generated after an epoch. Set sample_texts above "
                "0, or best_by to 'loss', the only choice for a task without texts or with other measures."
            )

    def learn(self, resume: bool) -> None:
        """Train for the remaining epochs."""
        if resume and (self.run_dir / checkpoint.FILE).exists():
            self._resume()
        elif resume:
            say(f"{self.run_dir} holds no checkpoint yet, so the run starts from the beginning.")
        while not self._is_over():
            self._epoch()

    def _resume(self) -> None:
        path, learner = self.run_dir / checkpoint.FILE, self.learner
        facts = checkpoint.read(path, learner.model, learner.average, learner.optimiser)
        if misfit := find_misfit(facts, _Facts, "its header's 'facts'"):
            raise UserError(f"The checkpoint {path} doesn't fit this run: {misfit}. {checkpoint.REMEDY}")
        self.state = TrainState(**{item.name: facts["state"][item.name] for item in fields(TrainState)})
        learner.learning_rate = facts["learning_rate"]
        if self.state.history:  # report a damaged file now, not after the remaining epochs
            checkpoint.read_best(self.run_dir / checkpoint.BEST, learner.average)
        if not self.group.is_first:
            torch.manual_seed(self.config.fit.seed + self.group.size * self.state.step + self.group.rank)
        say(f"Resuming after step {self.state.step}, in epoch {self.state.epoch + 1}.")

    def _save_checkpoint(self) -> None:
        if self.group.is_first:
            learner = self.learner
            facts = {"state": asdict(self.state), "learning_rate": learner.learning_rate}
            checkpoint.write(self.run_dir / checkpoint.FILE, learner.model, learner.average, learner.optimiser, facts)

    def _is_over(self) -> bool:
        fit, state = self.config.fit, self.state
        return state.epoch == self.epochs or bool(fit.stop_after and state.stalled >= fit.stop_after)

    def _epoch(self) -> None:
        """Train on the rest of the current epoch, then measure, log and save."""
        state, fit, learner, group = self.state, self.config.fit, self.learner, self.group
        order = epoch_order(self.train_ids.lengths, self.config.data.batch_size * group.size, fit.seed, state.epoch)
        learner.model.train()
        window = Window(state, group)
        with progress(f"epoch {state.epoch + 1} of {self.epochs}, batches", len(order)) as bar:
            bar.advance(state.batch)
            for rows in order[state.batch :]:
                if fit.schedule == "linear":
                    learner.learning_rate = fit.learning_rate * (1 - state.step / (fit.epochs * len(order)))
                own_rows, weight = group.part_of(rows)
                batch = self.task.collate(self.train_ids, own_rows, self.config.data.max_text).to(fit.device)
                window.add(*learner.learn(batch, weight, state.step), counts=weight > 0)
                state.batch += 1
                state.step += 1
                if state.step % fit.log_steps == 0:
                    figures = window.close()
                    self.tracker.metrics(figures | {"learning_rate": learner.learning_rate}, state.step)
                    bar.advance(0, f"{NLL} {figures[f'train_{NLL}']:.3f}, {figures['tokens_per_second']:.0f} tokens/s")
                if state.step % fit.checkpoint_steps == 0 and state.batch < len(order):
                    window.close()
                    self._save_checkpoint()
                bar.advance()
        window.close()
        self._end_epoch()

    def _end_epoch(self) -> None:
        state = self.state
        state.epoch, state.batch = state.epoch + 1, 0
        row: dict[str, Any] = {"epoch": state.epoch} | means(state.sums, "train_")
        state.sums = {}
        dev_loss, figures, sampled, brief = self.group.from_first(self._measure_epoch)
        row |= figures | sampled
        state.history.append(row)
        decisive = dev_loss if self.config.fit.best_by == "loss" else -sampled["dev_bleu"]
        if decisive < state.best_loss:
            state.best_loss, state.stalled = decisive, 0
            if self.group.is_first:
                checkpoint.write_best(self.run_dir / checkpoint.BEST, self.learner.average.state_dict())
        else:
            state.stalled += 1
            if state.stalled % self.config.fit.halve_after == 0 and self.config.fit.schedule == "halve":
                self.learner.learning_rate /= 2
        self.tracker.metrics({key: value for key, value in row.items() if key.startswith("dev_")}, state.step)
        losses = f"train {NLL} {row[f'train_{NLL}']:.3f}, dev perplexity {row['dev_perplexity']:.1f}"
        say(", ".join([f"Epoch {state.epoch}: {losses}", *brief]), **row)
        self._save_checkpoint()

    def _measure_epoch(self) -> tuple[float, dict[str, float], dict[str, float], list[str]]:
        """Return the mean loss of a dev text, other dev figures, figures of the dev sample, and a summary of these."""
        dev_loss, figures = finite_dev_losses(self.bundle, self.dev_ids, self.state.epoch)
        return dev_loss, figures, *self._sample(figures)

    def _sample(self, losses: Mapping[str, float]) -> tuple[dict[str, float], list[str]]:
        """Return the figures of the fixed dev sample and a summary of them; write its first texts to samples/."""
        examples = self.dev[: self.config.fit.sample_texts]
        if not examples or isinstance(self.task, MeasuresLosses):
            return {}, []
        path = self.run_dir / samples.FOLDER / f"epoch-{self.state.epoch:03}.txt"
        scores = samples.write(self.bundle, examples, losses, path)
        return {f"dev_{key}": scores[key] for key in self.task.deciding}, [self.task.brief(scores)]

    def finish(self) -> Result:
        """Load the best epoch's weights, measure them, and write the model folder and the plots."""
        average = self.learner.average
        average.load_state_dict(checkpoint.read_best(self.run_dir / checkpoint.BEST, average))
        examples = self.dev[: self.config.fit.score_texts]
        return finish(self.task, self.bundle, self.data, examples, self.dev_ids, self.run_dir, self.state, self.tracker)
