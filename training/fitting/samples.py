"""Sample texts for dev examples, after each epoch and at the end of a training: their figures and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from allsaid.modeling.data.copied import CopyIndex
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.references import References
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import Background, Learned, ReadsRows, Scores
from allsaid.modeling.text.restore import fill, restore, survival
from training.fitting.certificates import score, with_dev_check
from training.fitting.heatmap import draw_attention
from training.fitting.scores import PERPLEXITY, fingerprint, generate, perplexities_of, with_perplexities

FOLDER = "samples"
SHOWN = 5  # sample texts in each file


@dataclass(frozen=True)
class Measured:
    """The measurements of a trained model at the end."""

    scores: Scores  # on dev
    dev_fingerprint: str  # of the scored examples
    true_scores: Scores = field(default_factory=dict)  # of the reference texts; empty without generated texts
    sentences: int = 0  # of the reference texts
    survived: int = 0  # sentences that tokenizing and restoring leave unchanged, apart from letter case
    files: Sequence[str] = ()  # written to the run's folder
    background: Background = field(default_factory=Background)  # fields to add to the bundle

    @property
    def figures(self) -> dict[str, float]:
        """All figures by the names that a run logs."""
        final = {f"final_{name}": value for name, value in self.scores.items()}
        truth = {f"true/{name}": value for name, value in self.true_scores.items() if name != "bleu"}
        survived = {"sentences_survived": self.survived / self.sentences} if self.sentences else {}
        return {name: float(value) for name, value in (final | truth | survived).items()}


def write(bundle: Bundle, examples: Sequence[Learned], losses: Mapping[str, float], path: Path) -> dict[str, float]:
    """Return the task's figures of the model's texts for N examples; write the first texts to ``path``.

    The figures include the dev perplexities among ``losses`` if a perplexity decides.
    """
    hypotheses = generate(bundle, examples, bundle.config.search)
    texts = [bundle.words(text.tokens, example) for text, example in zip(hypotheses, examples, strict=True)]
    scores = score(bundle, texts, examples, bundle.lexicon)
    if PERPLEXITY in bundle.task.deciding:
        scores = with_perplexities(scores, perplexities_of(losses), bundle.task)
    _write_file(path, bundle, examples, texts)
    return scores


def _write_file(path: Path, bundle: Bundle, examples: Sequence[Learned], texts: Sequence[list[str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    parts = []
    for example, tokens in zip(examples[:SHOWN], texts, strict=False):
        title, lines = bundle.task.show(example)
        parts.append(f"{title}\n  {'; '.join(lines)}\n\n{restore(fill(tokens, example), bundle.casing)}\n")
    path.write_text("\n".join(parts), encoding="utf-8")


def measure(
    bundle: Bundle, data: DataSet, examples: Sequence[Learned], losses: Mapping[str, float], run_dir: Path
) -> Measured:
    """Score a trained model's texts for dev examples; write samples and plots to its run's folder."""
    scores = write(bundle, examples, losses, run_dir / FOLDER / "final.txt")
    task, train = bundle.text_task, partial(bundle.task.examples, data, "train")
    scores = with_dev_check(scores, bundle, train, examples)
    files = [FOLDER]
    if draw_attention(run_dir / "attention.png", bundle, examples[0]):
        files.append("attention.png")
    sentences, survived = survival(examples, bundle.casing)
    background: Background = {"copies": CopyIndex.build(example.tokens for example in train())}
    background["example"] = task.show(examples[0])
    if not isinstance(task, ReadsRows):
        background["companions"] = task.companions(data, bundle.vocabularies)
        background["references"] = References.build(train, bundle.vocabularies.text)
    return Measured(
        scores,
        fingerprint(examples, bundle.config.data.merges),
        score(bundle, [example.tokens for example in examples], examples, bundle.lexicon),
        sentences,
        survived,
        files,
        background,
    )
