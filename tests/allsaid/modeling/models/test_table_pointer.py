"""The models of dialogues over a table against a slow version of the equations, z, rows, columns one by one."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise, product
from typing import get_args, get_type_hints

import pytest
import torch
from small_dialogues import DIALOGUES, OFFERS, OTHERS, offers_of
from torch import Tensor
from weight_gradients import check_largest_gradients

from allsaid.decoding.write import write
from allsaid.modeling.config import Config, SearchConfig
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START, Vocabulary, VocabularySet
from allsaid.modeling.layers.table_reader import spoken_cells
from allsaid.modeling.models.table_pointer import Settings, TablePointer
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tables.offer_table import OfferTable, as_written, encode_table, word_ids
from allsaid.modeling.tasks import table_dialogue
from allsaid.modeling.tasks.table_dialogue import Batch, Row
from schemas.dialogue import MACHINE

SYSTEMS = get_args(get_type_hints(Settings)["system"])
CASES = list(product(SYSTEMS, (True, False)))
TABLE = OfferTable.of(OFFERS, "here")
OTHER = OfferTable.of(offers_of(OTHERS), "here")
SAID = sorted(
    {word for turn in DIALOGUES[2].turns for word in turn.tokens if not word.startswith("_")} - {*TABLE.words}
)
VOCABULARIES = VocabularySet(Vocabulary((*SPECIALS, *TABLE.words, *SAID)))
V = len(VOCABULARIES.text)


def rows_of(table: OfferTable) -> list[Row]:
    """The turns of the machine in a dialogue, as rows of a table."""
    named = dict(zip(TABLE.words, table.words, strict=False))
    words = [[named.get(word, word) for word in (TABLE.named.get(token, token) for token in turn.tokens)]
             for turn in DIALOGUES[2].turns]  # fmt: skip
    return [Row(str(place), words[: place + 1], table) for place in range(0, len(words), 2)]


def model_of(system: str, sentence_attention: bool = True, dtype: torch.dtype = torch.float64) -> TablePointer:
    torch.manual_seed(6)
    settings = Settings(system=system, sentence_attention=sentence_attention, hidden=6, init=0.7)  # type: ignore[arg-type]
    return TablePointer(settings, V, dtype).to(dtype).eval()


def batch_of(table: OfferTable) -> Batch:
    """All turns of the dialogue, over a table."""
    rows, ids = rows_of(table), word_ids(table, VOCABULARIES.text)
    texts = [[*(ids[word] for word in row.history[-1]), END] for row in rows]
    longest = max(map(len, texts))
    targets = torch.tensor([[*text, *[PAD] * (longest - len(text))] for text in texts])
    inputs = torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
    places = torch.tensor([len(row.history) - 1 for row in rows])
    is_cell = torch.tensor([[word >= 0 and any(word == ids[one] for one in table.words) for word in text]
                            for text in targets.tolist()])  # fmt: skip
    kinds = (table_dialogue.CELL + table_dialogue.COPIED) * is_cell
    prompts = table_dialogue.TASK.prompts(rows, VOCABULARIES)
    return Batch(prompts.turns[-1:], torch.zeros_like(places), places, inputs, targets, kinds, prompts.table)


def stepped(model: TablePointer, batch: Batch) -> Tensor:
    """Log-probabilities (B, T, U) word by word, each turn from its history alone."""
    found = []
    for place, inputs in zip(batch.place.tolist(), batch.inputs, strict=True):
        turns = batch.turns[:, :place] if place else torch.full((1, 1, 1), PAD)
        state, logs = model.start(table_dialogue.Prompts(turns, batch.table)), []
        for word in inputs:
            scores, state = model.step(state, word.unsqueeze(0))
            logs.append(scores.log_probs[0].clone())
        found.append(torch.stack(logs))
    return torch.stack(found)


def spoken_before(history: list[list[str]], word: str) -> list[float]:
    """How lately, and whether at all, machine and user had a word before the turn that comes behind a history."""
    found = []
    for speaker in (0, 1):
        ages = [len(history) - place for place, turn in enumerate(history) if place % 2 == speaker and word in turn]
        found += [1 / min(ages), 1.0] if ages else [0.0, 0.0]
    return found


def slow(model: TablePointer, table: OfferTable, row: Row, step: int) -> tuple[dict[int, float], dict[int, float]]:
    """p(z=0, w) and p(z=1, w) of every word after so many words of a turn, summed over rows and columns."""
    ids, history, reader = word_ids(table, VOCABULARIES.text), list(row.history[:-1]), model.table_reader
    prompts = table_dialogue.TASK.prompts([Row("", history, table)], VOCABULARIES)
    start, read = model.start(prompts), model.word_reader(prompts.table)
    h, c, d = start.h[0], start.c[0], torch.zeros(0 if not model.reads else len(start.h[0]), dtype=torch.float64)
    columns = range(len(table.columns))
    sentence = start.memory[0, : start.memory.shape[1] - len(columns)] if reader else start.memory[0]
    is_word = start.is_place[0]
    places, keys = [place for place, real in zip(sentence, is_word, strict=False) if real], []
    if model.key is not None:
        keys = [model.key.weight @ place for place in places]
    p_row: list[Tensor] = []
    if reader is not None and model.column_key is not None:
        assert reader.to_spoken is not None and reader.spoken is not None
        q, g = h, read.of_columns
        p_a = torch.stack([g[c_] @ (reader.to_columns.weight @ q) for c_ in columns]).softmax(0)
        e, m = {}, {}
        for r, c_ in product(range(len(table.cells)), columns):
            cell = table.cells[r][c_]
            f = sum(read.of_words[ids[word]] for word in cell) / len(cell)
            e[r, c_] = torch.tanh(reader.cell.weight @ torch.cat([f, g[c_]]) + reader.cell.bias)  # type: ignore[list-item]
            m[r, c_] = torch.tensor([spoken_before(history, word) for word in cell], dtype=torch.float64).mean(0)
        w_spoken = reader.to_spoken.weight.view(4, len(q), len(q))
        scores = [
            sum(p_a[c_] * (e[r, c_] @ (reader.to_cells.weight @ q) + sum(m[r, c_][n] * (g[c_] @ (w_spoken[n] @ q))
                for n in range(4))) for c_ in columns)
            for r in range(len(table.cells))
        ]  # fmt: skip
        p_row = list(torch.stack(scores).softmax(0))  # type: ignore[arg-type]
        e_c = [sum(p_row[r] * (e[r, c_] + m[r, c_] @ reader.spoken) for r in range(len(p_row))) for c_ in columns]
        places += e_c  # type: ignore[arg-type]
        keys += [model.column_key.weight @ one for one in e_c]
    for word in [START, *(ids[one] for one in row.history[-1])][: step + 1]:
        h, c = torch.lstm_cell(
            torch.cat([read.of_words[word], d])[None], (h[None], c[None]), *model.write.all_weights[0]
        )
        h, c = h[0], c[0]
        weights = torch.stack([key @ h for key in keys]).softmax(0) if keys else []
        d = sum((weight * place for weight, place in zip(weights, places, strict=True)), torch.zeros_like(d))
    both = torch.cat([h, d])
    output = h if model.mix is None else torch.tanh(model.mix.weight @ both + model.mix.bias)
    z = torch.sigmoid(model.switch.weight[0] @ both + model.switch.bias[0]) if model.switch else torch.tensor(0.0)
    written = {word: ((1 - z) * p).item() for word, p in enumerate((model.w_o @ output).softmax(0))}
    copied: dict[int, float] = {}
    if model.switch:
        p_c = torch.stack([key @ h for key in keys[-len(columns) :]]).softmax(0)
        for r, c_ in product(range(len(p_row)), columns):
            cell, share = table.cells[r][c_], (z * p_row[r] * p_c[c_]).item()
            behind = [word for one, word in pairwise(cell) if step and one == row.history[-1][step - 1]]
            for word in behind or cell[:1]:
                copied[ids[word]] = copied.get(ids[word], 0.0) + share / len(behind or cell[:1])
    return written, copied


def enumerated(model: TablePointer, table: OfferTable, row: Row, step: int, words: int) -> list[float]:
    """p(w) of U words."""
    written, copied = slow(model, table, row, step)
    return [written.get(word, 0.0) + copied.get(word, 0.0) for word in range(words)]


@pytest.mark.parametrize(("system", "sentence_attention"), CASES)
@pytest.mark.parametrize("table", [TABLE, OTHER], ids=["known", "never seen"])
@torch.no_grad()
def test_a_step_gives_each_word_what_enumeration_gives(
    system: str, sentence_attention: bool, table: OfferTable
) -> None:
    model = model_of(system, sentence_attention)
    logs = stepped(model, batch_of(table))
    assert torch.allclose(logs.exp().sum(2), torch.ones((), dtype=torch.float64))
    for turn, row in enumerate(rows_of(table)):
        for step in (0, 1, len(row.history[-1])):
            expected = enumerated(model, table, row, step, logs.shape[2])
            assert logs[turn, step].exp().tolist() == pytest.approx(expected, rel=1e-6), (turn, step)


@pytest.mark.parametrize("system", ["latent", "pointer"])
@torch.no_grad()
def test_turn_scores_do_not_depend_on_other_turns(system: str) -> None:
    """Behind other words, so that cells of several are copied from the middle on."""
    model, rows, ids = model_of(system), rows_of(OTHER), word_ids(OTHER, VOCABULARIES.text)
    prompts = table_dialogue.TASK.prompts([replace(row, history=row.history[:-1]) for row in rows], VOCABULARIES)
    before = torch.tensor([ids["nordic"], ids["new"], START])
    spread = torch.arange(len(rows)).repeat_interleave(len(before))
    together = model.step(model.start(prompts).select(spread), before.repeat(len(rows)))[0].log_probs.clone()
    assert len(together.unique(dim=0)) == len(together)
    for row, (turn, word) in enumerate(product(range(len(rows)), before)):
        one = table_dialogue.TASK.prompts([replace(rows[turn], history=rows[turn].history[:-1])], VOCABULARIES)
        alone = model.step(model.start(one), word.unsqueeze(0))[0].log_probs[0]
        assert torch.allclose(together[row], alone, rtol=0, atol=1e-9), (turn, word)


@pytest.mark.parametrize("system", ["latent", "pointer"])
@torch.no_grad()
def test_the_losses_are_of_what_enumeration_gives(system: str) -> None:
    """Over another table, too: its own words have their probability; `switch` is of where each word came from."""
    for table in (TABLE, OTHER):
        model, batch = model_of(system), batch_of(table)
        losses = model.loss(batch)
        nll = switch = 0.0
        for turn, row in enumerate(rows_of(table)):
            ids = word_ids(table, VOCABULARIES.text)
            for step, word in enumerate([*(ids[one] for one in row.history[-1]), END]):
                both = [part.get(word, 0.0) for part in slow(model, table, row, step)]
                nll -= math.log(sum(both))
                switch -= math.log(both[bool(batch.kinds[turn, step])] / sum(both))
        found = {name: value.item() for name, value in losses.named.items()}
        assert found["nll"] == pytest.approx(nll)
        assert found.get("switch") == (pytest.approx(switch) if system == "pointer" else None)


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_kinds_of_words_have_perplexities_of_their_own(system: str) -> None:
    losses = model_of(system).loss(batch_of(TABLE))
    both = losses.parts["nll_table"] + losses.parts["nll_word"]
    assert both.item() == pytest.approx(losses.named["nll"].item())
    assert losses.counts["nll_table"] + losses.counts["nll_word"] == losses.words
    assert losses.counts["nll_table_oov"] == losses.parts["nll_table_oov"] == 0


@pytest.mark.parametrize(("system", "sentence_attention"), CASES)
def test_the_gradients_of_all_weights_are_those_of_differences(system: str, sentence_attention: bool) -> None:
    model, batch = model_of(system, sentence_attention), batch_of(TABLE)
    check_largest_gradients(model, batch)


@torch.no_grad()
def test_a_table_of_offers_never_seen_is_named_by_its_own_words() -> None:
    """Where nothing but copying is left, turns are made of cells of the row's own table, as that writes them."""
    model = model_of("pointer", dtype=torch.float32)
    assert model.switch is not None
    model.switch.weight.zero_(), model.switch.bias.fill_(30.0)  # type: ignore[func-returns-value]
    bundle = Bundle(model, Config(model=model.config), VOCABULARIES)
    rows = [rows_of(OTHER)[1], rows_of(TABLE)[1], rows_of(OTHER)[2]]
    options = SearchConfig(width=8, max_tokens=3, finished=8, search_batch=4)
    for row, found in zip(rows, write(bundle, rows, options), strict=True):
        texts = [bundle.words(one.tokens, row) for one in found]
        own = {as_written(word) for word in row.table.words}
        assert all(word in own for text in texts for word in text[:-1])
        assert (row.table is OTHER) == any(one >= V for text in found for one in text.tokens)
    assert {"old oak", "ship inn"} & {
        word for one in write(bundle, rows[:1], options)[0] for word in bundle.words(one.tokens, rows[0])
    }


