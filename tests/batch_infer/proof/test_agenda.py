"""Which of a row's candidates is published, and how many are measured for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import permutations

import pytest
from small_data import make_example, publish

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.modeling.tasks.agenda import TASK
from allsaid.proof.coverage import Coverage
from batch_infer.proof import agenda
from batch_infer.rows.inputs import Row
from training.configs import load_config

ROW = Row("lamp", ["colour=blue", "size=4"], agenda_tokens=[["SLOT_COLOUR"], ["SLOT_SIZE"]])
# Items given, values beyond the row's, faults, and whether the search held two references side by side against it.
KINDS = [(2, 0, 0, True), (2, 0, 1, False), (1, 0, 0, False), (2, 1, 0, False), (2, 0, 0, False), (2, 0, 0, False)]


class Counting(agenda.Judge):
    """A judge whose texts are told by their one word, which notes what it has measured."""

    def __init__(self, bundle: Bundle) -> None:
        super().__init__(bundle)
        self.bundle = bundle
        self.measured: list[str] = []

    def measure(self, tokens: Sequence[str], row: Row) -> Coverage:
        (word,) = tokens
        self.measured.append(word)
        given, extra, faults, _ = KINDS[self.bundle.vocabularies.text.words.index(word) - FIRST]
        flags = [place < given for place in range(2)]
        return Coverage(flags, flags, flags, ["x"] * extra, [], [], faults)


FIRST = 5  # word ids below are marks and what else is no word


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    data = DataSet(str(publish(tmp_path_factory.mktemp("data"), {"train": [make_example(n) for n in range(3)]})))
    config = load_config("table", ["hidden=4"])
    vocabularies = TASK.build_vocabularies(data, config.data)
    return Bundle(build_model(config, vocabularies), config, vocabularies, **TASK.background(data))


def test_measuring_ends_at_the_first_complete_text(bundle: Bundle) -> None:
    every = [Hypothesis([FIRST + n], [-1], 0.0, [], True, kind[3]) for n, kind in enumerate(KINDS)]

    def worth(one: Hypothesis) -> tuple[bool, int, int]:
        given, extra, faults, penalised = KINDS[one.tokens[0] - FIRST]
        return penalised, extra - given, faults

    for found in permutations(every):
        judge = Counting(bundle)
        measured = Measured(judge.measure)

        def measure(one: Hypothesis, measured: Measured = measured) -> Coverage:
            return measured(bundle.words(one.tokens, ROW), ROW)

        assert list(judge.in_order(ROW, found, measure)) == sorted(found, key=worth)
        judge.measured.clear()
        measured = Measured(judge.measure)
        best = next(iter(judge.in_order(ROW, found, partial(measure, measured=measured))))
        likely = [one for one in found if not one.penalised]
        assert len(judge.measured) == likely.index(best) + 1
