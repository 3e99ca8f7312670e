"""How the texts of a training part deal out the values of their rows: so many a text and a sentence, which together.

A *column* is what stands before the "=" of an agenda's line; a value is *said* where the supervision finds it. The
*subject* is the column that most texts say first, where at least half of them do. A *later* sentence is any but a
text's first one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import sqrt
from typing import Any

from schemas.act import parse_agenda_line
from schemas.example import NO_ITEM, Example

ENDS = frozenset(".!?。！？؟।")  # tokens that end a sentence
FULL_STOP = "."
MOST_SHARE = 0.95  # of the texts have no more values than is usual at most
MIN_SUBJECT = 0.5  # smallest share of texts that say the subject first


@dataclass(frozen=True)
class Habits:
    most: int  # values of a text: all but the longest twentieth have no more
    usual: int  # values of a text: a quarter of them have so many or more
    sentence: int  # values of a later sentence beside the subject: a quarter of them have so many or more
    subject: str  # the column that texts say first; "" where no column is
    repeats_subject: bool  # whether most later sentences say the subject again
    order: Mapping[str, float]  # column -> the mean of its places in texts, 0 the first and 1 the last
    pairs: Mapping[str, Mapping[str, float]]  # two columns -> the cosine of the sentences that say them
    later: Mapping[str, int] | None = None  # column -> later sentences that say it and no subject; None: not counted
    mark: str = FULL_STOP  # what most sentences end with that end with a mark

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dump``."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Habits:
        return cls(**data)


def build_habits(examples: Iterable[Example], abbreviations: Collection[str] = frozenset()) -> Habits | None:
    """The habits of a training part; None where no text says a value of its row.

    ``abbreviations`` are words whose full stop ends no sentence.
    """
    texts, marks = [], Counter[str]()
    for example in examples:
        marks.update(token for token in example.tokens if token in ENDS)
        if any(said := [*_columns(example, abbreviations)]):
            texts.append(said)
    if not texts:
        return None
    order = [list(dict.fromkeys(column for sentence in said for column in sentence)) for said in texts]
    sizes = sorted(map(len, order))
    first = Counter(columns[0] for columns in order)
    subject, times = min(first.items(), key=lambda entry: (-entry[1], entry[0]))
    subject = subject if times >= MIN_SUBJECT * len(texts) else ""
    later = [sentence for said in texts for sentence in said[1:] if sentence]
    places: defaultdict[str, list[float]] = defaultdict(list)
    for columns in order:
        for place, column in enumerate(columns):
            places[column].append(place / max(len(columns) - 1, 1))
    return Habits(
        most=sizes[min(int(MOST_SHARE * len(sizes)), len(sizes) - 1)],
        usual=_upper_quartile(sizes),
        sentence=_upper_quartile([len({*sentence} - {subject}) for sentence in later]),
        subject=subject,
        repeats_subject=sum(subject in sentence for sentence in later) * 2 >= len(later),
        order={column: round(sum(found) / len(found), 4) for column, found in sorted(places.items())},
        pairs=_pairs(sentence for said in texts for sentence in said),
        later=dict(sorted(Counter(column for said in later if subject not in said for column in said).items())),
        mark=min(marks, key=lambda mark: (-marks[mark], mark), default=FULL_STOP),
    )


def _upper_quartile(sizes: Sequence[int]) -> int:
    return max(sorted(sizes)[len(sizes) * 3 // 4], 1) if sizes else 1


def sentences(tokens: Sequence[str], abbreviations: Collection[str] = frozenset()) -> Iterator[range]:
    """The places of each sentence of a text, its mark among them."""
    start = 0
    for place, token in enumerate(tokens):
        if token in ENDS and not (token == "." and place and tokens[place - 1] in abbreviations):
            yield range(start, place + 1)
            start = place + 1
    if start < len(tokens):
        yield range(start, len(tokens))


def _columns(example: Example, abbreviations: Collection[str]) -> Iterator[list[str]]:
    """The columns that each sentence says, each once, in order."""
    columns = [parse_agenda_line(line).slot for line in example.agenda]
    for places in sentences(example.tokens, abbreviations):
        said = [example.ref_items[place] for place in places]
        yield list(dict.fromkeys(columns[item] for item in said if item != NO_ITEM))


def _pairs(said: Iterable[Sequence[str]]) -> dict[str, dict[str, float]]:
    single, both = Counter[str](), Counter[tuple[str, str]]()
    for sentence in said:
        columns = sorted(sentence)
        single.update(columns)
        both.update(combinations(columns, 2))
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (one, other), count in sorted(both.items()):
        found[one][other] = round(count / sqrt(single[one] * single[other]), 4)
    return dict(found)
