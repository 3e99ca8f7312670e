"""The public dumps that ``corpora.yaml`` lists: their addresses, licences and citations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from pipelines.fetching.corpus import Corpus, Download, Paper
from schemas.errors import UserError


def _corpus(entry: dict[str, Any]) -> Corpus:  # Any: by the fields of Corpus
    paper = entry["paper"] | {"authors": tuple(entry["paper"]["authors"])}
    files = tuple(Download(**file) for file in entry.get("files", ()))
    ingests = tuple(map(tuple, entry.get("ingests", ())))
    return Corpus(**entry | {"paper": Paper(**paper), "files": files, "ingests": ingests})


CORPORA = tuple(map(_corpus, yaml.safe_load(Path(__file__).with_name("corpora.yaml").read_text(encoding="utf-8"))))


def by_name(name: str) -> Corpus | None:
    """Return the corpus that the source of this name reads; None for a user's own table."""
    return next((corpus for corpus in CORPORA if corpus.name == name), None)


def find(name: str) -> Corpus:
    """Return the corpus of this name; raise UserError with all names if there is none."""
    corpus = by_name(name)
    if corpus is None:
        known = "\n".join(f"  {corpus.name}: {corpus.what}" for corpus in CORPORA)
        raise UserError(f"There is no corpus '{name}'. These are known:\n{known}")
    return corpus
