"""A query of text2sql-data and the values of a question -> a logical form as people read it.

    SELECT MAX TABLEalias0.SCORE_FIELD FROM TABLE AS TABLEalias0 WHERE TABLEalias0.FIRST_CLUB_FIELD = "var0" ;
    select max score where first club = "Butler CC (KS)"

Names of columns are split into words. All values get quotation marks, since a question does not show which of them have
some in the query. The part between SELECT's columns and WHERE is the same in all queries, and left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pipelines.source import RecordFault

SHOWN = 100  # characters of a query

_QUERY = re.compile(
    r"SELECT (?:(MAX|MIN|COUNT|SUM|AVG) )?(\S+)_FIELD FROM (?:TABLE AS TABLEalias0|table)(?: WHERE (.+))? ;"
)
_CONDITION = re.compile(r'(\S+)_FIELD ([<=>]) "?(var\d+)"?')


@dataclass(frozen=True)
class Condition:
    column: str  # in words
    operator: str
    variable: str  # "var0"; each question has its own value for it


@dataclass(frozen=True)
class Form:
    selects: str  # "max score"
    conditions: tuple[Condition, ...]

    def written(self, values: Mapping[str, str]) -> str:
        """Return the form with a question's values; ``values``: variable -> value."""
        parts = [f'{part.column} {part.operator} "{values[part.variable]}"' for part in self.conditions]
        return f"select {self.selects}" + (f" where {' and '.join(parts)}" if parts else "")


def form_of(query: str) -> Form:
    """Parse a query; raises RecordFault if that fails, for example since a value contains " = "."""
    found = _QUERY.fullmatch(query)
    conditions = [_CONDITION.fullmatch(part) for part in found[3].split(" AND ")] if found and found[3] else []
    if found is None or not all(conditions):
        raise RecordFault("unknown_query", f"The query does not parse: {query[:SHOWN]}")
    selects = " ".join(filter(None, ((found[1] or "").lower(), _words(found[2]))))
    return Form(selects, tuple(Condition(_words(part[1]), part[2], part[3]) for part in conditions if part))


def _words(column: str) -> str:
    return column.removeprefix("TABLEalias0.").replace("_", " ").replace("\\'", "'").lower()
