from dataclasses import replace

from small_catalogue import make_text

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.plan import LEARNED, halved, join, parts_of
from allsaid.modeling.data.vocabulary import UNKNOWN
from allsaid.proof.habits import Habits
from schemas.example import NO_ITEM

HABITS = Habits(
    most=4,
    usual=3,
    sentence=2,
    subject="name",
    repeats_subject=False,
    order={"price": 0.1, "colour": 0.2, "weight": 0.3, "height": 0.5, "land": 0.6, "maker": 0.9},
    pairs={"colour": {"price": 0.1, "weight": 0.7}, "height": {"land": 0.2, "weight": 0.1}},
)
COLUMNS = ["maker", "price", "height", "name", "weight", "colour", "land"]
ROW = make_text("", COLUMNS)


def test_a_row_of_no_more_values_than_usual_is_written_whole() -> None:
    row = make_text("", COLUMNS[:4])
    assert [part.row for part in parts_of(row, HABITS)] == [row]
    assert [part.row for part in parts_of(ROW, None)] == [ROW]


def test_the_plan_begins_as_texts_do_and_repeats_no_value() -> None:
    parts = parts_of(ROW, HABITS)
    said = [[line.split("=")[0] for line in part.row.agenda] for part in parts]
    assert said == [["price", "name", "colour"], ["height", "weight"], ["maker", "land"]]
    assert sorted(item for part in parts for item in part.items) == list(range(len(COLUMNS)))
    assert parts[1].row.agenda_tokens == [["SLOT_HEIGHT"], ["SLOT_WEIGHT"]] and parts[1].items == (2, 4)


def test_the_values_of_a_list_stay_in_one_sentence() -> None:
    row = make_text("", [*COLUMNS[:4], *COLUMNS[:1], *COLUMNS[:1]])
    assert [part.row for part in parts_of(row, HABITS)] == [row]  # 6 values of 4 columns
    row = make_text("", [*COLUMNS, "maker"])
    parts = [[line.split("=")[0] for line in part.row.agenda] for part in parts_of(row, HABITS)]
    assert parts == [["price", "name", "colour"], ["height", "weight"], ["maker", "land", "maker"]]
    row = make_text("", [*COLUMNS[:2], *COLUMNS[:1] * 4])
    assert [len(part.items) for part in parts_of(row, halved(HABITS, row))] == [1, 5]


def test_the_subject_is_said_again_where_the_corpus_does_so() -> None:
    parts = parts_of(ROW, replace(HABITS, repeats_subject=True))
    assert all("name=some name" in part.row.agenda for part in parts)


def test_rare_later_columns_join_the_subject() -> None:
    later = dict.fromkeys(COLUMNS, LEARNED) | {"land": LEARNED - 1}
    parts = parts_of(ROW, replace(HABITS, later=later))
    said = [[line.split("=")[0] for line in part.row.agenda] for part in parts]
    assert said == [["price", "name", "colour"], ["name", "land"], ["height", "weight"], ["maker"]]


def test_columns_that_training_has_not_seen_come_last() -> None:
    row = make_text("", ["new", *COLUMNS])
    assert "new=some new" in parts_of(row, HABITS)[-1].row.agenda


def test_texts_of_parts_become_one_whose_items_are_the_rows() -> None:
    parts = parts_of(ROW, HABITS)
    found = [
        [Hypothesis([5, 6], [NO_ITEM, 1], -1.0, [1], True, False), Hypothesis([5], [0], -3.0, [0], True, False)],
        [Hypothesis([7], [0], -2.0, [0], True, False)],
        [Hypothesis([8], [1], -0.5, [1], True, True)],
    ]
    best, second = join(parts, found, {7}, 4)
    assert best.tokens == [5, 6, 4, 7, 8] and best.log_probability == -3.5, "the second ends with a mark of its own"
    assert best.items == [NO_ITEM, parts[0].items[1], NO_ITEM, parts[1].items[0], parts[2].items[1]]
    assert best.used == sorted({*best.items} - {NO_ITEM}) and best.finished and best.penalised
    assert second.tokens == [5, 4, 7, 8]
    assert join(parts, [found[0], [], found[2]], {7}, 4) == []
    assert join(parts, found, {7}, UNKNOWN)[0].tokens == [5, 6, 7, 8], "a vocabulary without a full stop"
