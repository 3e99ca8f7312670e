"""Workbooks of Excel: cells as shown, sheets, merged and hidden rows, and what is no workbook."""

from __future__ import annotations

import datetime
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from pipelines.sources.records.columns import layout_of
from pipelines.sources.records.findings.guess import guess
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.tables.formats import shown_date, shown_number
from pipelines.sources.records.tables.layout import Layout, Row, TableFault
from pipelines.sources.records.tables.rows import look, read_table
from schemas.errors import UserError


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (12.5, "0.00", "12.50"), (1299.995, "#,##0.00", "1,300.00"), (1234567, "#,##0", "1,234,567"),
        (0.125, "0%", "13%"), (0.125, "0.0%", "12.5%"), (12.5, '#,##0.00 "€"', "12.50 €"),
        (12.5, "[$€-407] #,##0.00", "€ 12.50"), (12.5, '_-* #,##0.00\\ "kr"_-', "12.50 kr"), (1067, "00000", "01067"),
        (-3, "#,##0.00;[Red](#,##0.00)", "(3.00)"), (-3, "0.0", "-3.0"), (0, '0;-0;"-"', "-"), (0.5, "#.##", ".5"),
        (4006381333931, "General", "4006381333931"), (4006381333931, "0.00E+00", "4006381333931"),
        (1.23e12, "0.00E+00", "1.23E+12"), (0.1 + 0.2, "General", "0.3"), (3, '0" pieces"', "3 pieces"),
        (1e-7, "General", "0.0000001"), (1234567, '#,##0,"k"', "1,235k"), (1234567, '0.0,,"M"', "1.2M"),
        (1234567890, "(000) 000-0000", "(123) 456-7890"), (1234.5, "#'##0.00", "1'234.50"), (930, '00":"00', "09:30"),
        (1500, '[>=1000]0.0,"K";0', "1.5K"), (500, '[>=1000]0.0,"K";0', "500"), (2.5, 'General" kg"', "2.5 kg"),
        (2.25, '# ?/? "cup"', "2.25 cup"), (5, '@" x"', "5 x"), (-5, "0.00;@", "-5.00"), (0, "0;;", ""),
        (7, ";;;", "7"),
        (0, '_-* #,##0.00 "€"_-;-* #,##0.00 "€"_-;_-* "-"?? "€"_-;_-@_-', "- €"), (-12, '0\\";-0\\"', '-12"'),
        (1e30, "0.0", "1000000000000000000000000000000.0"), (0.5, "# ?/?", "0.5"),
        (5.0, "@", "5"), (1500000, "#,##0", "1,500,000"),
    ],
)  # fmt: skip
def test_numbers_as_shown(value: float, code: str, shown: str) -> None:
    assert shown_number(value, code).lstrip("0" if code == "#.##" else "") == shown


DAY, MOMENT = datetime.datetime(2024, 3, 5), datetime.datetime(2024, 3, 5, 9, 7, 3)


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (DAY, "DD.MM.YYYY", "05.03.2024"), (DAY, "d.m.yy", "5.3.24"), (DAY, "dd/mm/yyyy", "05/03/2024"),
        (DAY, "yyyy\\-mm\\-dd;@", "2024-03-05"), (DAY, "[$-407]dd.mm.yyyy", "05.03.2024"),
        (DAY, "[$-409]mmm d, yyyy", "Mar 5, 2024"), (DAY, "dddd, d. mmmm yyyy", "Tuesday, 5. March 2024"),
        (DAY, 'yyyy"年"m"月"d"日"', "2024年3月5日"), (DAY, "mmm-yy", "Mar-24"),
        (MOMENT, "dd.mm.yyyy hh:mm", "05.03.2024 09:07"),
        (MOMENT, "h:mm AM/PM", "9:07 AM"), (MOMENT, "mm:ss", "07:03"), (MOMENT, "hh:mm:ss.000", "09:07:03"),
        (datetime.time(9, 5), "h:mm", "9:05"), (datetime.time(21, 5), "hh:mm am/pm", "09:05 PM"),
        (datetime.timedelta(hours=36, minutes=5), "[h]:mm", "36:05"),
        (datetime.timedelta(minutes=95, seconds=7), "[mm]:ss", "95:07"),
        (datetime.timedelta(hours=5), "[hh]:mm", "05:00"), (datetime.timedelta(hours=-2), "[h]:mm", "-2:00"),
        (datetime.datetime(1900, 1, 1, 6), '[h]" h "mm', "30 h 00"),
        (datetime.time(5, 30), '[h]" h "mm" min"', "5 h 30 min"), (DAY, "ge.m.d", "2024-03-05"),
        # What the computer's settings decide is written by ISO.
        (DAY, "mm-dd-yy", "2024-03-05"), (DAY, "[$-F800]dddd, mmmm dd, yyyy", "2024-03-05"),
        (DAY, "[$-407]d. mmmm yyyy", "2024-03-05"), (MOMENT, "m/d/yy h:mm", "2024-03-05 09:07:03"),
        (DAY, "mmmmm-yy", "2024-03-05"), (DAY, "yyyy-mm-dd h:mm:ss", "2024-03-05"), (DAY, "h:mm", "0:00"),
    ],
)  # fmt: skip
def test_dates_and_times_as_shown(value: Any, code: str, shown: str) -> None:
    assert shown_date(value, code) == shown


