"""The self-contained HTML report of a generation run: means, spread, the best and the worst texts, errors."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from allsaid.console import counted
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from batch_infer.job.folder import mapping_of
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import Summary
from batch_infer.report import pages
from batch_infer.report.cards import Card, card
from batch_infer.report.heatmap import picture_of
from batch_infer.rows.kinds import tables
from schemas.checks.table import check_schema, from_table
from schemas.errors import UserError
from schemas.texts.finding import GRADES, MISSING, WRONG
from schemas.texts.generated import GENERATED, Generated

PAGE = "report.html"
SHOWN = 5  # number of best texts, and of worst texts
EXAMPLES = 100  # of a finding
BINS = 10  # bars of the coverage histogram, 10 points each; the last includes 100
TILES = ("percent_given", "percent_given_full_name", "extra_items")
MOST_EXTRA = 5  # the last bar of the other histogram: this number of extra items or more
MOST_COLUMNS = 5  # of the sentence with the counts


# Of a text: whether it has no finding, % given, -extra, number of items, file, row.
Rank = tuple[bool, float, int, int, int, int]


@dataclass(frozen=True)
class Bar:
    label: str
    count: int
    height: float  # 0 to 1, relative to the highest bar


@dataclass
class FindingGroup:
    """Findings of one grade, column and reason."""

    count: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)  # (id, passage or line) of the first ones


@dataclass
class Statistics:
    """The counts of all rows, and the texts to show."""

    texts: int = 0
    flagged: int = 0  # texts with a finding, an extra item, or less than all items
    worst_grades: Counter[str] = field(default_factory=Counter)  # the most harmful grade of a text -> texts
    findings: dict[tuple[str, str, str], FindingGroup] = field(default_factory=dict)  # (grade, column, reason)
    given: Counter[int] = field(default_factory=Counter)  # bar -> texts
    extra: Counter[int] = field(default_factory=Counter)
    best: list[tuple[int, int]] = field(default_factory=list)  # (file, row), best first
    worst: list[tuple[int, int]] = field(default_factory=list)  # worst first


def write(folder: str) -> str:
    """Write ``folder``/report.html from the texts and the summary there; return its path."""
    return write_and_count(folder)[0]


def write_and_count(folder: str) -> tuple[str, str]:
    """Write the page; return its path, and a sentence with the counts of texts and findings."""
    summary = summary_file.read(folder)
    parts = summary_file.text_files(folder)
    found = gather(parts, best_unflagged=bool(summary.submitted_texts))
    if found.texts != summary.texts:
        raise UserError(
            f"{folder} holds {counted(found.texts, 'text')}, but its {summary_file.NAME} counts {summary.texts}: a "
            "file of texts is missing, or is of another run. Run `allsaid generate` again with a new --output."
        )
    findings = sorted(found.findings.items(), key=lambda group: (GRADES.index(group[0][0]), -group[1].count))
    page = pages.render(
        "report.html.j2",
        summary=summary,
        tiles=_tiles_of_proof(found) if summary.submitted_texts else _tiles(summary),
        flagged=found.flagged,
        figures=summary.rows()[2:],
        given_bars=_bars(found.given, [f"{10 * bar}–{10 * bar + 10}" for bar in range(BINS)]),
        extra_bars=_bars(found.extra, [*map(str, range(MOST_EXTRA)), f"{MOST_EXTRA}+"]),
        findings=findings,
        filters=_filters(found.findings),
        best=[*_cards(folder, parts, found.best)],
        worst=[*_cards(folder, parts, found.worst)],
    )
    target = files.join(folder, PAGE)
    files.write_text(target, page)
    return target, _sentence(found)


def _sentence(found: Statistics) -> str:
    """Return the numbers of texts, of flagged texts by grade, and of findings in the columns with the most."""
    grades = [f"{found.worst_grades[grade]:,} {grade}" for grade in GRADES if found.worst_grades[grade]]
    columns: Counter[str] = Counter()
    for (_, column, _), group in found.findings.items():
        columns[column or "no column"] += group.count
    most = [f"{column} {count:,}" for column, count in columns.most_common(MOST_COLUMNS)]
    return (
        f"{counted(found.texts, 'text')}, {found.flagged:,} flagged"
        + (f" (worst finding: {', '.join(grades)})" if grades else "")
        + (f". Most findings: {', '.join(most)}." if most else ".")
    )


def _filters(findings: Collection[tuple[str, str, str]]) -> dict[str, list[str]]:
    """Return the choices of each filter of the findings: the grades, the most harmful first, columns and reasons."""
    grades, columns, reasons = ({finding[place] for finding in findings} for place in range(3))
    return {
        "grade": [grade for grade in GRADES if grade in grades],
        "column": sorted(column or "no column" for column in columns),
        "reason": sorted(reasons),
    }


def _tiles(summary: Summary) -> list[tuple[str, str, str]]:
    """Return the mean, the name and the reference texts' mean of a few figures."""
    keys = [key for key in TILES if key in summary.measured] or summary.measured[: len(TILES)]
    return [
        (figure.show(summary.mean(figure.key)), figure.name, figure.show(summary.true.get(figure.key)))
        for figure in (summary.known[key] for key in keys)
    ]


