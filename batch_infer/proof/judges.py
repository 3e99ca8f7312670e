"""The judge of each task; a task without one is measured as a task without required items."""

from __future__ import annotations

from allsaid.modeling.plugins import find
from allsaid.modeling.saved.knowledge import Knowledge
from batch_infer.proof import agenda, boxes, ingredients, pairs, turns
from batch_infer.proof.judge import Judge

GROUP = "allsaid.judges"  # of entry points: the dotted name of a task's module -> a class of judges
JUDGES: dict[str, type[Judge]] = {
    "agenda": agenda.Judge,
    "box": boxes.Judge,
    "pair": pairs.Judge,
    "recipe": agenda.Judge,
    "sequence": ingredients.Judge,
    "table_dialogue": turns.Judge,
    "template": boxes.Judge,
}


def judge_of(knowledge: Knowledge) -> Judge:
    """Return the judge for the texts of the rows' task; raise UserError if the task has no texts."""
    judge = find(JUDGES, GROUP, knowledge.text_task.name) or Judge
    return judge(knowledge)
