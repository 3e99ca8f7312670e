"""The tasks of an agenda and of a record: a text from a goal and items, for recipes and acts, or for a user's table.

Their parameter is the view of an agenda that a model has (`allsaid.modeling.tasks.view`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import ClassVar

import numpy as np

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import Vocabulary
from allsaid.modeling.tasks.contract import Background, Ids, Scores, Task, Texts, Vocabularies, WritesTexts
from allsaid.modeling.tasks.view import AgendaView, View, casing_of
from allsaid.modeling.text.restore import learn_writing
from allsaid.proof.coverage import Lexicon, build_lexicon
from allsaid.proof.figures import FIGURES, RECORD_FIGURES
from allsaid.proof.forms import find_claims, mapped
from allsaid.proof.forms.certificate.certify import Certificate
from allsaid.proof.forms.learn import learn
from allsaid.proof.forms.mapping_sentences import sentences_of, vocabulary_of
from allsaid.proof.habits import FULL_STOP, build_habits
from allsaid.proof.known_foods import build_food_lexicon
from allsaid.proof.scores import check_bleu, score, score_words
from allsaid.proof.slots import add_up
from allsaid.proof.usage.names import common_in, mentions_in, with_names
from allsaid.proof.values.contexts import build_contexts
from allsaid.proof.values.records import build_spoken, measure
from allsaid.proof.values.seen import build_seen, build_values, goals_mentioned
from schemas.act import SPECIAL
from schemas.example import Example

DIALOGUE, RECIPES = "dialogue", "recipes"  # two protocols that score the same task: `evaluation/tasks`


@dataclass(frozen=True)
class AgendaTask(WritesTexts[Prompt, Example, Vocabularies, Ids]):
    """Texts that mention the items of their agenda by name (`allsaid.proof.coverage`)."""

    view: View[Vocabularies, Ids]

    borders = ("examples",)
    figures = FIGURES
    deciding: ClassVar[tuple[str, ...]] = ("percent_given", "extra_items", "bleu")

    def __str__(self) -> str:
        return f"agenda{self.view.label}"

    @property
    def of_table(self) -> Task:
        return RecordTask(self.view)

    @property
    def vocabularies(self) -> type[Vocabularies]:
        return self.view.vocabularies

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> Vocabularies:
        return self.view.build_vocabularies(data, config)

    def background(self, data: DataSet) -> Background:
        """Collect phrases, known names and values, letter case, and what training has seen."""
        seen = build_seen(data.goals("train"), data.acts("train"))
        mapping, has_acts = data.mapping(), bool(data.manifest.files.get("acts"))
        train = partial(data.examples, "train")
        casing, values, columns = casing_of(data), build_values(data.acts("train")), mapped.read(mapping)
        spoken = build_spoken(train(), data.acts("train")) if has_acts else {}
        lexicon = (build_lexicon if mapping or has_acts else build_food_lexicon)(train())
        habits = build_habits(train(), casing.abbreviations) if mapping else None
        if mapping:  # only in a user's table can goals be stated by texts
            goals, is_asked = goals_mentioned(data.goals("train"), data.acts("train"))
            seen = replace(seen, mentioned_goals=goals, asks_goal=is_asked)
            lexicon = replace(lexicon, spoken=spoken, goals=goals, asks_goal=is_asked, idioms=columns.idioms)
        book = None
        if has_acts:  # texts of recipes have no placeholders
            stated = {value for known in values.values() for value in known if value not in SPECIAL}
            subject, has_goals = habits.subject if habits else "", seen.goals is not None
            book = learn(train, spoken, subject, casing.abbreviations, has_goals, not mapping, stated, columns.idioms)
            common = common_in(line for example in train() for line in example.agenda)
            values = with_names(values, common, (mention for example in train() for mention in mentions_in(example)))
            if mapping:
                claims = find_claims.find(train, book, stated, columns.words)
                book = replace(book, claims=tuple(claims), from_mapping=sentences_of(columns.says, spoken))
        return {
            "phrases": data.phrases(),
            "lexicon": lexicon,
            "casing": learn_writing(casing, train, data.language()) if mapping else casing,
            "values": values,
            "mapping": mapping,
            "seen": seen,
            "habits": habits,
            "phrasebook": book,
            "contexts": build_contexts(train()) if mapping else None,
        }

    def examples(self, data: DataSet, split: str) -> Iterator[Example]:
        return data.examples(split)

    def encode(self, data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
        return self.view.encode(data, split, vocabularies, folder)

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Tensors:
        return self.view.collate(ids, rows, max_text)

    def prompts(self, rows: Sequence[Prompt], vocabularies: Vocabularies) -> Tensors:
        return self.view.prompts(rows, vocabularies)

    def words(self, tokens: Sequence[int], row: Prompt, vocabularies: Vocabularies) -> list[str]:
        return self.view.words(tokens, row, vocabularies)

    def own_ids(self, row: Prompt, vocabularies: Vocabularies) -> Mapping[str, int]:
        return self.view.own_ids(row, vocabularies)

    def places(self, row: Prompt) -> list[list[str]]:
        return self.view.places(row)

    @property
    def weighs_items(self) -> bool:
        return self.view.weighs_items

    def score(
        self, texts: Texts, examples: Sequence[Example], lexicon: Lexicon, certificates: Sequence[Certificate] = ()
    ) -> dict[str, float]:
        return score(texts, examples, lexicon)

    def checks(self, challenger: Scores, champion: Scores) -> list[tuple[bool, str]]:
        """Check that a new model covers more items, adds no more extra ones, and still reads like the references."""
        (covered, extra, _), (old_covered, old_extra, _) = (self._shown(scores) for scores in (challenger, champion))
        return [
            (
                challenger["percent_given"] > champion["percent_given"],
                f"it gives {covered}% of the items, the champion {old_covered}%",
            ),
            (
                challenger["extra_items"] <= champion["extra_items"],
                f"it adds {extra} extra items a text, the champion {old_extra}",
            ),
            check_bleu(challenger, champion),  # a text that only recites its agenda has a BLEU near zero
        ]

    def _shown(self, scores: Scores) -> list[str]:
        """Return the deciding scores as they are displayed."""
        return [self.figures[key].show(scores[key]) for key in self.deciding]

    def brief(self, scores: Scores) -> str:
        covered, extra = scores["percent_given"], scores["extra_items"]
        return f"{covered:.1f}% given, {extra:.2f} extra items, BLEU {scores['bleu']:.1f}"

    def companions(self, data: DataSet, vocabularies: Vocabularies) -> Companions:
        return Companions.build(data.tables("train"), vocabularies.text)

    def show(self, row: Prompt) -> tuple[str, list[str]]:
        return row.goal, row.agenda

    def protocol(self, data: DataSet) -> str:
        """Return the protocol of dialogue for acts, else that of recipes."""
        return DIALOGUE if data.manifest.files.get("acts") else RECIPES


class RecordTask(AgendaTask[Vocabularies, Ids]):
    """Texts that state the values of a table's row, as placeholders (`allsaid.proof.values.records`).

    The better of two models makes fewer slot errors.
    """

    figures = RECORD_FIGURES
    deciding = ("slot_error_percent", "bleu", "perplexity")

    def __str__(self) -> str:
        return f"record{self.view.label}"

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> Vocabularies:
        """Add a full stop, which texts of several sentences need, and the words of the mapping's sentences."""
        base = super().build_vocabularies(data, config)
        missing = {FULL_STOP, *vocabulary_of(mapped.read(data.mapping()).says)}.difference(base.text.ids)
        return replace(base, text=Vocabulary((*base.text.words, *sorted(missing)))) if missing else base

    @property
    def counts_certificates(self) -> bool:
        # Models of other tasks have always been scored without certificates.
        return isinstance(self.view, AgendaView)

    def score(
        self, texts: Texts, examples: Sequence[Example], lexicon: Lexicon, certificates: Sequence[Certificate] = ()
    ) -> dict[str, float]:
        """Measure texts against the records and reference texts of their examples.

        With certificates a value is also covered if an attested clause states it in other words.
        """
        stated = [[*proof.stated, proof.states_goal] for proof in certificates] or [list[bool]()] * len(texts)
        rows = zip(texts, examples, stated, strict=True)
        measured = [measure(tokens, example, lexicon, is_stated) for tokens, example, is_stated in rows]
        share = {"certified_percent": 100 * fmean(proof.is_certified for proof in certificates)} if certificates else {}
        return {
            "slot_error_percent": 100 * add_up(result.errors for result in measured).rate,
            "percent_given": fmean(result.percent_given for result in measured),
            "extra_items": fmean(result.extra for result in measured),
            **score_words(texts, [example.tokens for example in examples]),
            **share,
        }

    def checks(self, challenger: Scores, champion: Scores) -> list[tuple[bool, str]]:
        """Check for fewer slot errors; if equal, for higher BLEU; if both are equal, for lower perplexity.

        Figures are equal if they are displayed as the same number.
        """
        new, old = self._shown(challenger), self._shown(champion)
        (errors, bleu, perplexity), (old_errors, old_bleu, old_perplexity) = (map(float, new), map(float, old))
        return [
            (errors <= old_errors, f"it makes {new[0]}% slot errors, the champion {old[0]}%"),
            (errors < old_errors or bleu >= old_bleu, f"its BLEU is {new[1]}, the champion's {old[1]}"),
            (
                errors < old_errors or bleu > old_bleu or perplexity < old_perplexity,
                f"its perplexity on dev is {new[2]}, the champion's {old[2]}",
            ),
        ]

    def brief(self, scores: Scores) -> str:
        errors, covered = scores["slot_error_percent"], scores["percent_given"]
        return f"{errors:.2f}% slot errors, {covered:.1f}% of the values given, BLEU {scores['bleu']:.1f}"


TASK = AgendaTask(AgendaView())
