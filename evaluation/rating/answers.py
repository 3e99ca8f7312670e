"""``allsaid rate read``: check the raters' answers; compute each system's means and the raters' agreement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Any, Literal  # Any: JSON that is not checked yet

import krippendorff

from allsaid.console import counted
from evaluation.rating.forms import FIRST, SECOND
from evaluation.rating.key import Key, read_json
from schemas.errors import UserError

Level = Literal["interval", "nominal"]


@dataclass(frozen=True)
class Answer:
    """An answer from a rater's file; its values may be of any type until :func:`_fault` has checked them."""

    file: str  # path as the user gave it
    study: Any
    rater: Any
    text: Any  # number on the rater's sheet, from 1
    question: Any
    rating: Any


@dataclass(frozen=True)
class Rejected:
    """An answer that does not count."""

    answer: Answer
    reason: str  # short and fixed, for counting
    sentence: str  # names the file and the text


@dataclass(frozen=True)
class Rating:
    """An answer that counts."""

    rater: int
    row: int  # position in the key's rows
    systems: tuple[str, ...]  # in a head-to-head two, in the key's order; the rating refers to this order
    question: str
    rating: int

    @property
    def system(self) -> str:
        return self.systems[0]


@dataclass(frozen=True)
class Ratings:
    """The answers of all files; ``read`` = used + rejected."""

    read: int
    used: list[Rating]
    rejected: list[Rejected]
    missing: list[str]  # sentences

    def of(self, question: str, *systems: str) -> list[Rating]:
        """Return the ratings of a question for one system, for two head to head, or for all."""
        return [rating for rating in self.used if rating.question == question and systems in ((), rating.systems)]


def gather(paths: Sequence[str], key: Key) -> Ratings:
    """Read and check the answers of several files; raise UserError if a file holds no answers at all."""
    answers = [answer for path in paths for answer in _answers(path)]
    checked = [(answer, _fault(answer, key)) for answer in answers]
    rejected = [_reject(answer, *fault) for answer, fault in checked if fault]
    answers_to: defaultdict[tuple[int, int, str], list[Answer]] = defaultdict(list)
    for answer, fault in checked:
        if not fault:
            answers_to[answer.rater, answer.text, answer.question].append(answer)
    used = []
    for (_, _, question), same in answers_to.items():
        if len({answer.rating for answer in same}) > 1:
            ratings = " and ".join(f"{answer.rating} in {answer.file}" for answer in same)
            sentence = f"is rated {ratings} for {question}; none counts"
            rejected += [_reject(answer, "contradictory", sentence) for answer in same]
            continue
        used.append(_rating(same[0], key))
        sentence = f"is rated again, and equally, for {question}; one counts"
        rejected += [_reject(answer, "doubled", sentence) for answer in same[1:]]
    return Ratings(len(answers), used, rejected, list(_missing(used, answers, key)))


def _answers(path: str) -> Iterator[Answer]:
    content = read_json(path)
    if not isinstance(content, dict) or not isinstance(content.get("answers"), list):
        raise UserError(f"{path} holds no answers of a rating sheet. Give the file that the sheet's button downloads.")
    for entry in content["answers"]:
        values = entry if isinstance(entry, dict) else {}
        study, rater = content.get("study"), content.get("rater")
        yield Answer(path, study, rater, values.get("text"), values.get("question"), values.get("rating"))


def _fault(answer: Answer, key: Key) -> tuple[str, str] | None:
    """Return why an answer can't count: a reason, and the rest of a sentence that begins "text 3"; None if it can."""
    if answer.study != key.study:
        return "other_study", f"is of the study {answer.study!r}, the key of {key.study!r}"
    if not _whole(answer.rater, 1, len(key.sheets)):
        return "unknown_rater", f"is rated by rater {answer.rater!r}; the key knows 1 to {len(key.sheets)}"
    texts = len(key.sheets[answer.rater - 1])
    if not _whole(answer.text, 1, texts):
        return "unknown_text", f"is not on the sheet, which has the texts 1 to {texts}"
    questions = key.entry(answer.rater, answer.text).questions
    if answer.question not in questions:
        return "unknown_question", f"answers {answer.question!r}; the questions are {', '.join(questions)}"
    lowest, highest = key.form.lowest, key.form.highest
    if not _whole(answer.rating, lowest, highest):
        return "out_of_range", f"has the rating {answer.rating!r} for {answer.question}, not {lowest} to {highest}"
    return None