HEADER = ["nr", "name", "price", "day", "size", "ok"]


def book(path: Path, *rows: list[Any], formats: dict[str, str] | None = None) -> Path:
    made = Workbook()
    sheet = made.active
    for row in (HEADER, *rows):
        sheet.append(row)
    for cell, code in (formats or {}).items():
        sheet[cell].number_format = code
    made.save(path)
    return path


def read(path: Path, **how: str) -> tuple[Layout, list[Row]]:
    layout = look(str(path), **how)
    found = list(read_table(str(path), layout))
    assert all(isinstance(row, Row) for row in found), found
    return layout, [row for row in found if isinstance(row, Row)]


def test_cells_as_shown(tmp_path: Path) -> None:
    day = datetime.datetime(2026, 4, 3)
    first = [1067, "Böck & Söhne", 12.5, day, day, True]
    second = ["a_x000D_", None, 7, datetime.datetime(2026, 4, 3, 12, 30), "M", "#N/A"]
    codes = {"A2": "00000", "C2": "0.00 €", "D2": "dd.mm.yyyy", "E2": "d-mmm", "D3": "yyyy-mm-dd hh:mm"}
    layout, (one, two) = read(book(tmp_path / "t.xlsx", first, second, formats=codes))
    assert (layout.columns, one.offset, two.offset) == (HEADER, 2, 3)
    assert [*(one.cells or {}).values()] == ["01067", "Böck & Söhne", "12.50 €", "03.04.2026", "3-Apr", True]
    assert [*(two.cells or {}).values()] == ["a\r", "", "7", "2026-04-03 12:30", "M", "#N/A"]


def test_sheets_rows_and_merged_cells(tmp_path: Path) -> None:
    made = Workbook()
    made.active.title = "notes"
    made.active.sheet_state = "hidden"
    sheet = made.create_sheet("stock")
    for row in ([], [*HEADER[:2], None, None], ["1", "oak"], ["2"], [], ["3", "elm", "", "stray"], [""]):
        sheet.append(row)
    sheet.merge_cells("B3:B4")
    sheet.row_dimensions[4].hidden = True
    made.create_sheet("other").append(["a"])
    made.save(tmp_path / "t.xlsx")
    layout, rows = read(tmp_path / "t.xlsx")
    assert (layout.sheet, layout.columns) == ("stock", ["nr", "name", "column 4"])
    assert [(row.offset, (row.cells or {}).get("name")) for row in rows] == [(3, "oak"), (4, "oak"), (6, "elm")]
    told = " ".join(layout.notes)
    assert "the sheet 'stock' is read. Choose another with --sheet: notes, other." in told
    assert "1 row of 'stock' hidden in the sheet; read like the others." in told
    assert read(tmp_path / "t.xlsx", sheet="other")[0].columns == ["a"]
    for sheet, said in (("none", "has no sheet 'none'. Its sheets are: notes, stock, other"), ("notes", "is empty")):
        with pytest.raises(TableFault, match=said):
            look(str(tmp_path / "t.xlsx"), sheet=sheet)


def test_titles_above_the_header_are_skipped(tmp_path: Path) -> None:
    made = Workbook()
    for row in (["Catalogue 2026"], [], [None, "as of May"], HEADER[:2], ["1", "oak"], ["2"]):
        made.active.append(row)
    for cells in ("A1:B2", "B3:B3", "B5:B6"):  # a title of two rows, and a value for two rows
        made.active.merge_cells(cells)
    made.save(tmp_path / "t.xlsx")
    layout, rows = read(tmp_path / "t.xlsx")
    assert layout.columns == HEADER[:2]
    assert [(row.number, row.cells) for row in rows] == [
        (5, {"nr": "1", "name": "oak"}),
        (6, {"nr": "2", "name": "oak"}),
    ]
    assert "2 rows of 'Sheet' above the names of the columns, not read." in layout.notes[0]


