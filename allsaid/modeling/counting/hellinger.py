"""Initial word vectors by a Hellinger PCA of the words next to each word (Lebret and Collobert 2014).

Row w of the matrix is √p(c | w) for the C most frequent words c, next to w. The vectors are its principal components.
They are the same for the same texts.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse

from allsaid.modeling.data.vocabulary import SPECIALS

CONTEXTS = 2000  # C


def word_vectors(text: np.ndarray, starts: np.ndarray, words: int, size: int) -> np.ndarray:
    """Return vectors (V, d) with a mean of 0 and a standard deviation of 1; zeros for words without a neighbour.

    text: ids of all words of N texts; starts: (N + 1,) where each begins; words: V; size: d.
    """
    neighbours = _count_neighbours(text, starts, words)
    totals = np.asarray(neighbours.sum(1)).ravel()
    rows = sparse.diags_array(1 / np.maximum(totals, 1)) @ neighbours
    rows = sparse.csr_array(rows.sqrt())
    is_known = totals > 0
    mean = np.asarray(rows.sum(0)).ravel() / max(1, is_known.sum())
    covariance = (rows.T @ rows).toarray() / max(1, is_known.sum()) - np.outer(mean, mean)
    _, axes = linalg.eigh(covariance, subset_by_index=(max(0, len(mean) - size), len(mean) - 1))
    axes = axes[:, ::-1] * np.sign(axes[np.abs(axes).argmax(0), np.arange(axes.shape[1])])[::-1]
    vectors = np.zeros((words, size), np.float32)
    vectors[:, : axes.shape[1]] = (rows @ axes - mean @ axes) * is_known[:, None]
    return vectors / max(vectors[is_known].std(), 1e-12) if is_known.any() else vectors


def _count_neighbours(text: np.ndarray, starts: np.ndarray, words: int) -> sparse.csr_array:
    """Count how often each of V words is next to each of C words (V, C)."""
    first = np.zeros(len(text) + 1, bool)
    first[starts] = True
    pairs = np.flatnonzero(~first[1 : len(text)])  # place of the left word of each pair of neighbours in a text
    left_words, right_words = text[pairs], text[pairs + 1]
    contexts = min(words, len(SPECIALS) + CONTEXTS)  # ids are in order of decreasing counts
    centre, context = np.concatenate([left_words, right_words]), np.concatenate([right_words, left_words])
    is_context = context < contexts
    counts = np.ones(is_context.sum(), np.float64)
    return sparse.csr_array((counts, (centre[is_context], context[is_context])), shape=(words, contexts))
