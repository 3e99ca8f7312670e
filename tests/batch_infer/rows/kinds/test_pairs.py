"""Sources as people write them become rows of the task of pairs."""

from __future__ import annotations

import pytest

from allsaid.modeling.tasks import pair
from batch_infer.rows.kinds.pairs import prepare
from schemas.errors import UserError


def test_a_source_is_cut_into_words_as_the_data_sets_are() -> None:
    row = pair.TASK.read_row(prepare({"id": 7, "source": 'select club where player = "O\'Neal"', "items": ["O'Neal"]}))
    assert row.source_tokens == ["select", "club", "where", "player", "=", '"', "o'neal", '"']
    assert (row.source, row.items, row.item_tokens) == (
        'select club where player = "O\'Neal"',
        ["O'Neal"],
        [["o'neal"]],
    )


def test_a_row_needs_no_items_and_one_of_a_data_set_stays() -> None:
    assert pair.TASK.read_row(prepare({"id": 7, "source": "Film.actor"})).items == []
    given = {"id": "a", "source": "X", "source_tokens": ["y"], "items": [], "item_tokens": []}
    assert prepare(given) is given


@pytest.mark.parametrize("source", [None, "", " ", 3, ["a"]])
def test_a_row_without_a_source_is_told(source: object) -> None:
    with pytest.raises(UserError, match="The row has no 'source', a text such as"):
        pair.TASK.read_row(prepare({"id": "a", "source": source}))


@pytest.mark.parametrize("items", ["leeks", [3], {"a": "b"}])
def test_items_that_are_no_texts_are_told(items: object) -> None:
    with pytest.raises(UserError, match="The row's 'items' are no list of texts such as"):
        pair.TASK.read_row(prepare({"id": "a", "source": "x", "items": items}))
