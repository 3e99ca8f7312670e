"""Table-conditioned language models against a slow version written from the equations, word by word."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from allsaid.modeling.counting.hellinger import word_vectors
from allsaid.modeling.data.vocabulary import PAD, START, UNKNOWN, choose_words
from allsaid.modeling.models.table_nlm import SPAN, Settings, TableNlm
from allsaid.modeling.tables import box_arrays
from allsaid.modeling.tables.box_arrays import Batch, find
from allsaid.modeling.tables.box_table import Table, Vocabularies, own_words
from allsaid.modeling.tasks.box import TASK, Example
from schemas.box import NUMBER, YEAR

SYSTEMS: dict[str, dict[str, Any]] = {
    "nlm": {"copy": False, "local": "none", "global_fields": False, "global_words": False},
    "nlm-local": {"copy": False, "global_fields": False, "global_words": False},
    "local-start": {"local": "start", "global_fields": False, "global_words": False},
    "local": {"global_fields": False, "global_words": False},
    "fields": {"global_words": False},
    "words": {},
}
# A box of three fields: "ada" twice, a year, a number, a word and a field that nobody knows.
BOX = Table(
    fields=["name", "name", "born", "born", "strange", "strange"],
    positions=[1, 2, 1, 2, 1, 2],
    ends=[2, 1, 2, 1, 2, 1],
    tokens=["ada", "zorn", YEAR, NUMBER, "ada", "of"],
    originals=["Ada", "Zorn", "1815", "10", "ada", "of"],
)
OTHER = Table(["name"], [1], [1], ["poet"], ["poet"])
TEXTS = [
    (BOX, ["ada", "zorn", "of", YEAR, "was", YEAR], ["Ada", "zorn", "of", "1815", "was", "1900"]),
    (OTHER, ["never", "was"], ["never", "was"]),
]
WORDS = {"ada": 1, "of": 1, "was": 1, "poet": 1, YEAR: 1, NUMBER: 1}


def vocabularies() -> Vocabularies:
    return Vocabularies(choose_words(WORDS, 1), choose_words({"name": 1, "born": 1}, 1))


def examples() -> list[Example]:
    return [Example(str(n), "", table, "", tokens, originals) for n, (table, tokens, originals) in enumerate(TEXTS)]


def batch(folder: Path) -> Batch:
    ids = box_arrays.encode(iter(examples()), vocabularies(), folder)
    return box_arrays.collate(ids, np.arange(len(TEXTS)), 100)


def model_of(system: str) -> TableNlm:
    torch.manual_seed(4)
    known = vocabularies()
    config = Settings(order=4, embedding=5, global_embedding=3, hidden=8, init=0.7, **SYSTEMS[system])
    return TableNlm(config, len(known.text), len(known.field), torch.float64).to(torch.float64).eval()


def places_of(word: str, table: Table) -> list[tuple[int, int, int]]:
    known = vocabularies().field
    return [
        (known.encode([name])[0], position, end)
        for name, position, end, one in zip(table.fields, table.positions, table.ends, table.originals, strict=True)
        if one.lower() == word.lower()
    ]


def read_as(word: str) -> int:
    kind = YEAR if len(word) == 4 and word.isdigit() else NUMBER if word.isdigit() else word
    return vocabularies().text.encode([kind])[0]


def descriptor(model: TableNlm, word: str, table: Table) -> Tensor:
    """Equation 15."""
    places = places_of(word, table)
    if model.nowhere is None:
        return torch.zeros(0, dtype=torch.float64)
    if not places:
        return model.nowhere
    rows = [[field * SPAN + start for field, start, _ in places], [field * SPAN + end for field, _, end in places]]
    return torch.cat([at[row].amax(0) for at, row in zip(model.at, rows, strict=False)])


def summary(model: TableNlm, table: Table) -> Tensor:
    """Equations 16 and 17."""
    parts = []
    if model.fields is not None:
        parts.append(
            torch.stack([model.fields[vocabularies().field.encode([name])[0]] for name in table.fields]).amax(0)
        )
    if model.table_words is not None:
        read = [read_as(word.lower()) for word in table.originals]
        parts.append(torch.stack([model.table_words[word] for word in read if word != UNKNOWN]).amax(0))
    return torch.cat(parts) if parts else torch.zeros(0, dtype=torch.float64)


def slow(model: TableNlm, table: Table, before: list[str]) -> dict[str, float]:
    """p(w) of each next word after some words, equations 18 to 23; a table's own words by how it writes them."""
    nothing = torch.cat([model.embedding[START], descriptor(model, "elsewhere", table)])
    read = [torch.cat([model.embedding[read_as(word.lower())], descriptor(model, word, table)]) for word in before]
    context = [nothing] * 3 + read
    x = torch.cat([*context[-3:]])
    given = summary(model, table)
    whole = given if model.summarise is None else model.summarise.weight @ given
    h = torch.tanh(model.read.weight @ x + model.read.bias + (whole if len(given) else 0))
    text = vocabularies().text
    scores = {word: (model.w_o[n] @ h + model.b_o[n]) for n, word in enumerate(text.words)}
    if model.place is not None and model.query is not None:
        base = dict(scores)
        for word in {one.lower() for one in table.originals}:
            q = torch.stack([
                torch.tanh(model.query.weight @ model.place[field * SPAN + start] + model.query.bias)
                for field, start, _ in places_of(word, table)
            ]).amax(0)  # fmt: skip
            known = text.words[read_as(word)]
            scores[word] = (base[known] if known != "<unk>" else 0) + h @ q
    names, values = zip(*scores.items(), strict=True)
    return dict(zip(names, torch.stack([torch.as_tensor(value) for value in values]).softmax(0).tolist(), strict=True))


