"""One self-contained HTML page about a generation run: means, spread, the best and the worst texts, errors."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from itertools import groupby
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from jinja2 import Environment, StrictUndefined

from allsaid.console import UserError, counted
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import Summary
from batch_infer.report.heatmap import Picture, picture_of
from batch_infer.rows import facts
from pipelines.recipes.ingredients import name_words
from pipelines.storage import files
from schemas.example import NO_ITEM, PHRASE_JOINER
from schemas.generated import GENERATED, Generated
from schemas.table import check_schema, from_table
from training.metrics.coverage import Coverage, Lexicon, measure
from training.metrics.values import Inventory, measure_values

PAGE = "report.html"
SHOWN = 5  # best texts, and as many worst ones
BINS = 10  # bars of the coverage histogram, 10 points each; the last one holds 100 too
TILES = ("percent_given", "percent_given_full_name", "extra_items")
MOST_EXTRA = 5  # the last bar of the other histogram: so many extra items or more
# Hues of the items' marks, far apart from one to the next; an item's number tells those of one hue apart.
HUES = (210, 35, 150, 330, 265, 85, 185, 10, 300, 55)


Said = tuple[int, ...] | str | None  # the items that a word mentions, or the extra name that it belongs to


@dataclass(frozen=True)
class Bar:
    label: str
    count: int
    height: float  # 0 to 1, of the highest bar


@dataclass(frozen=True)
class Item:
    number: int  # from 1
    hue: int
    line: str
    given: bool | None  # None of a line that nothing measures
    why: str = ""  # it can't be fitted, where the row says so


@dataclass(frozen=True)
class Segment:
    """A stretch of text: plain, the mention of items, or an extra name."""

    text: str
    items: tuple[Item, ...] = ()
    extra: bool = False


@dataclass(frozen=True)
class Card:
    row: Generated
    items: list[Item]
    lines: list[list[Segment]]
    picture: Picture | None = None  # of what the model looked at

    @property
    def is_copied(self) -> bool:
        """Whether words are tied to the lines that they were copied from, and not to what they name."""
        return not self.measured and any(part.items for line in self.lines for part in line)

    @property
    def given(self) -> int:
        return sum(bool(item.given) for item in self.items)

    @property
    def measured(self) -> int:
        return sum(item.given is not None for item in self.items)


@dataclass
class Findings:
    """What one pass over the rows gathers."""

    texts: int = 0
    given: Counter[int] = field(default_factory=Counter)  # bar -> texts
    extra: Counter[int] = field(default_factory=Counter)
    best: list[tuple[int, int]] = field(default_factory=list)  # (file, row), best first
    worst: list[tuple[int, int]] = field(default_factory=list)  # worst first


def write(folder: str) -> str:
    """Write ``folder``/report.html from the texts and the summary there; gives back its path."""
    summary = summary_file.read(folder)
    parts = summary_file.text_files(folder)
    found = gather(parts)
    if (there := found.texts) != summary.texts:
        raise UserError(
            f"{folder} holds {counted(there, 'text')}, but its {summary_file.NAME} counts {summary.texts}: a file of "
            "texts is missing or not its own. Run `allsaid generate` again with a new --output."
        )
    page = render(
        summary=summary,
        tiles=_tiles(summary),
        figures=summary.rows()[2:],
        given_bars=_bars(found.given, [f"{10 * bar}–{10 * bar + 10}" for bar in range(BINS)]),
        extra_bars=_bars(found.extra, [*map(str, range(MOST_EXTRA)), f"{MOST_EXTRA}+"]),
        best=[*_cards(folder, parts, found.best)],
        worst=[*_cards(folder, parts, found.worst)],
    )
    target = files.join(folder, PAGE)
    files.write_text(target, page)
    return target


def _tiles(summary: Summary) -> list[tuple[str, str, str]]:
    """Of a few figures the mean, the name and the true texts' own mean."""
    keys = [key for key in TILES if key in summary.measured] or summary.measured[: len(TILES)]
    return [
        (figure.show(summary.mean(figure.key)), figure.name, figure.show(summary.true.get(figure.key)))
        for figure in (summary.known[key] for key in keys)
    ]


