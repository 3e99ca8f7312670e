"""The figures of a human evaluation: a table next to the paper's figures, JSON, Markdown, and a run in MLflow."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import PurePath
from typing import Any

from allsaid import console, markdown
from allsaid.console import counted, say
from allsaid.storage import files
from evaluation.rating.answers import Ratings, agreement, gather, mean
from evaluation.rating.forms import BETTER, BOTH_BAD, BOTH_GOOD, FIRST, SECOND, form_of
from evaluation.rating.key import Key
from schemas.errors import UserError
from training.tracking.results import InputData, Results, Server

KIND = "rate"
JSON, MARKDOWN = "ratings.json", "ratings.md"
PRINTED = 20  # rejected answers that are printed; the JSON file has all
ALPHA = "Krippendorff's alpha (interval)"
ANSWERS = {"first": FIRST, "both_good": BOTH_GOOD, "both_bad": BOTH_BAD, "second": SECOND}  # of a head-to-head
ALPHA_OF_DUELS = "Krippendorff's alpha (nominal)"
Result = dict[str, Any]  # the content of ratings.json; Any: plain data of several types, which is also read from runs
DUEL = ("system", "other", "system better", "both good", "both bad", "other better", "win rate", "judgements")


def read(paths: Sequence[str], key_path: str, output: str | None = None) -> Result:
    """Read the answers, write ratings.json and ratings.md, and log a run of kind ``rate``.

    ``output`` is by default the key's folder. Returns the content of ratings.json. Raises UserError if a file can't be
    read. Without a tracking server the figures are written, but not logged.
    """
    key = Key.read(key_path)
    folder = output or str(PurePath(key_path).parent)
    result = describe(gather(paths, key), key)
    files.write_text(files.join(folder, JSON), json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    files.write_text(files.join(folder, MARKDOWN), page(result))
    show(result, folder)
    try:
        say(f"MLflow has these figures as run {_log(result, key)}.")
    except UserError as fault:
        say(f"The figures are not logged. {fault}")
    return result


def newest(server: Server, fingerprint: str, split: str, systems: Collection[str]) -> list[Result]:
    """Return the newest study of a data set's split with one of these systems, and the newest such head-to-head."""
    studies: dict[bool, Result] = {}
    for run in server.find({"kind": KIND, "dataset_fingerprint": fingerprint, "split": split}):
        result: Result = server.document(run.info.run_id, JSON)
        if any(_plain(name).casefold() in systems for name in result["systems"]):
            studies.setdefault("duels" in result, result)
    return [studies[is_duel] for is_duel in sorted(studies)]


def describe(ratings: Ratings, key: Key) -> Result:
    """Return all figures, rejected and missing answers as plain data."""
    is_duel = key.head_to_head
    return {
        "study": key.study,
        "task": key.task,
        "split": key.split,
        "data_fingerprint": key.data_fingerprint,
        "rows": len(key.rows),
        "raters": len(key.sheets),
        "systems": {system: {} if is_duel else _rated(ratings, key, system) for system in key.systems},
        **({"duels": duels(ratings, key)} if is_duel else {}),
        "alpha": {question: agreement(ratings.of(question)) for question in key.form.questions},
        "answers": {
            "read": ratings.read,
            "used": len(ratings.used),
            "rejected": dict(Counter(rejected.reason for rejected in ratings.rejected)),
        },
        "rejected": [
            asdict(rejected.answer) | {"reason": rejected.reason, "sentence": rejected.sentence}
            for rejected in ratings.rejected
        ],
        "missing": ratings.missing,
    }


def _rated(ratings: Ratings, key: Key, system: str) -> dict[str, dict[str, float | None]]:
    """Return for each question the mean rating of a system's texts, their number, and the paper's figure."""
    form, figures = key.form, dict[str, dict[str, float | None]]()
    papers = form.paper.get(system.casefold(), {}) if not form.paper_of or key.data_name in form.paper_of else {}
    for question in form.questions:
        of_system = ratings.of(question, system)
        figures[question] = {"mean": mean(of_system), "ratings": len(of_system), "paper": papers.get(question)}
    return figures


def duels(ratings: Ratings, key: Key) -> list[Result]:
    """Return for each pair of systems the shares of the judgements in %.

    The win rate is the share of the first system among the judgements that prefer one of both.
    """
    pairs = []
    for first, second in combinations(key.systems, 2):
        judgements = [rating.rating for rating in ratings.of(BETTER, first, second)]
        count = len(judgements)
        shares = {name: 100 * judgements.count(answer) / count if count else None for name, answer in ANSWERS.items()}
        first_wins, second_wins = judgements.count(FIRST), judgements.count(SECOND)
        win_rate = 100 * first_wins / (first_wins + second_wins) if first_wins + second_wins else None
        pairs.append({"systems": [first, second], **shares, "win_rate": win_rate, "judgements": count})
    return pairs


