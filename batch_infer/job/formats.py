"""Export the texts of a finished run as one file for a shop: CSV, JSON lines or an Excel workbook.

The file is written from the Parquet files in the order of the rows, with few rows in memory at a time. It begins with
the id and the text, under the names that these columns have in the table. In CSV and Excel the verdict of the proof and
its reason follow, and a list is JSON in its cell. A text that a spreadsheet would read as a formula is prefixed with an
apostrophe, as OWASP recommends ("CSV Injection"). Excel cells hold text and numbers, never formulas.

If only certified texts are published, a second file has the others, and the error rows.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO  # Any: values of a row's columns

from allsaid.disk import temporary_faults
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from allsaid.storage.rows import read_rows
from batch_infer.proof.summary import text_files
from batch_infer.rows.sources import ID, TEXT
from schemas.errors import UserError
from schemas.texts.finding import LOOK

if TYPE_CHECKING:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

MOST_ROWS, MOST_LETTERS = 1_048_575, 32_767  # of an Excel sheet below its header; of a cell
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
Rows = Iterator[dict[str, object]]
ALL, CERTIFIED = "all", "certified"  # texts to publish
PROOF, REASON = "proof", "reason"  # columns for people
NO_FINDING = "no finding"
_REPEATED = "a word or a value is stated twice, or a value is in no known wording"
_TEXTS, ASIDE = "texts", "texts-kept-aside"  # names of the files
_JUDGED = ("error", "certified", "missing", "extra", "unattested", "unfitted", "findings")  # columns of the verdict


def check(formats: str, publish: str = ALL) -> tuple[str, ...]:
    """Parse a list such as ``parquet,csv``; return its formats without Parquet; raise UserError for an unknown one."""
    if publish not in (ALL, CERTIFIED):
        raise UserError(f"--publish {publish}: the valid ones are {ALL} and {CERTIFIED}.")
    named = [name.strip().lower() for name in formats.split(",")]
    for name in named:
        if name != "parquet" and name not in WRITERS:
            raise UserError(f"--format {name}: the valid ones are parquet, {', '.join(WRITERS)}.")
    found = tuple(dict.fromkeys(name for name in named if name in WRITERS))
    if publish == CERTIFIED and not found:
        raise UserError("--publish certified chooses the texts of one file. Add --format csv, jsonl or xlsx.")
    return found


def names(formats: Sequence[str], publish: str = ALL) -> list[str]:
    """Return the names of the files."""
    return [f"{stem}.{name}" for name in formats for stem in (_TEXTS, *([ASIDE] if publish == CERTIFIED else []))]


def write(
    folder: str, formats: Sequence[str], id_name: str = ID, text_name: str = TEXT, publish: str = ALL
) -> list[str]:
    """Write the texts of ``folder`` in further formats; return the paths of the files.

    The columns of ids and texts are named as in the shop's table, unless a name is taken.
    """
    texts, paths = text_files(folder), [files.join(folder, name) for name in names(formats, publish)]
    for name in () if publish == CERTIFIED else files.below(folder):
        if name.startswith(f"{ASIDE}."):  # of an earlier start
            files.delete([files.join(folder, name)])
    for path in paths:
        with files.open_read(texts[0]) as stream, open_parquet(stream) as parquet:
            columns = [ID, TEXT, *(column for column in parquet.schema_arrow.names if column not in (ID, TEXT))]
        in_table = {ID: id_name, TEXT: text_name}
        titles = [column if in_table.get(column) in columns else in_table.get(column, column) for column in columns]
        rows: Rows = ({name: row[name] for name in columns} for part in texts for row in read_rows(part, columns))
        if publish == CERTIFIED:
            is_aside = path.startswith(files.join(folder, f"{ASIDE}."))
            rows = (row for row in rows if is_published(row) is not is_aside)
        name = path.rpartition(".")[2]
        if name != "jsonl":  # for people
            titles, rows = [*titles[:2], PROOF, REASON, *titles[2:]], map(_judged, rows)
        with tempfile.TemporaryFile() as file:
            with temporary_faults():
                WRITERS[name](file, titles, rows)
                file.seek(0)
            with files.create(path) as stream:
                shutil.copyfileobj(file, stream)
    return paths


def count(folder: str) -> Counter[bool]:
    """Return the number of texts that ``CERTIFIED`` publishes (True), and of other texts and error rows (False)."""
    return Counter(is_published(row) for path in text_files(folder) for row in read_rows(path, _JUDGED))


def is_published(row: Mapping[str, Any]) -> bool:
    """Return whether a text is certified; without a certificate, whether the proof finds nothing against it.

    A text that does not meet a requirement is not published.
    """
    return _proof(row) in (CERTIFIED, NO_FINDING) and not row["unfitted"]


def _proof(row: Mapping[str, Any]) -> str:
    """Return the verdict on a text."""
    if row["error"] is not None:
        return "no text"
    if row["certified"] is not None:
        return CERTIFIED if row["certified"] else "not certified"
    return "finding" if row["findings"] or row["missing"] or row["extra"] else NO_FINDING


def _reason(row: Mapping[str, Any]) -> str:
    """Return why a text is not published, for a person: "missing: weight=2 kg; extra: 3 kg"."""
    look = [f"{finding['passage']} ({finding['kind']})" for finding in row["findings"] if finding["grade"] == LOOK]
    unmet = [line for line in row["unfitted"] if line not in row["missing"]]
    faults = {"missing": row["missing"], "extra": row["extra"], "unknown wording": row["unattested"]}
    faults |= {"look at it": look, "not met": unmet}
    found = "; ".join(f"{name}: {', '.join(lines)}" for name, lines in faults.items() if lines)
    return row["error"] or found or (_REPEATED if row["certified"] is False else "")


def _judged(row: Mapping[str, Any]) -> dict[str, object]:
    """Return a row with the verdict and its reason after the id and the text."""
    return {ID: row[ID], TEXT: row[TEXT], PROOF: _proof(row), REASON: _reason(row)} | dict(row)


def _write_csv(file: BinaryIO, columns: Sequence[str], rows: Rows) -> None:
    text = io.TextIOWrapper(file, "utf-8-sig", newline="")  # without the mark, Excel reads a CSV in the local code page
    writer = csv.writer(text)
    writer.writerow(map(_harmless, columns))
    for row in rows:
        cells = map(_cell, row.values())
        writer.writerow([_harmless(cell) if isinstance(cell, str) else cell for cell in cells])
    text.detach()


def _write_lines(file: BinaryIO, columns: Sequence[str], rows: Rows) -> None:
    for row in rows:
        named = dict(zip(columns, row.values(), strict=True))
        file.write((json.dumps(named, ensure_ascii=False, default=str) + "\n").encode())


def _write_workbook(file: BinaryIO, columns: Sequence[str], rows: Rows) -> None:
    from openpyxl import Workbook  # imported here: slow to load, and only workbooks need it

    book = Workbook(write_only=True)
    sheet = book.create_sheet("texts")
    sheet.append([_excel_cell(sheet, name) for name in columns])
    for number, row in enumerate(rows):
        if number == MOST_ROWS:
            raise UserError(f"An Excel sheet holds {MOST_ROWS:,} rows, and there are more. Use --format csv.")
        sheet.append([_excel_cell(sheet, _cell(value)) for value in row.values()])
    book.save(file)


def _excel_cell(sheet: WriteOnlyWorksheet, value: object) -> WriteOnlyCell:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if not isinstance(value, str):
        return WriteOnlyCell(sheet, value)
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", _harmless(value))[:MOST_LETTERS])
    cell.data_type = "s"  # never "f", a formula
    return cell


def _cell(value: object) -> object:
    """Convert a value so that it fits one cell."""
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return str(value)


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


WRITERS: dict[str, Callable[[BinaryIO, Sequence[str], Rows], None]] = {
    "csv": _write_csv,
    "jsonl": _write_lines,
    "xlsx": _write_workbook,
}
