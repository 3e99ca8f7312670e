"""The settings of a writer, apart from the rows; the job sends them to its workers."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.modeling.config import SearchConfig
from allsaid.proof.forms.clauses import Form
from batch_infer.rows.earlier import Index


@dataclass(frozen=True)
class Order:
    """All that a worker must know to generate texts, apart from the rows."""

    search: SearchConfig
    name: str = ""  # the registered model, written to each text's row
    version: str = ""
    device: str = "cpu"
    precision: str | None = None
    sentence_case: bool = False
    banned: tuple[str, ...] = ()  # phrases that must not be written
    struck: frozenset[Form] = frozenset()  # clauses that must not be used
    refuse_unfamiliar: bool = False
    attention: bool = False
    earlier: Index | None = None  # rows whose texts are reused