def title(result: Result) -> str:
    """Return the title of a study's table."""
    return form_of(result["task"], "duels" in result).title


def header(result: Result) -> list[str]:
    """Return the column titles of a study's table."""
    if "duels" in result:
        return [*DUEL]
    names = [question.replace("_", " ") for question in result["alpha"]]
    return ["system", *(title for name in names for title in (name, "ratings", "paper"))]


def table(result: Result) -> list[list[str]]:
    """Return a row for each system, or for each pair of a head-to-head, and one for the agreement."""
    alphas = result["alpha"]
    if "duels" in result:
        rows = [
            [*pair["systems"], *(_number(pair[name], 1) for name in (*ANSWERS, "win_rate")), str(pair["judgements"])]
            for pair in result["duels"]
        ]
        return [*rows, [ALPHA_OF_DUELS, _number(alphas[BETTER]), *[""] * (len(DUEL) - 2)]]
    rows = [
        [
            system,
            *(
                cell
                for figure in (figures[question] for question in alphas)
                for cell in (_number(figure["mean"]), str(figure["ratings"]), _number(figure["paper"]))
            ),
        ]
        for system, figures in result["systems"].items()
    ]
    return [*rows, [ALPHA, *(cell for value in alphas.values() for cell in (_number(value), "", ""))]]


def _number(value: float | None, places: int = 2) -> str:
    return "" if value is None else f"{value:.{places}f}"


def page(result: Result) -> str:
    """Return a study's result as a page of Markdown."""
    parts = [
        f"# Human evaluation of {counted(result['rows'], 'row')} by {counted(result['raters'], 'rater')}",
        f"{title(result)}.",
        markdown_table(result),
        tally(result),
        "\n".join(f"- {_escaped(sentence)}" for sentence in (*_rejected(result), *result["missing"])),
    ]
    return "\n\n".join(parts).rstrip() + "\n"


def markdown_table(result: Result) -> str:
    """Return a study's table as Markdown."""
    return markdown.table(header(result), [[_escaped(cell) for cell in row] for row in table(result)])


def _escaped(text: str) -> str:
    """Escape Markdown in text that comes from users: names of systems and contents of answer files."""
    return re.sub(r"([\\`*_<>\[\]])", r"\\\1", text).replace("\n", " ")


def study(result: Result) -> str:
    """Return a sentence with the study, its rows and its raters."""
    rows, raters = counted(result["rows"], "row"), counted(result["raters"], "rater")
    return f"Study {result['study']}: {rows} of the {result['split']} part, {raters}."


def tally(result: Result) -> str:
    """Return a sentence with the numbers of answers: read = used + rejected."""
    answers = result["answers"]
    reasons = ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in answers["rejected"].items())
    rejected = sum(answers["rejected"].values())
    return (
        f"Answers: {answers['read']} read = {answers['used']} used + {rejected} rejected{reasons and f' ({reasons})'}."
    )


def _rejected(result: Result) -> list[str]:
    """Return a sentence for each rejected answer."""
    return [answer["sentence"] for answer in result["rejected"]]


def show(result: Result, folder: str) -> None:
    """Print a study's result."""
    console.result("rate read", result, title(result), header(result), table(result))
    rejected = _rejected(result)
    for sentence in [*rejected[:PRINTED], *result["missing"]]:
        say(sentence)
    if len(rejected) > PRINTED:
        say(f"{len(rejected) - PRINTED} more rejected answers are in {files.join(folder, JSON)}.")
    say(f"{tally(result)} The figures are in {files.join(folder, JSON)} and {files.join(folder, MARKDOWN)}.")


def _plain(name: str) -> str:
    return re.sub(r"[^\w.: -]", "_", name.replace("+", "-plus"), flags=re.ASCII)


def metrics(result: Result) -> dict[str, float]:
    """Return the metrics for MLflow.

    Their names are `<question>/<system>`, `win_rate/<system>/<other>` and `alpha/<question>`. Characters that MLflow
    does not allow are replaced.
    """
    values = {
        f"{question}/{_plain(system)}": figure["mean"]
        for system, figures in result["systems"].items()
        for question, figure in figures.items()
    }
    for pair in result.get("duels", ()):
        values["/".join(("win_rate", *map(_plain, pair["systems"])))] = pair["win_rate"]
    values |= {f"alpha/{question}": value for question, value in result["alpha"].items()}
    return {name: value for name, value in values.items() if value is not None}


def _log(result: Result, key: Key) -> str:
    return Server().log(
        Results(
            kind=KIND,
            experiment=key.task,
            name=f"rate-{key.study}",
            tags={"task": key.task, "study": key.study, "split": key.split},
            params={"rows": len(key.rows), "raters": len(key.sheets), "seed": key.seed, "answers": tally(result)},
            metrics=metrics(result),
            used=InputData(key.data_name, key.data_fingerprint, key.data_address, key.split),
            documents={JSON: result},
        )
    )
