"""First word vectors against a decomposition of the whole matrix."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from allsaid.modeling.counting.hellinger import word_vectors
from allsaid.modeling.data.vocabulary import SPECIALS

V = 12


def corpus() -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(5)
    lengths = chance.integers(1, 9, 40)
    return chance.integers(len(SPECIALS), V - 1, lengths.sum()).astype(np.int32), np.cumsum([0, *lengths])


def test_vectors_are_components_of_root_probabilities() -> None:
    text, starts = corpus()
    counts = np.zeros((V, V))
    for first, last in pairwise(starts):
        for left, right in zip(text[first : last - 1], text[first + 1 : last], strict=True):
            counts[left, right] += 1
            counts[right, left] += 1
    known = counts.sum(1) > 0
    roots = np.sqrt(counts[known] / counts[known].sum(1, keepdims=True))
    centred = roots - roots.mean(0)
    u, s, _ = np.linalg.svd(centred)
    expected = u[:, :3] * s[:3]
    found = word_vectors(text, starts, V, 3)
    assert not found[~known].any() and (~known).sum() == len(SPECIALS) + 1
    # Each axis is one of the decomposition's, but for its sign and one scale for all.
    assert np.abs(found[known].T @ expected) == pytest.approx(
        np.abs(np.diag(np.diag(found[known].T @ expected))), abs=1e-4
    )
    scale = np.linalg.norm(found[known], axis=0) / np.linalg.norm(expected, axis=0)
    assert scale == pytest.approx(scale[0], rel=1e-4)
    assert found[known].std() == pytest.approx(1, rel=1e-5)


def test_more_components_than_words_beside_are_zeros() -> None:
    found = word_vectors(np.array([4, 5], np.int32), np.array([0, 2]), 6, 20)
    assert found.shape == (6, 20) and np.isfinite(found).all() and not found[:, 6:].any()
    assert not word_vectors(np.array([4, 5], np.int32), np.array([0, 1, 2]), 6, 3).any()