def spoken(text: list[str], row: int) -> list[str]:
    """A text as a model without the table's own words has it: numbers apart from the table are YEAR or NUMBER."""
    table, tokens, originals = TEXTS[row]
    words = {word.lower() for word in table.originals}
    return [o.lower() if o.lower() in words else t for t, o in zip(tokens, originals, strict=True)]


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_steps_and_loss_give_what_the_equations_give(system: str, tmp_path: Path) -> None:
    model, known, given = model_of(system), vocabularies(), batch(tmp_path)
    state, nll = model.start(given.prompts), 0.0
    ids = given.targets if model.copies else find(given.prompts.words, given.prompts.reads, given.targets)[1]
    tokens, said = torch.full((2,), START), Counter[int]()
    for t in range(ids.shape[1]):
        scores, state = model.step(state, tokens)
        for row, (table, texts, _) in enumerate(TEXTS):
            if t > len(texts):
                continue
            expected = slow(model, table, spoken(texts, row)[:t])
            own = [word.lower() for word in own_words(table, known.text)] if model.copies else []
            names = [*known.text.words, *own]
            logs = scores.log_probs[row, : len(names)]
            assert logs.exp().tolist() == pytest.approx([expected[name] for name in names], rel=1e-9)
            assert logs.exp().sum() == pytest.approx(1)
            nll -= logs[ids[row, t]].item()
            said[row] += 1
        # Without copies a number of the table is read with its place, which only its own id tells.
        tokens = given.targets[:, t]
    losses = model.loss(given)
    assert losses.named["nll"].item() == pytest.approx(nll, rel=1e-9)
    assert losses.words.item() == said.total()
    assert sum(part.item() for part in losses.parts.values()) == pytest.approx(nll)


def test_gradients_are_those_of_finite_differences(tmp_path: Path) -> None:
    model, given = model_of("words"), batch(tmp_path)
    names, parameters = zip(*((name, p.detach()) for name, p in model.named_parameters()), strict=True)

    def loss(*values: Tensor) -> Tensor:
        found = torch.func.functional_call(model, dict(zip(names, values, strict=True)), (given,))
        return found

    model.forward = lambda given: model.loss(given).named["nll"]  # type: ignore[method-assign]
    inputs = tuple(p.clone().requires_grad_() for p in parameters)
    assert torch.autograd.gradcheck(loss, inputs, atol=1e-6, fast_mode=True)


