"""A job of texts beside others: another one on its output, and somebody who writes to its input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from another_run import NAME, another_run
from batch_tables import read, write_lines

from batch_infer.job import generate
from batch_infer.job import run as job
from batch_infer.options.generate import GenerateOptions
from schemas.errors import UserError

AGENDAS = [{"goal": "Soup", "agenda": [f"{number} tomatoes"]} for number in range(7)]
MORE = '{"goal": "Soup", "agenda": ["salt"]}\n'


def request(model: Path, given: Path, wait: float = 0) -> GenerateOptions:
    return GenerateOptions(str(model), str(given), str(given.parent / "out"), width=1, max_tokens=3, wait=wait)


@pytest.fixture
def given(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "a.jsonl", AGENDAS)


def during(monkeypatch: pytest.MonkeyPatch, step: str, change: Callable[[], object]) -> None:
    """Have something happen as soon as a step of the job has ended."""
    whole = getattr(job, step)

    def then(*words: object) -> object:
        found = whole(*words)
        change()
        return found

    monkeypatch.setattr(job, step, then)


def test_the_second_of_two_runs_is_refused_or_waits(model: Path, given: Path) -> None:
    out = given.parent / "out"
    with another_run(str(out)) as ends_after:
        with pytest.raises(
            UserError, match=rf"Another run, {NAME}, is writing to .*--wait MINUTES\), or stop it first"
        ):
            generate.run(request(model, given))
        assert [path.name for path in out.iterdir()] == ["locks"]
        ends_after(0.5)
        assert generate.run(request(model, given, wait=1)).texts == len(AGENDAS)
    assert not list((out / "locks").iterdir())


def test_a_run_that_lost_its_lock_finishes_nothing(model: Path, given: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = given.parent / "out"
    with monkeypatch.context() as robbed:
        during(robbed, "_write", lambda: [path.unlink() for path in (out / "locks").iterdir()])
        with pytest.raises(UserError, match=r"did not renew its lock on .*Nothing was published; start it again"):
            generate.run(request(model, given))
    assert not (out / "summary.json").exists()
    assert generate.run(request(model, given)).texts == len(AGENDAS)


@pytest.mark.parametrize("step", ["pipeline_options", "_write"])
@pytest.mark.parametrize("change", [lambda path: path.write_text(path.read_text() + MORE), Path.unlink])
def test_an_input_that_changes_while_it_is_read(
    model: Path, given: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object], step: str
) -> None:
    """From the first look on; with the old input again the same command makes all of its texts anew."""
    out = given.parent / "out"
    with monkeypatch.context() as written:
        during(written, step, lambda: change(given))
        with pytest.raises(UserError, match=r"a\.jsonl changed while it was read, so its texts are not finished\."):
            generate.run(request(model, given))
    assert sorted(path.name for path in out.iterdir() if path.name in ("done", "summary.json")) == []
    write_lines(given, AGENDAS)
    assert generate.run(request(model, given)).searched == len(AGENDAS) == len(read(out))
