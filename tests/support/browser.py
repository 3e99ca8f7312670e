"""Pages in a real browser: what every page of ours must be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
STICKING_OUT = """[...document.querySelectorAll('main *')].filter(one => {
    const box = one.getBoundingClientRect();
    return box.right > window.innerWidth + 0.5 || box.left < -0.5;
}).map(one => one.outerHTML.slice(0, 80))"""

CONTRAST = """what => {
    const light = colour => {
        const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const ground = one => {
        const colour = getComputedStyle(one).backgroundColor;
        return colour === "rgba(0, 0, 0, 0)" ? ground(one.parentElement) : colour;
    };
    return Math.min(...[...document.querySelectorAll(what)].map(one => {
        const pair = [light(getComputedStyle(one).color), light(ground(one))].sort((a, b) => b - a);
        return (pair[0] + 0.05) / (pair[1] + 0.05);
    }));
}"""


@contextmanager
def chromium() -> Iterator[Any]:
    """A running Chromium; the test is skipped where there is none, but never on continuous integration."""
    if not CHROMIUM.exists() and "CI" not in os.environ:
        pytest.skip("Chromium is not installed; `make deps` installs it.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield running
        running.close()


def least_contrast(page: Any, what: str) -> float:
    """The smallest contrast of a text with its ground among what a selector finds (WCAG 2.1, 1.4.3)."""
    return float(page.evaluate(CONTRAST, what))


class Watched:
    """What a page asks for and complains of, from now on; its own address begins with ``own``."""

    def __init__(self, page: Any, own: str = "file:") -> None:
        self.page, self.own = page, own
        self.asked: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def assert_sound(self, tables_scroll: bool = False) -> None:
        """It stands alone, complains of nothing, fits its window (wide tables may scroll), and passes axe-core."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert tables_scroll or self.page.evaluate(STICKING_OUT) == []
        assert [url for url in self.asked if not url.startswith((self.own, "data:"))] == []
        assert self.errors == []
        assert [found["nodes"] for found in Axe().run(self.page).response["violations"]] == []
