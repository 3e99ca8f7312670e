"""The figures of a human evaluation: as a table beside the paper's, as JSON and Markdown, and as a run in MLflow."""

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
from evaluation.rating.rate import Key
from schemas.errors import UserError
from training.tracking.results import Results, Server, Used

KIND = "rate"
JSON, MARKDOWN = "ratings.json", "ratings.md"
SAID = 20  # rejected answers named at the terminal; the JSON file names all
ALPHA = "Krippendorff's alpha (interval)"
ALPHA_OF_DUELS = "Krippendorff's alpha (nominal)"
DUEL = ("system", "other", "system better", "both good", "both bad", "other better", "win rate", "judgements")


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


def newest(server: Server, fingerprint: str, split: str, systems: Collection[str]) -> list[dict[str, Any]]:
    """What people said in the newest study of a data set's split that has one of these systems, and in the newest
    head-to-head.
    """
    found: dict[bool, dict[str, Any]] = {}
    for run in server.find({"kind": KIND, "dataset_fingerprint": fingerprint, "split": split}):
        result: dict[str, Any] = server.document(run.info.run_id, JSON)
        if any(_plain(name).casefold() in systems for name in result["systems"]):
            found.setdefault("duels" in result, result)
    return [found[is_duel] for is_duel in sorted(found)]


def describe(ratings: Ratings, key: Key) -> dict[str, Any]:
    """All that was found, as plain data."""
    questions = key.form.questions
    if key.head_to_head:
        # Names alone: what was said of them stands by pairs.
        said: dict[str, Any] = {"systems": {system: {} for system in key.systems}, "duels": duels(ratings, key)}
    else:
        said = {"systems": {system: _rated(ratings, key, system) for system in key.systems}}
    return {
        "study": key.study,
        "task": key.task,
        "split": key.split,
        "data_fingerprint": key.data_fingerprint,
        "rows": len(key.rows),
        "raters": len(key.sheets),
        **said,
        "alpha": {question: agreement(ratings.of(question)) for question in questions},
        "answers": {
            "read": ratings.read,
            "used": len(ratings.used),
            "rejected": dict(Counter(one.reason for one in ratings.rejected)),
        },
        "rejected": [asdict(one.answer) | {"reason": one.reason, "told": one.sentence} for one in ratings.rejected],
        "missing": ratings.missing,
    }


def _rated(ratings: Ratings, key: Key, system: str) -> dict[str, dict[str, Any]]:
    """By the questions what a system's texts were given, beside the paper's figure."""
    form, found = key.form, {}
    papers = form.paper.get(system.casefold(), {}) if not form.paper_of or key.data_name in form.paper_of else {}
    for question in form.questions:
        given = ratings.of(question, system)
        found[question] = {"mean": mean(given), "ratings": len(given), "paper": papers.get(question)}
    return found


def duels(ratings: Ratings, key: Key) -> list[dict[str, Any]]:
    """Of each two systems the shares of the judgements, in %, and how often the first won where one did."""
    found = []
    for one, other in combinations(key.systems, 2):
        given = [rating.rating for rating in ratings.of(BETTER, one, other)]
        shares = {
            name: 100 * given.count(answer) / len(given) if given else None
            for name, answer in (
                ("first", FIRST),
                ("both_good", BOTH_GOOD),
                ("both_bad", BOTH_BAD),
                ("second", SECOND),
            )
        }
        won, lost = given.count(FIRST), given.count(SECOND)
        win_rate = 100 * won / (won + lost) if won + lost else None
        found.append({"systems": [one, other], **shares, "win_rate": win_rate, "judgements": len(given)})
    return found


def title(result: dict[str, Any]) -> str:
    return form_of(result["task"], "duels" in result).title


def header(result: dict[str, Any]) -> list[str]:
    if "duels" in result:
        return [*DUEL]
    names = [question.replace("_", " ") for question in result["alpha"]]
    return ["system", *(title for name in names for title in (name, "ratings", "paper"))]


def table(result: dict[str, Any]) -> list[list[str]]:
    """A row for each system, or for each two of a head-to-head, and one for the agreement."""
    alphas = result["alpha"]
    if "duels" in result:
        shares = ("first", "both_good", "both_bad", "second", "win_rate")
        rows = [
            [*one["systems"], *(_number(one[share], 1) for share in shares), str(one["judgements"])]
            for one in result["duels"]
        ]
        return [*rows, [ALPHA_OF_DUELS, _number(alphas[BETTER]), *[""] * (len(DUEL) - 2)]]
    rows = [
        [system, *(cell for question in alphas for cell in _cells(figures[question]))]
        for system, figures in result["systems"].items()
    ]
    return [*rows, [ALPHA, *(cell for value in alphas.values() for cell in (_number(value), "", ""))]]


def _cells(figure: dict[str, Any]) -> tuple[str, str, str]:
    return _number(figure["mean"]), str(figure["ratings"]), _number(figure["paper"])


def _number(value: float | None, places: int = 2) -> str:
    return "" if value is None else f"{value:.{places}f}"


def page(result: dict[str, Any], rows: Sequence[Sequence[str]]) -> str:
    lines = [
        f"# Human evaluation of {counted(result['rows'], 'row')} by {counted(result['raters'], 'rater')}",
        "",
        f"{title(result)}.",
        "",
        markdown_table(result, rows),
        "",
        tally(result),
        "",
        *(f"- {_escaped(sentence)}" for sentence in notes(result)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def markdown_table(result: dict[str, Any], rows: Sequence[Sequence[str]]) -> str:
    return markdown.table(header(result), [[_escaped(cell) for cell in row] for row in rows])


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
    console.result("rate read", result, title(result), header(result), rows)
    said = [one["told"] for one in result["rejected"]]
    for sentence in [*said[:SAID], *result["missing"]]:
        say(sentence)
    if len(said) > SAID:
        say(f"{len(said) - SAID} more rejected answers are named in {files.join(folder, JSON)}.")
    say(f"{tally(result)} The figures are in {files.join(folder, JSON)} and {files.join(folder, MARKDOWN)}.")


def _plain(name: str) -> str:
    return re.sub(r"[^\w.: -]", "_", name.replace("+", "-plus"), flags=re.ASCII)


def metrics(result: dict[str, Any]) -> dict[str, float]:
    """Names `<question>/<system>`, `win_rate/<system>/<other>` and `alpha/<question>`; MLflow's names can't hold every
    letter of a system's.
    """
    found = {
        f"{question}/{_plain(system)}": figure["mean"]
        for system, figures in result["systems"].items()
        for question, figure in figures.items()
    }
    found |= {"/".join(("win_rate", *map(_plain, one["systems"]))): one["win_rate"] for one in result.get("duels", ())}
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
