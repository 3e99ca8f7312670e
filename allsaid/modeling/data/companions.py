"""Companions: words of training texts that occur with words of goal and agenda much more often than by chance.

The measure is the log-likelihood ratio of Dunning (Computational Linguistics 19, 1993), over texts: how much likelier
the counts are if the chance of one word depends on the other. It also holds for rare words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from allsaid.modeling.data.arrays import look_up
from allsaid.modeling.data.vocabulary import PAD, UNKNOWN, Vocabulary
from allsaid.modeling.tensors import write_tensors
from schemas.errors import UserError

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, csr_matrix

MOST = 64  # companions of a word
LEAST = 10.83  # minimum ratio: chance alone exceeds it in one of 1,000 pairs (chi-squared, one degree of freedom)
USUAL = 0.05  # a word in more than this share of the texts is frequent, and no companion
BLOCK = 256  # words counted at once


@dataclass(frozen=True)
class Companions:
    """Companions of each word of a text vocabulary of V words."""

    words: np.ndarray  # (V, MOST) int32 text ids, the closest first, padded with PAD

    @classmethod
    def build(cls, tables: Iterable[pa.Table], vocabulary: Vocabulary) -> Companions:
        """Count ``tokens`` that occur with ``goal_tokens`` and ``agenda_tokens`` in the training part's tables."""
        from scipy.sparse import vstack  # SciPy loads slowly, and only training counts

        inputs, outputs = [], []
        for table in tables:
            texts = range(table.num_rows)
            inputs.append(
                _in_texts([table.column(name) for name in ("goal_tokens", "agenda_tokens")], texts, vocabulary)
            )
            outputs.append(_in_texts([table.column("tokens")], texts, vocabulary))
        return cls(_closest(vstack(inputs).tocsc(), vstack(outputs).tocsr()))

    def save(self, path: Path) -> None:
        write_tensors(path, {"words": torch.from_numpy(self.words)}, {})

    @classmethod
    def load(cls, path: Path, words: int) -> Companions:
        """Read the file of `save` for a vocabulary of ``words`` words; raises UserError if it is damaged."""
        try:
            loaded = load_file(path)["words"].numpy()
        except (SafetensorError, OSError, KeyError) as fault:
            raise UserError(f"{path} can't be read ({fault}).") from fault
        if loaded.shape != (words, MOST) or loaded.min(initial=0) < 0 or loaded.max(initial=0) >= words:
            raise UserError(f"{path} is of another vocabulary.")
        return cls(loaded)

    def of(self, words: Sequence[int]) -> list[int]:
        """Return companions of some words, the closest of each first, then the second of each, and so on."""
        known = sorted({word for word in words if word != UNKNOWN})
        return [int(word) for word in dict.fromkeys(self.words[known].T.flatten().tolist()) if word != PAD]


def _in_texts(columns: Sequence[pa.ChunkedArray], texts: range, vocabulary: Vocabulary) -> csr_matrix:
    """Return the matrix (texts, V) with ones where the text's row contains the word."""
    from scipy.sparse import csr_matrix

    rows, words = [], []
    for column in columns:
        flat, row = column.combine_chunks(), np.arange(len(texts))
        while pa.types.is_list(flat.type):
            row = np.repeat(row, np.diff(flat.offsets.to_numpy()))
            flat = flat.flatten()
        rows.append(row)
        words.append(look_up(flat, vocabulary))
    row, word = np.concatenate(rows), np.concatenate(words)
    matrix = csr_matrix((np.ones(len(row)), (row, word)), shape=(len(texts), len(vocabulary)))
    matrix.data[:] = 1  # words that occur twice in a text were added up
    return matrix


def _closest(inputs: csc_matrix, outputs: csr_matrix) -> np.ndarray:
    texts, vocabulary = outputs.shape
    in_texts = np.asarray(outputs.sum(0)).ravel()
    closest = np.full((vocabulary, MOST), PAD, np.int32)
    for start in range(UNKNOWN + 1, vocabulary, BLOCK):
        part = inputs[:, start : start + BLOCK]
        both = (part.T @ outputs).tocoo()  # texts that contain both
        ratio = _ratio(both.data, np.asarray(part.sum(0)).ravel()[both.row], in_texts[both.col], texts)
        kept = (ratio > LEAST) & (both.col > UNKNOWN) & (in_texts[both.col] < USUAL * texts)
        row, word, ratio = both.row[kept], both.col[kept], ratio[kept]
        order = np.lexsort((word, -ratio, row))
        row, word = row[order], word[order]
        rank = np.arange(len(row)) - np.searchsorted(row, row)
        closest[start + row[rank < MOST], rank[rank < MOST]] = word[rank < MOST]
    return closest


def _ratio(both: np.ndarray, first: np.ndarray, second: np.ndarray, texts: int) -> np.ndarray:
    """Return 2 Σ observed · log(observed / expected) over four cells; 0 where it is no more frequent than by chance.

    both: (N,) texts that contain both words; first, second: (N,) texts that contain the one and the other.
    """
    from scipy.special import xlogy

    total = np.zeros(len(both))
    for observed, expected in (
        (both, first * second),
        (first - both, first * (texts - second)),
        (second - both, (texts - first) * second),
        (texts - first - second + both, (texts - first) * (texts - second)),
    ):
        total += xlogy(observed, observed * texts) - xlogy(observed, expected)
    return np.where(both * texts > first * second, 2 * total, 0)
