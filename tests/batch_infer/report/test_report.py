"""The report page: right figures, everything escaped, and legible in a real browser at two widths."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from browser import Watched, chromium, least_contrast
from small_texts import SALSA, broken, marks, numbered, write_run

from batch_infer.report import report
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.texts.attention import ATTENTION, Attention, Weights
from schemas.texts.finding import MISSING, WRONG, Finding
from schemas.texts.generated import GENERATED


@pytest.fixture
def run(tmp_path: Path) -> Path:
    rows = [numbered(number, percent, number % 3) for number, percent in enumerate((0, 25, 25, 50, 75, 100, 100))]
    faults = [
        broken(20, "The row has no goal."),
        broken(21, "The row has no goal."),
        broken(22, "Line 3 <is> no JSON."),
    ]
    return write_run(tmp_path / "run", [SALSA, *rows, *faults], [numbered(30, 100, 0), numbered(31, 0, 6)])


def test_counts_every_text_once(run: Path) -> None:
    found = report.gather([str(path) for path in sorted((run / "texts").iterdir())])
    assert found.given == {0: 2, 2: 2, 5: 1, 7: 2, 9: 3}
    assert found.extra == {0: 4, 1: 2, 2: 3, 5: 1}
    # n6 and n30 name no extra item, n5 two; n31 names six, n0 none.
    assert found.best[:3] == [(0, 7), (1, 0), (0, 6)]
    assert found.worst[:2] == [(0, 1), (1, 1)] or found.worst[:2] == [(1, 1), (0, 1)]
    assert not set(found.best) & set(found.worst)


def test_mentions_are_marked_where_the_text_names_the_item() -> None:
    card = report.card(SALSA)
    assert [(item.number, item.given) for item in card.items] == [(1, True), (2, True), (3, True), (4, False)]
    assert marks(card) == [
        ("limes", [1], False),
        ("olive oil", [2], False),  # the longer match: not the corn oil
        ("Tabasco", [], True),
        ("salt", [], True),
        ("oil", [2, 3], False),
    ]
    assert ["".join(part.text for part in line) for line in card.lines] == SALSA.text.split("\n")


def test_page_shows_means_and_escapes_everything(run: Path) -> None:
    page = Path(report.write(str(run))).read_text()
    assert "Salsa &lt;b&gt;verde&lt;/b&gt; &amp; more" in page and "<b>" not in page
    assert "Line 3 &lt;is&gt; no JSON." in page
    assert ">55.0</span>" in page and "reference texts 100.0<" in page
    assert "3 error rows" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert Path(report.write(str(run))).read_text() == page


def test_findings_are_grouped_with_the_most_harmful_first(tmp_path: Path) -> None:
    missing = Finding("not <stated>", -1, -1, "", MISSING, "colour", "colour=red")
    wrong = Finding("other value", 2, 3, "blue", WRONG, "colour", "colour=blue")
    rows = [replace(numbered(number, 50), findings=[missing, wrong][:number]) for number in (1, 1, 2)]
    page = Path(report.write(str(write_run(tmp_path / "run", rows)))).read_text()
    assert page.index("colour: other value") < page.index("colour: not &lt;stated&gt;")
    assert page.count("</span> colour=red</li>") == 3  # of three texts
    assert page.count("</span> blue</li>") == 1


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_findings_are_filtered_by_grade_column_and_reason(tmp_path: Path, width: int, scheme: str) -> None:
    found = [
        Finding("other value", 2, 3, "blue", WRONG, "colour"),
        Finding("other value", 2, 3, "9 kg", WRONG, "weight"),
        Finding("not stated", -1, -1, "", MISSING, "colour", "colour=red"),
    ]
    rows = [replace(numbered(number, 50), findings=found) for number in range(2)]
    page_path = Path(report.write(str(write_run(tmp_path / "run", rows)))).resolve()
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        watched = Watched(page)
        page.goto(page_path.as_uri())
        shown = page.locator("details.found:visible summary")
        assert [line.split(":")[0] for line in shown.all_inner_texts()] == [
            "wrong colour",
            "wrong weight",
            "missing colour",
        ]
        page.get_by_label("column").select_option("colour")
        assert shown.count() == 2 and page.locator("output").inner_text() == "2 of 3 lines"
        page.get_by_label("grade").select_option("missing")
        assert [line.split(":")[0] for line in shown.all_inner_texts()] == ["missing colour"]
        page.get_by_label("reason").select_option("other value")
        assert shown.count() == 0
        watched.assert_sound()


def test_a_run_without_a_text_has_a_page_too(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [broken(1, "The row has no goal.")])
    page = Path(report.write(str(run))).read_text()
    assert "1 error row<" in page and "Best texts" not in page


def test_ids_of_another_type_and_faults_of_the_folder(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [SALSA])
    path = run / "texts" / "part-00000.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(0, "id", pa.array([7], pa.int32())), path)
    assert ">7</span>" in Path(report.write(str(run))).read_text()
    pq.write_table(table.replace_schema_metadata({b"allsaid.schema": b"generated/0"}), path)
    with pytest.raises(UserError, match="says it is 'generated/0'"):
        report.write(str(run))
    with pytest.raises(UserError, match=r"has no summary\.json\. Run `allsaid generate` first"):
        report.write(str(tmp_path))


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 400])
def test_legible_in_a_browser_without_scrolling_sideways(run: Path, width: int) -> None:
    long = replace(SALSA, id="x" * 90, goal="Y" * 120, agenda=["z" * 150, *SALSA.agenda[1:]])
    first = run / "texts" / "part-00000.parquet"
    wide = to_table([replace(long, percent_given=100.0, extra_count=0)], GENERATED)
    pq.write_table(pa.concat_tables([wide, pq.read_table(first).slice(1)]), first)
    page_path = Path(report.write(str(run))).resolve()
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900})
        watched = Watched(page)
        page.goto(page_path.as_uri())
        watched.assert_sound()
        assert page.locator("article").count() == 10
        assert page.locator("h1").inner_text() == "7 of 10 texts need a look"
        assert "Squeeze the limes" in page.locator("article").nth(1).inner_text()
        item = page.locator("article").nth(1).locator(".agenda li").first.locator(".number")
        mark = page.locator("article").nth(1).locator("mark").first
        colour = "one => getComputedStyle(one).backgroundColor"
        assert item.evaluate(colour) == mark.evaluate(colour)
        assert (item.inner_text(), mark.inner_text()) == ("1", "limes1")
        smallest = """Math.min(...[...document.querySelectorAll('.text, .agenda, td, .facts')]
            .map(one => parseFloat(getComputedStyle(one).fontSize)))"""
        assert page.evaluate(smallest) >= 14


def with_attention(folder: Path) -> Path:
    """A run whose text is long, and what its model looked at; the second text has no picture."""
    words = 6 * len(SALSA.tokens)
    long = replace(SALSA, tokens=6 * SALSA.tokens, ref_items=[-1] * words, text="\n".join([SALSA.text] * 6))
    run = write_run(folder, [long, numbered(1, 50)])
    switch, limes = [0] * words + [255], [255, 128, 11] + [0] * (words - 2)
    weights = [Weights("p(z = 1)", "", -1, bytes(switch)), Weights("pointer", "<limes>", 0, bytes(limes))]
    (run / "attention").mkdir()
    table = to_table([Attention(weights), Attention([])], ATTENTION)
    pq.write_table(table, run / "attention" / "part-00000.parquet")
    return run


def test_what_a_model_looked_at_stands_below_its_text(tmp_path: Path) -> None:
    page = Path(report.write(str(with_attention(tmp_path / "run")))).read_text()
    assert page.count('<details class="looked">') == 1
    limes = page.partition("&lt;limes&gt;</th>")[2].partition("</tr>")[0]
    assert limes.startswith('<td style="--share: 100%">100</td><td style="--share: 50%">50</td><td></td><td></td>')
    assert "<span>↵</span>" in page and "<span>olive oil</span>" in page and "<span>end</span>" in page


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_heat_maps_open_by_keyboard_and_scroll(tmp_path: Path, width: int, scheme: str) -> None:
    page_path = Path(report.write(str(with_attention(tmp_path / "run")))).resolve()
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        watched = Watched(page)
        page.goto(page_path.as_uri())
        assert not page.locator(".map").is_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator(".map").is_visible()
        watched.assert_sound(tables_scroll=True)
        box = page.locator(".map")
        assert box.evaluate("one => one.scrollWidth > one.clientWidth")
        place = page.get_by_role("rowheader", name="<limes>")
        before = place.bounding_box()
        page.keyboard.press("Tab")
        assert box.evaluate("one => one === document.activeElement")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.querySelector('.map').scrollLeft > 0")
        assert place.bounding_box() == before  # what a row is of stays in sight
        colours = [page.locator(".map tbody td").nth(number) for number in (0, 6 * len(SALSA.tokens))]
        empty, full = (cell.evaluate("one => getComputedStyle(one).backgroundColor") for cell in colours)
        assert empty != full


EDITED = replace(
    SALSA,
    id="edited",
    prototype="p1",
    prototype_source="mealmaster: a.mmf, 0",
    prototype_licence="CC0 <1.0>",
    prototype_text="SQUEEZE THE LEMONS. Add olive oil and salt.\nStir in the oil & serve.",
    copied_percent=80.0,
    confidence=0.75,
)


def test_a_diff_joins_to_the_text_and_to_its_prototype() -> None:
    changes = report.card(EDITED).changes
    text = "".join(change.text for change in changes if change.mark != "deleted")
    prototype = "".join(change.text for change in changes if change.mark != "inserted")
    assert text == EDITED.text and prototype.lower() == EDITED.prototype_text.lower()
    swap = [change for change in changes if change.text.lower() in ("lemons", "limes")]
    assert [(change.text, change.mark) for change in swap] == [("LEMONS", "deleted"), ("limes", "inserted")]


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_the_edit_opens_by_keyboard(tmp_path: Path, width: int, scheme: str) -> None:
    long = replace(EDITED, prototype_text="x" * 90 + " " + EDITED.prototype_text)
    page_path = Path(report.write(str(write_run(tmp_path / "run", [long, numbered(1, 50)])))).resolve()
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        watched = Watched(page)
        page.goto(page_path.as_uri())
        assert page.locator("details.edit").count() == 1  # texts of other models have no edit
        diff = page.locator(".diff")
        assert not diff.is_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert diff.is_visible() and "CC0 <1.0>" in page.locator("details.edit").inner_text()
        watched.assert_sound()
        assert diff.locator("del").first.inner_text().startswith("x" * 90)
        assert diff.locator("ins").first.inner_text() == "limes"
        assert least_contrast(page, ".diff del, .diff ins") >= 4.5
