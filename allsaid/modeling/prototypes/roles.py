"""Counts of how training recipes use a food: its verbs, the foods listed with it, its adjectives.

A food's *key* is its canonical name in the list of foods that ships with Allsaid, so "scallions" and "green onions"
have the same key. The key of any other item is the stems of its name. A *use* is a verb with the preposition before the
list of foods: "sprinkle with". Counts of rare foods are smoothed by the counts of their kind (`Foods.kinds`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any  # Any: keys of several types

import numpy as np
import pyarrow as pa

from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.frames import Clause, Group, Steps

MIN_TEXTS = 3  # fewest texts with a key whose counts are kept
DIMENSIONS = 48  # of the vectors by which foods are compared
SMOOTH = 20.0  # weight of the counts of a food's kind, in texts
SMALL = 1000  # a corpus with fewer keys also keeps pairs that occur once
RELATIONS = ("both", "listed", "uses", "alone", "adjectives")
Pairs = Mapping[tuple[str, str], int]


@lru_cache(maxsize=1 << 16)
def key_of(item: tuple[str, ...]) -> str:
    """Return the key of an item's name (tokens)."""
    foods, stems = load_foods(), stems_of(item)
    for start in range(len(stems)):
        if stems[start:] in foods.canonical:
            return foods.canonical[stems[start:]]
    return " ".join(stems)


@lru_cache(maxsize=1 << 16)
def kinds_of(key: str) -> frozenset[str]:
    """Return the more general words for a food: "onion", "vegetable"."""
    foods, stems = load_foods(), stems_of(key.split())
    return foods.kinds.get(stems, frozenset()) - {foods.canonical.get(stems, "")}


def use_of(steps: Steps, clause: Clause, group: Group) -> str:
    """Return the use that a clause makes of a list of foods: its verb and the preposition before the list."""
    preposition = "" if group.governor is None else steps.words[group.governor]
    return f"{steps.verb(clause)} {preposition}".strip()


@dataclass
class Counts:
    """Counts over texts while they are read."""

    texts: Counter[str] = field(default_factory=Counter)  # key -> texts that name it
    both: Counter[tuple[str, str]] = field(default_factory=Counter)  # two keys -> texts that name both
    listed: Counter[tuple[str, str]] = field(default_factory=Counter)  # two keys -> texts that have both in one list
    uses: Counter[tuple[str, str]] = field(default_factory=Counter)  # key, use
    alone: Counter[tuple[str, str]] = field(default_factory=Counter)  # key, use: nothing else in the list
    adjectives: Counter[tuple[str, str]] = field(default_factory=Counter)  # key, word before its name
    places: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))  # key -> sum of relative places

    def add(self, steps: Steps, keys: Sequence[str]) -> None:
        """Count a text; keys: the keys of its agenda's items."""
        first: dict[str, float] = {}
        listed: set[tuple[str, str]] = set()
        clauses = steps.clauses
        for number, clause in enumerate(clauses):
            for group in clause.groups:
                member_of = {
                    keys[mention.items[0]]: member
                    for member in group.members
                    if (mention := member.mention) and mention.items
                }
                use = use_of(steps, clause, group)
                for key, member in member_of.items():
                    first.setdefault(key, number / len(clauses))
                    self.uses[key, use] += 1
                    if len(group.members) == 1:
                        self.alone[key, use] += 1
                    if member.mention:
                        for word in steps.words[member.start : member.mention.start]:
                            self.adjectives[key, word] += 1
                names = sorted(member_of)
                listed.update(combinations(names, 2))
        names = sorted(first)
        self.texts.update(names)
        self.both.update(combinations(names, 2))
        self.listed.update(sorted(listed))  # in the same order in each process
        for key, place in first.items():
            self.places[key] += place