def test_turns_over_different_tables_are_not_searched_together() -> None:
    rows = [rows_of(OTHER)[1], rows_of(TABLE)[1], rows_of(OTHER)[1]]
    groups = by_shape([table_dialogue.TASK.prompts([row], VOCABULARIES) for row in rows])
    assert [(places, prompts.table.cells.shape[0]) for places, prompts in groups] == [([0, 2], 2), ([1], 3)]


@torch.no_grad()
def test_shared_words_and_long_cells_get_their_shares() -> None:
    cells = [[f"inn {number}", " ".join(f"w{word}" for word in range(60)), "south", None] for number in range(5)]
    table = OfferTable.of(offers_of([*cells]), "here")
    model, row = model_of("latent"), Row("", [["hello"], ["w7", "please"], []], table)
    prompts = table_dialogue.TASK.prompts([Row("", row.history[:-1], table)], VOCABULARIES)
    logs = model.step(model.start(prompts), torch.tensor([START]))[0].log_probs[0]
    assert logs.exp().tolist() == pytest.approx(enumerated(model, table, row, 0, len(logs)), rel=1e-6)


@torch.no_grad()
def test_a_table_of_10000_rows_is_read_in_bounded_memory() -> None:
    """No tensor of rows, columns and units, or of tokens and cells: the largest is of cells and turns."""
    cells: list[list[str | None]] = [
        [f"inn {number}", f"food{number % 50}", f"area{number % 7}", str(number)] for number in range(10_000)
    ]
    table = OfferTable.of(offers_of(cells), "here")
    model = model_of("pointer", dtype=torch.float32)
    turns, words = [["hello"], ["food3", "in", "area3"]] * 4, model.word_reader(encode_table(table, VOCABULARIES.text))
    prompts = table_dialogue.TASK.prompts([Row("", turns, table)] * 16, VOCABULARIES)
    scores, _ = model.step(model.start(prompts), torch.full((16,), START))
    assert torch.allclose(scores.log_probs.exp().sum(1), torch.ones(()), atol=1e-3)
    assert len(words.of_words) == scores.words > 20_000


