"""The pages: their generated parts are up to date, no figure is typed, and what they name exists."""

from __future__ import annotations

import contextlib
import io
import math
import re
from pathlib import Path

import pytest
from cogapp.cogapp import CogCheckFailed
from pages.families import trained, which
from pages.results import USED, as_measured, marked, marks, not_measured
from pages.write import PAGES, write

ROOT = Path(__file__).resolve().parents[3]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
TOP = "allsaid|schemas|pipelines|training|batch_infer|evaluation|benchmarks|deploy|docs|mlflow|samples|tests"
WRITTEN = re.compile(r"<!-- \[\[\[cog .*?\[\[\[end\]\]\] -->", re.DOTALL)
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
# A number that looks measured: with decimals, thousands or a unit.
FIGURE = re.compile(r"\d+[.,]\d+|\d+ ?(?:%|MB\b|GB\b|GiB\b|ms\b|s\b|seconds|minutes|hours|points|lines\b|times\b)")
NOT_MEASURED = {  # numbers of papers, settings, levels of intervals
    "README.md": (
        "Python 3.11, 3.12 or 3.13",
        "Apache-2.0",
    ),
    "docs/cluster.md": (
        "20 seconds at most",
        "30 seconds",
    ),
    "docs/coverage.md": (
        "20 times",
        "50,000 different values",
    ),
    "docs/figures.md": ("95%",),
    "docs/gpu.md": (
        "1.2 million",
        "82,590 recipes",
        "5 minutes",
    ),
    "docs/nightly.md": ("0.1", "level of 1%"),
    "docs/papers.md": (
        "sections 4.1 to 4.7",
        "section 2.1",
        "(2.2)",
        "(2.3)",
        "section 4.1",
        "1,117 test calls",
        "2021.inlg-1.45",
        "95%",
    ),
    "docs/researcher.md": (
        "127.0.0.1",
        "95%",
        "50%",
    ),
}
NO_FILES = {  # patterns, and files that the reader of a page writes
    "mlflow/.env",
    "allsaid/modeling/models/KIND.py",
    "allsaid/modeling/tasks/TASK.py",
    "kitchen/line_bigram.py",
    "kitchen/bigram.py",
    "kitchen/lines.py",
    "kitchen/echo.py",
    "weather/reports.py",
    "varied/beginnings.py",
}


def text(name: str) -> str:
    """Return a page without its generated parts and without its code."""
    return CODE.sub("", WRITTEN.sub("", (ROOT / name).read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings have on the web."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_what_stands_between_markers_is_up_to_date() -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            write("--check", "--diff")
        except CogCheckFailed:
            pytest.fail(f"Run `make docs`:\n{said.getvalue()[-3000:]}")
    readme = ROOT / "README.md"
    measured = {Path(page) for page in USED if page} - {readme}
    assert [page.name for page in measured if "results.measured(" not in page.read_text(encoding="utf-8")] == []
    provenance = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")  # of the README's results, too
    used = {f"`benchmarks/results/{name}.json` |" for name in USED[str(readme)]}
    assert used and {row for row in used if row not in provenance} == set()


@pytest.mark.parametrize("name", NAMES)
def test_no_figure_is_typed(name: str) -> None:
    """Figures come from results, by the functions that the markers name; settings and papers' figures are typed."""
    prose = SPAN.sub("", text(name))
    for allowed in NOT_MEASURED.get(name, ()):
        assert allowed in prose, f"{allowed} is no longer there"
        prose = prose.replace(allowed, "")
    assert FIGURE.findall(prose) == []
    assert re.findall("<!--(?! \\[\\[\\[).*", prose) == [], "no invisible comments"


@pytest.mark.parametrize("name", NAMES)
def test_every_path_of_the_repository_that_is_named_exists(name: str) -> None:
    """In backticks: what ends as a Python file does, and what begins with a folder of the repository."""
    spans = SPAN.findall(text(name))
    paths = {span for span in spans if re.fullmatch(rf"[\w/*.-]+\.py|({TOP})/[\w/*.-]*", span)} - NO_FILES
    assert [path for path in paths if not list(ROOT.glob(path.rstrip("/")))] == []


@pytest.mark.parametrize(
    "name", [*NAMES, "CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md", "samples/README.md"]
)
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    for target, anchor in re.findall(r"\]\(((?!https?:)[^)#\s]*)#?([^)\s]*)\)", page.read_text(encoding="utf-8")):
        path = page.parent / target if target else page
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), f"{target}#{anchor}"


def test_the_best_system_includes_those_in_its_range() -> None:
    systems = {
        "sure": {"slot_error_percent": {"ours": 2.0, "each": [1.0, 3.0]}, "texts_per_second": {"ours": 5.0}},
        "near": {"slot_error_percent": {"ours": 4.0, "each": [3.0, 5.0]}, "texts_per_second": {"ours": 9.0}},
        "once": {"slot_error_percent": {"ours": 6.0, "low": 2.5, "high": 9.0}, "texts_per_second": {"ours": 4.0}},
        "far": {"slot_error_percent": {"ours": 8.0, "each": [7.0, 9.0]}, "texts_per_second": {"ours": 6.0}},
    }
    assert which._best("slot_error_percent", systems) == ["sure", "near", "once"]
    assert which._best("texts_per_second", systems) == ["near"]
    wishes = {"quick": "texts_per_second", "cheap": "training_minutes"}
    assert which._had(wishes, systems) == {"quick": "texts_per_second"}
    ahead = {name: which._ahead(name, systems, ["slot_error_percent", "texts_per_second"]) for name in systems}
    assert ahead == {"sure": "", "near": "", "once": "sure", "far": "near"}


def test_cells_of_a_papers_table_are_marked() -> None:
    systems = {
        "nn": {"label": "NN", "texts": "nn", "paper": {"bleu": 7}},
        "small": {"label": "Small", "config": "small", "paper": {"bleu": 3}, "differs": "our search"},
        "ours": {"label": "Ours", "config": "small"},
    }
    given = {"systems": systems, "differs": {"trained": "half the size"}}
    assert [marked("1", given, name, "bleu") for name in systems] == ["1", "*1*", "**1**"]
    assert marked("1", given, "nn", "meteor") == "**1**" and marked("", given, "ours", "bleu") == ""
    assert marks(given, systems, ["bleu"]).splitlines() == ["- half the size (Small)", "- our search (Small)"]
    found = {"systems": {"small": {"differs": "ten texts"}}}
    notes = marks(as_measured(given, found), systems, ["bleu"]).splitlines()
    assert notes == ["- half the size (Small)", "- our search; ten texts (Small)"]
    assert not_measured(given, found) == {"not trained yet": "NN; Ours"}
    unknown = {"systems": {"ours": systems["ours"]}}
    assert marked("1", unknown, "ours", "bleu") == "1" and marks(unknown, ["ours"], ["bleu"]) == ""


def test_perplexities_imply_the_share_of_a_class() -> None:
    of_all = math.exp(0.25 * math.log(8) + 0.75 * math.log(2))
    assert trained._share({"perplexity": of_all, "one": 8, "other": 2}, "one", "other") == pytest.approx(25)