def render(**values: Any) -> str:
    template = (resources.files("batch_infer.report") / "report.html.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template).render(**values)


def gather(parts: Sequence[str]) -> Findings:
    """Count all rows and choose the texts to show; only a few columns are read."""
    found = Findings()
    ranked: list[tuple[float, int, int, int, int]] = []  # % given, -extra, items, file, row
    for number, path in enumerate(parts):
        table = _read(path, ["percent_given", "extra_count", "agenda", "error"])
        for place, row in enumerate(table.to_pylist()):
            if row["error"] is not None:
                continue
            found.texts += 1
            given, extra = row["percent_given"], row["extra_count"]
            if given is not None:
                found.given[min(int(given / 100 * BINS), BINS - 1)] += 1
            if extra is not None:
                found.extra[min(extra, MOST_EXTRA)] += 1
            items = 0 if given is None else len(row["agenda"])
            ranked.append((given or 0, -(extra or 0), items, number, place))
        # Of equal texts those with more items tell more.
        ranked = _ends(ranked)
    shown = min(SHOWN, (len(ranked) + 1) // 2)
    best = heapq.nsmallest(shown, ranked, key=_best_first)
    worst = heapq.nsmallest(SHOWN, set(ranked) - set(best), key=_worst_first)
    found.best, found.worst = [key[3:] for key in best], [key[3:] for key in worst]
    return found


def _ends(ranked: list[tuple[float, int, int, int, int]]) -> list[tuple[float, int, int, int, int]]:
    chosen = heapq.nsmallest(2 * SHOWN, ranked, key=_best_first) + heapq.nsmallest(2 * SHOWN, ranked, key=_worst_first)
    return list(dict.fromkeys(chosen))


def _best_first(key: tuple[float, int, int, int, int]) -> tuple[float, ...]:
    given, less_extra, items, *place = key
    return -given, -less_extra, -items, *place


def _worst_first(key: tuple[float, int, int, int, int]) -> tuple[float, ...]:
    given, less_extra, items, *place = key
    return given, less_extra, -items, *place


def _cards(folder: str, parts: Sequence[str], places: Sequence[tuple[int, int]]) -> Iterator[Card]:
    for number, place in places:
        (row,) = from_table(_read(parts[number], GENERATED.names).slice(place, 1), Generated)
        yield replace(card(row), picture=picture_of(folder, parts[number].rpartition("/")[2], place, row))


def _read(path: str, columns: Sequence[str]) -> pa.Table:
    try:
        with files.open_read(path) as stream, pq.ParquetFile(stream) as parquet:
            found = parquet.schema_arrow
            # The id has the type that it had in the input.
            wanted = GENERATED.set(0, found.field("id")) if "id" in found.names else GENERATED
            check_schema(found, wanted, path)
            return parquet.read(columns=list(columns))
    except (OSError, pa.ArrowException) as fault:
        raise UserError(f"{path} is damaged ({fault}). Run `allsaid generate` again with a new --output.") from fault


def _bars(counts: Counter[int], labels: Sequence[str]) -> list[Bar]:
    highest = max(counts.values(), default=0) or 1
    return [Bar(label, counts[place], counts[place] / highest) for place, label in enumerate(labels)]


def card(row: Generated) -> Card:
    """A text with its items numbered and their mentions found again, by the rules of ``training.metrics``."""
    is_record = facts.is_record(row)
    words, coverage = _measure_values(row) if is_record else _measure_names(row)
    given = dict.fromkeys(row.missing, False) | dict.fromkeys(row.used, True)
    why = dict(zip(row.unfitted, row.unfitted_why, strict=True))
    items = [
        Item(number, HUES[(number - 1) % len(HUES)], line, given.get(line), why.get(line, ""))
        for number, line in enumerate(row.asked, start=1)
    ]
    # The row's own ticks count: names may be read otherwise now than by the version that made the data set.
    mentions = [places if item.given else [] for places, item in zip(coverage.mentions, items, strict=True)]
    said = _said(replace(coverage, mentions=mentions), len(words))
    if not given and not is_record:  # nothing says what the text names, so that what the model copied is shown
        said = [found or item for found, item in zip(said, _copied(row), strict=True)]
    spans = _spans(row.text, words)
    return Card(row, items, list(_lines(row.text, spans, said, items)))


def _copied(row: Generated) -> list[Said]:
    """The line that each word was copied from."""
    pairs = zip(row.tokens, row.ref_items, strict=True)
    return [None if item == NO_ITEM else (item,) for token, item in pairs for _ in _words(token)]


def _words(token: str) -> list[str]:
    return [word for word in token.lower().split(PHRASE_JOINER) if word]


def _measure_names(row: Generated) -> tuple[Sequence[str], Coverage]:
    words = [word for token in row.tokens for word in _words(token)]
    names = [name_words(line) for line in row.asked]
    return words, measure(words, names, Lexicon(dict.fromkeys(row.extra, 1)))


def _measure_values(row: Generated) -> tuple[Sequence[str], Coverage]:
    text = facts.text_of(row.text, None)
    known = Inventory(tuple(facts.facts_of(row.extra, None)))
    return text.words, measure_values(text, facts.facts_of(row.asked, None), known)


def _said(coverage: Coverage, words: int) -> list[Said]:
    """What each word says. Of several items with one head those win that have most of their words there."""
    extra: list[str | None] = [None] * words
    for name, places in zip(coverage.extra, coverage.extra_mentions, strict=True):
        for place in places:
            extra[place] = name
    longest = [0] * words
    items: list[tuple[int, ...]] = [()] * words
    for item, places in enumerate(coverage.mentions):
        for _, group in groupby(enumerate(places), key=lambda entry: entry[1] - entry[0]):
            run = [place for _, place in group]
            for place in run:
                if len(run) >= longest[place]:
                    items[place] = (*items[place], item) if len(run) == longest[place] else (item,)
                    longest[place] = len(run)
    return [found or name for found, name in zip(items, extra, strict=True)]


def _spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where in the text, which was restored from them, the words stand; an empty span where one does not."""
    lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    spans, position = [], 0
    for word in words:
        start = lower.find(word, position)
        spans.append((start, start + len(word)) if start >= 0 else (position, position))
        position = spans[-1][1]
    return spans


def _lines(
    text: str, spans: Sequence[tuple[int, int]], said: Sequence[Said], items: Sequence[Item]
) -> Iterator[list[Segment]]:
    """The text's lines as segments; neighbouring words that say the same are one mark."""
    line: list[Segment] = []
    position = 0
    for what, group in groupby(zip(spans, said, strict=True), key=lambda entry: entry[1]):
        run = [span for span, _ in group]
        start, end = run[0][0], run[-1][1]
        if what is None or start == end:
            continue
        line, *before = _break(text[position:start], line)
        yield from before
        marked = () if isinstance(what, str) else tuple(items[number] for number in what)
        line.append(Segment(text[start:end], marked, isinstance(what, str)))
        position = end
    line, *before = _break(text[position:], line)
    yield from before
    yield line


def _break(text: str, line: list[Segment]) -> list[list[Segment]]:
    """Add plain text to a line; gives the line that is open now, then those that it closed."""
    first, *others = text.split("\n")
    lines = [[*line, Segment(first)] if first else line, *([Segment(part)] if part else [] for part in others)]
    return [lines[-1], *lines[:-1]]
