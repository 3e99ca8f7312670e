"""The judge of each task; a task without one is measured as a task without required items."""

from __future__ import annotations

from allsaid.modeling.plugins import find, key_of
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import check_writes
from batch_infer.proof import agenda, boxes, ingredients, pairs, turns
from batch_infer.proof.judge import Judge

GROUP = "allsaid.judges"  # of entry points: the dotted name of a task -> a class of judges
JUDGES: dict[str, type[Judge]] = {
    "agenda": agenda.Judge,
    "agenda_box": agenda.Judge,
    "agenda_sequence": agenda.Judge,
    "box": boxes.Judge,
    "pair": pairs.Judge,
    "recipe": agenda.Judge,
    "record": agenda.Judge,
    "record_box": agenda.Judge,
    "record_sequence": agenda.Judge,
    "sequence": ingredients.Judge,
    "table_dialogue": turns.Judge,
    "template": boxes.Judge,
}


def judge_of(bundle: Bundle) -> Judge:
    """Return the judge for the texts of the model's task; raise UserError if the task generates no texts."""
    check_writes(bundle.task)
    judge: type[Judge] = find(JUDGES, GROUP, key_of(bundle.task)) or Judge
    return judge(bundle)
