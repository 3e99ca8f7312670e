"""The page of `allsaid try` in a real browser: by the keyboard alone, at two widths, in light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Watched, chromium, least_contrast
from tiny_trial import MAPPING, save_example, save_recipes, save_slots, served

from batch_infer.trial.server import PageServer

pytestmark = pytest.mark.browser
WIDTHS = [(1280, "light"), (400, "dark")]
FOCUS = "document.activeElement.name || document.activeElement.id || document.activeElement.textContent.trim()"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def recipes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    with served(save_recipes(tmp_path_factory.mktemp("recipes"))) as running:
        yield running


@pytest.fixture(scope="module")
def chairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    with served(save_slots(tmp_path_factory.mktemp("chairs"), MAPPING)) as running:
        yield running


def opened(browser: Any, server: PageServer, width: int, scheme: str, **more: Any) -> tuple[Any, Watched]:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, **more)
    watched = Watched(page, server.address)
    page.goto(server.address)
    return page, watched


def tab_to(page: Any, wanted: str, key: str = "Tab") -> None:
    """Press Tab until what has this name, id or text has the focus, and can be seen to have it."""
    for _ in range(40):
        if page.evaluate(FOCUS) == wanted:
            assert page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to '{wanted}'.")


def type_instead(page: Any, field: str, text: str) -> None:
    """Write a field anew."""
    tab_to(page, field)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


@pytest.mark.parametrize(("width", "scheme"), WIDTHS)
def test_goal_and_items_by_the_keyboard_alone(browser: Any, recipes: PageServer, width: int, scheme: str) -> None:
    page, watched = opened(browser, recipes, width, scheme)
    assert page.title() == "Try recipes"
    watched.assert_sound()
    tab_to(page, "row.goal")
    page.keyboard.type("Salsa")
    page.keyboard.press("Tab")
    page.keyboard.type("2 tomatoes, chopped\n1 tb salt")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS) == "Write"
    tab_to(page, "search.texts")
    page.keyboard.press("ArrowUp")
    type_instead(page, "search.min_coverage", "100")
    page.keyboard.press("Enter")  # in a line: sends the form
    page.get_by_role("heading", name="2 texts").wait_for()
    assert page.title() == "2 texts – Try recipes"
    assert page.evaluate(FOCUS) == "answer" and page.locator("#answer").is_visible()
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") < 900
    assert page.locator("article").count() == 2
    assert page.locator("article").first.get_by_role("img", name="given").count() == 2
    number, mark = page.locator("article .number").first, page.locator("article mark").first
    colour = "one => getComputedStyle(one).backgroundColor"
    assert {number.evaluate(colour)} <= {one.evaluate(colour) for one in page.locator("article mark").all()}
    assert mark.locator("sup").inner_text() in ("1", "2")
    watched.assert_sound()
    texts = "h1, h2, h3, p, small, label, legend, li, button, summary, input, textarea, article span:not(:empty), sup"
    assert least_contrast(page, texts) >= 4.5
    # The heat map is one key away, and scrolls within itself.
    assert not page.locator(".map").first.is_visible()
    tab_to(page, "What the model looked at, word by word")
    page.keyboard.press("Enter")
    assert page.locator(".map").first.is_visible()
    page.keyboard.press("Tab")
    assert page.locator(".map").first.evaluate("one => one === document.activeElement")
    watched.assert_sound(tables_scroll=True)
    assert page.get_by_label("Items", exact=True).input_value() == "2 tomatoes, chopped\n1 tb salt"
    page.close()


@pytest.mark.parametrize(("width", "scheme"), WIDTHS)
def test_a_row_of_columns_and_a_fault_by_the_keyboard_alone(
    browser: Any, chairs: PageServer, width: int, scheme: str
) -> None:
    page, watched = opened(browser, chairs, width, scheme)
    tab_to(page, "row.name")
    page.keyboard.type("Elm")
    tab_to(page, "row.foldable")
    page.keyboard.type("yes")
    page.keyboard.press("Control+Enter")  # anywhere in the form
    page.get_by_role("heading", name="No text").wait_for()
    assert page.evaluate(FOCUS) == "answer"
    assert page.locator("#fault").inner_text().startswith("The cell of 'sort', the goal, is empty.")
    tab_to(page, "Back to the row")
    page.keyboard.press("Enter")
    tab_to(page, "row.sort")
    page.keyboard.type("chair")
    type_instead(page, "search.width", "0")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="'Width of the beam search' must be at least 1; 0 is not.").wait_for()
    tab_to(page, "'Width of the beam search' must be at least 1; 0 is not.")
    page.keyboard.press("Enter")
    type_instead(page, "search.width", "4")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="1 text").wait_for()
    assert page.locator("article h3").inner_text() == "chair"
    assert page.get_by_label("foldable").input_value() == "yes"
    watched.assert_sound()
    page.close()


def test_it_works_without_javascript(browser: Any, recipes: PageServer) -> None:
    page, watched = opened(browser, recipes, 400, "light", java_script_enabled=False)
    page.get_by_label("Goal", exact=True).fill("Salsa")
    page.get_by_label("Items", exact=True).fill("2 tomatoes, chopped\n1 tb salt")
    page.get_by_role("button", name="Write").click()
    page.get_by_role("heading", name="1 text").wait_for()
    assert "2 tomatoes, chopped" in page.locator("article .agenda").inner_text()
    page.locator("summary", has_text="What the model looked at").click()
    assert page.locator(".map").is_visible() and watched.errors == []
    page.close()


@pytest.mark.parametrize(("width", "scheme"), WIDTHS)
def test_the_page_opens_with_an_example_and_its_text(browser: Any, tmp_path: Path, width: int, scheme: str) -> None:
    model = save_example(save_slots(tmp_path, MAPPING), "chair", ["name=Elm", "width=44 cm", "foldable=yes"])
    with served(model) as server:
        page, watched = opened(browser, server, width, scheme)
        assert page.title() == "1 text – Try slots"
        assert page.locator("article h3").inner_text() == "chair"
        assert page.locator(".answer .note").first.inner_text().startswith("The row is an example")
        shown = {name: page.get_by_label(name, exact=True).input_value() for name in ("name", "width", "foldable")}
        assert shown == {"name": "Elm", "width": "44 cm", "foldable": "yes"}
        assert page.evaluate("document.activeElement === document.body && window.scrollY === 0")
        type_instead(page, "row.name", "Ash")
        page.keyboard.press("Enter")
        page.locator("#answer:focus").wait_for()  # the page's policy forbids what `wait_for_function` evaluates
        assert "Ash" in page.locator("article .agenda").inner_text()
        assert "The row is an example" not in page.locator(".answer").inner_text()
        watched.assert_sound()
        page.close()


def test_waiting_is_announced_and_a_form_is_sent_once(browser: Any, chairs: PageServer) -> None:
    page, _ = opened(browser, chairs, 1280, "light")
    assert page.get_by_role("status").inner_text() == ""
    page.evaluate(
        "document.forms[0].addEventListener('submit', event => { window.sent = !event.defaultPrevented; "
        "event.preventDefault(); })"
    )
    page.get_by_role("button", name="Write").click()
    assert page.get_by_role("status").inner_text() == "Writing …" and page.evaluate("window.sent")
    page.get_by_role("button", name="Write").click()
    assert not page.evaluate("window.sent")
    page.close()
