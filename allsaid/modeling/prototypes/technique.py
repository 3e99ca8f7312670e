"""Predict the technique of a recipe, as a set of actions, from its title and items.

Actions are commands, vessels and oven temperatures in cleaned texts. Their probabilities are predicted by a ridge
regression on the leading singular vectors of the recipes' terms. So for "doughnuts" and "oil for frying" a recipe that
fries is preferred to one that bakes, even if the latter shares more items with the row.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from safetensors import SafetensorError, safe_open

from allsaid.modeling.tensors import write_tensors
from allsaid.proof.recipes.kitchen import load_kitchen

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DIMENSIONS = 96  # singular vectors
LEAST = 0.002  # smallest share of recipes with an action, but at least two recipes
LEAST_TERMS = 15  # fewest recipes with a term; in a small corpus, the share above
RIDGE = 5.0
ARRAYS = ("shares", "terms_to_vectors", "vectors_to_actions")
_KITCHEN = load_kitchen()
_PLACES = _KITCHEN["vessel"] - frozenset(("glass", "board", "paper", "surface", "shell", "cup", "cups"))
# Word of an agenda's line -> the purpose of the item.
_PURPOSES = {"fry": "frying", "frying": "frying", "grease": "greasing", "greasing": "greasing", "garnish": "garnish"}


def actions_of(words: Sequence[str], commands: Iterable[str]) -> set[str]:
    """Return the actions of a text, by its words and its commands."""
    actions = {f"do {verb}" for verb in commands if verb}
    for place, word in enumerate(words):
        if word in _PLACES:
            actions.add(f"in {word.removesuffix('s')}")
        elif word == "degrees" and place and words[place - 1].isdigit():
            actions.add(f"at {50 * round(int(words[place - 1][:4]) / 50)}")
        elif word in ("hour", "hours", "overnight"):
            actions.add("long")
    return actions


def cues_of(lines: Iterable[str]) -> list[str]:
    """Return the purposes that an agenda's lines name: "for frying"."""
    words = {word.strip("().,;") for line in lines for word in line.lower().split()}
    return [f"for {purpose}" for word, purpose in _PURPOSES.items() if word in words]


@dataclass(frozen=True, eq=False)
class Technique:
    """A regression from F terms to A actions."""

    terms: Mapping[str, int]
    actions: Mapping[str, int]
    shares: np.ndarray  # (A,) of recipes with an action
    terms_to_vectors: np.ndarray  # (F, D)
    vectors_to_actions: np.ndarray  # (D, A)

    @classmethod
    def build(cls, terms: Sequence[Sequence[str]], actions: Sequence[Iterable[str]]) -> Technique:
        """Learn from the terms and actions of N recipes."""
        floor = max(LEAST * len(terms), 2)
        term_ids, action_ids = _numbers(terms, min(floor, LEAST_TERMS)), _numbers(actions, floor)
        from scipy.sparse.linalg import svds  # SciPy loads slowly, and only training counts

        x, y = _table(terms, term_ids), _table(actions, action_ids)  # (N, F) and (N, A)
        shares = np.asarray(y.mean(0)).ravel()
        size = max(min(DIMENSIONS, min(x.shape) - 1), 1)
        left, strength, right = svds(x, k=size, random_state=0)
        weights = (strength / (strength**2 + RIDGE))[:, None] * (left.T @ y - np.outer(left.sum(0), shares))
        return cls(
            term_ids, action_ids, shares.astype(np.float32), right.T.astype(np.float32), weights.astype(np.float32)
        )

    def save(self, path: Path) -> None:
        tensors = {name: torch.from_numpy(getattr(self, name).copy()) for name in ARRAYS}
        write_tensors(path, tensors, {"names": json.dumps([list(self.terms), list(self.actions)])})

    @classmethod
    def load(cls, path: Path) -> Technique:
        """Read the file of `save`; raises ValueError or KeyError if it is damaged."""
        try:
            with safe_open(path, framework="np") as file:
                terms, actions = json.loads(file.metadata()["names"])
                arrays = [file.get_tensor(name) for name in ARRAYS]
        except (SafetensorError, OSError) as fault:
            raise ValueError(f"{path}: {fault}") from fault
        term_ids, action_ids = ({name: number for number, name in enumerate(names)} for names in (terms, actions))
        return cls(term_ids, action_ids, *arrays)

    @cached_property
    def _scale(self) -> np.ndarray:
        return 1 / np.sqrt(np.maximum(self.shares * (1 - self.shares), 1e-4))

    def predict(self, terms: Iterable[str]) -> np.ndarray:
        """Return, for each action, by how many standard deviations it is likelier than usual: (A,)."""
        numbers = [self.terms[term] for term in terms if term in self.terms]
        return (self.terms_to_vectors[numbers].sum(0) @ self.vectors_to_actions) * self._scale

    def action_ids(self, actions: Iterable[str]) -> list[int]:
        """Return the ids of known actions."""
        return sorted(self.actions[action] for action in actions if action in self.actions)

    def fit(self, predicted: np.ndarray, numbers: Sequence[int]) -> float:
        """Return how well the actions of a text match the predicted ones, -1 to 1."""
        base = -self.shares * self._scale
        length = np.linalg.norm(predicted)
        change = self._scale[numbers]
        total = predicted @ base + predicted[numbers] @ change
        size = np.sqrt(base @ base + (change * (2 * base[numbers] + change)).sum())
        return float(total / max(length * size, 1e-9))


def _numbers(parts: Sequence[Iterable[str]], least: float) -> dict[str, int]:
    counts = Counter(act for part in parts for act in set(part))
    return {act: number for number, act in enumerate(sorted(act for act, count in counts.items() if count >= least))}


def _table(parts: Sequence[Iterable[str]], numbers: Mapping[str, int]) -> csr_matrix:
    from scipy.sparse import csr_matrix

    rows = [sorted({numbers[name] for name in part if name in numbers}) for part in parts]
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.array([name for part in rows for name in part], np.int64)
    return csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(rows), max(len(numbers), 1)))
