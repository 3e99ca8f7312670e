"""Tallies: sums over the rows of one part of a job, and the addition of those of all parts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain
from operator import add, itemgetter
from typing import Any

import numpy as np

from allsaid.proof.coverage import GRADES, Coverage
from batch_infer.proof import reasons
from batch_infer.proof.reasons import FIRST, Reason
from batch_infer.rows import hashes
from pipelines.datasets.statistics import Histograms

DIGEST = 8  # bytes
RECORD = np.dtype([("hash", f"S{DIGEST}")])
SHARES = {grade: f"{grade}_percent" for grade in GRADES}  # of reference texts


@dataclass
class Tally:
    """Sums over the rows of one part; `batch_infer.proof.summary.Summary` describes the fields that it also has."""

    input_rows: int = 0
    search_seconds: float = 0.0
    texts: int = 0
    errors: int = 0
    records: int = 0  # texts whose items are values rather than names
    sums: dict[str, float] = field(default_factory=dict)  # of the texts, by figure
    true_texts: int = 0
    true_sums: dict[str, float] = field(default_factory=dict)
    rows_with_fewer_texts: int = 0
    below_min_coverage: int = 0
    unfitted_items: int = 0
    faulty_texts: int = 0
    provable_texts: int = 0
    certified_texts: int = 0
    unattested_texts: int = 0
    assembled_texts: int = 0
    uncertified_rows: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)  # digests, joined, of texts with placeholders, in lower case
    equal_texts: int = 0  # texts whose digest is also that of another text; known only of all parts together
    runs: dict[str, int] = field(default_factory=dict)  # longest copied run, in words -> texts
    unfamiliar_rows: int = 0
    unfamiliar_goals: int = 0
    reasons: dict[str, Reason] = field(default_factory=dict)
    recipe_findings: dict[str, int] = field(default_factory=dict)
    texts_with_findings: int = 0
    cell_findings: Histograms = field(default_factory=dict)  # of a table's rows
    taken_over: int = 0
    searched: int = 0
    rows_with_several_texts: int = 0
    mended_rows: int = 0
    replaced_texts: int = 0
    unproven: int = 0  # submitted texts of error rows

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Tally:  # Any: a value of each field, parsed from JSON
        found = {name: Reason(**reason) for name, reason in values.get("reasons", {}).items()}
        return cls(**values | {"reasons": found})

    def to_json(self) -> str:
        """Return the non-empty fields as JSON."""
        return json.dumps({name: value for name, value in vars(self).items() if value}, default=vars)

    def add_error(self, reason: Reason) -> None:
        self.errors += reason.rows
        reasons.add(self.reasons, reason)

    def add_text(self, figures: Mapping[str, float], is_faulty: bool, plain: str) -> None:
        """Count a text and its figures; ``plain`` is the text with placeholders, in lower case."""
        self.texts += 1
        self.faulty_texts += is_faulty
        self.plain.append(hashlib.blake2b(plain.encode(), digest_size=DIGEST).hexdigest())
        _add(self.sums, figures)

    def add_certificate(self, coverage: Coverage, row_id: str) -> None:
        """Count a text that can be certified; ignore others."""
        if coverage.certified is None:
            return
        self.provable_texts += 1
        self.certified_texts += coverage.certified
        self.unattested_texts += bool(coverage.unattested)
        if not coverage.certified and len(self.uncertified_rows) < FIRST:
            self.uncertified_rows.append(row_id)

    def add_findings(self, coverage: Coverage) -> None:
        """Count the texts in which something was found, and by kind what the checker of recipes found."""
        self.texts_with_findings += bool(coverage.recipe or coverage.findings)
        for finding in coverage.recipe:
            self.recipe_findings[finding.kind] = self.recipe_findings.get(finding.kind, 0) + 1

    def add_runs(self, runs: Iterable[int]) -> None:
        """Count the longest copied runs of some texts (``allsaid.modeling.data.copied``)."""
        for length in map(str, runs):
            self.runs[length] = self.runs.get(length, 0) + 1

    def split(self) -> tuple[Tally, np.ndarray]:
        """Return the tally without its digests, and the digests in order, each at most twice, as records.

        The third and all further texts of a digest are counted as equal; :func:`equal_texts` counts the first two.
        """
        digests = np.frombuffer(bytes.fromhex("".join(self.plain)), RECORD["hash"])
        few = hashes.at_most_twice(digests)
        return replace(self, plain=[], equal_texts=self.equal_texts + len(digests) - len(few)), few.view(RECORD)

    def add_reference(self, figures: Mapping[str, float]) -> None:
        self.true_texts += 1
        _add(self.true_sums, figures)


def add_up(tallies: Iterable[Tally]) -> Tally:
    """Return the sums over all rows of some parts, for all fields of a tally."""
    return _packed(_added([vars(Tally()), *map(vars, tallies)]))


def add_up_blocks(_key: int, blocks: Iterable[tuple[int, Tally]]) -> Tally:
    """Add up numbered tallies in the order of their numbers, so that sums are the same to the last digit."""
    return add_up(tally for _, tally in sorted(blocks, key=itemgetter(0)))


def equal_texts(records: np.ndarray) -> int:
    """Count the digests that occur more than once."""
    counts = np.unique(records["hash"], return_counts=True)[1]
    return int(counts[counts > 1].sum())


def with_equal_texts(total: Tally, more: int) -> Tally:
    """Return the tally of all parts with the equal texts of all shards."""
    return replace(total, equal_texts=total.equal_texts + more)


def add_up_json(tallies: Iterable[str]) -> Tally:
    """Like :func:`add_up`, for tallies as JSON; no object is made for each, since there is one per row."""
    parts = json.loads(f"[{','.join(tallies)}]")
    for part in parts:
        if "reasons" in part:
            part["reasons"] = Tally.from_json(part).reasons
    return _packed(_added([vars(Tally()), *parts]))


def shares_of(grade: str | None) -> dict[str, float]:
    """Return 100 for the grade of a reference text and 0 for the others, so that means are percentages.

    Empty without a grade."""
    return {} if grade is None else {key: 100.0 * (grade == known_grade) for known_grade, key in SHARES.items()}


def _packed(values: dict[str, Any]) -> Tally:  # Any: a value of each field
    """Return a tally with only the first uncertified rows, and one string of digests, since there is one per text."""
    digests = "".join(values["plain"])
    first = values["uncertified_rows"][:FIRST]
    return Tally(**values | {"plain": [digests] if digests else [], "uncertified_rows": first})


def _added(values: list[Any]) -> Any:  # values of one type, which is checked at run time
    """Add up values: mappings by key, lists by concatenation, others by ``+``."""
    if isinstance(values[0], dict):
        found: dict[str, list[Any]] = {}
        for key, value in chain.from_iterable(value.items() for value in values):
            found.setdefault(key, []).append(value)
        return {key: _added(of_key) for key, of_key in found.items()}
    return [*chain.from_iterable(values)] if isinstance(values[0], list) else reduce(add, values)


def _add(sums: dict[str, float], figures: Mapping[str, float]) -> None:
    for key, value in figures.items():
        sums[key] = sums.get(key, 0.0) + value
