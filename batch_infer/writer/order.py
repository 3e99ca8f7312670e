"""What a writer must know beside the rows; the job sends it to its workers."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.modeling.config import SearchConfig
from allsaid.proof.forms.clauses import Form
from batch_infer.rows.earlier import Index


@dataclass(frozen=True)
class Order:
    """What a worker must know to write texts, beside the rows."""

    search: SearchConfig
    name: str = ""  # the registered model, as each text's row tells it
    version: str = ""
    device: str = "cpu"
    precision: str | None = None
    sentence_case: bool = False
    banned: tuple[str, ...] = ()  # phrases that must not be written
    struck: frozenset[Form] = frozenset()  # clauses that must not be used
    refuse_unfamiliar: bool = False
    attention: bool = False
    earlier: Index | None = None  # rows whose texts are taken over
