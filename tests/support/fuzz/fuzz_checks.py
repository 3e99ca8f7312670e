"""What must hold of the results of a damaged input, beside that reading it raises nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz_corpus import Corpus
from fuzzing import Case, read, write

from allsaid.storage.streams import open_dump
from pipelines import sources
from pipelines.source import KeptRecord, ParsedRow, RejectedFigures, SharedRow, Unreadable
from pipelines.validation.validate import borders_of
from schemas.borders import BY_NAME
from schemas.checks.rules import Between, Filled, OneOf, PointsInto, PresentWhen, Rule, SameLength, Unique
from schemas.checks.table import to_table
from schemas.runs.rejected import HEAD_BYTES, REJECTED, STAGES, Rejected

MAX_GROWTH = 256  # MiB that the reading of one input may take beyond what the process had before
NUMBERED = (
    "dialogue-acts",
    "dstc2",
    "records",
    "dialogues",
    "wikisql",
    "webqsp",
    "parallel",
)  # a record that stands twice gets an id of its own, or is rejected
LEFT_OUT = ("file", "offset", "table_oov")  # of a record: where it was read, and what depends on others
MAX_LINE = 100_000  # bytes; longer lines may be no record

_C1 = re.compile("[\x80-\x9f]")
# What an input may hold that is U+FFFD, or that nothing else can stand for: half a surrogate pair, &#0;
_NO_CHARACTER = re.compile(rb"\xef\xbf\xbd|\\u(?:[fF]{3}[dD]|[dD][89a-fA-F])|&#")
_REASON = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_CALL = re.compile(r"data/(.*)/(?:log|label)\.json")


@dataclass(frozen=True)
class Outcome:
    """What became of a damaged input."""

    refused: bool = False
    kept: int = 0
    rejected: int = 0
    lost: int = 0
    megabytes: int = 0  # beyond what the process had before


class Bench:
    """A folder for each corpus, in which its inputs are damaged and read."""

    def __init__(self, folder: Path, corpora: Sequence[Corpus]) -> None:
        self._folders = {id(corpus): folder / str(number) for number, corpus in enumerate(corpora)}
        self._whole = {id(corpus): whole_results(corpus, self._folders[id(corpus)]) for corpus in corpora}

    def examine(self, case: Case) -> Outcome:
        return examine(case, self._whole[id(case.corpus)], self._folders[id(case.corpus)])


def whole_results(corpus: Corpus, folder: Path) -> list[KeptRecord]:
    """The results of the corpus without damage: every record is kept."""
    case = Case(corpus, 0, ())
    results = read(corpus, write(case, folder), folder)
    assert results is not None
    kept = [result for result in results if isinstance(result, KeptRecord)]
    assert len(kept) == len([result for result in results if not isinstance(result, SharedRow | ParsedRow)]) > 0, (
        results
    )
    return kept


def examine(case: Case, whole: Sequence[KeptRecord], folder: Path) -> Outcome:
    """Read a damaged corpus below ``folder`` and check all that comes; AssertionError names what does not hold."""
    paths = write(case, folder)
    before = _reset_peak()
    results = read(case.corpus, paths, folder)
    grown = (_peak() - before) >> 10
    assert grown <= MAX_GROWTH, f"reading took {grown} MiB"
    if results is None:
        return Outcome(refused=True, megabytes=grown)
    kept = [result for result in results if isinstance(result, KeptRecord)]
    rejected = [result for result in results if isinstance(result, Rejected)]
    lost = [result for result in results if isinstance(result, Unreadable)]
    beside = [result for result in results if isinstance(result, SharedRow | ParsedRow)]
    found = [result for result in results if isinstance(result, RejectedFigures)]
    assert len(kept) + len(rejected) + len(lost) + len(beside) + len(found) == len(results)
    _check_rejected(rejected)
    assert all(loss.sentence.strip() for loss in lost)
    _check_rows(case.corpus, kept, beside)
    _check_text(case, kept, folder)
    _check_numbers(case, kept, rejected, folder)
    _check_undamaged(case, whole, kept, rejected, folder)
    return Outcome(False, len(kept), len(rejected), len(lost), grown)


def _reset_peak() -> int:
    """Forget the process's peak of memory; KiB that it has now."""
    Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak() -> int:
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1])  # type: ignore[index]


def _check_rejected(rejected: Sequence[Rejected]) -> None:
    to_table(rejected, REJECTED).validate(full=True)
    for row in rejected:
        assert row.stage in STAGES and _REASON.fullmatch(row.reason), row
        assert len(row.head) <= HEAD_BYTES and row.offset >= 0 and row.file, row


def _check_rows(corpus: Corpus, kept: Sequence[KeptRecord], beside: Sequence[SharedRow | ParsedRow]) -> None:
    """Every row fits its border's Arrow schema and keeps its rules."""
    rows: dict[str, list[Any]] = {}
    for result in kept:
        assert result.split in ("train", "dev", "test")
        for border, found in result.rows.items():
            rows.setdefault(border, []).extend(found)
    for one in beside:
        rows.setdefault(one.border, []).append(one.row)
    rules = {border.name: border.rules for border in borders_of(sources.find(corpus.source))}
    for border, found in rows.items():
        table = to_table(found, BY_NAME[border].schema)
        table.validate(full=True)
        for column in table.schema:
            assert column.nullable or not table[column.name].null_count, (border, column.name)
        for rule in rules[border]:
            broken = [row for row in found if not _holds(rule, vars(row))]
            assert not broken, (border, rule, broken[0])
            if isinstance(rule, Unique) and corpus.source in NUMBERED:
                doubled = Counter(getattr(row, rule.column) for row in found).most_common(1)
                assert doubled[0][1] == 1, (border, rule, doubled)


