"""The picture of the README: a card of the report on the samples' texts by another author, with an error.

    PYTHONPATH=docs python -m pages.picture

It needs Chromium (`make deps`) and writes docs/proof.png.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from pages.results import ROOT

PICTURE = ROOT / "docs" / "proof.png"
SHOWN = "kitchen knife"  # the goal of the row whose card is shown
PROVE = ("prove", "samples/new_texts.csv", "--input", "samples/new_products.csv", "--mapping", "samples/products.yaml")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for arguments in ((*PROVE, "--output", f"{folder}/proof"), ("report", f"{folder}/proof")):
            subprocess.run([sys.executable, "-m", "allsaid", *arguments], cwd=ROOT, check=True, capture_output=True)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 960, "height": 900}, device_scale_factor=2)
        page.goto(Path(folder, "proof", "report.html").as_uri())
        page.evaluate(
            """goal => {
                const card = [...document.querySelectorAll("article.card")]
                    .find(card => card.querySelector("h3").textContent === goal);
                document.querySelector("main").replaceChildren(card);
                document.querySelector("main").style.padding = "10px 24px 24px";
            }""",
            SHOWN,
        )
        page.locator("main").screenshot(path=str(PICTURE))
        browser.close()


if __name__ == "__main__":
    main()
