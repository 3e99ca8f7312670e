"""Review of a phrasebook: a table of its clauses, in which a person strikes those that no system may use.

A clause is written with the names of its columns: "it weighs {weight_kg}"; "they are made of {materials+}" for several
values; "never in the {dishwasher_safe=no: dishwasher}" for a word that expresses a no. Rows may be in any order.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from allsaid.proof.forms.clauses import Form
from allsaid.proof.forms.listing import write_rows
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.forms.symbols import ANSWER_BAR, GOAL
from schemas.act import PREFIX, column_and_answer
from schemas.errors import UserError

PHRASEBOOK = "phrasebook.csv"
CLAUSE, STRIKE, STRUCK = "clause", "strike", "x"
COLUMNS = (CLAUSE, "count", "goals", "example", STRIKE)
GOALS = 3  # number shown of a clause's most frequent goals


def write(folder: Path, book: Phrasebook) -> None:
    """Write the table into the folder of a run, the most frequent clauses first."""
    counts, goals = Counter[Form](), defaultdict[Form, Counter[str]](Counter)
    shown: dict[Form, str] = {}
    for known in book.sentences:
        for clause in known.sentence.clauses:
            counts[clause.form] += known.count
            goals[clause.form].update(known.goals)
            shown.setdefault(clause.form, known.example)
    rows = []
    for form, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        most = ", ".join(goal for goal, _ in goals[form].most_common(GOALS))
        rows.append((readable(form), count, most, shown[form], STRUCK if form in book.struck else ""))
    write_rows(folder / PHRASEBOOK, COLUMNS, rows)


def readable(form: Form) -> str:
    """Return the symbols of a clause in a form for people."""
    return " ".join(map(_readable, form))


def _readable(symbol: str) -> str:
    if symbol == GOAL:
        return "{goal}"
    if ANSWER_BAR in symbol:
        word, _, token = symbol.partition(ANSWER_BAR)
        column, answer = column_and_answer(token)
        suffix = f"={answer}" if answer else ""
        return f"{{{column.removeprefix(PREFIX).lower()}{suffix}: {word}}}"
    return f"{{{symbol.removeprefix(PREFIX).lower()}}}" if symbol.startswith(PREFIX) else symbol


def read(path: str, book: Phrasebook) -> frozenset[Form]:
    """Return the clauses that a reviewed table strikes.

    Raises UserError if the file can't be read, lacks a column, or strikes a clause that the phrasebook doesn't have.
    """
    known: defaultdict[str, set[Form]] = defaultdict(set)
    for sentence in book.sentences:
        for clause in sentence.sentence.clauses:
            known[_key(readable(clause.form))].add(clause.form)
    found: set[Form] = set()
    for line, row in _rows(path):
        mark = (row[STRIKE] or "").strip()
        if not mark:
            continue
        if mark.lower() != STRUCK:
            raise UserError(
                f"--phrasebook {path}, line {line}: '{mark}' is under '{STRIKE}'. Write {STRUCK}, or nothing."
            )
        forms = known.get(_key(row[CLAUSE] or ""))
        if forms is None:
            raise UserError(
                f"--phrasebook {path}, line {line}: the phrasebook has no clause '{row[CLAUSE]}'. Strike clauses in "
                f"the {PHRASEBOOK} of a run on this data, and leave their words as they are."
            )
        found |= forms
    return frozenset(found)


def strike(book: Phrasebook | None, path: str) -> Phrasebook:
    """Return the phrasebook without the clauses that a table strikes; raise UserError if there is no phrasebook."""
    if book is None:
        raise UserError(f"--phrasebook {path}: a model of this data has no phrasebook. Leave the option out.")
    return book.without(read(path, book))


def _key(clause: str) -> str:
    return " ".join(clause.casefold().split())


def _rows(path: str) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Yield the rows with their line numbers; a spreadsheet may have written semicolons."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            header = file.readline()
            file.seek(0)
            rows = csv.DictReader(file, delimiter=";" if header.count(";") > header.count(",") else ",")
            lacking = [name for name in (CLAUSE, STRIKE) if name not in (rows.fieldnames or ())]
            if lacking:
                raise UserError(
                    f"--phrasebook {path} has no column '{lacking[0]}'. Give the {PHRASEBOOK} of a run, with {STRUCK} "
                    f"under '{STRIKE}' next to the clauses that no text may have."
                )
            for row in rows:
                yield rows.line_num, row
    except OSError as fault:
        raise UserError(f"--phrasebook {path} can't be read ({fault.strerror}). Give the table of a run.") from fault
    except (UnicodeDecodeError, csv.Error) as fault:
        raise UserError(f"--phrasebook {path} is no CSV file in UTF-8 ({fault}). Save it as such.") from fault
