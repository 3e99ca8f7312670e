"""What every model owes, whatever it is: no installed kind and no switch of its settings escapes these tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
import torch
from host_questions import NoQuestions
from kenlm import need_lmplz
from small_data import as_box, as_copy, as_pair, make_example, publish
from small_dialogues import DIALOGUES, OFFERS
from torch import Tensor

from allsaid.decoding.write import write
from allsaid.modeling import systems
from allsaid.modeling.config import Config, DataConfig, SearchConfig
from allsaid.modeling.counting.ngram_model import NgramModel
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START
from allsaid.modeling.layers import projection
from allsaid.modeling.layers.checklists import true_checklists
from allsaid.modeling.models.base.contract import Counts
from allsaid.modeling.saved.model_folder import Bundle, build_model, load, save
from allsaid.modeling.tables import box_arrays
from allsaid.modeling.tasks import agenda, table_dialogue
from allsaid.modeling.tasks.contract import Task, WritesTexts

SMALL = {"hidden": 7, "init": 0.5}  # where a model has such a setting
SEARCH = SearchConfig(width=3, max_tokens=12, search_batch=2, finished=3)


def switches(settings: type) -> Iterator[dict[str, Any]]:
    """The defaults, then each switch turned and each other choice of one taken."""
    yield {}
    for name, kind in get_type_hints(settings).items():
        default = getattr(settings, name)
        if kind is bool:
            yield {name: not default}
        elif get_origin(kind) is Literal:
            yield from ({name: value} for value in get_args(kind) if value != default)


# The others have a loss alone, or assemble their texts without steps, and have tests of their own.
KINDS = [
    kind
    for kind in systems.kinds()
    if isinstance(systems.find(kind).TASK, WritesTexts) and kind not in ("assemble", "edit")
]
CASES = [(kind, given) for kind in KINDS for given in switches(systems.find(kind).Settings)]
CASES += [(kind, {"merges": 20}) for kind in KINDS if systems.find(kind).TASK.cuts_words]

OF_AGENDAS = [case for case in CASES if systems.find(case[0]).TASK is agenda.TASK]


def named(case: tuple[str, dict[str, Any]]) -> str:
    return f"{case[0]} {case[1] or ''}".strip()


@dataclass(frozen=True)
class Case:
    bundle: Bundle
    batch: Any  # of three texts of unlike length; of a task of dialogues, the turns of one
    rows: list[Any]  # their examples

    def prompts(self, *rows: int) -> Any:
        return self.bundle.prompts([self.rows[row] for row in rows])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    """A data set of agendas, of the same recipes as texts that copy, as boxes and as pairs, and of dialogues."""
    splits = {"train": [make_example(number) for number in range(12)]}
    splits["dev"] = splits["train"][:2]
    copies = {split: list(map(as_copy, rows)) for split, rows in splits.items()}
    boxes = {split: list(map(as_box, rows)) for split, rows in splits.items()}
    pairs = {split: list(map(as_pair, rows)) for split, rows in splits.items()}
    dialogues = {"train": DIALOGUES[3:], "dev": DIALOGUES[:3]}
    folder = tmp_path_factory.mktemp("data")
    more = {"copies": copies, "dialogues": dialogues, "offers": OFFERS, "boxes": boxes, "pairs": pairs}
    return DataSet(str(publish(folder, splits, files=1, **more)))  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=CASES, ids=named)
def case(request: pytest.FixtureRequest, data: DataSet, tmp_path_factory: pytest.TempPathFactory) -> Case:
    kind, given = request.param
    module = systems.find(kind)
    small = {name: value for name, value in SMALL.items() if name in get_type_hints(module.Settings)}
    more = {name: value for name, value in given.items() if name != "merges"}
    words = DataConfig(1, 1, 1, 1, merges=given.get("merges", 0))
    config = Config(words, module.Settings(**small, **more), search=SEARCH)
    vocabularies = module.TASK.build_vocabularies(data, config.data)
    ids = module.TASK.encode(data, "train", vocabularies, tmp_path_factory.mktemp("ids"))
    torch.manual_seed(4)
    model = build_model(config, vocabularies).eval()
    if isinstance(model, NgramModel):
        need_lmplz()
    if isinstance(model, Counts):
        model.count(ids, tmp_path_factory.mktemp("counts"))
    bundle = Bundle(model, config, vocabularies, origin={}, **module.TASK.background(data))
    every = list(module.TASK.examples(data, "train"))
    assert len({len(row.tokens) for row in every[:3]}) > 1
    learned = np.arange(3 if len(ids) == len(every) else 1)  # the first dialogue has three turns to learn
    return Case(bundle, module.TASK.collate(ids, learned, 100), every[:3])


def follow(model: Any, prompts: Any, inputs: Tensor, refs: Tensor | None = None) -> Tensor:
    """The log-probabilities (B, T, V) after each of the words (B, T), whose items are ``refs`` where these count."""
    state, found = model.start(prompts), []
    for t in range(inputs.shape[1]):
        if refs is not None and hasattr(model, "check"):
            introduced, _ = true_checklists(refs, prompts.item_mask.shape[1], torch.float32)
            state = model.check(state, introduced[:, t])
        scores, state = model.step(state, inputs[:, t])
        found.append(scores.log_probs.clone())
    return torch.stack(found, dim=1)


@torch.no_grad()
def test_a_step_gives_a_distribution_over_the_words(case: Case) -> None:
    """Over those of the vocabulary and, of a model that copies, the example's own behind them."""
    logs = follow(case.bundle.model, case.prompts(0, 1, 2), case.batch.inputs)
    assert logs.shape[:2] == case.batch.inputs.shape
    assert logs.shape[2] >= len(case.bundle.vocabularies.text)
    assert torch.allclose(logs.exp().sum(2), torch.ones(()), atol=1e-5)


