"""N-grams as sorted arrays, beside the same model n-gram by n-gram."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
import torch
from kenlm import need_lmplz, numbered, sentences
from plain_kneser_ney import PlainKneserNey
from torch import Tensor

from allsaid.modeling.counting import lmplz, ngrams
from allsaid.modeling.counting.ngrams import NOWHERE, Ngrams
from allsaid.modeling.data.vocabulary import END, PAD, START, UNKNOWN

NEVER = 2  # words of the vocabulary that stand in no text


def read(texts: list[list[str]], order: int, folder: Path) -> tuple[Ngrams, PlainKneserNey]:
    need_lmplz()
    words = 4 + len({word for text in texts for word in text}) + NEVER
    with (folder / "text").open("w") as file:
        file.writelines(" ".join(text) + "\n" for text in texts)
    lmplz.estimate(folder / "text", folder / "arpa", order, words - 1)
    found = Ngrams(words, order)
    found.read(folder / "arpa")
    return found, PlainKneserNey(texts, order, words - 1)


def some_texts(words: int) -> Tensor:
    """Beginnings of texts (B, T): some of the training's own, some at random, with unknown words among them."""
    chance = random.Random(3)
    own = [[START, *map(int, text)][:6] for text in numbered(sentences(400))[:60:3]]
    shuffled = [[START, *(chance.randrange(4, words) for _ in range(5))] for _ in range(10)]
    unknown = [[START, 4, UNKNOWN, 5, 6, 7], [START, UNKNOWN, UNKNOWN, 4, 5, words - 1]]
    return torch.tensor([row for row in [*own, *shuffled, *unknown] if len(row) == 6])


def expected(plain: PlainKneserNey, context: list[int], word: int) -> float:
    """p of the house's words: <unk> is one word more, and unknown words have its share too."""
    marks = {START: "<s>", END: "</s>"}
    named = tuple(marks.get(one, str(one)) for one in context)
    own = plain.probability(marks.get(word, str(word)), named)
    return own + plain.probability("<unk>", named) if word == UNKNOWN else own


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_all_next_words_have_the_probabilities_of_the_model(order: int, tmp_path: Path) -> None:
    texts = numbered(sentences(400))
    found, plain = read([*texts, ["4", str(UNKNOWN), "5"]], order, tmp_path)
    words = some_texts(found.words)
    contexts = found.contexts(words).flatten(0, 1)
    assert contexts.shape == (words.numel(), order - 1)
    out = torch.empty(found.words, len(contexts))
    found.write_all(contexts, out)
    assert torch.allclose(out.exp().sum(0), torch.ones(()), atol=1e-5)
    assert out[[PAD, START]].isneginf().all()
    whole = [row[: t + 1] for row in words.tolist() for t in range(len(row))]
    chance = random.Random(1)
    for number in chance.sample(range(len(whole)), 40):
        for word in [UNKNOWN, END, *chance.sample(range(4, found.words), 20)]:
            log = math.log(expected(plain, whole[number], word))
            assert out[word, number].item() == pytest.approx(log, abs=1e-5), (whole[number], word)
    for word in (UNKNOWN, END, *range(4, found.words)):
        one = torch.full((len(contexts),), word)
        assert torch.allclose(found.log_probs_of(contexts, one), out[word], atol=1e-5)


def test_contexts_step_by_step_are_those_of_whole_texts(tmp_path: Path) -> None:
    found, _ = read(numbered(sentences(400)), 5, tmp_path)
    words = some_texts(found.words)
    whole = found.contexts(words)
    assert (whole[:, :, 3] != NOWHERE).any() and (whole[:, :, 1] == NOWHERE).any()
    step = found.empty(len(words))
    for t in range(words.shape[1]):
        step = found.follow(step, words[:, t])
        assert torch.equal(step, whole[:, t])


def test_a_file_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = read(numbered(sentences(50)), 3, tmp_path)
    monkeypatch.setattr(lmplz, "LINES", 7)
    again = Ngrams(found.words, 3)
    again.read(tmp_path / "arpa")
    assert found.state_dict().keys() == again.state_dict().keys()
    assert all(torch.equal(value, again.state_dict()[name]) for name, value in found.state_dict().items())


def test_texts_shorter_than_the_order_have_no_ngrams_of_it(tmp_path: Path) -> None:
    found, plain = read([["4"], ["5"]], 5, tmp_path)
    assert [len(longer.keys) for longer in found.longer] == [4, 2, 0, 0]
    contexts = found.contexts(torch.tensor([[START, 4, END]]))[0]
    logs = found.log_probs_of(contexts, torch.tensor([4, END, 5]))
    logs_expected = [math.log(expected(plain, context, word)) for context, word in
                     [([START], 4), ([START, 4], END), ([END], 5)]]  # fmt: skip
    assert logs.tolist() == pytest.approx(logs_expected, abs=1e-5)


def test_without_ngrams_all_words_are_equally_likely() -> None:
    found = ngrams.Ngrams(10, 3)
    contexts = found.contexts(torch.tensor([[START, 4, 5]])).flatten(0, 1)
    out = torch.empty(10, 3)
    found.write_all(contexts, out)
    assert torch.allclose(out.exp().sum(0), torch.ones(3))
    assert torch.allclose(out[[END, 4, 9]].exp(), torch.tensor(1 / 9))
