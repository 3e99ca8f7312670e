"""What programs leave out of the tables that they export, or write otherwise: nothing of it is lost or misread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pipelines.source import KeptRecord, Result
from pipelines.sources.records.exports import list_in, without_escapes
from pipelines.sources.records.source import Records, Settings
from pipelines.sources.records.tables.cuts import cut_table
from pipelines.sources.records.tables.layout import Row, Start
from pipelines.sources.records.tables.rows import look, read_table
from schemas.runs.rejected import Rejected

MAPPING: dict[str, Any] = {
    "id": "nr",
    "goal": "sort",
    "text": "said",
    "columns": {"name": "value", "price": "number", "tags": "list", "note": {"kind": "value", "optional": True}},
}
HEADER = "nr,sort,name,price,said,tags,note\n"


def rows_of(path: Path) -> list[Row]:
    return [row for row in read_table(str(path), look(str(path))) if isinstance(row, Row)]


def ingest(folder: Path, table: str, mapping: dict[str, Any] = MAPPING, name: str = "t.csv") -> list[Result]:
    (folder / name).write_text(table, newline="")
    (folder / "m.yaml").write_text(yaml.safe_dump(mapping, sort_keys=False))
    settings = Settings(mapping=str(folder / "m.yaml"))
    (shard,) = Records().plan([str(folder / name)], settings)
    return list(Records().read(shard, settings))


def agendas(results: list[Result]) -> list[list[str]]:
    return [one.rows["examples"][0].agenda for one in results if isinstance(one, KeptRecord)]


def full(number: int) -> str:
    said = f"The lamp Elm {number}, of oak, costs {number}.50 at our shop."
    return f'{number},lamp,Elm {number},{number}.50,"{said}",oak,new\n'


def test_rows_that_end_early_have_empty_last_cells(tmp_path: Path) -> None:
    short = [
        f"{number},lamp,Fir,{number}.5,The Fir costs {number}.5 in all of our shops.\n" for number in range(90, 94)
    ]
    results = ingest(tmp_path, HEADER + "".join(map(full, range(12))) + "".join(short))
    assert agendas(results)[-1] == ["name=Fir", "price=93.5"] and len(agendas(results)) == 16
    assert isinstance(results[-1], KeptRecord) and results[-1].figures["short_row tags"] == 1
    assert isinstance(results[0], KeptRecord) and "short_row tags" not in results[0].figures


@pytest.mark.parametrize(
    "line",
    [
        "90,lamp Fir,9.5,The Fir costs 9.5 in all of our shops.,oak,new",  # sort and name are one cell
        "90,lamp,Fir 9.5,The Fir costs 9.5 in all of our shops.,oak,new",  # the text would be the price
        "90,lamp,Fir,9.5 The Fir costs 9.5 in all of our shops.,oak,new",
    ],
)
def test_a_row_without_a_delimiter_is_rejected(line: str, tmp_path: Path) -> None:
    *good, bad = ingest(tmp_path, HEADER + "".join(map(full, range(12))) + line + "\n")
    assert len(agendas(good)) == 12
    assert isinstance(bad, Rejected) and bad.reason == "ragged_row"
    assert bad.detail == (
        "The row has 6 cells, the header 7: a delimiter is missing, or there is one too many. "
        "Put quotes around cells that contain one."
    )


def test_a_short_row_of_several_lines(tmp_path: Path) -> None:
    short = '90,lamp,Fir,9.5,"The Fir, of steel,\ncosts 9.5 in all of our shops."\n'
    swallowed = '91,"lamp,Ash,1.5,It is so.\n92,lamp,Yew,2.5,The Yew costs 2.5 in all of our shops"\n'
    results = ingest(tmp_path, HEADER + "".join(map(full, range(12))) + short + swallowed)
    assert agendas(results)[12] == ["name=Fir", "price=9.5"]
    assert [one.reason for one in results if isinstance(one, Rejected)] == ["open_quote"]
    assert agendas(results)[-1] == ["name=Yew", "price=2.5"]


@pytest.mark.parametrize("end", ["", ";"])
def test_a_header_may_end_in_delimiters(end: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"nr;name;;\n1;oak{end}\n2;elm;;\n")
    assert [row.cells for row in rows_of(tmp_path / "t.csv")] == [
        {"nr": "1", "name": "oak"},
        {"nr": "2", "name": "elm"},
    ]


def cells_in_any_cut(path: Path, text: str) -> list[list[str | None]]:
    """The cells of a table, row by row, which are the same if each shard is read by itself."""
    path.write_text(text)
    layout = look(str(path))
    cuts = cut_table(str(path), layout, 1)
    cut = [row for one in cuts for row in read_table(str(path), layout, None, Start(one.first), one.last)]
    rows = [row.cells for row in rows_of(path)]
    assert len(cuts) > 1 and [row.cells for row in cut if isinstance(row, Row)] == rows
    return [[*(cells or {}).values()] for cells in rows]


RAW = [
    'L-0\tElm 15"\tElm is a lamp of 5" with a base\n',
    'L-1\t"Best" lamp\tThe "Best" lamp of 9" is\n',
    'L-2\t"Elm"\t"Unclosed Elm is a lamp of 5" with a base\n',
    'L-3\tFir"s\t"never closed\n',
]


def test_a_feed_without_quoting_keeps_its_quotes(tmp_path: Path) -> None:
    cells = cells_in_any_cut(tmp_path / "feed.tsv", "id\ttitle\tsaid\n" + "".join(RAW))
    assert cells == [line.rstrip("\n").split("\t") for line in RAW]


ESCAPED = [
    'a1,"The \\"best\\" lamp, of oak",x\n',
    'a2,"one \\"line\\"\nand two",y\n',
    'a3,"wide 5\\"",z\n',
    'a4,plain,"C:\\\\"\n',
]


def test_quotes_after_a_backslash_are_read_in_any_cut(tmp_path: Path) -> None:
    assert cells_in_any_cut(tmp_path / "t.csv", "nr,said,note\n" + "".join(ESCAPED)) == [
        ["a1", r"The \"best\" lamp, of oak", "x"],
        ["a2", 'one \\"line\\"\nand two', "y"],
        ["a3", r"wide 5\"", "z"],
        ["a4", "plain", r"C:\\"],
    ]


def test_quotes_after_a_backslash_count_as_escapes(tmp_path: Path) -> None:
    table = HEADER + '1,lamp,Elm,9.5,"The \\"Elm\\" lamp, of oak, costs 9.5.",oak,new\n'
    (one,) = ingest(tmp_path, table)
    assert isinstance(one, KeptRecord) and one.figures["escapes said"] == 1
    assert one.rows["examples"][0].text == 'The "Elm" lamp, of oak, costs 9.5.'


def test_a_backslash_before_a_doubled_quote_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a,b\n1,"say \\""x\\"" now"\n2,"C:\\dir\\"\n3,c\n')
    assert [(row.cells or {})["b"] for row in rows_of(tmp_path / "t.csv")] == [r"say \"x\" now", "C:\\dir\\", "c"]


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"'])
def test_blanks_before_quotes_and_a_named_delimiter(first: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f'{first}\na; b; c\n1; "x; y"; "z" \n2; w;"v"\n')
    assert [[*(row.cells or {}).values()] for row in rows_of(tmp_path / "t.csv")] == [
        ["1", "x; y", "z"],
        ["2", "w", "v"],
    ]


def test_a_table_with_tabs_that_quotes_is_read_so(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text('id\ttitle\n1\t"Elm 15"""\n2\t"a\tb"\n3\t"two\nlines"\n')
    assert [(row.cells or {})["title"] for row in rows_of(path)] == ['Elm 15"', "a\tb", "two\nlines"]
    path.write_text('id\ttitle\n1\t"Elm \\"15\\" lamp"\n2\tb\n')
    assert [(row.cells or {})["title"] for row in rows_of(path)] == [r"Elm \"15\" lamp", "b"]


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ('1,"Best" lamp,"red, blue"', ["1", '"Best" lamp', "red, blue"]),
        ('1,"5" wide",x', ["1", '"5" wide"', "x"]),
        ('1,"a" ,"b ""c"""', ["1", "a", 'b "c"']),
        ('1,"The 5" lamp, blue",x', None),  # a comma of the cell, or its end?
        ('1,"Best" lamp,"open', None),
        (r'1,"The \"best\", of oak",x', ["1", r"The \"best\", of oak", "x"]),
    ],
)
def test_quotes_that_are_not_csv(line: str, cells: list[str] | None, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"a,b,c\n1,2,3\n{line}\n4,5,6\n")
    _, row, last = rows_of(tmp_path / "t.csv")
    assert (list(row.cells.values()) if row.cells else None) == cells
    assert last.cells == {"a": "4", "b": "5", "c": "6"}


