"""The report page: right figures, everything escaped, and legible in a real browser at two widths."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from browser import Watched, chromium, least_contrast

from allsaid.proof.coverage import Lexicon, measure
from batch_infer.proof import summary as summary_file
from batch_infer.proof.judge import figures_of
from batch_infer.proof.reasons import Reason, general
from batch_infer.proof.summary import MEANS, summarize
from batch_infer.proof.tally import Tally
from batch_infer.report import report
from batch_infer.report.cards import Card
from batch_infer.rows.kinds import tables
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.texts.attention import ATTENTION, Attention, Weights
from schemas.texts.finding import MISSING, WRONG, Finding
from schemas.texts.generated import GENERATED, Generated

SALSA = Generated(
    id="salsa",
    goal="Salsa <b>verde</b> & more",
    agenda=["2 Limes, juiced", "1 tb Olive oil", "1 tb Corn oil", "3 cloves Garlic"],
    text="Squeeze the limes. Add olive oil, Tabasco and salt.\nStir in the oil.",
    tokens="squeeze the limes . add olive_oil , tabasco and salt . <br> stir in the oil .".split(),  # noqa: SIM905
    ref_items=[-1] * 17,
    used=["2 Limes, juiced", "1 tb Olive oil", "1 tb Corn oil"],
    missing=["3 cloves Garlic"],
    extra=["tabasco", "salt"],
    percent_given=75.0,
    percent_given_full_name=50.0,
    percent_given_any_word=75.0,
    extra_count=2,
    log_probability=-12.3456,
    model_name="recipes",
    model_version="3",
    texts_found=1,
)


def numbered(number: int, percent: float, extra: int = 0) -> Generated:
    used = SALSA.agenda[: round(percent / 25)]
    return replace(
        SALSA,
        id=f"n{number}",
        goal=f"Dish {number}",
        used=used,
        missing=SALSA.agenda[len(used) :],
        percent_given=percent,
        extra_count=extra,
    )


def broken(number: int, error: str) -> Generated:
    empty = replace(numbered(number, 0), agenda=[], text="", tokens=[], ref_items=[], used=[], missing=[], extra=[])
    return replace(
        empty,
        percent_given=None,
        percent_given_full_name=None,
        percent_given_any_word=None,
        extra_count=None,
        log_probability=None,
        error=error,
    )


def write_run(folder: Path, *parts: list[Generated], measured: Sequence[str] = MEANS) -> Path:
    """A finished run of ``allsaid generate``, its parts as given."""
    (folder / "texts").mkdir(parents=True)
    tally = Tally()
    for number, rows in enumerate(parts):
        pq.write_table(to_table(rows, GENERATED), folder / "texts" / f"part-{number:05}.parquet")
        tally.input_rows += len(rows)
        for row in rows:
            if row.error is None:
                coverage = measure(row.tokens, [[item] for item in row.agenda], Lexicon({}))
                said = replace(coverage, given=[item in row.used for item in row.agenda])
                tally.add_text(figures_of(said, len(row.tokens)), False, row.id)
                tally.add_reference(figures_of(replace(coverage, given=[True] * 4), 100))
            else:
                tally.add_error(Reason(general(row.error), 1, row.error, [row.id]))
    facts = {"model_name": "recipes", "model_version": "3", "input": "data", "split": "test"}
    summary = summarize([tally], measured, **facts, input_fingerprint="ab" * 16, seconds=2.5, texts_per_second=3.0)
    (folder / "summary.json").write_text(summary.to_json())
    return folder


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


def marks(card: Card) -> list[tuple[str, list[int], bool]]:
    """What of a text is marked, the numbers of the items that it mentions, and whether it is an extra."""
    found = [part for line in card.lines for part in line if part.items or part.extra]
    return [(part.text, [item.number for item in part.items], part.extra) for part in found]


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
    SALSA,
    id="ada",
    goal="Ada",
    agenda=["name: Ada Lovelace (née Byron)", "years: 1815 – 1852", "field: mathematics"],
    text="Ada Lovelace (1815 – 1852) wrote on mathematics.\nAda of_1852.",
    tokens="Ada Lovelace -lrb- 1815 -- 1852 -rrb- wrote on mathematics . <br> Ada of_1852 .".split(),  # noqa: SIM905
    ref_items=[0, 0, -1, 1, 1, 1, -1, -1, -1, 2, -1, -1, 0, 1, -1],
    used=[],
    missing=[],
    extra=[],
    percent_given=None,
    percent_given_full_name=None,
    percent_given_any_word=None,
    extra_count=None,
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
