"""Texts of models of boxes as they go out."""

from __future__ import annotations

import pytest
from small_boxes import table
from small_data import as_box, make_example, publish

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.modeling.tasks import box
from allsaid.modeling.tasks.box import Row
from batch_infer.proof.judge import Judge
from batch_infer.proof.judges import judge_of
from schemas.box import NUMBER, YEAR
from training.configs import load_config

ROW = Row("1", "Ada", table(name="Ada Lovelace", born="10 December 1815"))


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    boxes = {"train": [as_box(make_example(number)) for number in range(3)]}
    data = DataSet(str(publish(tmp_path_factory.mktemp("data"), {}, boxes=boxes)))
    config = load_config("table-nlm", ["hidden=4", "text_cutoff=1", "field_cutoff=1"])
    vocabularies = box.TASK.build_vocabularies(data, config.data)
    return judge_of(Bundle(build_model(config, vocabularies), config, vocabularies, **box.TASK.background(data)))


def test_signs_and_table_words_are_detokenised(judge: Judge) -> None:
    tokens = [
        "ada",
        "lovelace",
        "-lrb-",
        "born",
        "10",
        "december",
        "1815",
        "-rrb-",
        "``",
        "wrote",
        "''",
        "8",
        ".juli",
        ".",
    ]
    assert judge.publish(tokens, ROW) == 'Ada Lovelace (born 10 December 1815) "wrote" 8. Juli.'


def test_numbers_missing_in_the_table_are_extra(judge: Judge) -> None:
    tokens = ["ada", "lived", "from", "1815", "to", YEAR, ",", NUMBER, "years", "."]
    said = judge.measure(tokens, ROW)
    assert judge.publish(tokens, ROW) == "Ada lived from 1815 to …, … years."
    assert said.extra == ["…", "…"] and said.extra_mentions == [[5], [7]]
    assert judge.figures(tokens, ROW, said) == {"extra_items": 2, "tokens": 10}
    assert not judge.measure(["ada", "lived", "."], ROW).extra
