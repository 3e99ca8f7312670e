"""Cells of tables -> text: markup, text that was broken before, and what a spreadsheet has spoilt, each counted."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from in_process import allsaid

from batch_infer.rows import sources
from batch_infer.rows.kinds import tables
from pipelines.datasets.gates import DataGates
from pipelines.ingest.request import Request, Schedule
from pipelines.ingest.run import run
from pipelines.sources.records.cell_findings import findings
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.markup import has_markup, text_of_markup
from pipelines.sources.records.source import Settings
from pipelines.sources.records.tables.layout import BEGIN

MAPPING: dict[str, Any] = {
    "id": "nr",
    "goal": "sort",
    "text": "said",
    "columns": {"size": "value", "made of": {"kind": "list", "separator": ";"}, "zip": "value"},
}

PLAIN = [
    "a < b", "<3", "AT&T", "R&D; x", "<U+2153> cup", "x <y and z> w", "a <b and c> d", "<info@x.de>", "<none>", "x <b",
    "1<2 and 3>2", "?a=1&copy=2", "<https://x.de>", "a <- b", "<John Smith>",
]  # fmt: skip
MARKED = {
    "AT&amp;T": "AT&T",
    "<p>The mug.</p><ul><li>dishwasher safe</li><li>350 ml</li></ul>": "The mug. dishwasher safe. 350 ml",
    "wa<b>t</b>er<br>tight": "water tight",
    "one<br/><br/>two": "one. two",
    "<script>if (a<b) {}</script>Hello<style>p{}</style>": "Hello",
    "&lt;b&gt;bold&lt;/b&gt; x": "bold x",
    'cut <a href="http://x': "cut ",
    "<table><tr><td>Height</td><td>3 cm</td></tr><tr><td>W</td><td>4</td></tr></table>": "Height 3 cm. W 4",
    "<!-- x --> y": "y",
    "<o:p></o:p>z": "z",
    "caf&eacute; &#8364;5": "café €5",
    "5 &lt; 6": "5 < 6",
    "<foo>bar</foo>": "bar",
    "<IMG SRC='a.png' ALT=\"x > y\">Pic": "Pic",
    "<p>AT&T, a < b</p>": "AT&T, a < b",
    "<br>": "",
}


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_markup(text: str) -> None:
    assert not has_markup(text)


@pytest.mark.parametrize(("text", "said"), MARKED.items())
def test_markup_becomes_its_text(text: str, said: str) -> None:
    assert has_markup(text)
    assert text_of_markup(text) == said


def clean(repair: bool = False, **cells: Any) -> tuple[dict[str, Any], dict[str, int]]:
    found, figures = Cleaner(parse_mapping({**MAPPING, "repair": repair}, "m.yaml")).clean(cells)
    return dict(found), dict(figures)


BROKEN = {
    "CafÃ© 5 â‚¬": "Café 5 €",
    "itâ€™s": "it’s",
    "<U+2153> cup": "⅓ cup",
    "R&amp;amp;D": "R&D",
}


@pytest.mark.parametrize(("text", "mended"), BROKEN.items())
def test_broken_text_is_counted_and_fixed_on_request(text: str, mended: str) -> None:
    left, counts = clean(size=text)
    assert left["size"] == text_of_markup(text) and counts["broken size"] == 1
    assert clean(repair=True, size=text)[0]["size"] == mended
    assert clean(repair=True, size=text)[1]["repaired size"] == 1


@pytest.mark.parametrize(
    "text", ["ＡＢ １２", "“It’s” ﬁne… – ½", "e\u0301te", "Ä Ö ü ß", "naïve café", "Ø 12 mm", "10 µm²"]
)
def test_a_mending_changes_nothing_else(text: str) -> None:
    assert clean(repair=True, size=text) == ({"size": text}, {})


def test_what_is_mended_carries_no_tag() -> None:
    assert clean(repair=True, said="&amp;lt;b&amp;gt;Good&amp;lt;/b&amp;gt; mug.")[0] == {"said": "Good mug."}


def test_findings_of_single_cells() -> None:
    assert clean(size="caf\ufffd")[1] == {"replaced size": 1}
    for error in ("#NAME?", "#N/A", "#DIV/0!", "#WERT!", "#¿NOMBRE?", "########", "#NV"):
        assert clean(size=error) == ({"size": ""}, {"error size": 1}), error
    for plain in ("#1", "#hashtag", "# 12", "#A1B2C3", "#12!"):
        assert clean(size=plain) == ({"size": plain}, {}), plain
    for number in ("1.23E+12", "4,00638E+12", "1E+20"):
        assert clean(nr=number)[1] == {"cut_number nr": 1}
    assert clean(size="1.5E+3")[1] == {}
    for day in ("03-Apr", "3. Mär", "Apr-03", "12-dic", "1-août"):
        assert clean(size=day)[1] == {"month size": 1}, day
    for plain in ("10-ml", "3-pin", "Mar", "may-be", "03-April 2026"):
        assert clean(size=plain)[1] == {}, plain


def test_elements_of_lists_are_parted_by_the_separator() -> None:
    assert clean(**{"made of": "<ul><li>oak</li><li>steel</li></ul>"})[0]["made of"] == "oak; steel"
    assert clean(**{"made of": ["<b>oak</b>", 3]})[0]["made of"] == ["oak", 3]


def write(folder: Path, sizes: list[str], zips: list[str]) -> None:
    with (folder / "t.csv").open("w") as stream:
        table = csv.writer(stream)
        table.writerow(["nr", "sort", "size", "made of", "zip", "said"])
        for number, (size, code) in enumerate(zip(sizes, zips, strict=True)):
            said = f"<p>A box of size {size} from {code}.</p>"
            table.writerow([f"n{number}", "box", size, "oak;<b>elm</b>", code, said])
    (folder / "m.yaml").write_text(yaml.safe_dump(MAPPING))


def found_in(folder: Path, sizes: list[str], zips: list[str]) -> dict[str, dict[str, int]]:
    write(folder, sizes, zips)
    manifest = run(
        Request("records", [str(folder / "t.csv")], str(folder / "data"), Settings(mapping=str(folder / "m.yaml")))
    )
    return findings(manifest.statistics)


def test_findings_of_whole_columns(tmp_path: Path) -> None:
    sizes = [*"SML" * 5, "03-Apr", "10-Dec"]
    zips = [str(code) for code in (*range(97_000, 97_015), 1067, 1099)]
    assert found_in(tmp_path, sizes, zips) == {
        "said": {"markup": 17}, "made of": {"markup": 17}, "size": {"month": 2}, "zip": {"lost_zeros": 2},
    }  # fmt: skip
    zips[-1] = "01099"  # zeros are kept here
    assert "zip" not in found_in(tmp_path, sizes, zips)
    assert "size" not in found_in(tmp_path, ["03-Apr"] * 17, zips)


def ingested(folder: Path, rows: list[list[str]]) -> tuple[str, dict[str, dict[str, int]]]:
    """The fingerprint of a table of [nr, size, zip, said], and what was found in its cells."""
    folder.mkdir()
    with (folder / "t.csv").open("w") as stream:
        csv.writer(stream).writerows([["nr", "sort", "size", "made of", "zip", "said"]])
        csv.writer(stream).writerows([nr, "box", size, "oak", code, said] for nr, size, code, said in rows)
    (folder / "m.yaml").write_text(yaml.safe_dump(MAPPING))
    settings, schedule = Settings(mapping=str(folder / "m.yaml")), Schedule(gates=DataGates(lost=1))
    manifest = run(Request("records", [str(folder / "t.csv")], str(folder / "data"), settings, schedule=schedule))
    return manifest.fingerprint, findings(manifest.statistics)


def test_cells_of_rejected_rows_count_and_change_no_data(tmp_path: Path) -> None:
    doubled = [["1,23E+12", "S", "97001", f"Box {number} of oak."] for number in range(20)]
    fingerprint, found = ingested(tmp_path / "doubled", doubled)
    assert found == {"nr": {"cut_number": 20}}
    assert ingested(tmp_path / "single", doubled[:1]) == (fingerprint, {"nr": {"cut_number": 1}})
    codes = [str(code) for code in range(97_000, 97_010)]
    good = [[f"n{code}", "S", code, "A box."] for code in codes]
    textless = [["x1", "<b>M</b>", "1067", ""], ["x2", "M", "#N/A", ""]]
    assert ingested(tmp_path / "textless", [*good, *textless])[1] == {
        "size": {"markup": 1}, "zip": {"error": 1, "lost_zeros": 1},
    }  # fmt: skip
    # Days are told of a column whose kept rows hold other things, however many rows are rejected.
    days = [[f"d{number}", "03-Apr", "97001", "" if number > 2 else "A box."] for number in range(12)]
    assert ingested(tmp_path / "days", [*good, *days])[1] == {"size": {"month": 12}}


def test_the_command_tells_the_encoding_and_each_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, ["S", "Größe M", "L"] * 5, [str(code) for code in range(97_000, 97_015)])
    (tmp_path / "t.csv").write_bytes((tmp_path / "t.csv").read_text().encode("cp1252"))
    given = ["--input", str(tmp_path / "t.csv"), "--mapping", str(tmp_path / "m.yaml")]
    assert allsaid("ingest", "records", *given, "--output", str(tmp_path / "data")) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "Read as cp1252: " in told
    assert "Column 'said': 15 cells with HTML, of which only the text is read." in told
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text())
    assert [shard["encoding"] for shard in manifest["shards"]] == ["cp1252"]
    assert allsaid("ingest", "records", *given, "--output", str(tmp_path / "data"), "--encoding", "cp437") == 0
    assert "Read as cp437: " in capsys.readouterr().err


def test_new_rows_are_cleaned_like_those_of_training(tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_bytes(
        "nr,sort,size,made of,zip\n1,<b>box</b>,Größe,oak;<i>elm</i>,#N/A\n".encode("cp1252")
    )
    _, (file,) = sources.find(str(tmp_path / "new.csv"), "test", [], yaml.safe_dump(MAPPING, sort_keys=False))
    assert file.layout is not None
    (found,) = tables.read(file.path, file.layout, BEGIN, 0, file.rows)
    row = tables.record(found, yaml.safe_dump(MAPPING, sort_keys=False))
    assert (row.goal, row.agenda) == ("box", ("size=Größe", "made of=oak", "made of=elm"))
