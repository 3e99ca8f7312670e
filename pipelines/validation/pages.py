"""The pages of a validation: an index of all rules, and Great Expectations' page for each border."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from allsaid.storage import files
from pipelines.validation.rules import Outcome
from schemas.errors import UserError


def write_pages(checked: str, what: str, outcomes: Sequence[Outcome], suites: Mapping[str, str]) -> None:
    """Write ``checked``/validation/: an index headed by ``what`` was checked, and a page for each border's suite."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("page.html.j2")
    broken_first = sorted(outcomes, key=lambda outcome: outcome.passed)
    pages = {
        "index": template.render(title="Validation", suite="", what=what, outcomes=broken_first, borders=list(suites))
    }
    for border, page in suites.items():
        pages[border] = template.render(title=f"Validation: {border}", suite=_offline(page))
    for name, page in pages.items():
        url = files.join(checked, "validation", f"{name}.html")
        try:
            files.write_text(url, page)
        except OSError as fault:
            raise UserError(f"Can't write {url} ({fault}). Make its folder writable and run it again.") from fault


def _offline(page: str) -> str:
    """Return the body of Great Expectations' page without external scripts, style sheets, pictures and links."""
    body = page[page.index("<body>") + len("<body>") : page.rindex("</body>")]
    body = re.sub(r"<(script|footer)\b.*?</\1>|<img\b[^>]*>|<link\b[^>]*>", "", body, flags=re.DOTALL)
    body = re.sub(r"np\.int64\((-?\d+)\)", r"\1", body)
    return re.sub(r'<a href="(?:\.\./)+[^"]*"\s*>(.*?)</a>', r"\1", body, flags=re.DOTALL)
