"""Tables of comparisons: what is shipped names configurations, and a fault in one is a sentence."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
from inn_table import TABLE

from evaluation.compare import compare, table
from schemas.errors import UserError


def test_shipped_tables_name_existing_configurations() -> None:
    hotel, recipes = table.read("hotel"), table.read("recipes", "checklist-plus,attention")
    assert {entry.key: dict(entry.paper) for entry in hotel.systems}["checklist"] == {
        "bleu/paper": 90.61,
        "meteor/paper": 62.10,
    }
    assert [entry.label for entry in recipes.systems] == ["Attention", "Checklist+"]
    assert hotel.trainings == [(f"seed={seed}",) for seed in range(1, 6)]
    assert table.read("dstc2").trainings == [("seed=1", f"fold={fold}") for fold in range(5)]
    shipped = [item.name.removesuffix(".yaml") for item in resources.files("evaluation.tables").iterdir()]
    names = [name for name in shipped if not name.startswith("_")]
    tasks = [
        table.read("everything", fits=lambda one, task=task: one.task == task).task for task in ("recipes", "dialogue")
    ]
    assert tasks == ["recipes", "dialogue"]
    assert {"hotel", "everything", "wikibio"} <= {*names}
    for name in names:
        for task in ("recipes", "dialogue"):
            for entry in table.read(name, fits=lambda one, task=task: one.task == task).systems:
                if entry.config:
                    compare.load_config(entry.config, entry.settings)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("seeds: [1, 2]", "seeds: [a]"), r"'seeds' must be a list, e.g. \[1, 2\]"),
        (("bleu/paper, slot_error_percent, training_minutes", ""), "'figures' is empty; give at least one"),
        (("texts: handcrafted, ", ""), r"System 'handcrafted' needs .* \(one of handcrafted, nn, slot_filling\)"),
        (("label: Ours", "labels: Ours"), "system 'ours' has an unknown key 'labels'"),
        (("title: A", "headline: A"), "the table has an unknown key 'headline'"),
        (("split: test", "split: [test"), "is not valid YAML"),
    ],
)
def test_a_fault_of_a_table_is_told(tmp_path: Path, change: tuple[str, str], sentence: str) -> None:
    (tmp_path / "t.yaml").write_text(TABLE.replace(*change))
    with pytest.raises(UserError, match=sentence):
        table.read(str(tmp_path / "t.yaml"))