@torch.no_grad()
def test_without_what_was_spoken_of_its_weights_count_nothing() -> None:
    told = model_of("pointer")
    untold = TablePointer(replace(told.config, spoken_lately=False), V, torch.float64).double().eval()
    untold.load_state_dict({name: value for name, value in told.state_dict().items() if "spoken" not in name})
    alone = untold.loss(batch_of(TABLE)).named["nll"].item()
    assert alone != pytest.approx(told.loss(batch_of(TABLE)).named["nll"].item())
    assert told.table_reader is not None and told.table_reader.to_spoken is not None
    assert told.table_reader.spoken is not None
    for weight in (told.table_reader.to_spoken.weight, told.table_reader.spoken):
        weight.zero_()
    assert alone == pytest.approx(told.loss(batch_of(TABLE)).named["nll"].item())


def test_what_was_spoken_of_last_counts_most() -> None:
    ids, table = word_ids(TABLE, VOCABULARIES.text), encode_table(TABLE, VOCABULARIES.text)
    history = [["name: ask"], ["thai", "food"], ["name: red door"], ["modern"]]
    prompts = table_dialogue.TASK.prompts([Row("", history, TABLE)], VOCABULARIES)
    found = spoken_cells(table, prompts.turns, torch.tensor([0]), torch.tensor([4]), torch.float64)[:, :, 0]
    of_cell = {cell: found[number].tolist() for row, words in zip(table.cells, TABLE.cells, strict=True)
               for number, cell in zip(row, words, strict=True)}  # fmt: skip
    assert of_cell["name: red door",] == [0.5, 1, 0, 0] and of_cell["name: ask",] == [0.25, 1, 0, 0]
    assert of_cell["thai",] == pytest.approx([0, 0, 1 / 3, 1]) and of_cell["modern", "european"] == [0, 0, 0.5, 0.5]
    assert ids["thai"] and DIALOGUES[0].turns[0].speaker == MACHINE