def test_blocks_of_the_union_change_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model, given = model_of("words"), batch(tmp_path)
    whole = model.loss(given).named["nll"]
    whole.backward()
    gradients = [p.grad.clone() for p in model.parameters() if p.grad is not None]
    model.zero_grad()
    monkeypatch.setattr("allsaid.modeling.layers.union.BLOCK", {"cpu": 40})
    parts = model.loss(given).named["nll"]
    parts.backward()
    assert parts.item() == pytest.approx(whole.item())
    for one, other in zip(model.parameters(), gradients, strict=True):
        assert one.grad is not None and torch.allclose(one.grad, other)


def test_a_product_in_less_precision_gives_nearly_the_same(tmp_path: Path) -> None:
    given, found = batch(tmp_path), []
    for dtype in (torch.float32, torch.bfloat16):
        model = model_of("words").to(torch.float32)
        model.dtype = dtype
        loss = model.loss(given).named["nll"]
        loss.backward()
        found.append((loss.item(), model.w_o.grad))
    (loss, gradient), (less, other) = found
    assert less == pytest.approx(loss, rel=2e-2) and gradient is not None and other is not None
    assert torch.allclose(gradient, other, atol=3e-2)


@torch.no_grad()
def test_a_word_is_told_to_be_copied_from_its_place(tmp_path: Path) -> None:
    model, known = model_of("words"), vocabularies()
    rows = examples()
    scores, state = model.step(model.start(TASK.prompts(rows, known)), torch.full((2,), START))
    own = len(known.text)
    assert [word.lower() for word in own_words(BOX, known.text)] == ["zorn", "1815", "10"]
    zorn = model.copied_from(state, scores, torch.tensor([own, own]))
    assert zorn.shape == (2, 3, 2)
    assert zorn[0].tolist() == [[0, 1], [0, 0], [0, 0]]  # name 2
    year = model.copied_from(state, scores, torch.tensor([own + 1, PAD]))
    assert year[0].tolist() == [[0, 0], [1, 0], [0, 0]]  # born 1
    ada = model.copied_from(state, scores, known.text.ids["ada"] * torch.ones(2, dtype=torch.int64))
    assert ada[0].sum() <= 1 and ada[0, 0, 1] == ada[0, 1].sum() == ada[0, 2, 1] == 0
    was = model.copied_from(state, scores, known.text.ids["was"] * torch.ones(2, dtype=torch.int64))
    assert not was.any()
    assert model.attention_of(state)["places"].sum((1, 2)).tolist() == pytest.approx([1, 1])


def test_word_vectors_are_counted_except_isolated_words(tmp_path: Path) -> None:
    model, known = model_of("words"), vocabularies()
    drawn = model.embedding.detach().clone()
    ids = box_arrays.encode(iter(examples()), known, tmp_path)
    model.count(ids, tmp_path)
    stays = (model.embedding == drawn).all(1)
    # Marks, "poet" and <number> are in no text; "ada" and <year> are.
    assert [known.text.words[word] for word in stays.nonzero().flatten()[3:]] == ["<number>", "poet"]
    expected = word_vectors(ids.read(0, 2, len(known.text)), ids.text_starts, len(known.text), 5) * 0.7 / 3**0.5
    assert torch.allclose(model.embedding[~stays], torch.from_numpy(expected).to(torch.float64)[~stays])


@torch.no_grad()
def test_fields_of_one_word_each_are_as_many_places() -> None:
    model, known = model_of("words"), vocabularies()
    scores, state = model.step(model.start(TASK.prompts(examples()[1:], known)), torch.tensor([START]))
    copied = model.copied_from(state, scores, torch.tensor([known.text.ids["poet"]]))
    assert copied.shape == (1, 1, 1) and 0 <= copied.item() < 1