def _tiles_of_proof(found: Statistics) -> list[tuple[str, str, str]]:
    """Return the number of texts without a fault, and the numbers of findings of the two grades that are faults."""
    by_grade: Counter[str] = Counter()
    for (grade, _, _), group in found.findings.items():
        by_grade[grade] += group.count
    counts = (
        (found.texts - found.flagged, "texts without a finding"),
        (by_grade[WRONG], "wrong statements"),
        (by_grade[MISSING], "missing values"),
    )
    return [(f"{count:,}", name, "") for count, name in counts]


def gather(parts: Sequence[str], best_unflagged: bool = False) -> Statistics:
    """Count all rows and choose the texts to show, reading only a few columns.

    best_unflagged: choose the best texts from those that are not flagged.
    """
    found = Statistics()
    ranked: list[Rank] = []
    for number, path in enumerate(parts):
        table = _read(path, ["id", "percent_given", "extra_count", "agenda", "error", "findings"])
        for place, row in enumerate(table.to_pylist()):
            if row["error"] is not None:
                continue
            found.texts += 1
            for finding in row["findings"]:
                group = found.findings.setdefault(
                    (finding["grade"], finding["column"], finding["kind"]), FindingGroup()
                )
                group.count += 1
                if len(group.examples) < EXAMPLES:
                    group.examples.append((str(row["id"]), finding["passage"] or finding["line"]))
            given, extra = row["percent_given"], row["extra_count"]
            flagged = bool(row["findings"] or extra or (given is not None and given < 100))
            found.flagged += flagged
            found.worst_grades.update(sorted({one["grade"] for one in row["findings"]}, key=GRADES.index)[:1])
            if given is not None:
                found.given[min(int(given / 100 * BINS), BINS - 1)] += 1
            if extra is not None:
                found.extra[min(extra, MOST_EXTRA)] += 1
            items = 0 if given is None else len(row["agenda"])
            ranked.append((not flagged, given or 0, -(extra or 0), items, number, place))
        # Among equal texts, those with more items are more informative.
        ends = (heapq.nsmallest(2 * SHOWN, ranked, key=order) for order in (_best_first, _worst_first))
        ranked = [*dict.fromkeys(key for end in ends for key in end)]
    shown = min(SHOWN, (len(ranked) + 1) // 2)
    best = heapq.nsmallest(shown, [key for key in ranked if key[0]] if best_unflagged else ranked, key=_best_first)
    worst = heapq.nsmallest(SHOWN, set(ranked) - set(best), key=_worst_first)
    found.best, found.worst = [key[-2:] for key in best], [key[-2:] for key in worst]
    return found


def _best_first(key: Rank) -> tuple[float, ...]:
    is_unflagged, given, less_extra, items, *place = key
    return not is_unflagged, -given, -less_extra, -items, *place


def _worst_first(key: Rank) -> tuple[float, ...]:
    is_unflagged, given, less_extra, items, *place = key
    return is_unflagged, given, less_extra, -items, *place


def _cards(folder: str, parts: Sequence[str], places: Sequence[tuple[int, int]]) -> Iterator[Card]:
    written = mapping_of(folder)
    mapping = tables.mapping_of(written) if written else None
    for number, place in places:
        (row,) = from_table(_read(parts[number], GENERATED.names).slice(place, 1), Generated)
        yield replace(card(row, mapping), picture=picture_of(folder, parts[number].rpartition("/")[2], place, row))


def _read(path: str, columns: Sequence[str]) -> pa.Table:
    try:
        with files.open_read(path) as stream, open_parquet(stream) as parquet:
            found = parquet.schema_arrow
            # The id has its type in the input.
            wanted = GENERATED.set(0, found.field("id")) if "id" in found.names else GENERATED
            check_schema(found, wanted, path)
            return parquet.read(columns=list(columns), use_threads=False)
    except (OSError, pa.ArrowException) as fault:
        raise UserError(f"{path} is damaged ({fault}). Run `allsaid generate` again with a new --output.") from fault


def _bars(counts: Counter[int], labels: Sequence[str]) -> list[Bar]:
    highest = max(counts.values(), default=0) or 1
    return [Bar(label, counts[place], counts[place] / highest) for place, label in enumerate(labels)]