@pytest.mark.parametrize(
    ("cell", "meant"),
    [
        (r"oak.\n. \n\tIt is", "oak.\n. \n\tIt is"), (r"5\" wide", '5" wide'), (r"caf\u00e9 \ud83d\ude00", "café 😀"),
        (r"it\'s http:\/\/x", "it's http://x"), (r"\N", ""), (r"\N ", ""), ('="0012"', "0012"), 
        ('="a" & "b"', '="a" & "b"'), (r"Of:\nSteel", "Of:\nSteel"), (r"a\\b", r"a\b"),
        ("oak._x000D_\nIt is", "oak.\r\nIt is"), (r"C:\new_x0009_", "C:\\new\t"), ("a_x0041_", "a_x0041_"),
        *((kept, kept) for kept in (r"C:\new\table", r"\\nas\new", r"$5 \times 3$", r"\text{x}", r"¯\_(ツ)_/¯", "a\\")),
    ],
)  # fmt: skip
def test_escapes_of_exporting_programs(cell: str, meant: str) -> None:
    assert without_escapes(cell) == meant


def test_escapes_are_counted_and_leave_no_word(tmp_path: Path) -> None:
    text = r"<p>The lamp Elm.</p>\n<ul>\n \t<li>It costs 9.5</li>\n</ul>\nIt is \"new\"."
    (one,) = ingest(tmp_path, f'{HEADER}1,lamp,Elm,9.5,"{text}",oak,new\n'.replace(r"\"", r'\""'))
    assert isinstance(one, KeptRecord)
    (example,) = one.rows["examples"]
    assert example.text == 'The lamp Elm. It costs 9.5. It is "new".'
    assert one.figures["escapes said"] == 1 and not any("\\" in token for token in example.tokens)


