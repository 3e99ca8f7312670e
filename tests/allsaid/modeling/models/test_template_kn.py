"""Kneser-Ney of templates: what a table lacks is ruled out, and the rest are a distribution again."""

from __future__ import annotations

import math

import pytest
import torch
from kenlm import need_lmplz
from plain_kneser_ney import PlainKneserNey

from allsaid.modeling.data.arrays import FlatTexts
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START, Vocabulary, VocabularySet
from allsaid.modeling.models.template_kn import Settings, TemplateKneserNey, build
from allsaid.modeling.tasks.template import Batch, Prompts

WORDS = ("⟨name_1⟩", "was", "⟨job_1⟩", "born", "⟨job_2⟩", "<", "⟨")
NAME, WAS, JOB, BORN, JOB_2, *_ = range(len(SPECIALS), len(SPECIALS) + len(WORDS))
TEXTS = [[NAME, WAS, JOB], [NAME, WAS, BORN], [NAME, WAS, JOB, JOB_2], [BORN, WAS, NAME], [NAME, JOB]]
PROMPTS = Prompts(torch.tensor([[NAME, PAD], [NAME, JOB]]))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TemplateKneserNey:
    need_lmplz()
    found = build(Settings(order=3), VocabularySet(Vocabulary((*SPECIALS, *WORDS))), torch.float32)
    text = torch.tensor([word for one in TEXTS for word in one], dtype=torch.int32).numpy()
    starts = torch.tensor([0, *map(len, TEXTS)]).cumsum(0).numpy()
    found.count(FlatTexts(text, starts), tmp_path_factory.mktemp("counts"))
    return found


def test_the_marks_tell_templates_from_words(model: TemplateKneserNey) -> None:
    assert model.is_template.nonzero().flatten().tolist() == [NAME, JOB, JOB_2]


@torch.no_grad()
def test_templates_that_the_table_lacks_are_ruled_out(model: TemplateKneserNey) -> None:
    plain = PlainKneserNey([list(map(str, text)) for text in TEXTS], 3, len(SPECIALS) + len(WORDS) - 1)
    state = model.start(PROMPTS)
    for read in (START, NAME, WAS):
        scores, state = model.step(state, torch.tensor([read, read]))
    for logs, barred in zip(scores.log_probs, ([JOB, JOB_2], [JOB_2]), strict=True):
        assert logs.exp().sum().item() == pytest.approx(1, abs=1e-6)
        assert logs[barred].isneginf().all()
        left = 1 - sum(plain.probability(str(one), (str(NAME), str(WAS))) for one in barred)
        for word, name in ((NAME, str(NAME)), (BORN, str(BORN)), (END, "</s>")):
            expected = math.log(plain.probability(name, (str(NAME), str(WAS))) / left)
            assert logs[word].item() == pytest.approx(expected, abs=1e-5)


@torch.no_grad()
def test_the_loss_is_of_the_words_that_the_table_allows(
    model: TemplateKneserNey, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = torch.tensor([[NAME, WAS, BORN, END], [NAME, JOB, END, PAD]])
    inputs = torch.cat([torch.full((2, 1), START), targets[:, :-1]], dim=1)
    state, steps = model.start(PROMPTS), []
    for t in range(4):
        scores, state = model.step(state, inputs[:, t])
        steps.append(scores.of(targets[:, t]))
    logs = torch.stack(steps, 1)[targets != PAD]
    monkeypatch.setattr("allsaid.modeling.models.template_kn.CONTEXTS", 3)
    losses = model.loss(Batch(PROMPTS, inputs, targets))
    assert losses.named["nll"].item() == pytest.approx(-logs.sum().item(), rel=1e-5)
    assert losses.counts["nll_table"] == 3 and losses.parts["nll_table"] + losses.parts["nll_other"] == pytest.approx(
        losses.named["nll"].item(), rel=1e-5
    )