def _whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _reject(answer: Answer, reason: str, sentence: str) -> Rejected:
    """``sentence``: without the subject, which is the text, and without the full stop."""
    return Rejected(answer, reason, f"{answer.file}: text {answer.text!r} {sentence}.")


def _rating(answer: Answer, key: Key) -> Rating:
    entry, rating = key.entry(answer.rater, answer.text), answer.rating
    ordered = tuple(sorted(entry.systems, key=key.systems.index))
    if ordered != entry.systems:  # reverse the scale of a head-to-head
        rating = FIRST + SECOND - rating if rating in (FIRST, SECOND) else rating
    return Rating(answer.rater, entry.row, ordered, answer.question, rating)


def _missing(used: Sequence[Rating], answers: Sequence[Answer], key: Key) -> Iterator[str]:
    """Yield a sentence for each question and rater with texts that lack a usable answer."""
    usable = {(rating.rater, rating.row, frozenset(rating.systems), rating.question) for rating in used}
    names: defaultdict[int, list[str]] = defaultdict(list)
    for answer in answers:
        is_known = answer.study == key.study and _whole(answer.rater, 1, len(key.sheets))
        if is_known and answer.file not in names[answer.rater]:
            names[answer.rater].append(answer.file)
    for rater, sheet in enumerate(key.sheets, start=1):
        if rater not in names:
            yield f"Rater {rater} has given no answer."
            continue
        entries = [key.entry(rater, number) for number in range(1, len(sheet) + 1)]
        for question in key.form.questions:
            open_texts = [
                number
                for number, entry in enumerate(entries, start=1)
                if question in entry.questions and (rater, entry.row, frozenset(entry.systems), question) not in usable
            ]
            if open_texts:
                yield (
                    f"{', '.join(names[rater])}: {counted(len(open_texts), 'text')} without a usable answer to "
                    f"{question}: {runs(open_texts)}."
                )


def runs(numbers: Iterable[int]) -> str:
    """Format ascending numbers with ranges: "1-3, 7"."""
    parts = []
    for _, group in groupby(enumerate(numbers), key=lambda entry: entry[1] - entry[0]):
        run = [number for _, number in group]
        parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return ", ".join(parts)


def mean(ratings: Sequence[Rating]) -> float | None:
    """Return the mean rating; None without ratings."""
    return fmean(rating.rating for rating in ratings) if ratings else None


def agreement(ratings: Sequence[Rating]) -> float | None:
    """Return Krippendorff's alpha for one question; the unit is a text, or a pair of texts in a head-to-head."""
    units: defaultdict[tuple[int, tuple[str, ...]], list[int]] = defaultdict(list)
    for rating in ratings:
        units[rating.row, rating.systems].append(rating.rating)
    is_duel = any(len(rating.systems) > 1 for rating in ratings)
    return alpha(list(units.values()), "nominal" if is_duel else "interval")


def alpha(units: Sequence[Sequence[float]], level: Level = "interval") -> float | None:
    """Return Krippendorff's alpha for data of a level of measurement; units with a single value are ignored.

    Returns None if no disagreement is possible: no unit has two values, or all values are equal. Source: Krippendorff,
    Computing Krippendorff's Alpha-Reliability (2011), section E.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in pairable for value in unit})
    if len(values) < 2:
        return None
    counts = [[unit.count(value) for value in values] for unit in pairable]
    return float(krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=level))
