"""A table's bytes: one encoding for the whole file, told by all of it; what it can't hold is rejected, not altered."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pipelines.sources.records.tables.csv_rows import MAX_LINE, line_reader
from pipelines.sources.records.tables.encoding import check_encoding, find_encoding
from pipelines.sources.records.tables.layout import Layout, Row, TableFault
from pipelines.sources.records.tables.rows import look, read_table
from schemas.errors import UserError

TEXTS = {
    "12,50 €": "cp1252 iso8859-15 mac-roman",
    "price €12": "cp1252 iso8859-15 mac-roman",
    "1;Café;2": "cp1252 cp437 cp850 mac-roman",
    "Nr;Größe;Tür;Über-Öl für Füße": "cp1252 cp437 cp850 mac-roman",
    "1;Tür;3": "cp1252 cp437 mac-roman",
    "GRÖSSE;FÜR;STRAßE": "cp1252 cp437 mac-roman",
    "l’été à l’école, cœur « brûlé » où ça naïf": "cp1252 mac-roman",
    "crème brûlée; pâte à tarte; gâteau; hôtel; noël": "cp1252 cp437 cp850 mac-roman iso8859-15",
    "¿Qué tal? ¡Niño! camión, azúcar, jamón ibérico, 5º piso": "cp1252 cp437 cp850 mac-roman",
    "It’s “nice”": "cp1252 mac-roman",
    "1½ cup, ½ cup, 2 ½": "cp1252 cp437 cp850",
    "20° C; 350°F, 20 °C": "cp1252 cp437 mac-roman",
    "Gore-Tex™ GORE-TEX™, Coolmax®": "cp1252 mac-roman",
    "rød grød med fløde på æble Ørsted Ålborg": "cp1252 cp850 mac-roman iso8859-15",
    "pão não ações coração você": "cp1252 cp850 mac-roman",
    "30×20 cm, 8–10 mm, Ø 20 mm, m², 5 µm": "cp1252",
    "cœur, œuf": "cp1252 iso8859-15 mac-roman",
}


@pytest.mark.parametrize(("text", "page"), [(text, page) for text, pages in TEXTS.items() for page in pages.split()])
def test_a_few_bytes_tell_the_encoding(text: str, page: str) -> None:
    data = text.encode(page)
    found, _ = find_encoding(io.BytesIO(data))
    assert data.decode(found) == text


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("zupełnie żółty, łąka, źródło, świeży, częścią, mały stół dębowy", "cp1250"),
        ("Стол дубовый, стул, красивый", "cp1251"),
    ],
)
def test_what_fits_no_page_has_to_be_named(text: str, page: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(f"nr,name\n1,{text}\n".replace(", ", " ").encode(page))
    with pytest.raises(TableFault, match=f"that its bytes don't show. It may be {page}. Give it with --encoding"):
        look(str(tmp_path / "t.csv"))
    assert look(str(tmp_path / "t.csv"), encoding=page).columns == ["nr", "name"]


def test_the_whole_file_tells(tmp_path: Path) -> None:
    """The only byte that speaks stands at the end, and a UTF-8 file with few broken lines stays UTF-8."""
    (tmp_path / "t.csv").write_bytes(b"nr,name\n" + b"1,plain\n" * 50_000 + "2,Größe\n".encode("cp1252"))
    assert look(str(tmp_path / "t.csv")).encoding == "cp1252"
    broken = "1,Café\n2,Größe\n".encode() + b"3,pur\xe9e\n" + "4,Öl\n".encode()
    (tmp_path / "t.csv").write_bytes(b"nr,name\n" + broken)
    *good, last = rows(tmp_path / "t.csv")
    assert [row.cells and row.cells["name"] for row in (*good, last)] == ["Café", "Größe", None, "Öl"]
    assert (good[2].reason, good[2].offset) == ("bad_bytes", len("nr,name\n1,Café\n2,Größe\n".encode()))
    assert "The byte 0xE9, the 6th of the line, can't be read as utf-8" in good[2].detail


def rows(path: Path, **how: str) -> list[Row]:
    found = list(read_table(str(path), look(str(path), **how)))
    assert all(isinstance(row, Row) for row in found), found
    return [row for row in found if isinstance(row, Row)]


TABLE = 'Artículo\tPrecio\tNota\nSilla\t12,50 €\t“bonita”\nMesa\t99,00 €\t"dos\nlíneas"\n'
CELLS = [("Silla", "12,50 €", "“bonita”"), ("Mesa", "99,00 €", "dos\nlíneas")]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_encoding_and_line_end_gives_the_same_rows(codec: str, line_end: str, tmp_path: Path) -> None:
    data = TABLE.replace("\n", line_end).encode(codec)
    (tmp_path / "t.tsv").write_bytes(data)
    found = rows(tmp_path / "t.tsv")
    assert [tuple(cell.replace(line_end, "\n") for cell in (row.cells or {}).values()) for row in found] == CELLS
    assert data[found[1].offset :].decode(look(str(tmp_path / "t.tsv")).encoding).startswith("Mesa")


def test_json_lines_in_utf_16(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": "Größe"}\r\n{"a": "Ő"}\r\n', encoding="utf-16")
    assert [row.cells for row in rows(tmp_path / "t.jsonl")] == [{"a": "Größe"}, {"a": "Ő"}]


def test_lines_are_cut_at_whole_characters_and_in_linear_time() -> None:
    odd = "ਊ" * 40_000 + "a\nb"  # U+0A0A holds the byte of a line feed twice
    read = line_reader(io.BytesIO(odd.encode("utf-16-le")), Layout("CSV", [], encoding="utf-16-le"))
    assert [read().decode("utf-16-le") for _ in range(3)] == [odd[:-1], "b", ""]
    read = line_reader(io.BytesIO(b"x" * (3 * MAX_LINE)), Layout("CSV", [], encoding="utf-8", line_end="\r"))
    assert max(map(len, iter(read, b""))) == MAX_LINE


def test_parts_that_were_put_together(tmp_path: Path) -> None:
    part = "\ufeffnr,name\n{},Größe\n"
    (tmp_path / "t.csv").write_text(part.format(1) + part.format(2))
    found = rows(tmp_path / "t.csv")
    assert [row.cells and row.cells["nr"] for row in found] == ["1", None, "2"]
    assert found[1].reason == "header_again"


def test_the_shapes_that_spreadsheets_export(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("sep=;\nnr;name;;\n1;a,b;;\n2;c;;;\n3;d\n")
    layout = look(str(tmp_path / "t.csv"))
    assert (layout.delimiter, layout.columns) == (";", ["nr", "name"])
    assert [row.cells for row in rows(tmp_path / "t.csv")] == [
        {"nr": "1", "name": "a,b"}, {"nr": "2", "name": "c"}, {"nr": "3", "name": "d"},
    ]  # fmt: skip
    (tmp_path / "t.csv").write_text(",name\n0,a\n1,b\n")
    assert look(str(tmp_path / "t.csv")).columns == ["column 1", "name"]
    (tmp_path / "t.csv").write_text("Price list 2026,,\n\nnr,name,colour\n1,a,red\n")
    with pytest.raises(TableFault, match="begins with 'Price list 2026', which is not a header row"):
        look(str(tmp_path / "t.csv"))


def test_a_nul_byte_costs_its_row(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"nr,name\n1,a\n2,b\0\n3,c\n" + b"4,d\n" * 20)
    assert [row.reason for row in rows(tmp_path / "t.csv")][:3] == ["", "bad_bytes", ""]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"%PDF-1.7\n", "is a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "is an old Excel file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "has a password"),
        (b"<html><table><tr><td>nr", "is HTML or XML"),
        (b"\x7fELF" + bytes(range(32)) * 20, "is a binary file"),
    ],
)
def test_what_is_no_text(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(TableFault, match=said):
        look(str(tmp_path / "t.csv"))


def test_names_of_encodings() -> None:
    assert [check_encoding(name) for name in ("", "Windows-1252", "UTF8", "latin1", "macroman")] == [
        "", "cp1252", "utf-8", "latin-1", "mac-roman",
    ]  # fmt: skip
    for name in ("klingon", "utf-32", "rot13", "cp037", "\0"):
        with pytest.raises(UserError, match=r"is not supported. Valid ones are utf-8, .*cp1250"):
            check_encoding(name)
