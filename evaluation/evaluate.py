"""``allsaid evaluate``: a system's texts for one split of a data set, scored by the protocols of its task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import console
from console import UserError
from evaluation import dialogue, meteor
from schemas.example import SPLITS, Example
from training.data import DataSet, fixed_sample
from training.evaluate import generate, score
from training.metrics.coverage import build_lexicon
from training.model_folder import Bundle, load
from training.registry import resolve

HANDCRAFTED = "handcrafted"
DIALOGUE, RECIPES = "dialogue", "recipes"
# Name of a figure -> how it is told, and its format.
FIGURES = {
    "bleu/paper": ("BLEU-4, the paper's protocol", ".2f"),
    "bleu/rnnlg": ("BLEU-4, RNNLG's protocol", ".4f"),
    "bleu/tokens": ("BLEU-4 over the text's own words", ".2f"),
    "meteor/paper": ("METEOR 1.5, the paper's protocol", ".2f"),
    "meteor/tokens": ("METEOR 1.5 over the text's own words", ".2f"),
    "slot_error_percent": ("% slot errors", ".3f"),
    "polarity_error_percent": ("% polarity errors of yes/no slots", ".3f"),
    "percent_given": ("% given items (head word)", ".1f"),
    "extra_items": ("extra items a text", ".2f"),
    "texts": ("texts", ".0f"),
}


def task_of(data: DataSet) -> str:
    return DIALOGUE if data.manifest.files.get("acts") else RECIPES


def run(
    system: str, where: str, split: str = "test", limit: int | None = None, device: str = "cpu"
) -> dict[str, float]:
    """Figures of a system by name and protocol.

    ``system`` is a model (``models:/NAME@ALIAS``, ``models:/NAME/VERSION`` or a folder), or "handcrafted", the
    dialogue corpus's own texts. ``limit`` takes the examples with the smallest ids. Raises :class:`UserError`.
    """
    data = DataSet(where)
    if split not in SPLITS:
        raise UserError(f"--split {split}: a data set has the splits {', '.join(SPLITS)}.")
    if task_of(data) == DIALOGUE:
        return _dialogue(system, data, split, limit, device)
    if system == HANDCRAFTED:
        raise UserError(f"{where} has no handcrafted texts: it holds no dialogue acts. Give a model.")
    examples = fixed_sample(data.examples(split), limit or data.manifest.splits[split])
    return _recipes(_load(system, device), data, examples)


def show(system: str, split: str, figures: dict[str, float]) -> None:
    rows = [(FIGURES[name][0], format(value, FIGURES[name][1])) for name, value in figures.items()]
    console.result("evaluate", figures, f"{system} on {split}", ("figure", "value"), rows)
    if why := meteor.unavailable():
        console.say(why)


def _load(system: str, device: str) -> Bundle:
    return load(Path(resolve(system).folder), device)


def _dialogue(system: str, data: DataSet, split: str, limit: int | None, device: str) -> dict[str, float]:
    examples, acts = dialogue.read(data, split)
    if limit is not None:
        raise UserError("--limit: an act's references are the texts of all like it, so all are scored. Leave it out.")
    if system == HANDCRAFTED:
        told = dialogue.handcrafted(acts)
    else:
        bundle = _load(system, device)
        told = dialogue.tell(bundle, examples, acts, bundle.config.search)
    return dialogue.score(told, acts) | {"texts": len(told)}


def _recipes(bundle: Bundle, data: DataSet, examples: Sequence[Example]) -> dict[str, float]:
    lexicon = build_lexicon(data.examples("train"))
    found = generate(bundle, examples, bundle.config.search)
    texts = [bundle.vocabularies.text.decode(one.tokens) for one in found]
    scores = score(texts, examples, lexicon)
    figures: dict[str, float] = {
        "bleu/tokens": scores.bleu,
        "percent_given": scores.percent_given,
        "extra_items": scores.extra_items,
        "texts": scores.texts,
    }
    if not meteor.unavailable():
        references = [[" ".join(example.tokens)] for example in examples]
        figures["meteor/tokens"] = meteor.meteor([" ".join(text) for text in texts], references)
    return figures