@dataclass(frozen=True, eq=False)
class Roles:
    """The counts for K foods, by key, and scores of foods computed from them."""

    texts: dict[str, int]
    both: Pairs
    listed: Pairs
    uses: Pairs
    alone: Pairs
    adjectives: Pairs
    places: dict[str, float]  # key -> mean relative place of its first mention, from 0 to 1
    vectors: np.ndarray  # (K, DIMENSIONS) of unit length, in the order of ``texts``

    @classmethod
    def build(cls, counts: Counts) -> Roles:
        texts = {key: count for key, count in sorted(counts.texts.items()) if count >= MIN_TEXTS}
        return cls(
            texts,
            **{name: _frequent(getattr(counts, name), texts) for name in RELATIONS},
            places={key: counts.places[key] / count for key, count in texts.items()},
            vectors=_vectors(texts, counts),
        )

    def to_table(self) -> pa.Table:
        """Return all counts as one table of pairs, with the vectors in its metadata."""
        parts = [(name, *pair, count) for name in RELATIONS for pair, count in getattr(self, name).items()]
        parts += [("texts", key, "", count) for key, count in self.texts.items()]
        relation, first, second, count = zip(*parts, strict=True)
        places = pa.array([self.places[key] for key in self.texts], pa.float64())
        metadata = {"places": places.to_numpy().tobytes(), "vectors": self.vectors.tobytes()}
        columns = [pa.array(values).dictionary_encode() for values in (relation, first, second)]
        table = pa.table([*columns, pa.array(count, pa.int64())], ["relation", "one", "other", "count"])
        return table.replace_schema_metadata(metadata)

    @classmethod
    def from_table(cls, table: pa.Table) -> Roles:
        """Read the counts from a table of `to_table`."""
        counts: dict[str, dict[Any, int]] = {name: {} for name in (*RELATIONS, "texts")}
        columns = [_shared(table.column(name).combine_chunks()) for name in ("relation", "one", "other")]
        for relation, first, second, count in zip(*columns, table.column("count").to_pylist(), strict=True):
            counts[relation][first if relation == "texts" else (first, second)] = count
        texts, metadata = counts.pop("texts"), table.schema.metadata
        places = np.frombuffer(metadata[b"places"]).tolist()
        vectors = np.frombuffer(metadata[b"vectors"], np.float32).reshape(len(texts), DIMENSIONS)
        return cls(texts, **counts, places=dict(zip(texts, places, strict=True)), vectors=vectors)

    @cached_property
    def ids(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self.texts)}

    @cached_property
    def _uses_by_kind(self) -> dict[str, tuple[Counter[str], int]]:
        """Uses and number of texts of each kind of food."""
        uses: dict[str, tuple[Counter[str], int]] = {}
        members: defaultdict[str, list[str]] = defaultdict(list)
        for key in self.texts:
            for kind in kinds_of(key):
                members[kind].append(key)
        by_key: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for (key, use), count in self.uses.items():
            by_key[key][use] += count
        for kind, keys in members.items():
            total: Counter[str] = Counter()
            for key in keys:
                total.update(by_key[key])
            uses[kind] = total, sum(self.texts[key] for key in keys)
        return uses

    @cached_property
    def _every_use(self) -> tuple[Counter[str], int]:
        total: Counter[str] = Counter()
        for (_, use), count in self.uses.items():
            total[use] += count
        return total, sum(self.texts.values())

    @lru_cache(maxsize=1 << 16)  # noqa: B019
    def fit(self, key: str, use: str) -> float:
        """Return log p(use | food) - log p(use): above 0 if the food has this use more often than foods in general."""
        all_uses, texts = self._every_use
        usual = (all_uses[use] + 0.5) / (texts + 1)
        prior = usual
        smallest = min(kinds_of(key), key=lambda kind: self._uses_by_kind.get(kind, (0, 1 << 30))[1], default="")
        if smallest in self._uses_by_kind:
            kind_uses, count = self._uses_by_kind[smallest]
            prior = (kind_uses[use] + SMOOTH * usual) / (count + SMOOTH)
        uses = self.uses.get((key, use), 0)
        smoothed = (uses + SMOOTH * prior) / (self.texts.get(key, 0) + SMOOTH)
        return float(np.log(smoothed / usual))

    @cached_property
    def usual_alone(self) -> Mapping[str, list[str]]:
        """The uses of each food alone in its list, by its key, the most frequent first."""
        uses: defaultdict[str, list[str]] = defaultdict(list)
        for key, use in sorted(self.alone, key=lambda pair: (-self.alone[pair], pair)):
            uses[key].append(use)
        return uses

    def company(self, key: str, other_key: str) -> float:
        """Return how often two foods of a text are in the same list, 0 to 1, smoothed."""
        pair = (key, other_key) if key < other_key else (other_key, key)
        return (self.listed.get(pair, 0) + 0.5) / (self.both.get(pair, 0) + 5.0)

    @lru_cache(maxsize=1 << 15)  # noqa: B019
    def likeness(self, key: str, other: str) -> float:
        """Return how alike two foods are used, 0 to 1."""
        if key == other:
            return 1.0
        kinds, other_kinds = kinds_of(key), kinds_of(other)
        if key in other_kinds or other in kinds:
            return 0.9
        shared = len(kinds & other_kinds) / max(len(kinds | other_kinds), 1)
        ids = self.ids
        cosine = float(self.vectors[ids[key]] @ self.vectors[ids[other]]) if key in ids and other in ids else 0.3
        return max(0.55 * max(cosine, 0.0) + 0.3 * min(shared * 2, 1.0), 0.46 * shared)