def _holds(rule: Rule, row: Mapping[str, Any]) -> bool:
    """Whether a row keeps a rule; rules about all rows together are kept here."""
    match rule:
        case Filled(column):
            return bool(row[column])
        case Between(column, low, high, of):
            value = row[column]
            if of == "length":
                value = len(value.encode()) if isinstance(value, str) else len(value)
            return (low is None or value >= low) and (high is None or value <= high)
        case OneOf(column, values):
            found = row[column]
            return set(found if isinstance(found, list) else [found]) <= set(values)
        case SameLength(first, second):
            return len(row[first]) == len(row[second])
        case PointsInto(references, items):
            return all(-1 <= place < len(row[items]) for place in row[references])
        case PresentWhen(references, kinds, values):
            pairs = zip(row[references], row[kinds], strict=True)
            return all((place >= 0) == (kind in values) for place, kind in pairs)
        case _:
            return True


def _texts(value: Any) -> Iterator[str]:
    """All strings in a row but where it was read."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif hasattr(value, "__dict__"):
        for name, item in vars(value).items():
            if name != "file":
                yield from _texts(item)


def _check_text(case: Case, kept: Sequence[KeptRecord], folder: Path) -> None:
    """No mojibake: no C1 control characters, and no U+FFFD that the input has not."""
    texts = [text for result in kept for rows in result.rows.values() for row in rows for text in _texts(row)]
    control = next(filter(_C1.search, texts), None)
    assert control is None, f"C1 control character in {control!r}"
    if any("\ufffd" in text for text in texts):
        with open_dump(str(folder / case.file))[1] as stream:
            given = stream.read()
        odd = next(text for text in texts if "\ufffd" in text)
        assert _NO_CHARACTER.search(given), f"U+FFFD in {odd!r}"


def _check_numbers(case: Case, kept: Sequence[KeptRecord], rejected: Sequence[Rejected], folder: Path) -> None:
    """Where the number of records is known: read = kept + rejected."""
    read = len(kept) + len(rejected)
    corpus, known = case.corpus, not case.packed_edits
    if corpus.source == "wikibio" and not case.file.endswith(".zip"):
        boxes = [case.content if name == case.file else data for name, data in corpus.files.items() if ".box" in name]
        assert read == sum(data.count(b"\n") + (data[-1:] not in (b"", b"\n")) for data in boxes)
    elif corpus.source == "dstc2" and "tree" in corpus.layout:
        assert read == len({found[1] for name in corpus.files if (found := _CALL.fullmatch(name))})
    elif case.file.endswith(".jsonl") and known:
        lines = case.plain.split(b"\n")
        if max(map(len, lines)) > MAX_LINE:
            return
        there = [line for line in lines if line.strip()]
        if corpus.source == "records" and sum(line.startswith(b"{") for line in there) > len(there) // 2:
            assert read == len(there)
        elif corpus.source == "allrecipes":
            places = {_place(row)[1] for row in (*_first_rows(kept), *rejected)}
            assert set(_objects(lines)) <= places


def _objects(lines: Iterable[bytes]) -> Iterator[int]:
    """Where a line begins that is a JSON object of its own."""
    offset = 0
    for line in lines:
        try:
            if isinstance(json.loads(line.decode()), dict):
                yield offset + len(line) - len(line.lstrip())
        except (ValueError, RecursionError):
            pass
        offset += len(line) + 1


def _first_rows(kept: Iterable[KeptRecord]) -> list[Any]:
    return [next(iter(result.rows.values()))[0] for result in kept]


def _place(row: Any) -> tuple[str, int]:
    return row.file, row.offset


def _signature(result: KeptRecord) -> str:
    """A record's rows, but for where it was read and what other records have."""

    def plain(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [plain(item) for item in value]
        if hasattr(value, "__dict__"):
            return {name: plain(item) for name, item in vars(value).items() if name not in LEFT_OUT}
        return value

    return repr((result.split, {border: plain(rows) for border, rows in result.rows.items()}))


def _check_undamaged(
    case: Case, whole: Sequence[KeptRecord], kept: Sequence[KeptRecord], rejected: Sequence[Rejected], folder: Path
) -> None:
    """Records before the damage are kept as they were, those some way behind it are at least read."""
    now = {_place(row): _signature(result) for row, result in zip(_first_rows(kept), kept, strict=True)}
    now |= {_place(row): "" for row in rejected}
    if case.corpus.apart:
        for row, result in zip(_first_rows(whole), whole, strict=True):
            if not _is_in(row.file, case, folder):
                assert now.get(_place(row)) == _signature(result), ("in another file", row)
    if case.packer or not case.corpus.in_order:
        return
    old, new = case.corpus.files[case.file], case.content
    before = _alike(old, new)
    after = min(_alike(old[::-1], new[::-1]), len(old) - before, len(new) - before)
    found = [(row, result) for row, result in zip(_first_rows(whole), whole, strict=True)]
    found = [(row, result) for row, result in found if row.file == str(folder / case.file)]
    ends = [*(row.offset for row, _ in found[1:]), len(old)]
    for (row, result), end in zip(found, ends, strict=True):
        if end < before:
            assert now.get(_place(row)) == _signature(result), ("before the damage", row)
    if case.corpus.recovers is not None:
        behind = [row for row, _ in found if row.offset > len(old) - after]
        for row in behind[case.corpus.recovers :]:
            assert (row.file, row.offset + len(new) - len(old)) in now, ("behind the damage", row)


def _alike(one: bytes, other: bytes) -> int:
    """How many bytes two contents begin with alike."""
    return next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )


def _is_in(file: str, case: Case, folder: Path) -> bool:
    damaged = folder / case.file
    return Path(file) == damaged or (case.corpus.source == "dstc2" and Path(file).parent == damaged.parent)
