"""Damaged inputs of every source: nothing raises, nothing vanishes, no mojibake, little memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from fuzz_checks import Bench, examine, whole_results
from fuzz_corpus import Corpus
from fuzz_seeds import corpora
from fuzzing import Case, cases
from hypothesis import given, settings

from pipelines import sources

CORPORA = corpora()
SOURCES = sources.names()
FILES = 50  # damaged inputs of each source, the same ones in every run
C1, MARKS = "\x81\x92".encode(), b"-(" * 3000
FOUND = (  # source, layout; what became what in its first file, and did harm once; records kept and rejected now
    ("mealmaster", "dashes", rb"(?<=4 Servings\n).*", b"", 0, 1),
    ("mealmaster", "columns", rb"      1 lb", b"-" * 3000 + b" ", 12, 0),
    ("mealmaster", "columns", rb"Salt", b"\r\n" + b" " * 60_000 + b"\r\n", 11, 1),
    ("mealmaster", "columns", rb"chopped", b" 1 c  a   " * 3000, 11, 1),
    ("mealmaster", "dashes", rb"Put the", MARKS, 11, 1),
    ("allrecipes", "lines", rb"Beat", C1, 12, 0),
    ("allrecipes", "array", rb"Beat", b'"' + b"\n" * 60_000, 11, 1),
    ("dialogue-acts", "array", rb"food , no", C1 + MARKS, 12, 0),
    ("dialogue-acts", "array", rb"no children", b'", ' + b'{"a":' * 20_000, 11, 1),
    ("dialogue-acts", "array", rb"area=west or", b"area=west or" + b" " * 60_000, 11, 1),
    ("dstc2", "tree", rb"food", C1, 12, 0),
    ("wikibio", "boxes", rb"teams_1:a", b"teams_1:" + C1, 24, 0),
    ("records", "commas", rb"made of", C1 + MARKS, 12, 0),
    ("records", "commas", rb"stoneware; north glaze", b'"' + (b"glaze " * 40 + b"\n") * 3 + b'",x', 11, 5),
    ("records", "lines", rb"\{", b'"', 11, 1),
)


@dataclass(frozen=True)
class Replaced(Case):
    """The first stretch of the file that fits a pattern becomes another."""

    old: bytes = b""
    new: bytes = b""

    @property
    def plain(self) -> bytes:
        plain, changes = re.subn(self.old, lambda _: self.new, super().plain, count=1, flags=re.DOTALL)
        assert changes == 1
        return plain


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: f"{corpus.source}, {corpus.layout}")
def test_undamaged_inputs_are_kept_whole(corpus: Corpus, tmp_path: Path) -> None:
    assert len(whole_results(corpus, tmp_path)) >= (1 if corpus.layout == "sample" else 12)


@pytest.mark.parametrize("source", SOURCES)
def test_damaged_inputs(source: str, tmp_path: Path) -> None:
    of_source = [corpus for corpus in CORPORA if corpus.source == source]
    bench = Bench(tmp_path, of_source)

    @settings(max_examples=FILES, derandomize=True, database=None, deadline=None)
    @given(cases(of_source))
    def check(case: Case) -> None:
        bench.examine(case)

    check()


@pytest.mark.parametrize(("source", "layout", "old", "new", "kept", "rejected"), FOUND)
def test_damage_that_once_did_harm(
    source: str, layout: str, old: bytes, new: bytes, kept: int, rejected: int, tmp_path: Path
) -> None:
    (corpus,) = (corpus for corpus in CORPORA if (corpus.source, corpus.layout) == (source, layout))
    outcome = examine(Replaced(corpus, 0, (), old=old, new=new), whole_results(corpus, tmp_path), tmp_path)
    assert (outcome.refused, outcome.kept, outcome.rejected) == (False, kept, rejected)