@pytest.mark.parametrize("case", OF_AGENDAS, ids=named, indirect=True)
@torch.no_grad()
def test_an_agenda_without_items_is_read_alone_as_beside_others(case: Case) -> None:
    """As that of "goodbye()"; a batch may have no other."""
    bare = replace(case.rows[0], agenda=[], agenda_tokens=[])
    alone, beside = (case.bundle.prompts([bare, *others]) for others in ([], case.rows[1:]))
    inputs = case.batch.inputs
    logs = follow(case.bundle.model, alone, inputs[:1])
    assert torch.allclose(logs.exp().sum(2), torch.ones(()), atol=1e-5)
    words = logs.shape[2]
    assert torch.allclose(logs[0], follow(case.bundle.model, beside, inputs)[0, :, :words], atol=1e-5)


def test_the_loss_reaches_every_parameter(case: Case) -> None:
    model = case.bundle.model
    losses = model.loss(case.batch)
    if [*model.parameters()]:
        losses.total.backward()
    assert (losses.texts, losses.words) == (3, (case.batch.targets != PAD).sum())
    assert all(value.isfinite() for value in losses.named.values())
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.isfinite().all() and parameter.grad.any(), name
    model.zero_grad(set_to_none=True)


@torch.no_grad()
def test_the_loss_is_the_sum_of_the_steps(case: Case) -> None:
    batch = case.batch
    logs = follow(case.bundle.model, case.prompts(0, 1, 2), batch.inputs, getattr(batch, "refs", None))
    targets = batch.targets
    if logs.shape[2] == len(case.bundle.vocabularies.text) and hasattr(getattr(batch, "prompts", None), "reads"):
        targets = box_arrays.find(batch.prompts.words, batch.prompts.reads, targets)[1]  # a number is any number
    steps = -logs.gather(2, targets.unsqueeze(2)).squeeze(2)[targets != PAD].sum()
    nll, *_ = case.bundle.model.loss(batch).named.values()
    assert nll.item() == pytest.approx(steps.item(), rel=1e-5)


@torch.no_grad()
def test_a_text_does_not_depend_on_its_neighbours(case: Case) -> None:
    together = follow(case.bundle.model, case.prompts(0, 1, 2), case.batch.inputs)
    for row in range(3):
        alone = follow(case.bundle.model, case.prompts(row), case.batch.inputs[row : row + 1])
        words = alone.shape[2]  # a longer source beside it brings places that no word of this one has
        assert torch.allclose(alone[0], together[row, :, :words], atol=1e-5)
        assert together[row, :, words:].isneginf().all()


@torch.no_grad()
def test_a_searched_text_has_the_score_of_its_steps(case: Case) -> None:
    for row, found in enumerate(write(case.bundle, case.rows, SEARCH)):
        for one in found:
            words = torch.tensor([START, *one.tokens, *([END] if one.finished else [])])
            logs = follow(case.bundle.model, case.prompts(row), words[None, :-1])
            steps = logs[0].gather(1, words[1:, None]).sum().item()
            assert one.log_probability == pytest.approx(steps, abs=1e-4)


def test_a_saved_model_writes_what_it_wrote(case: Case, tmp_path: Path) -> None:
    save(tmp_path / "model", case.bundle)
    again = load(tmp_path / "model")
    assert again.config == case.bundle.config
    assert write(again, case.rows, SEARCH) == write(case.bundle, case.rows, SEARCH)


@torch.no_grad()
def test_a_step_asks_the_host_nothing(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or no GPU could record it (`allsaid.decoding.fixed`); models without parameters do, and are not recorded."""
    monkeypatch.setitem(projection.LOOKS, "cpu", False)  # as on a GPU
    model = case.bundle.model
    state, words = model.start(case.prompts(0, 1, 2)), torch.full((3,), START)
    _, state = model.step(state, words)  # makes what is made once
    is_learned = bool([*model.parameters()])
    with nullcontext() if is_learned else pytest.raises(AssertionError, match="a step"), NoQuestions():
        _, state = model.step(state, words)
        state.select(torch.arange(3))


@pytest.mark.skipif(
    not torch.cuda.is_available(), reason="Needs a GPU, and PyTorch finds none here. docs/gpu.md says what runs on one."
)
@torch.no_grad()
def test_a_gpu_computes_what_the_cpu_does(case: Case, tmp_path: Path) -> None:
    save(tmp_path / "model", case.bundle)
    there = load(tmp_path / "model", "cuda")
    batch = case.batch.to("cuda")
    ours = [value.item() for value in case.bundle.model.loss(case.batch).named.values()]
    assert [value.item() for value in there.model.loss(batch).named.values()] == pytest.approx(ours, rel=1e-3)
    logs = follow(there.model, there.prompts(case.rows), batch.inputs).cpu()
    assert torch.allclose(logs, follow(case.bundle.model, case.prompts(0, 1, 2), case.batch.inputs), atol=1e-3)


@pytest.mark.parametrize(
    "task", sorted({systems.find(kind).TASK for kind in KINDS} - {table_dialogue.TASK}, key=str), ids=str
)
def test_a_vocabulary_of_texts_may_have_a_size(task: Task, data: DataSet) -> None:
    whole, cut = (task.build_vocabularies(data, DataConfig(1, 1, 1, 1, text_size=size)).text for size in (0, 7))
    assert len(cut) < len(whole) and len([word for word in cut.words if word not in SPECIALS]) == 7
