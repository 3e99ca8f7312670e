"""``allsaid rate read``: the raters' answers -> means of each system, agreement, and what could not be used and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Any, Literal

import krippendorff

from allsaid.console import counted
from evaluation.rating.forms import FIRST, SECOND
from evaluation.rating.rate import Key, read_json
from schemas.errors import UserError

Level = Literal["interval", "nominal"]


@dataclass(frozen=True)
class Answer:
    """An answer as its file gives it; nothing is checked yet."""

    file: str  # as it was given
    study: Any
    rater: Any
    text: Any  # number on the rater's sheet, from 1
    question: Any
    rating: Any


@dataclass(frozen=True)
class Rejected:
    answer: Answer
    reason: str  # short, to be counted by
    sentence: str  # names file and text


@dataclass(frozen=True)
class Rating:
    """An answer that counts."""

    rater: int
    row: int  # position in the key's rows
    systems: tuple[str, ...]  # of a head-to-head two, in the key's order, which the rating follows
    question: str
    rating: int

    @property
    def system(self) -> str:
        return self.systems[0]


@dataclass(frozen=True)
class Ratings:
    """What all files together say; ``read`` = ratings + rejected."""

    read: int
    used: list[Rating]
    rejected: list[Rejected]
    missing: list[str]  # sentences

    def of(self, question: str, *systems: str) -> list[Rating]:
        """Those of one system, of two head to head, or of all."""
        return [one for one in self.used if one.question == question and systems in ((), one.systems)]


def gather(paths: Sequence[str], key: Key) -> Ratings:
    """Read and check the answers of several files. Raises :class:`UserError` where a file holds no answers at all."""
    answers = [answer for path in paths for answer in _answers(path)]
    checked = [(answer, _fault(answer, key)) for answer in answers]
    rejected = [_reject(answer, *fault) for answer, fault in checked if fault]
    given: defaultdict[tuple[int, int, str], list[Answer]] = defaultdict(list)
    for answer, fault in checked:
        if not fault:
            given[answer.rater, answer.text, answer.question].append(answer)
    used = []
    for (_, _, question), several in given.items():
        if len({answer.rating for answer in several}) > 1:
            told = " and ".join(f"{answer.rating} in {answer.file}" for answer in several)
            predicate = f"is rated {told} for {question}; none counts"
            rejected += [_reject(answer, "contradictory", predicate) for answer in several]
            continue
        used.append(_rating(several[0], key))
        predicate = f"is rated again, and alike, for {question}; one counts"
        rejected += [_reject(answer, "doubled", predicate) for answer in several[1:]]
    return Ratings(len(answers), used, rejected, list(_missing(used, answers, key)))


def _answers(path: str) -> Iterator[Answer]:
    content = read_json(path)
    if not isinstance(content, dict) or not isinstance(content.get("answers"), list):
        raise UserError(f"{path} holds no answers of a rating sheet. Give the file that the sheet's button downloads.")
    for entry in content["answers"]:
        values = entry if isinstance(entry, dict) else {}
        named = (values.get(name) for name in ("text", "question", "rating"))
        yield Answer(path, content.get("study"), content.get("rater"), *named)


def _fault(answer: Answer, key: Key) -> tuple[str, str] | None:
    """Reason and predicate of a sentence whose subject is the text, or None for an answer that may count."""
    if answer.study != key.study:
        return "other_study", f"is of the study {answer.study!r}, the key of {key.study!r}"
    if not _whole(answer.rater, 1, len(key.sheets)):
        return "unknown_rater", f"is rated by rater {answer.rater!r}; the key knows 1 to {len(key.sheets)}"
    texts = len(key.sheets[answer.rater - 1])
    if not _whole(answer.text, 1, texts):
        return "unknown_text", f"is not on the sheet, which has the texts 1 to {texts}"
    asked = key.place(answer.rater, answer.text).questions
    if answer.question not in asked:
        return "unknown_question", f"answers {answer.question!r}; the questions are {', '.join(asked)}"
    lowest, highest = key.form.lowest, key.form.highest
    if not _whole(answer.rating, lowest, highest):
        return "out_of_range", f"has the rating {answer.rating!r} for {answer.question}, not {lowest} to {highest}"
    return None


def _whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _reject(answer: Answer, reason: str, predicate: str) -> Rejected:
    return Rejected(answer, reason, f"{answer.file}: text {answer.text!r} {predicate}.")


def _rating(answer: Answer, key: Key) -> Rating:
    place, rating = key.place(answer.rater, answer.text), answer.rating
    ordered = tuple(sorted(place.systems, key=key.systems.index))
    if ordered != place.systems:  # the scale of a head-to-head, from its other end
        rating = FIRST + SECOND - rating if rating in (FIRST, SECOND) else rating
    return Rating(answer.rater, place.row, ordered, answer.question, rating)


def _missing(used: Sequence[Rating], answers: Sequence[Answer], key: Key) -> Iterator[str]:
    """A sentence for each question and rater whose sheet has texts without a usable answer to it."""
    done = {(one.rater, one.row, frozenset(one.systems), one.question) for one in used}
    names: defaultdict[int, list[str]] = defaultdict(list)
    for answer in answers:
        is_known = answer.study == key.study and _whole(answer.rater, 1, len(key.sheets))
        if is_known and answer.file not in names[answer.rater]:
            names[answer.rater].append(answer.file)
    for rater, sheet in enumerate(key.sheets, start=1):
        if rater not in names:
            yield f"Rater {rater} has given no answer."
            continue
        places = [key.place(rater, number) for number in range(1, len(sheet) + 1)]
        for question in key.form.questions:
            open_texts = [
                number
                for number, place in enumerate(places, start=1)
                if question in place.questions and (rater, place.row, frozenset(place.systems), question) not in done
            ]
            if open_texts:
                yield (
                    f"{', '.join(names[rater])}: {counted(len(open_texts), 'text')} without a usable answer to "
                    f"{question}: {runs(open_texts)}."
                )


def runs(numbers: Iterable[int]) -> str:
    """Ascending numbers, neighbours drawn together: "1-3, 7"."""
    parts = []
    for _, group in groupby(enumerate(numbers), key=lambda entry: entry[1] - entry[0]):
        run = [number for _, number in group]
        parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return ", ".join(parts)


def mean(ratings: Sequence[Rating]) -> float | None:
    return fmean(one.rating for one in ratings) if ratings else None


def agreement(ratings: Sequence[Rating]) -> float | None:
    """Krippendorff's alpha of the ratings of one question, a text, or the two of a head-to-head, being the unit."""
    units: defaultdict[tuple[int, tuple[str, ...]], list[int]] = defaultdict(list)
    for one in ratings:
        units[one.row, one.systems].append(one.rating)
    is_duel = any(len(one.systems) > 1 for one in ratings)
    return alpha(list(units.values()), "nominal" if is_duel else "interval")


def alpha(units: Sequence[Sequence[float]], level: Level = "interval") -> float | None:
    """Krippendorff's alpha for data of this level; units with one value count nothing.

    None where nothing can disagree: no unit has two values, or all values are equal. Krippendorff, Computing
    Krippendorff's Alpha-Reliability (2011), section E.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in pairable for value in unit})
    if len(values) < 2:
        return None
    counts = [[unit.count(value) for value in values] for unit in pairable]
    return float(krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=level))
