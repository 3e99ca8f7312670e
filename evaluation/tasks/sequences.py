"""Scores of a system's texts for recipes that copy words of their ingredients, and its perplexities.

Yang et al. 2016, table 5. Texts are scored as those of agendas (Kiddon et al. 2016, table 1). The names of ingredients
are found in their lines by the functions that make agendas.
"""

from __future__ import annotations

from dataclasses import replace

from allsaid.modeling.tasks import sequence
from allsaid.modeling.tasks.contract import Task
from evaluation.tasks import recipes
from evaluation.tasks.rows import Evaluation
from evaluation.tasks.system import Subject
from pipelines.recipes.ingredients import name_words
from schemas.example import Example
from training.fitting.scores import PERPLEXITY, perplexities

PROTOCOL = recipes.PROTOCOL


def measured(task: Task) -> tuple[str, ...]:
    """Return the keys of the figures that a run may have, in the order of its table."""
    return (*(key for key in task.figures if key.startswith(PERPLEXITY)), *recipes.measured(task))


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Return the figures of a system's texts, and its texts for the dev examples that every run shows."""
    evaluation = recipes.measure_as(recipe_of, subject, slow)
    if subject.system.bundle is None:
        return evaluation
    perplexities_found = perplexities(subject.system.bundle, subject.data, subject.split)
    return replace(evaluation, figures=evaluation.figures | perplexities_found)


def recipe_of(example: sequence.Example) -> Example:
    """Return the recipe with its ingredients as an agenda."""
    return Example(
        id=example.id,
        content_hash="",
        goal=example.title,
        goal_tokens=[],
        agenda=example.items,
        agenda_tokens=[*map(name_words, example.items)],
        text=example.text,
        tokens=example.tokens,
        surface=example.surface,
        ref_types=[],
        ref_items=[],
        file="",
        offset=0,
    )
