"""One batched beam search for every model (Kiddon et al. 2016, section 4.7).

A search has a fixed number of slots, each with the hypotheses of one text. When a text is done, a waiting text takes
its slot. If none is waiting, the slot is searched further and its results are ignored.

So every matrix product has the same shape in all steps, and a text does not depend on the texts searched with it. The
last bits of a product depend on its number of rows and of threads, and those of a sum on the position of a row in its
block. Neither depends on the values of other rows. (This does not hold for models and lists of words whose sizes are
not multiples of 8.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any  # Any: a network and its state, known only at run time

import torch
from torch import Tensor, nn

from allsaid.decoding.fixed import FixedSteps
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.step.contract import Chooser, Step, StepProcessor
from allsaid.decoding.step.mentions import PENALTY, Mentions
from allsaid.decoding.step.repeats import Repeats
from allsaid.decoding.step.score_buffer import ScoreBuffer
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.shapes import one_thread, slots_of, take
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import SPECIALS
from allsaid.modeling.layers.projection import ShortProjection
from allsaid.modeling.models.base.contract import KnowsItems, Model
from schemas.example import NO_ITEM

LOOK = 4  # steps between two checks for finished texts; in between, a GPU need not wait for the host


@torch.inference_mode()
def beam_search(
    model: Model,
    prompts: Tensors,
    search: SearchConfig,
    steps: Sequence[Step] = (),
    chooser: Chooser | None = None,
    shortlists: Tensor | None = None,
) -> list[list[Hypothesis]]:
    """Search texts for R prompts and return the hypotheses of each, best first; none if the steps forbid all words.

    prompts: a dataclass of tensors whose first axis is the texts.

    steps: hold tensors of R rows. Their processors change scores in this order, after those that the settings require.

    chooser: selects the candidates for the beam. By default it is the first step whose processor is a chooser. Without
    such a step, the best words are candidates.

    shortlists: (R, S) words that each text may contain in addition to the ``search.shortlist`` most frequent ones,
    padded with PAD (`allsaid.decoding.step.own_words`). None: texts may contain all words.

    A text is done when it has ``finished`` hypotheses. If it has none at ``max_tokens``, truncated ones are returned.
    """
    with one_thread():
        beam = _Beam(model, prompts, search, steps, chooser, shortlists)
        found: list[list[Hypothesis]] = [[] for _ in range(beam.size)]
        for text, hypotheses in beam.run():
            found[text] = sorted(hypotheses, key=lambda hypothesis: hypothesis.rank(search))
    return found


class _Beam:
    def __init__(
        self,
        model: Model,
        prompts: Tensors,
        search: SearchConfig,
        steps: Sequence[Step],
        chooser: Chooser | None,
        shortlists: Tensor | None,
    ) -> None:
        self._model, self._prompts, self._search = model, prompts, search
        first = getattr(prompts, fields(prompts)[0].name)
        self.size, self._device = len(first), first.device
        self._slots = Slots(slots_of(search), search, self._device)
        self._waiting = 0  # the first text that has had no slot yet
        self._texts: list[int | None] = [None] * self._slots.texts  # by slot
        self._group, self._begun = self._start(0), 0  # the texts that start together, and the first of them
        # A copy, since later texts overwrite what it holds.
        self._state = self._group.keep(torch.arange(self._slots.texts, device=self._device), self._slots.width)
        # Parts to reset when a slot gets another text.
        self._resettable: list[StepProcessor | Chooser | ShortProjection] = [] if chooser is None else [chooser]
        if shortlists is not None and hasattr(self._state, "project"):
            frequent = len(SPECIALS) + search.shortlist
            short = ShortProjection(self._state.project, frequent, shortlists, self._slots.texts, self._slots.width)
            self._state = replace(self._state, project=short)
            self._resettable.append(short)
        self._mentions = None
        if isinstance(model, KnowsItems):
            self._mentions = Mentions(model, self._slots, model.items_of(self._state).names.shape[1], search)
        repeats = Repeats(self._slots, search.no_repeat_ngram) if search.no_repeat_ngram else None
        self._processors: list[StepProcessor] = [
            processor for processor in (self._mentions, repeats) if processor is not None
        ]
        self._processors += [step.to(self._device).begin(self._slots) for step in steps]
        self._resettable += self._processors
        choosers = (processor for processor in self._processors if isinstance(processor, Chooser))
        self._chooser = next(choosers, None) if chooser is None else chooser
        # A caller's chooser and n-gram models read values on the host, so their steps can't be recorded.
        is_learned = isinstance(model, nn.Module) and bool([*model.parameters()])
        is_recorded = self._device.type == "cuda" and chooser is None and is_learned
        self._advance = self.fixed() if is_recorded else self._steps

    def run(self) -> Iterator[tuple[int, list[Hypothesis]]]:
        """Yield the hypotheses of each text when it is done."""
        while True:
            self._fill()
            if all(text is None for text in self._texts):
                return
            self._advance()
            for slot in self._slots.is_done.nonzero().flatten().tolist():
                text, self._texts[slot] = self._texts[slot], None
                if text is not None:
                    yield text, self._read(slot)

    def fixed(self) -> FixedSteps:
        """Return the steps between two checks for finished texts, as a function that a GPU can record."""
        return FixedSteps(self._steps, lambda: [self._state, self._slots, *self._processors], self._device)

    def _steps(self) -> None:
        for _ in range(LOOK):
            self._step()

    def _start(self, first: int) -> Any:
        """Return the state of one text per slot, from ``first`` on; slots without a text copy the last text."""
        rows = torch.arange(first, first + self._slots.texts, device=self._device).clamp(max=self.size - 1)
        spread = torch.arange(self._slots.texts, device=self._device).repeat_interleave(self._slots.width)
        return self._model.start(take(self._prompts, rows)).select(spread)

    def _fill(self) -> None:
        """Let waiting texts take the free slots."""
        free = [slot for slot, text in enumerate(self._texts) if text is None]
        while free and self._waiting < self.size:
            if self._waiting == self._begun + self._slots.texts:
                self._group, self._begun = self._start(self._waiting), self._waiting
            count = min(len(free), self.size - self._waiting, self._begun + self._slots.texts - self._waiting)
            taken, free = free[:count], free[count:]
            texts = torch.arange(self._waiting, self._waiting + count, device=self._device)
            slots = torch.tensor(taken, device=self._device)
            self._state.put(slots, self._group.keep(texts - self._begun, self._slots.width), self._slots.width)
            self._slots.renew(slots)
            for part in self._resettable:
                part.renew(slots, texts)
            for slot in taken:
                self._texts[slot] = self._waiting
                self._waiting += 1

    def _step(self) -> None:
        slots = self._slots
        scores, state = self._model.step(self._state, slots.last.flatten())
        buffer = ScoreBuffer(scores, slots.scores.flatten())
        for processor in self._processors:
            processor.edit(buffer, state)
        buffer.forbid_marks()
        if self._chooser is not None:
            totals, rows, words = self._chooser.candidates(buffer)
        else:
            # Enough for a full beam even if half of the candidates end their text.
            totals, rows, words = buffer.best(slots.texts, 2 * slots.width)
        chosen = slots.advance(totals, rows, words, buffer.log_probs(rows, words))
        for processor in self._processors:
            processor.follow(chosen, slots.last.flatten())
        self._state = state.select(chosen)

    def _read(self, slot: int) -> list[Hypothesis]:
        hypotheses = []
        for ended in self._slots.read(slot):
            items, introduced = [NO_ITEM] * len(ended.tokens), list[int]()
            if self._mentions is not None:
                items, introduced = self._mentions.read(slot, ended)
            hypotheses.append(
                Hypothesis(
                    ended.tokens,
                    items,
                    ended.log_probability,
                    sorted(set(introduced)),
                    ended.finished,
                    penalised=ended.score < ended.log_probability - PENALTY / 2,
                    introductions=len(introduced),
                )
            )
        return hypotheses
