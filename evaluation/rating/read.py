"""The figures of a human evaluation: as a table beside the paper's, as JSON and Markdown, and as a run in MLflow."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

from allsaid import console, markdown
from allsaid.console import UserError, counted, say
from evaluation.rating.answers import Ratings, agreement, gather, mean
from evaluation.rating.rate import PAPER, QUESTIONS, Key
from pipelines.storage import files
from training.tasks.agenda import RECIPES
from training.tracking.results import Results, Server, Used

KIND = "rate"
JSON, MARKDOWN = "ratings.json", "ratings.md"
SAID = 20  # rejected answers named at the terminal; the JSON file names all
ALPHA = "Krippendorff's alpha (interval)"
TITLE = "Mean ratings, 1 to 5, beside Kiddon et al. 2016, table 2"


def read(paths: Sequence[str], key_path: str, output: str | None = None) -> dict[str, Any]:
    """Read the answers back, write them up below ``output`` (by default beside the key) and log a run of kind ``rate``.

    Gives back what stands in ratings.json. Raises :class:`UserError` where a file can't be read at all; a lost tracking
    server costs the run, not the figures.
    """
    key = Key.read(key_path)
    folder = output or str(PurePath(key_path).parent)
    ratings = gather(paths, key)
    result = describe(ratings, key)
    rows = table(result)
    files.write_text(files.join(folder, JSON), json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    files.write_text(files.join(folder, MARKDOWN), page(result, rows))
    show(result, rows, folder)
    try:
        say(f"MLflow has these figures as run {_log(result, key)}.")
    except UserError as fault:
        say(f"The figures are not logged. {fault}")
    return result


def newest(server: Server, fingerprint: str, split: str, systems: Collection[str]) -> dict[str, Any] | None:
    """What people said in the newest study of a data set's split that has one of these systems; None without one."""
    for run in server.find({"kind": KIND, "dataset_fingerprint": fingerprint, "split": split}):
        result: dict[str, Any] = server.document(run.info.run_id, JSON)
        if any(_plain(name).casefold() in systems for name in result["systems"]):
            return result
    return None


def describe(ratings: Ratings, key: Key) -> dict[str, Any]:
    """All that was found, as plain data."""
    systems = {}
    for system in key.systems:
        of = {question: ratings.of(question, system) for question in QUESTIONS}
        systems[system] = {
            question: {"mean": mean(found), "ratings": len(found), "paper": _paper(key, system, question)}
            for question, found in of.items()
        }
    return {
        "study": key.study,
        "task": key.task,
        "split": key.split,
        "data_fingerprint": key.data_fingerprint,
        "rows": len(key.rows),
        "raters": len(key.sheets),
        "systems": systems,
        "alpha": {question: agreement(ratings.of(question)) for question in QUESTIONS},
        "answers": {
            "read": ratings.read,
            "used": len(ratings.used),
            "rejected": dict(Counter(one.reason for one in ratings.rejected)),
        },
        "rejected": [asdict(one.answer) | {"reason": one.reason, "told": one.sentence} for one in ratings.rejected],
        "missing": ratings.missing,
    }


def _paper(key: Key, system: str, question: str) -> float | None:
    """The figure of table 2; None for another task, or a system that the paper does not have."""
    figures = PAPER.get(system.casefold()) if key.task == RECIPES else None
    return figures[QUESTIONS.index(question)] if figures else None


def header() -> list[str]:
    names = [question.replace("_", " ") for question in QUESTIONS]
    return ["system", *(title for name in names for title in (name, "ratings", "paper"))]


def table(result: dict[str, Any]) -> list[list[str]]:
    """A row for each system, and one for the agreement."""
    rows = [
        [system, *(cell for question in QUESTIONS for cell in _cells(figures[question]))]
        for system, figures in result["systems"].items()
    ]
    return [*rows, [ALPHA, *(cell for question in QUESTIONS for cell in (_number(result["alpha"][question]), "", ""))]]


def _cells(figure: dict[str, Any]) -> tuple[str, str, str]:
    return _number(figure["mean"]), str(figure["ratings"]), _number(figure["paper"])


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def page(result: dict[str, Any], rows: Sequence[Sequence[str]]) -> str:
    lines = [
        f"# Human evaluation of {counted(result['rows'], 'row')} by {counted(result['raters'], 'rater')}",
        "",
        "Mean ratings from 1 to 5, how many there are, and the figures of table 2 in Kiddon et al. 2016.",
        "",
        markdown_table(rows),
        "",
        tally(result),
        "",
        *(f"- {_escaped(sentence)}" for sentence in notes(result)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    return markdown.table(header(), [[_escaped(cell) for cell in row] for row in rows])


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is: names of systems and what stands in answer files are not ours."""
    return re.sub(r"([\\`*_<>\[\]])", r"\\\1", text).replace("\n", " ")


def study(result: dict[str, Any]) -> str:
    """What was rated, as a sentence."""
    rows, raters = counted(result["rows"], "row"), counted(result["raters"], "rater")
    return f"Study {result['study']}: {rows} of the {result['split']} part, {raters}."


def tally(result: dict[str, Any]) -> str:
    answers = result["answers"]
    reasons = ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in answers["rejected"].items())
    rejected = sum(answers["rejected"].values())
    return (
        f"Answers: {answers['read']} read = {answers['used']} used + {rejected} rejected{reasons and f' ({reasons})'}."
    )


def notes(result: dict[str, Any]) -> list[str]:
    return [*(one["told"] for one in result["rejected"]), *result["missing"]]


def show(result: dict[str, Any], rows: Sequence[Sequence[str]], folder: str) -> None:
    console.result("rate read", result, TITLE, header(), rows)
    said = [one["told"] for one in result["rejected"]]
    for sentence in [*said[:SAID], *result["missing"]]:
        say(sentence)
    if len(said) > SAID:
        say(f"{len(said) - SAID} more rejected answers are named in {files.join(folder, JSON)}.")
    say(f"{tally(result)} The figures are in {files.join(folder, JSON)} and {files.join(folder, MARKDOWN)}.")


def _plain(name: str) -> str:
    return re.sub(r"[^\w.: -]", "_", name.replace("+", "-plus"), flags=re.ASCII)


def metrics(result: dict[str, Any]) -> dict[str, float]:
    """Names `<question>/<system>` and `alpha/<question>`; MLflow's names can't hold every letter of a system's."""
    found = {
        f"{question}/{_plain(system)}": figure["mean"]
        for system, figures in result["systems"].items()
        for question, figure in figures.items()
    }
    found |= {f"alpha/{question}": value for question, value in result["alpha"].items()}
    return {name: value for name, value in found.items() if value is not None}


def _log(result: dict[str, Any], key: Key) -> str:
    return Server().log(
        Results(
            kind=KIND,
            experiment=key.task,
            name=f"rate-{key.study}",
            tags={"task": key.task, "study": key.study, "split": key.split},
            params={"rows": len(key.rows), "raters": len(key.sheets), "seed": key.seed, "answers": tally(result)},
            metrics=metrics(result),
            used=Used(key.data_name, key.data_fingerprint, key.data_address, key.split),
            documents={JSON: result},
        )
    )
