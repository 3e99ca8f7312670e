"""A rating sheet in a real browser: filled with the keyboard alone, closed and opened again, and read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Watched, chromium, least_contrast
from in_process import allsaid
from small_study import LENGTHS, SCRIPT, make_pair_texts, make_texts

from evaluation.options import StudyOptions
from evaluation.rating.forms import QUESTIONS
from evaluation.rating.key import Key
from evaluation.rating.sheet import StudyFiles, make

pytestmark = pytest.mark.browser
# A rater who likes the reference texts best, and who never sees a name.
TASTE = {"encdec": (2, 1, 1), "Checklist+": (4, 3, 2), "Truth": (5, 5, 4)}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyFiles:
    """All seven recipes, so that the one called as a script is among them."""
    folder = make_texts(tmp_path_factory.mktemp("texts"))
    systems = tuple(str(folder / name) for name in LENGTHS)
    return make(StudyOptions(systems, str(folder / "study"), str(folder / "data"), rows=7, raters=2))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


def tab_to(page: Any, name: str) -> None:
    """Press Tab until the button of that name has the focus."""
    for _ in range(12):
        if page.evaluate("document.activeElement.textContent") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to '{name}'.")


def opened_again(context: Any, address: str) -> Any:
    """A new page with the sheet; Chromium may show it a closed page's answers only after a moment."""
    page = context.new_page()
    for wait in (0, 100, 1000, 5000, 20_000, 30_000):  # ms
        page.wait_for_timeout(wait)
        page.goto(address)
        if page.evaluate("localStorage.length"):
            break
    return page