def _shared(column: pa.DictionaryArray) -> list[str]:
    """Return the values of a column, each distinct one a single object."""
    values = column.dictionary.to_pylist()
    return [values[place] for place in column.indices.to_pylist()]


def _frequent(pairs: Pairs, texts: Mapping[str, int]) -> dict[tuple[str, str], int]:
    """Return the counts of pairs that begin with a known key; in large corpora without pairs that occur once."""
    return {pair: count for pair, count in pairs.items() if pair[0] in texts and (count > 1 or len(texts) < SMALL)}


def _vectors(texts: Mapping[str, int], counts: Counts) -> np.ndarray:
    """Return unit vectors of keys: positive pointwise mutual information with uses and with foods of the same lists."""
    from scipy.sparse import csr_matrix  # SciPy loads slowly, and only training counts
    from scipy.sparse.linalg import svds

    ids = {key: place for place, key in enumerate(texts)}
    columns: dict[str, int] = {}
    entries: list[tuple[int, int, int]] = []
    for (key, use), count in counts.uses.items():
        if key in ids:
            entries.append((ids[key], columns.setdefault(f"use {use}", len(columns)), count))
    for (first, other), count in counts.listed.items():
        for key, company in ((first, other), (other, first)):
            if key in ids:
                entries.append((ids[key], columns.setdefault(f"list {company}", len(columns)), count))
    if not entries:
        return np.zeros((len(ids), DIMENSIONS), np.float32)
    rows, places, values = map(np.array, zip(*entries, strict=True))
    table = csr_matrix((values.astype(float), (rows, places)), shape=(len(ids), len(columns))).tocoo()
    total = table.sum()
    by_row, by_column = (np.asarray(table.sum(axis)).ravel() for axis in (1, 0))
    information = np.log(table.data * total / (by_row[table.row] * by_column[table.col]))
    kept = (information > 0) & (table.data >= 2)
    table = csr_matrix(
        (information[kept] * np.minimum(1, np.log1p(table.data[kept]) / 3), (table.row[kept], table.col[kept])),
        shape=table.shape,
    )
    size = min(DIMENSIONS, min(table.shape) - 1)
    axes, strength, _ = svds(table, k=size, random_state=0)
    vectors = np.zeros((len(ids), DIMENSIONS), np.float32)
    vectors[:, :size] = axes * np.sqrt(strength)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
