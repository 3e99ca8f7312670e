"""Raw agendas as JSON lines: the positions of lines, their values, and Arrow types for the values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from allsaid.storage import files
from batch_infer.rows.kinds.places import Places

INT64 = range(-(1 << 63), 1 << 63)


@dataclass(frozen=True)
class Line:
    number: int  # from 1
    values: dict[str, object]  # empty if there is a fault
    fault: str | None  # a sentence


def scan(path: str) -> Places:
    """Return the places of lines that are not blank."""
    places, offset = Places(), 0
    with files.open_read(path) as stream:
        for number, line in enumerate(iter(stream.readline, b""), start=1):
            if line.strip():
                places.add(offset, number)
            offset += len(line)
    return places


def read(path: str, label: str, offset: int, number: int, count: int) -> Iterator[Line]:
    """Yield the next ``count`` lines that are not blank, from line ``number`` at byte ``offset``."""
    with files.open_read(path) as stream:
        stream.seek(offset)
        while count:
            line = stream.readline()
            if line.strip():
                yield parse(line, number, f"Line {number} of {label}")
                count -= 1
            number += 1


def own_id(values: dict[str, object]) -> str | None:
    """Return the id of a line as text, if it has one: a non-empty text or a whole number."""
    value = values.get("id")
    is_id = isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""
    return str(value) if is_id else None


def fields(lines: Iterable[Line], names: Sequence[str]) -> tuple[list[pa.Field], set[str]]:
    """Return for each name the type that holds all its values, text if they differ; and the names that occur."""
    kinds: dict[str, set[type]] = {name: set() for name in names}
    there: set[str] = set()
    for line in lines:
        there |= line.values.keys()
        for name in names:
            value = line.values.get(name)
            is_huge = isinstance(value, int) and value not in INT64
            kinds[name].add(object if is_huge else type(value))
    return [pa.field(name, _arrow_type(found - {type(None)})) for name, found in kinds.items()], there


def column(values: Iterable[object], kind: pa.DataType) -> pa.Array:
    """Return values as an Arrow array; a text column holds values that are not text as JSON."""
    if pa.types.is_string(kind):
        values = [
            value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for value in values
        ]
    return pa.array(values, kind)


def _arrow_type(kinds: set[type]) -> pa.DataType:
    if kinds == {bool}:
        return pa.bool_()
    if kinds == {int}:
        return pa.int64()
    return pa.float64() if kinds and kinds <= {int, float} else pa.string()


def parse(line: bytes, number: int, where: str) -> Line:
    """Parse a line; ``where`` names it in its fault."""
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        values = json.loads(text, object_pairs_hook=_object)
        json.dumps(values, ensure_ascii=False).encode()  # half of a surrogate pair is not valid text
    except UnicodeError:
        return Line(number, {}, f"{where} is no UTF-8 text.")
    except (ValueError, RecursionError) as fault:
        return Line(number, {}, f"{where} is no JSON ({fault}).")
    if not isinstance(values, dict):
        return Line(number, {}, f"{where} is no JSON object with a name for each value.")
    return Line(number, values, None)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object's values by name; raise ValueError for a name that occurs twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        ((doubled, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name '{doubled}' occurs twice in one object, where only one value counts")
    return values
