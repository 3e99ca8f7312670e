"""`--no-skips`, which continuous integration gives: each way to skip a test fails, but for a GPU's absence."""

from __future__ import annotations

import pytest

TESTS = """
import pytest

@pytest.fixture
def browser():
    pytest.skip("Chromium is not installed.")

@pytest.mark.skip(reason="It is slow.")
def test_marked(): pass

def test_by_a_fixture(browser): pass

def test_in_its_body(): pytest.skip("There is no Java.")

@pytest.mark.skipif(True, reason="This needs a GPU.")
def test_on_a_gpu(): pass

@pytest.mark.xfail
def test_known_fault(): assert False

def test_that_runs(): pass
"""
MODULE = "import pytest\npytest.importorskip('no_module_of_this_name')\n"


def test_a_skip_fails_with_its_reason_unless_it_is_for_the_gpu(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_inprocess("-p", "no_skips", "--no-skips")
    result.assert_outcomes(passed=1, skipped=1, failed=1, errors=2, xfailed=1)
    for reason in ("It is slow.", "Chromium is not installed.", "There is no Java."):
        result.stdout.fnmatch_lines([f"*{reason}", "With --no-skips *"])
    pytester.runpytest_inprocess("-p", "no_skips").assert_outcomes(passed=1, skipped=4, xfailed=1)


def test_a_module_that_skips_itself_fails(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(MODULE)
    pytester.runpytest_inprocess("-p", "no_skips", "--no-skips").assert_outcomes(errors=1)