def test_a_wrong_sheet_is_told_with_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = Workbook()
    made.active.title = "Cover"
    made.active.append(["Catalogue", "2026"])
    made.create_sheet("Goods").append(HEADER)
    made.save(tmp_path / "t.xlsx")
    mapping = parse_mapping({"goal": "name", "text": "ok", "columns": {"size": "value"}}, "m.yaml")
    with pytest.raises(TableFault, match=r"This is its sheet 'Cover'; choose another with --sheet: Goods\.$"):
        layout_of(str(tmp_path / "t.xlsx"), mapping, "m.yaml")
    assert layout_of(str(tmp_path / "t.xlsx"), mapping, "m.yaml", sheet="Goods").columns == HEADER
    with pytest.raises(UserError, match=r"has a header, but no row\. .* This is its sheet 'Cover'"):
        guess([str(tmp_path / "t.xlsx")])
    assert "the sheet 'Cover' is read. Choose another with --sheet: Goods." in " ".join(capsys.readouterr().err.split())


def test_formulas_without_a_stored_value_are_told(tmp_path: Path) -> None:
    layout, (row,) = read(book(tmp_path / "t.xlsx", ["1", "a", "=1+1", None, '=CONCAT("a", "b")', None]))
    assert "2 formulas of 'Sheet' without a stored value, read as empty. Open the file in Excel" in layout.notes[0]
    assert row.cells and row.cells["price"] == ""


def change(path: Path, name: str, pattern: bytes, by: bytes) -> Path:
    """A workbook with one of its parts changed."""
    target = path.with_name("changed.xlsx")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.namelist():
            data = old.read(one)
            if one == name:
                changed = re.sub(pattern, lambda _: by, data, count=1)
                assert changed != data
                data = changed
            new.writestr(one, data)
    return target


SHEET = "xl/worksheets/sheet1.xml"


def test_what_is_no_honest_workbook(tmp_path: Path) -> None:
    good = book(tmp_path / "t.xlsx", ["1", "a", 2, None, "M", True])
    with pytest.raises(TableFault, match="Real workbooks are not compressed so well"):
        look(str(change(good, SHEET, b"</sheetData>", b" " * (70 << 20) + b"</sheetData>")))
    bomb = b'<!DOCTYPE x [<!ENTITY a "' + b"x" * 1000 + b'">' + b"".join(
        b'<!ENTITY %c "%s">' % (letter, b"&%c;" % (letter - 1) * 100) for letter in b"bcdefg"
    ) + b"]>"  # fmt: skip
    changed = change(good, SHEET, b"<worksheet ", bomb + b"<worksheet ")
    with pytest.raises(TableFault, match="can't be read as Excel's"):
        look(str(change(changed.rename(tmp_path / "bomb.xlsx"), SHEET, b"<v>2</v>", b"<v>&g;</v>")))
    with pytest.raises(TableFault, match="can't be read as Excel's"):
        look(str(change(good, "xl/workbook.xml", b"<sheets>", b"<sheets")))
    (tmp_path / "cut.xlsx").write_bytes(good.read_bytes()[:-200])
    with pytest.raises(TableFault, match=r"is not a readable \.xlsx file"):
        look(str(tmp_path / "cut.xlsx"))


def test_a_sheet_that_is_damaged_further_down(tmp_path: Path) -> None:
    good = book(tmp_path / "t.xlsx", *([str(number), "a"] for number in range(300)))
    broken = change(good, SHEET, b'<row r="250"', b"<row r=")
    *rows, last = read_table(str(broken), look(str(broken)))
    assert len(rows) == 248
    assert isinstance(last, str) and "is damaged after row 249" in last


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("content.xml", r"an OpenDocument file \(.ods\), which can't be read. Save the table as .xlsx or as CSV"),
        ("Index/Document.iwa", "a Numbers file, which can't be read. Save the table as .xlsx or as CSV"),
        ("xl/workbook.bin", r"a binary Excel file \(.xlsb\), which can't be read. Save the table as .xlsx or as CSV"),
        ("readme.txt", r"a zip archive\. Unpack it, and give the tables in it\."),
    ],
)
def test_other_archives_are_named(name: str, said: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as archive:
        archive.writestr(name, "x")
    with pytest.raises(TableFault, match=f"is {said}"):
        look(str(tmp_path / "t.xlsx"))
