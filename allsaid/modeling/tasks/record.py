"""The task of a record: an agenda of a user's table, whose values are placeholders in the texts.

All but the figures is shared with agendas (`allsaid.modeling.tasks.agenda`): values are measured instead of names, and
the better of two models makes fewer slot errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import Vocabulary
from allsaid.modeling.tasks import agenda
from allsaid.modeling.tasks.agenda import BORDERS as BORDERS
from allsaid.modeling.tasks.agenda import Vocabularies as Vocabularies
from allsaid.modeling.tasks.agenda import collate as collate
from allsaid.modeling.tasks.agenda import companions as companions
from allsaid.modeling.tasks.agenda import encode as encode
from allsaid.modeling.tasks.agenda import examples as examples
from allsaid.modeling.tasks.agenda import prompts as prompts
from allsaid.modeling.tasks.agenda import protocol as protocol
from allsaid.modeling.tasks.agenda import show as show
from allsaid.modeling.tasks.agenda import words as words
from allsaid.proof.coverage import Lexicon
from allsaid.proof.figures import RECORD_FIGURES as FIGURES
from allsaid.proof.forms import mapped
from allsaid.proof.forms.certificate.certify import Certificate
from allsaid.proof.forms.said import vocabulary_of
from allsaid.proof.habits import FULL_STOP
from allsaid.proof.scores import bleu
from allsaid.proof.values.records import Said, build_spoken, measure
from allsaid.proof.values.slots import add_up
from schemas.example import Example

DECIDING = ("slot_error_percent", "bleu", "perplexity")


@dataclass(frozen=True)
class Scores:
    """Means over texts; see ``allsaid.proof.values.records`` for the meaning of the figures."""

    slot_error_percent: float  # of all values
    percent_given: float  # 0 to 100
    extra_items: float  # per text
    bleu: float  # corpus BLEU-4 over words and placeholders, 0 to 100
    tokens: float  # per text
    texts: int
    perplexity: float | None = None  # of the model that generated them, on the dev part; None for reference texts
    certified_percent: float | None = None  # of the texts, 0 to 100; None without certificates
    false_certificates: int | None = None  # certified texts that the dev check finds wrong


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Build the vocabularies of agendas, with a full stop and the words of the mapping's sentences.

    Texts of several sentences always need a full stop.
    """
    return with_full_stop(agenda.build_vocabularies(data, config), data.mapping())


def with_full_stop(found: Any, mapping: str = "") -> Any:
    """Add a full stop and the words of the mapping's sentences to the vocabulary of texts."""
    needed = {FULL_STOP, *vocabulary_of(mapped.read(mapping).says)}.difference(found.text.ids)
    return replace(found, text=Vocabulary((*found.text.words, *sorted(needed)))) if needed else found


def background(data: DataSet) -> dict[str, Any]:
    """Return the background of agendas; the lexicon also has what training texts state without a placeholder."""
    known = agenda.background(data)
    spoken = build_spoken(data.examples("train"), data.acts("train"))
    goals, is_asked = known["seen"].said_goals, known["seen"].asks_goal
    return known | {"lexicon": replace(known["lexicon"], spoken=spoken, goals=goals, asks_goal=is_asked)}


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Lexicon) -> Scores:
    """Measure texts (lists of tokens) against the records and reference texts of their examples."""
    return _scores([measure(*pair, lexicon) for pair in zip(texts, examples, strict=True)], texts, examples)


def score_certified(
    texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Lexicon, certificates: Sequence[Certificate]
) -> Scores:
    """Measure texts, counting what attested clauses state in any words as covered, and the share of certified ones."""
    said = [
        measure(tokens, example, lexicon, [*found.stated, found.states_goal])
        for tokens, example, found in zip(texts, examples, certificates, strict=True)
    ]
    certified = 100 * fmean(one.is_certified for one in certificates)
    return replace(_scores(said, texts, examples), certified_percent=certified)


def _scores(said: Sequence[Said], texts: Sequence[Sequence[str]], examples: Sequence[Example]) -> Scores:
    return Scores(
        slot_error_percent=100 * add_up(one.errors for one in said).rate,
        percent_given=fmean(one.percent_given for one in said),
        extra_items=fmean(one.extra for one in said),
        bleu=bleu(texts, [example.tokens for example in examples]),
        tokens=fmean(len(tokens) for tokens in texts),
        texts=len(texts),
    )


def checks(challenger: Any, champion: Any) -> list[tuple[bool, str]]:
    """Check for fewer slot errors; if equal, for higher BLEU; if both are equal, for lower perplexity.

    Figures are equal if they are displayed as the same number.
    """
    ours, theirs = ([FIGURES[key].show(getattr(scores, key)) for key in DECIDING] for scores in (challenger, champion))
    (errors, bleu, perplexity), (most, least, worst) = (map(float, shown) for shown in (ours, theirs))
    return [
        (errors <= most, f"it makes {ours[0]}% slot errors, the champion {theirs[0]}%"),
        (errors < most or bleu >= least, f"its BLEU is {ours[1]}, the champion's {theirs[1]}"),
        (
            errors < most or bleu > least or perplexity < worst,
            f"its perplexity on dev is {ours[2]}, the champion's {theirs[2]}",
        ),
    ]


def brief(scores: Scores) -> str:
    return (
        f"{scores.slot_error_percent:.2f}% slot errors, {scores.percent_given:.1f}% of the values given, "
        f"BLEU {scores.bleu:.1f}"
    )
