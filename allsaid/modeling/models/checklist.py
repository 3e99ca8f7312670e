"""The neural checklist model: Kiddon, Zettlemoyer and Choi, EMNLP 2016, section 4.

Letters: B texts, T text length, L agenda items, k hidden size, V words. The paper numbers no equations, so comments
name its sections. Step t reads word x_t and predicts x_{t+1}, with the reference type and item of x_{t+1}. The
checklist before the step, a_{t-1}, has the items of x_1 to x_t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.agenda_arrays import Batch, Prompts
from allsaid.modeling.data.vocabulary import PAD, SPECIALS, UNKNOWN, Vocabularies
from allsaid.modeling.layers.checklists import Truth, advance, true_checklists, true_types
from allsaid.modeling.layers.gradients import GatedRecurrence, ProjectedNll, softmax_over
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.projection import InputTable, Projection
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import Items, PerHypothesis, PerText, State
from allsaid.modeling.models.base.initial import init_uniform
from allsaid.modeling.tasks import agenda
from allsaid.settings import number
from schemas.example import NEW, NO_ITEM, NONE, USED

TASK = agenda.TASK
GATES = 5  # z, r, s, q and the new content h̃ are in one matrix, in this order
TYPES = 3  # gru, new, used: the order of schemas.example.NONE, NEW, USED


@dataclass(frozen=True)
class Settings:
    """Settings; the defaults are those of the paper for recipes (section 5), ``type_scale`` is the authors' code's."""

    kind: Literal["checklist"] = "checklist"
    hidden: int = number(256, 1)  # k, the size of states and embeddings
    init: float = number(0.35, 0)  # parameters are initialised uniformly in [-init, init]
    agenda_init: Literal["uniform", "output"] = "uniform"  # "output": agenda words start as their rows of W_o
    type_temperature: float = number(5.0, 0)  # β of the reference classifier
    item_temperature: float = number(2.0, 0)  # γ of the item attentions
    type_scale: float = number(5.0, 0)  # factor of f* − f, squared with it, in the loss of the reference type
    dropout: float = number(0.0, 0, 0.9)  # on input embeddings and output states; the paper has none
    interpolation: bool = True  # false: o = h, the ablation of section 5
    used_items: bool = True  # false: the classifier only distinguishes new items from the rest, the other ablation
    supervision: bool = True  # false: no references; training uses the model's own checklist
    teacher_forcing: float = number(0.0, 0, 1)  # with supervision: share of words trained with their true type and item
    final_weight: float = number(0.0, 0)  # without supervision: weight of the squared loss for items left unchecked
    checklist_from_tokens: bool = False  # true: in a search, the words of an item's name check it off


def build(settings: Settings, vocabularies: Vocabularies, dtype: torch.dtype) -> Checklist:
    model = Checklist(settings, vocabularies.sizes, dtype)
    # A model on the meta device has no rows to copy, and indexing its tensors would load SymPy, which is slow.
    if settings.agenda_init == "output" and not model.w_o.is_meta:
        known = vocabularies.text.ids
        shared = [word for word in vocabularies.agenda.words if word in known and word not in SPECIALS]
        model.copy_output_rows(vocabularies.agenda.encode(shared), vocabularies.text.encode(shared))
    return model


@dataclass(frozen=True)
class ChecklistState(State):
    """State of B texts with n hypotheses each; ``ref_types`` and the items belong to the next word."""

    project: Projection
    u: Tensor  # (5, k, k) U_z to U_h, in the dtype of the large matrix products
    input_tables: Tensor  # (5, V, k) W x of all words
    embedded: PerText  # E: (B, L, k)
    projected: PerText  # E Zᵀ: (B, L, k)
    goal: PerText  # Y g: (B, k)
    item_mask: PerText  # (B, L) bool
    names: PerText  # (B, L, W) the items' words as text ids
    h: PerHypothesis  # (B · n, k)
    checklist: PerHypothesis  # a: (B · n, L)
    ref_types: PerHypothesis  # f: (B · n, 3)
    new_items: PerHypothesis  # a_new: (B · n, L)
    used_items: PerHypothesis  # a_used: (B · n, L)


class Checklist(nn.Module):
    """Three functions over plain state: ``loss``, ``start`` and ``step``.

    The module itself has only parameters and a table computed from them.
    """

    def __init__(self, config: Settings, sizes: Sequence[int], dtype: torch.dtype = torch.float32) -> None:
        """sizes: words of the text, title and agenda vocabulary; dtype: of the large matrix products."""
        super().__init__()
        text, title, agenda = sizes
        k = config.hidden
        self.config, self.dtype, self._table = config, dtype, InputTable(GATES)
        self.text_embedding = nn.Parameter(torch.empty(text, k))
        self.title_embedding = nn.Parameter(torch.empty(title, k))
        self.agenda_embedding = nn.Parameter(torch.empty(agenda, k))
        self.drop = nn.Dropout(config.dropout)
        self.w = nn.Parameter(torch.empty(GATES * k, k))  # W_z, W_r, W_s, W_q, W_h
        self.u = nn.Parameter(torch.empty(GATES * k, k))  # U_z, U_r, U_s, U_q, U_h
        self.y = nn.Parameter(torch.empty(k, k))
        self.z = nn.Parameter(torch.empty(k, k))
        self.u_g = nn.Parameter(torch.empty(k, k))
        self.p = nn.Parameter(torch.empty(k, k))
        self.s = nn.Parameter(torch.empty(TYPES if config.used_items else TYPES - 1, k))
        self.w_o = nn.Parameter(torch.empty(text, k))
        init_uniform(self, config.init, self.text_embedding, self.title_embedding, self.agenda_embedding)

    @torch.no_grad()
    def copy_output_rows(self, agenda_words: Sequence[int], text_words: Sequence[int]) -> None:
        """Initialise agenda words with the rows of W_o of the same text words.

        An item then predicts its own words from the first step on. A small corpus is not enough to learn this.
        """
        self.agenda_embedding[list(agenda_words)] = self.w_o[list(text_words)]

    def loss(self, batch: Batch) -> Losses:
        """Return the losses of B texts; with supervision the checklist is that of the true references (section 4.6).

        Then only the recurrence runs step by step; the rest is computed for all T steps at once.
        """
        prompts = batch.prompts
        goal, items = self._embed(prompts)
        real = batch.targets != PAD
        x = self.drop(F.embedding(batch.inputs, self.text_embedding, PAD))
        x_parts = F.linear(x.transpose(0, 1).to(self.dtype), self.w.to(self.dtype)).to(x.dtype)  # (T, B, 5k)
        if not self.config.supervision:
            h, checklists, final = self._own_checklists(x_parts, goal, items, prompts.item_mask, real)
            outputs, *_ = self._mix(h, checklists, items, prompts.item_mask.unsqueeze(1))
            missing = ((1 - final).square() * prompts.item_mask).sum() * self.config.final_weight
            return Losses({"nll": self._nll(outputs, batch.targets), "final": missing}, len(real), real.sum())
        checklists, references = true_checklists(batch.refs, prompts.item_mask.shape[1], goal.dtype)
        available = torch.bmm(1 - checklists, F.linear(items, self.z))  # 1ᵀ Z E_new: (B, T, k)
        h = GatedRecurrence.apply(
            x_parts,
            available.transpose(0, 1).contiguous(),
            F.linear(goal, self.y),
            self.u.to(self.dtype),
            F.linear(goal, self.u_g),
        ).transpose(0, 1)
        supervised = batch.types >= NONE
        types = true_types(batch.types, checklists, references)
        if not self.config.used_items:
            types = types.masked_fill(types == USED, NONE)
        f_true = F.one_hot(types.clamp(min=NONE), len(self.s)).to(goal.dtype)
        truth = None
        if self.training and self.config.teacher_forcing:
            forced = supervised & (torch.rand(types.shape, device=types.device) < self.config.teacher_forcing)
            truth = Truth(forced.unsqueeze(2), f_true, references * (types > NONE).unsqueeze(2))
        outputs, ref_types, new, used = self._mix(h, checklists, items, prompts.item_mask.unsqueeze(1), truth)
        scaled = self.config.type_scale * (f_true - ref_types)
        parts = {
            "nll": self._nll(outputs, batch.targets),
            # Σ mean over 3 of (scale · (f* − f))²; Σ over items of (a_new* − a_new)², and of a_used
            "ref_type": scaled.square().mean(2)[supervised].sum(),
            "new_item": (references * (types == NEW).unsqueeze(2) - new).square().sum(2)[supervised].sum(),
            "used_item": (references * (types == USED).unsqueeze(2) - used).square().sum(2)[supervised].sum(),
        }
        return Losses(parts, len(real), real.sum())

    def _nll(self, outputs: Tensor, targets: Tensor) -> Tensor:
        """Return −Σ log p of the words (B, T), without padding, from the inputs of the projection (B, T, k)."""
        real = targets != PAD
        outputs = self.drop(outputs[real])
        return ProjectedNll.apply(outputs, self.w_o.to(self.dtype), targets[real])

    def _own_checklists(
        self, x_parts: Tensor, goal: Tensor, items: Tensor, item_mask: Tensor, real: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the states (B, T, k), the checklists before the steps (B, T, L), and those at the end (B, L).

        Without supervision each step's checklist is the result of the steps before.
        """
        projected, from_goal = F.linear(items, self.z), F.linear(goal, self.y)
        item_queries = self.config.item_temperature * (items @ self.p)  # γ E P: (B, L, k)
        h, a = F.linear(goal, self.u_g), items.new_zeros(items.shape[:2])
        u = self.u.to(self.dtype)
        states, checklists = [], []
        for x_part, is_real in zip(x_parts, real.t().unsqueeze(2), strict=True):
            checklists.append(a)
            available = torch.bmm((1 - a).unsqueeze(1), projected).transpose(0, 1)
            h = GatedRecurrence.apply(x_part.unsqueeze(0), available, from_goal, u, h)[0]
            states.append(h)
            f = torch.softmax(self.config.type_temperature * F.linear(h, self.s), dim=1)
            new = softmax_over((1 - a) * torch.bmm(item_queries, h.unsqueeze(2)).squeeze(2), item_mask)
            a = (a + f[:, NEW, None] * new * is_real).clamp(max=1)
        return torch.stack(states, dim=1), torch.stack(checklists, dim=1), a

    def start(self, prompts: Prompts) -> ChecklistState:
        """Return the state before the first word of B texts: h_0 = U_g g, and no item checked."""
        goal, items = self._embed(prompts)
        none = items.new_zeros(items.shape[:2])
        return ChecklistState(
            project=Projection(self.w_o.to(self.dtype)),
            u=self.u.to(self.dtype).unflatten(0, (GATES, -1)),
            input_tables=self._table(self.dtype, self.text_embedding, self.w),
            embedded=items,
            projected=F.linear(items, self.z),
            goal=F.linear(goal, self.y),
            item_mask=prompts.item_mask,
            names=prompts.names,
            h=F.linear(goal, self.u_g),
            checklist=none,
            ref_types=goal.new_zeros(len(goal), len(self.s)),
            new_items=none,
            used_items=none,
        )

    def step(self, state: ChecklistState, tokens: Tensor) -> tuple[Scores, ChecklistState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        if self.config.checklist_from_tokens:
            state = replace(state, checklist=_checked_off(state, tokens))
        texts = len(state.embedded)
        a = state.checklist.view(texts, -1, state.embedded.shape[1])
        available = torch.bmm(1 - a, state.projected)
        h = advance(state.input_tables, tokens, state.h, state.u, state.goal.unsqueeze(1), available)
        mask = state.item_mask.unsqueeze(1)
        outputs, ref_types, new, used = self._mix(h.view_as(available), a, state.embedded, mask)
        checklist = state.checklist
        if not self.config.checklist_from_tokens:
            checklist = (checklist + new.flatten(0, 1)).clamp(max=1)  # section 4.3 and footnote 1
        following = replace(
            state,
            h=h,
            checklist=checklist,
            ref_types=ref_types.flatten(0, 1),
            new_items=new.flatten(0, 1),
            used_items=used.flatten(0, 1),
        )
        return state.project(outputs.flatten(0, 1)), following

    def items_of(self, state: ChecklistState) -> Items:
        """Return a new item if f_new > 50% (section 4.7), else a used one if f_used > 50%.

        They are the sums of a_new and a_used, which are 0 for a row without items.
        """
        is_new = state.new_items.sum(1) > 0.5
        used = torch.where(state.used_items.sum(1) > 0.5, state.used_items.argmax(1), NO_ITEM)
        return Items(torch.where(is_new, state.new_items.argmax(1), used), is_new, state.names)

    def attention_of(self, state: ChecklistState) -> dict[str, Tensor]:
        """Return a_new, a_used and a (B · n, L) of the last step, as in figure 1 of the paper."""
        return {"new": state.new_items, "used": state.used_items, "checklist": state.checklist}

    def check(self, state: ChecklistState, items: Tensor) -> ChecklistState:
        """Return the state with exactly these items checked (B · n, L), or the same state without supervision."""
        return replace(state, checklist=items.to(state.checklist)) if self.config.supervision else state

    def _embed(self, prompts: Prompts) -> tuple[Tensor, Tensor]:
        """Return goals (B, k) and items (B, L, k) as sums of word embeddings (section 4.1)."""
        goal = F.embedding(prompts.goal, self.title_embedding, PAD).sum(1)
        items = F.embedding(prompts.items, self.agenda_embedding, PAD).sum(2)
        return goal, items * prompts.weights.unsqueeze(2).to(items.dtype)

    def _mix(
        self, h: Tensor, a: Tensor, items: Tensor, mask: Tensor, truth: Truth | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Compute sections 4.2 to 4.4 for S states of each text.

        h: (B, S, k); a: (B, S, L) the checklist before the step; items: (B, L, k); mask: (B, 1, L).
        Returns o (B, S, k), f (B, S, 3), a_new and a_used (B, S, L). Where ``truth`` forces a word, its true type
        weights a_new and a_used.
        """
        content = F.linear(h, self.p)  # c_gru = P h
        f = torch.softmax(self.config.type_temperature * F.linear(h, self.s), dim=2)
        # E_new P h and E_used P h: the rows are the items, weighted by 1 − a and a. Rows of weight 0
        # take part in the softmax, with score 0.
        scores = self.config.item_temperature * torch.bmm(content, items.transpose(1, 2))
        weights = f if truth is None else torch.where(truth.forced, truth.types, f)
        if self.config.used_items:
            both = softmax_over(torch.stack([1 - a, a]) * scores, mask)
            new, used = weights[:, :, NEW:].permute(2, 0, 1).unsqueeze(3) * both
        else:
            new = weights[:, :, NEW, None] * softmax_over((1 - a) * scores, mask)
            used = torch.zeros_like(new)
        if not self.config.interpolation:
            return h, f, new, used
        rest = torch.mul(content, weights[:, :, NONE, None], out=None if torch.is_grad_enabled() else content)
        # f_new c_new + f_used c_used = Eᵀ (a_new + a_used)
        mixed = new + used if truth is None else torch.where(truth.forced, truth.items, new + used)
        return rest.baddbmm_(mixed, items), f, new, used


def _checked_off(state: ChecklistState, tokens: Tensor) -> Tensor:
    """Return the checklist (B · n, L) of zeros and ones after the words (B · n,) that the state predicted.

    A word of an item's name checks the item off. An item without a known word in its name (a special value) is checked
    off if the classifier reports its first mention.
    """
    names = state.names.repeat_interleave(len(tokens) // len(state.names), dim=0)  # (B · n, L, W)
    is_named = ((names == tokens[:, None, None]) & (names > UNKNOWN)).any(2)
    nameless = (names <= UNKNOWN).all(2)
    is_new = state.ref_types[:, NEW] > 0.5
    places = torch.arange(names.shape[1], device=names.device)
    first = (state.new_items.argmax(1, keepdim=True) == places) & is_new.unsqueeze(1)
    return torch.maximum(state.checklist, (is_named | (first & nameless)).to(state.checklist.dtype))
