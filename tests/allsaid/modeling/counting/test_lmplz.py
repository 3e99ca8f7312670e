"""KenLM's lmplz beside a second implementation of the same, and what is said where it can't be had or fails."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from kenlm import need_lmplz, numbered, sentences
from plain_kneser_ney import PlainKneserNey

from allsaid.modeling.counting import lmplz
from allsaid.modeling.data.vocabulary import END, PAD, START
from schemas.errors import UserError

MARKS = {PAD: "<unk>", START: "<s>", END: "</s>"}


def count(texts: Sequence[Sequence[str]], folder: Path, order: int, words: int = 0) -> list[int]:
    (folder / "text").write_text("".join(" ".join(text) + "\n" for text in texts))
    return lmplz.estimate(folder / "text", folder / "arpa", order, words)


def ngrams_of(arpa: Path) -> dict[tuple[str, ...], tuple[float, float]]:
    """The natural logarithms of probability and back-off of each n-gram."""
    return {
        tuple(MARKS.get(word, str(word)) for word in ngram): (log, backoff)
        for _, pieces in lmplz.read(arpa)
        for ids, logs, backoffs in pieces
        for ngram, log, backoff in zip(ids.tolist(), logs.tolist(), backoffs.tolist(), strict=True)
    }


@pytest.mark.parametrize("order", [1, 2, 5])
def test_lmplz_agrees_with_a_second_implementation(order: int, tmp_path: Path) -> None:
    """All probabilities and back-offs to 1e-6 of their decimal logarithms."""
    need_lmplz()
    texts = numbered(sentences(400))
    plain = PlainKneserNey(texts, order)
    assert count(texts, tmp_path, order) == plain.guessed == []
    found = ngrams_of(tmp_path / "arpa")
    assert found.keys() == plain.counts.keys() | {("<unk>",), ("<s>",)}
    assert len(found) > 5000 or order < 5
    for ngram, (log, backoff) in found.items():
        if ngram != ("<s>",):
            expected = plain.probability(ngram[-1], ngram[:-1])
            assert log / math.log(10) == pytest.approx(math.log10(expected), abs=1e-6), ngram
        if len(ngram) < order:
            assert backoff / math.log(10) == pytest.approx(math.log10(plain.backoff(ngram)), abs=1e-6), ngram


def test_too_few_counts_have_discounts_that_are_told(tmp_path: Path) -> None:
    need_lmplz()
    texts = numbered([["one", "two"], ["one", "three"], ["two", "three", "four"]])
    plain = PlainKneserNey(texts, 3, words=9)
    assert count(texts, tmp_path, 3, words=9) == plain.guessed == [2, 3]
    for ngram, (log, _) in ngrams_of(tmp_path / "arpa").items():
        if ngram != ("<s>",):
            assert log == pytest.approx(math.log(plain.probability(ngram[-1], ngram[:-1])), abs=1e-6)


def test_texts_are_lines_of_numbers(tmp_path: Path) -> None:
    with (tmp_path / "text").open("w") as file:
        lmplz.write_lines(file, np.array([7, 123, 4], np.int32), np.array([0, 2, 2, 3]))
    assert (tmp_path / "text").read_text() == "7 123\n\n4\n"


def test_without_lmplz_a_sentence_says_how_to_build_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(UserError, match=r"neither in .* nor on the PATH\. Build it .* `make lmplz`"):
        lmplz.find()
    program = tmp_path / "lmplz"
    program.write_text("#!/bin/sh\necho 'No space left.' >&2\nexit 3\n")
    program.chmod(0o755)
    assert lmplz.find() == program
    with pytest.raises(UserError, match=r"exit code 3; it said last: No space left\. .* room in "):
        count([["a"]], tmp_path, 2)
