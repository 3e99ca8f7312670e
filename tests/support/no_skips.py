"""A plugin of pytest: with ``--no-skips`` a skipped test fails, so that a check that could not run is seen."""

from __future__ import annotations

from collections.abc import Generator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="a skipped test fails, unless its reason names the GPU")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse(report, item.config)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse(report, collector.config)
    return report


def _refuse(report: pytest.TestReport | pytest.CollectReport, config: pytest.Config) -> None:
    """Make a failure of a skip; what is expected to fail (``xfail``) reads as skipped, too, but did run."""
    if not config.getoption("--no-skips") or not report.skipped or hasattr(report, "wasxfail"):
        return
    assert isinstance(report.longrepr, tuple)  # path, line, reason
    reason = report.longrepr[2]
    if "GPU" not in reason:
        report.outcome = "failed"
        report.longrepr = f"{reason}\nWith --no-skips a test may be skipped for a GPU's absence alone."