@pytest.mark.usefixtures("own_folder")
def test_the_keyboard_alone_fills_a_sheet_that_is_read_back(
    study: StudyFiles, browser: Any, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    key = Key.read(study.key)
    wanted = [TASTE[key.systems[system]] for _, system in key.sheets[0]]
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    address = Path(study.sheets[0]).resolve().as_uri()
    page.goto(address)
    assert page.locator("#where").inner_text() == "Text 1 of 21. 0 rated, 21 to go."
    for number, ratings in enumerate(wanted[:9], start=1):
        for place, rating in enumerate(ratings):
            if number == 2 and place == 1:
                page.keyboard.press("Tab")  # leave the second question of the second text open
            elif number == 3:  # as a screen reader's user would: arrows within the group, Tab to the next
                page.keyboard.press("Tab")
                page.keyboard.press("Space")
                for _ in range(rating - 1):
                    page.keyboard.press("ArrowRight")
            else:
                page.keyboard.press(str(rating))
        if number != 3:  # Enter on a rating goes on, too
            tab_to(page, "Next text")
        page.keyboard.press("Enter")
    assert page.locator("#where").inner_text() == "Text 10 of 21. 8 rated, 13 to go."
    page.close()
    page = opened_again(context, address)
    # It opens at the first text that lacks an answer.
    assert page.locator("#where").inner_text() == "Text 2 of 21. 8 rated, 13 to go."
    page.keyboard.press(str(wanted[1][1]))
    tab_to(page, "First unanswered")
    page.keyboard.press("Enter")
    for ratings in wanted[9:]:
        for rating in ratings:
            page.keyboard.press(str(rating))
        page.keyboard.press("Enter")  # the last one downloads
    assert page.locator("#where").inner_text().startswith("Text 21 of 21. All are rated")
    with page.expect_download() as caught:
        page.keyboard.press("Enter")
    answers = tmp_path / caught.value.suggested_filename
    caught.value.save_as(answers)
    context.close()

    assert answers.name == "answers-1.json"
    assert len(json.loads(answers.read_text())["answers"]) == 63
    assert allsaid("rate", "read", str(answers), "--key", study.key, "--output", "out") == 0
    assert "Answers: 63 read = 63 used + 0 rejected.\n" in capsys.readouterr().err.replace(" The figures", "\n")
    found = json.loads(Path("out", "ratings.json").read_text())
    means = {name: tuple(of[question]["mean"] for question in QUESTIONS) for name, of in found["systems"].items()}
    assert means == TASTE
    assert found["missing"] == ["Rater 2 has given no answer."]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_a_sheet_shows_texts_as_texts_and_fits(study: StudyFiles, browser: Any, width: int, scheme: str) -> None:
    key = Key.read(study.key)
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    watched = Watched(page)
    page.goto(Path(study.sheets[1]).resolve().as_uri())
    script = key.rows.index(f"{3:016x}")
    for row, _ in key.sheets[1][: [row for row, _ in key.sheets[1]].index(script)]:
        assert row != script
        page.get_by_role("button", name="Next text").click()
    assert page.locator("#goal-text").inner_text() == f"{SCRIPT} & pie"
    assert page.locator("#agenda li").first.inner_text() == SCRIPT
    assert page.evaluate("window.hacked") is None
    watched.assert_sound()
    # What a screen reader says: the question as the group's name, the rating as the radio's.
    group = page.get_by_role("group", name="How grammatical is the recipe?")
    page.keyboard.press("4")
    assert group.get_by_role("radio", name="4").is_checked()
    assert page.get_by_role("radio", name="5 fully").count() == 3
    focus = "getComputedStyle(document.activeElement.closest('label')).outlineWidth"
    assert page.evaluate(focus) == "3px"
    page.close()


@pytest.fixture(scope="module")
def new_studies(tmp_path_factory: pytest.TempPathFactory) -> list[StudyFiles]:
    """One of pairs by fluency and adequacy, and one of them head to head."""
    folder = make_pair_texts(tmp_path_factory.mktemp("pairs"))
    systems, data = tuple(str(folder / name) for name in ("scratchpad", "copynet")), str(folder / "data")
    return [
        make(StudyOptions(systems, str(folder / f"study-{duel}"), data, rows=4, raters=1, head_to_head=duel))
        for duel in (False, True)
    ]


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
@pytest.mark.parametrize("number", [0, 1])
def test_sheets_of_pairs_are_filled_by_keyboard(
    new_studies: list[StudyFiles], browser: Any, number: int, width: int, scheme: str
) -> None:
    made = new_studies[number]
    key = Key.read(made.key)
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True)
    watched = Watched(page)
    page.goto(Path(made.sheets[0]).resolve().as_uri())
    for text in range(1, made.texts + 1):
        place = key.entry(1, text)
        assert page.locator("#goal-text").inner_text() == f"Text {text}"
        assert page.locator("fieldset:visible").count() == 1
        assert page.locator("#reference").is_visible() == (place.questions[0] != "fluency")
        wanted = {"scratchpad": "x", "copynet": "0", "Truth": "9"}[place.systems[0]] if number == 0 else "1"
        page.keyboard.press(wanted)
        watched.assert_sound()
        if text < made.texts:
            page.keyboard.press("Enter")
    assert "All are rated" in page.locator("#where").inner_text()  # 0 is an answer, too
    with page.expect_download() as caught:
        page.keyboard.press("Enter")
    caught.value.save_as("answers.json")
    assert least_contrast(page, "h1, h3, p, small, label, legend, button:enabled") >= 4.5
    page.close()
    assert allsaid("rate", "read", "answers.json", "--key", made.key, "--output", "out") == 0
    found = json.loads(Path("out", "ratings.json").read_text())
    assert found["answers"] == {"read": made.texts, "used": made.texts, "rejected": {}}
    if number == 0:
        means = {name: [of[question]["mean"] for question in of] for name, of in found["systems"].items()}
        assert means == {"scratchpad": [10, 10], "copynet": [0, 0], "Truth": [9, None]}
    else:
        (duel,) = found["duels"]
        first = sum(key.entry(1, text).systems[0] == "scratchpad" for text in range(1, made.texts + 1))
        assert duel["first"] == 100 * first / made.texts and duel["judgements"] == made.texts


def test_answers_download_without_browser_storage(study: StudyFiles, browser: Any) -> None:
    page = browser.new_page(accept_downloads=True)
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('The disk is full.'); }")
    page.goto(Path(study.sheets[0]).resolve().as_uri())
    assert page.get_by_role("alert").count() == 0
    for key in ("5", "4", "3", "Enter", "2"):
        page.keyboard.press(key)
    assert page.get_by_role("alert").inner_text().startswith("This browser can't keep your answers")
    tab_to(page, "Download answers")
    with page.expect_download() as caught:
        page.keyboard.press("Enter")
    answers = json.loads(caught.value.path().read_text())["answers"]
    assert [(one["text"], one["rating"]) for one in answers] == [(1, 5), (1, 4), (1, 3), (2, 2)]
    page.close()


def test_colours_have_contrast(study: StudyFiles, browser: Any) -> None:
    """At least 4.5 to 1 for text (WCAG 2.1, 1.4.3), in light and dark."""
    texts = "h1, h3, p, small, label, legend, li, .part, button:enabled"
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.goto(Path(study.sheets[0]).resolve().as_uri())
        assert least_contrast(page, texts) >= 4.5, scheme
        page.close()
