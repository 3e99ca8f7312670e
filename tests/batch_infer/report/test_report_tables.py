"""Reports on texts of tables: values, extras, findings, and the fields that words came from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from browser import Watched, chromium
from small_texts import SALSA, UNMEASURED, marks, write_run

from batch_infer.proof import summary as summary_file
from batch_infer.report import report
from batch_infer.rows.kinds import tables
from schemas.texts.finding import MISSING, Finding

KETTLE = replace(
    SALSA,
    id="kettle",
    goal="kettle",
    agenda=["name=Ember XL", "price_eur=64 EUR", "whistle=yes"],
    text="The Ember XL is yours for 64.00 euros, and 3 lids. It whistles.",
    tokens=[],
    ref_items=[],
    used=["name=Ember XL", "price_eur=64 EUR", "whistle=yes"],
    missing=[],
    extra=["3"],
)
KETTLES = """\
id: nr
goal: sort
text: said
columns:
  name: value
  price_eur: {kind: number, unit: EUR, also: [euros]}
  whistle: {kind: yes/no, also: [whistles]}
"""


def test_table_values_and_extras_are_marked(tmp_path: Path) -> None:
    found = report.card(KETTLE, tables.mapping_of(KETTLES))
    named = [("Ember XL", [1], False), ("64.00 euros", [2], False), ("3", [], True), ("whistles", [3], False)]
    assert marks(found) == named
    assert marks(report.card(KETTLE)) == named, "euros are EUR without the mapping, too"
    folder = write_run(tmp_path / "run", [KETTLE])
    (folder / "job.json").write_text(json.dumps({"mapping": KETTLES}))
    page = Path(report.write(str(folder))).read_text()
    assert "64.00 euros<sup>2" in page and "head of its name" in page  # the tally counts no records here
    summary = summary_file.read(str(folder))
    (folder / "summary.json").write_text(replace(summary, values=True, true={}).to_json())
    page = " ".join(Path(report.write(str(folder))).read_text().split())
    assert "An item is given if the text says its whole value, a number with its unit" in page
    assert "head of its name" not in page and "The reference texts" not in page


def test_what_a_text_has_instead_of_a_value_is_marked() -> None:
    found = Finding("the text says something else", 11, 12, "norway", MISSING, "made_in", "made_in=Sweden")
    row = replace(
        KETTLE,
        agenda=[*KETTLE.agenda, "made_in=Sweden"],
        text="The Ember XL is yours for 64.00 euros, made in Norway. It whistles.",
        missing=["made_in=Sweden"],
        extra=[],
        findings=[found],
    )
    card = report.card(row, tables.mapping_of(KETTLES))
    assert ("Norway", [], True) in marks(card)
    assert card.items[-1].why == "the text says something else: norway"


def test_a_line_that_nothing_measures_is_shown_without_a_sign() -> None:
    row = replace(SALSA, agenda=["salsa limes garlic"])  # as a task shows rows that are no agendas
    card = report.card(row)
    assert [(item.line, item.given) for item in card.items] == [
        ("salsa limes garlic", None),
        *((line, True) for line in SALSA.used),
        *((line, False) for line in SALSA.missing),
    ]
    assert (card.given, card.measured) == (3, 4)


ADA = replace(
    UNMEASURED,
    id="ada",
    goal="Ada",
    agenda=["name: Ada Lovelace (née Byron)", "years: 1815 – 1852", "field: mathematics"],
    text="Ada Lovelace (1815 – 1852) wrote on mathematics.\nAda of_1852.",
    tokens="Ada Lovelace -lrb- 1815 -- 1852 -rrb- wrote on mathematics . <br> Ada of_1852 .".split(),  # noqa: SIM905
    ref_items=[0, 0, -1, 1, 1, 1, -1, -1, -1, 2, -1, -1, 0, 1, -1],
)


def test_words_are_tied_to_the_lines_that_they_were_copied_from() -> None:
    found = report.card(replace(ADA, text=ADA.text.replace("_", " ")))
    marked = [(part.text, [item.number for item in part.items]) for line in found.lines for part in line if part.items]
    assert marked == [("Ada Lovelace", [1]), ("1815 – 1852", [2]), ("mathematics", [3]), ("Ada", [1]), ("of 1852", [2])]
    assert [item.given for item in found.items] == [None] * 3 and found.is_copied
    assert not report.card(replace(ADA, ref_items=[-1] * 15)).is_copied
    assert not report.card(SALSA).is_copied


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_a_reader_sees_which_field_a_word_came_from(tmp_path: Path, width: int, scheme: str) -> None:
    write_run(tmp_path / "run", [ADA], measured=["tokens"])
    page_path = Path(report.write(str(tmp_path / "run"))).resolve()
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        watched = Watched(page)
        page.goto(page_path.as_uri())
        watched.assert_sound()
        assert page.get_by_text("A number and a colour tie a word to the line that it was copied from").is_visible()
        colour = "one => getComputedStyle(one).backgroundColor"
        years = page.locator("article mark").nth(1)
        assert years.inner_text() == "1815 – 18522"
        assert years.evaluate(colour) == page.locator(".agenda .number").nth(1).evaluate(colour)
