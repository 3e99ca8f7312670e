"""What is told before a training on few texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.fitting import expectations
from training.fitting.expectations import CERTIFIED, dev_warnings, training_warnings

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (1, "The training part has 1 text. With 50, about 0 to 87% of the rows get a certified text; with fewer"),
        (50, "The training part has 50 texts. With 50, about 0 to 87% of the rows get a certified text (docs/"),
        (199, "The training part has 199 texts. With 50, about 0 to 87% of the rows get a certified text (docs/"),
        (268, "The training part has 268 texts. With 200, about 57 to 100% of the rows get a certified text (docs/"),
    ],
)
def test_small_training_parts_are_reported_with_expectations(texts: int, told: str) -> None:
    (sentence,) = training_warnings(texts)
    assert sentence.startswith(told)
    assert ("under `say:`" in sentence) is (texts < min(CERTIFIED))


def test_a_training_part_of_the_largest_size_is_not_small() -> None:
    assert training_warnings(1000) == []
    assert (ROOT / expectations.PAGE).is_file()


def test_more_texts_never_give_less() -> None:
    shares = [CERTIFIED[size] for size in sorted(CERTIFIED)]
    assert all(low <= high for low, high in shares)
    assert shares == sorted(shares) and [high for _, high in shares] == sorted(high for _, high in shares)


@pytest.mark.parametrize(
    ("texts", "measured", "told"),
    [
        (30, 30, []),
        (29, 200, ["The dev part has 29 texts. With fewer than 30, it becomes champion only by hand (docs/"]),
        (99, 5, ["The model is measured on 5 dev texts (score_texts=5). With fewer than 30, it becomes champion only"]),
    ],
)
def test_too_few_dev_texts_are_told(texts: int, measured: int, told: list[str]) -> None:
    found = dev_warnings(texts, measured)
    assert len(found) == len(told) and all(map(str.startswith, found, told))
