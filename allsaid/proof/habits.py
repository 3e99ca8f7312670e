"""Habits of training texts: the numbers of values per text and sentence, their order, and values that occur together.

A *column* is the part before the "=" of a line of the input (agenda); a value is *mentioned* where `ref_items` mark it
in the text. The *subject* is the column that most texts mention first, if at least half of them do. A *later* sentence
is any sentence of a text except the first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from schemas.act import parse_agenda_line
from schemas.example import NO_ITEM, Example

ENDS = frozenset(".!?。！？؟।")  # tokens that end a sentence
FULL_STOP = "."
MOST_SHARE = 0.95  # share of the texts that mention at most ``Habits.most`` columns
MIN_SUBJECT = 0.5  # smallest share of texts that mention the subject first


@dataclass(frozen=True)
class Habits:
    most: int  # columns per text: quantile ``MOST_SHARE``
    usual: int  # columns per text: upper quartile
    sentence: int  # columns per later sentence, not counting the subject: upper quartile
    subject: str  # the column that texts mention first; "" if there is none
    repeats_subject: bool  # whether most later sentences mention the subject again
    order: Mapping[str, float]  # column -> mean of its places in texts, from 0 (first) to 1 (last)
    pairs: Mapping[str, Mapping[str, float]]  # column -> column after it in the alphabet -> cosine of `_pairs`
    later: Mapping[str, int] | None = None  # column -> later sentences with it but no subject; None: not counted
    mark: str = FULL_STOP  # the most frequent mark at the end of sentences


def build_habits(examples: Iterable[Example], abbreviations: Collection[str] = frozenset()) -> Habits | None:
    """Compute the habits of a training part; None if no text mentions a value of its row.

    ``abbreviations`` are words whose full stop ends no sentence.
    """
    mentioned, marks = [], Counter[str]()  # mentioned: for each text, the columns of each sentence
    for example in examples:
        marks.update(token for token in example.tokens if token in ENDS)
        if any(text := [*_columns(example, abbreviations)]):
            mentioned.append(text)
    if not mentioned:
        return None
    columns_by_text = [list(dict.fromkeys(column for sentence in text for column in sentence)) for text in mentioned]
    sizes = sorted(map(len, columns_by_text))
    first = Counter(columns[0] for columns in columns_by_text)
    subject, times = min(first.items(), key=lambda entry: (-entry[1], entry[0]))
    subject = subject if times >= MIN_SUBJECT * len(mentioned) else ""
    later_sentences = [sentence for text in mentioned for sentence in text[1:] if sentence]
    places: defaultdict[str, list[float]] = defaultdict(list)
    for columns in columns_by_text:
        for place, column in enumerate(columns):
            places[column].append(place / max(len(columns) - 1, 1))
    return Habits(
        most=sizes[min(int(MOST_SHARE * len(sizes)), len(sizes) - 1)],
        usual=_upper_quartile(sizes),
        sentence=_upper_quartile([len({*sentence} - {subject}) for sentence in later_sentences]),
        subject=subject,
        repeats_subject=sum(subject in sentence for sentence in later_sentences) * 2 >= len(later_sentences),
        order={column: round(sum(found) / len(found), 4) for column, found in sorted(places.items())},
        pairs=_pairs(sentence for text in mentioned for sentence in text),
        later=dict(
            sorted(
                Counter(
                    column for sentence in later_sentences if subject not in sentence for column in sentence
                ).items()
            )
        ),
        mark=min(marks, key=lambda mark: (-marks[mark], mark), default=FULL_STOP),
    )


def _upper_quartile(sizes: Sequence[int]) -> int:
    return max(sorted(sizes)[len(sizes) * 3 // 4], 1) if sizes else 1


def sentences(tokens: Sequence[str], abbreviations: Collection[str] = frozenset()) -> Iterator[range]:
    """Yield the positions of each sentence of a text, including its mark."""
    start = 0
    for place, token in enumerate(tokens):
        if token in ENDS and not (token == "." and place and tokens[place - 1] in abbreviations):
            yield range(start, place + 1)
            start = place + 1
    if start < len(tokens):
        yield range(start, len(tokens))


def _columns(example: Example, abbreviations: Collection[str]) -> Iterator[list[str]]:
    """Yield the columns that each sentence mentions, each once, in order."""
    columns = [parse_agenda_line(line).slot for line in example.agenda]
    for places in sentences(example.tokens, abbreviations):
        items = [example.ref_items[place] for place in places]
        yield list(dict.fromkeys(columns[item] for item in items if item != NO_ITEM))


def _pairs(sentence_columns: Iterable[Sequence[str]]) -> dict[str, dict[str, float]]:
    """Return the cosine of each two columns: sentences with both / root of (sentences with one × with the other)."""
    single, both = Counter[str](), Counter[tuple[str, str]]()
    for sentence in sentence_columns:
        columns = sorted(sentence)
        single.update(columns)
        both.update(combinations(columns, 2))
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (first, second), count in sorted(both.items()):
        found[first][second] = round(count / sqrt(single[first] * single[second]), 4)
    return dict(found)