@pytest.mark.parametrize(
    ("cell", "elements"),
    [
        ("['linen', 'red']", ["linen", "red"]), ('["1 carrot, chopped", "salt"]', ["1 carrot, chopped", "salt"]),
        ("['linen' 'red']", ["linen", "red"]), ("('a', 'b')", ["a", "b"]), ("{'b', 'a'}", ["b", "a"]),
        ('{oak,"light blue"}', ["oak", "light blue"]), ("['it\\'s', \"x\"]", ["it's", "x"]), ('["a", null]', ["a"]),
        ("['oak', nan, 'a nan']", ["oak", "a nan"]),
        ("[]", []), ("[sale]", None), ("(new)", None), ("{'a': 1}", None), ('[["a"]]', None), ("red, [blue]", None),
    ],
)  # fmt: skip
def test_lists_written_as_code(cell: str, elements: list[str] | None) -> None:
    assert list_in(cell) == elements


def test_list_literals_are_lists_and_texts(tmp_path: Path) -> None:
    table = (
        HEADER.replace(",", ";") + "1;lamp;['Elm'];9.5;['The Elm is of oak.', 'It is red.'];['oak', 'light red'];new\n"
    )
    (one,) = ingest(tmp_path, table)
    assert isinstance(one, KeptRecord)
    (example,) = one.rows["examples"]
    assert example.agenda == ["name=['Elm']", "price=9.5", "tags=oak", "tags=light red", "note=new"]
    assert example.text == "The Elm is of oak. It is red."


def test_cells_of_any_unicode_form_are_published_unchanged(tmp_path: Path) -> None:
    rows = [
        "1,lamp,Cafe\u0301,The l\u200bamp Café is new.",
        "2,lamp,Zoë,The lamp Zoe\u0308 is T\u2011like.",
        "3,\u200b,x,y z",
        "4,lamp,\u200bn/a,The lamp is new.",
        "\u200b4,lamp,Elm,The lamp Elm is new.",
    ]
    table = "\n".join(["nr,so\u0308rt,näme,said", *rows]) + "\n"
    mapping = {"id": "nr", "goal": "sört", "text": "said", "columns": {"na\u0308me": "value"}}
    first, second, third, fourth, fifth = ingest(tmp_path, table, mapping)
    for one, name in ((first, "Cafe\u0301"), (second, "Zoë")):
        assert isinstance(one, KeptRecord)
        (example,) = one.rows["examples"]
        assert example.agenda == [f"näme={name}"] and one.figures["found näme"] == 1
        assert example.tokens[:3] == ["the", "lamp", example.tokens[2]] and example.tokens[2].startswith("SLOT_N")
    assert isinstance(third, Rejected) and third.reason == "no_goal"
    assert isinstance(fifth, Rejected) and fifth.reason == "doubled_id"
    assert isinstance(fourth, KeptRecord) and fourth.rows["examples"][0].agenda == []


@pytest.mark.parametrize(
    "cell",
    [
        "[oak, light red]", "['oak', nan, 'light red']", '["oak", "light red"]', "{oak,light red}", "oak | light red",
        "[&quot;oak&quot;,&quot;light red&quot;]", r"[\"oak\", \"light red\"]",
        "[oak;light red]", "('oak', 'light red')",
    ],
)  # fmt: skip
def test_each_spelling_of_a_list_gives_its_elements(cell: str, tmp_path: Path) -> None:
    quoted = cell.replace('"', '""')
    (one,) = ingest(tmp_path, f'{HEADER}1,lamp,Elm,9.5,The Elm is of oak and light red.,"{quoted}",new\n')
    assert agendas([one]) == [["name=Elm", "price=9.5", "tags=oak", "tags=light red", "note=new"]]


@pytest.mark.parametrize("code", ['="0012"', '"=""0012"""'])
def test_codes_written_as_formulas_are_text(code: str, tmp_path: Path) -> None:
    (one,) = ingest(tmp_path, f"{HEADER}{code},lamp,Elm,9.5,The Elm costs 9.5.,oak,new\n")
    assert isinstance(one, KeptRecord) and one.rows["examples"][0].id == "0012" and one.figures["escapes nr"] == 1


def test_rows_of_delimiters_alone_are_blank_lines(tmp_path: Path) -> None:
    results = ingest(tmp_path, HEADER + full(1) + ",,,,,,\n, ,,\n\n" + full(2) + ",,,,,,\n" * 9)
    assert [type(one) for one in results] == [KeptRecord, KeptRecord]
