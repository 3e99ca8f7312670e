"""Reuse of an earlier run: the texts of unchanged rows are kept if all else is the same.

For each file of texts the job writes a file of its rows (`schemas.texts.written`) with hashes of their content. It
holds no dates, so that equal runs write equal bytes. Only intact files of an earlier run are used, so that only
the rows of a damaged file are generated again.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.console import counted, say
from allsaid.decoding.step.request import GROUP as STEPS
from allsaid.modeling import plugins, systems
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from allsaid.storage.paths import absolute
from batch_infer.proof.judges import judge_of
from batch_infer.proof.summary import TEXTS
from batch_infer.rows import earlier, hashes
from batch_infer.rows.earlier import Index
from batch_infer.rows.kinds.preparation import preparation_of
from pipelines.closure import closure
from schemas.checks.table import check_schema
from schemas.errors import UserError
from schemas.texts.written import TEXTS_KEY, WRITTEN

ROWS = "rows"  # folder in the output
ROOT = Path(__file__).resolve().parents[2]
# Libraries that decode; that tokenize and stem; that read workbooks, markup and broken text.
LIBRARIES = ("torch", "numpy", "pyarrow", "spacy", "snowballstemmer", "openpyxl", "beautifulsoup4", "ftfy")
# Keys of the job that decide which rows there are; a row's texts depend on all other keys.
OF_INPUT = {"input", "input_fingerprint", "split", "keep", "limit", "rows_per_file", "encoding", "sheet"} | {
    "submitted",
    "submitted_fingerprint",
    "texts_sheet",
}


def code_version(knowledge: Knowledge) -> str:
    """Return a hash of the code that texts with their proof depend on, and of the versions of libraries."""
    from batch_infer.job import handler  # imported here: it loads Beam, which the trial page does not need

    judge, task = map(inspect.getmodule, (type(judge_of(knowledge)), type(knowledge.task)))
    steps = map(inspect.getmodule, plugins.all_parts(STEPS).values())
    kind = systems.find(knowledge.config.model.kind) if isinstance(knowledge, Bundle) else None
    used: tuple[Any, ...] = (kind, task, judge, preparation_of(knowledge.task), *steps)  # Any: modules
    modules = [module for module in used if module is not None]
    names = (handler.__name__, *(module.__name__ for module in modules))
    digest = hashlib.sha256(_hash_of(names).encode())
    for module in modules:  # plugins of other packages, too
        digest.update(Path(str(module.__file__)).read_bytes())
    return digest.hexdigest()[:16]


@cache
def _hash_of(names: tuple[str, ...]) -> str:
    digest = hashlib.sha256(json.dumps([version(library) for library in LIBRARIES]).encode())
    for name, path in sorted(closure(names, ROOT).items()):
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def write(output: str, name: str, rows: pa.Table, texts: str, work: str) -> None:
    """Write the rows of a part; ``texts`` is the SHA-256 of its file of texts, ``work`` as in :func:`files.whole`."""
    table = rows.replace_schema_metadata((WRITTEN.metadata or {}) | {TEXTS_KEY: texts.encode()})
    with files.whole(files.join(output, ROWS, name), work) as stream:
        pq.write_table(table, stream, compression="zstd", write_page_checksum=True)


def find(folder: str, output: str, job: Mapping[str, object], work: str) -> Index | None:
    """Find the rows of the run in ``folder`` whose texts may be reused in ``output``; write their places to ``work``.

    Returns None, with a message, if this ``job`` can reuse none of them. Raises UserError if ``folder`` is the output
    itself or not a run's output.
    """
    if folder.rstrip("/") == output.rstrip("/"):
        raise UserError(f"--previous {folder} is the output itself. Give the folder of an earlier run.")
    try:
        before = json.loads(files.read_text(files.join(folder, "job.json")))
        differing = sorted(key for key in (job.keys() | before.keys()) - OF_INPUT if job.get(key) != before.get(key))
    except (OSError, ValueError, AttributeError, RecursionError) as fault:
        raise UserError(
            f"--previous {folder} is not an output folder of `allsaid generate`: its job.json can't be read. "
            "Give the folder of an earlier run, or leave it out."
        ) from fault
    if differing:
        say(f"Nothing is reused from {folder}: {', '.join(differing)} differ. All rows are new.", "warning")
        return None
    parts: list[tuple[str, str]] = []
    counts, sizes = [0], [1]  # per part: rows with texts; all rows

    def places() -> Iterator[np.ndarray]:
        for name in files.below(files.join(folder, ROWS)):
            pair = files.join(folder, TEXTS, name), files.join(folder, ROWS, name)
            rows = _rows(*pair)
            if rows is not None:
                places_in_part = earlier.places_of(len(parts), rows)
                parts.append((absolute(pair[0]), absolute(pair[1])))
                counts.append(len(places_in_part))
                sizes.append(rows.num_rows)
                yield places_in_part

    index = Index(hashes.save(f"earlier-{uuid4().hex}", work, places()), tuple(parts), max(sizes))
    if not sum(counts):
        say(f"{folder} holds no texts that can be reused. All rows are new.", "warning")
        return None
    say(f"{counted(sum(counts), 'row')} of {folder} can be reused if they have not changed.")
    return index


def _rows(texts: str, rows: str) -> pa.Table | None:
    """Return the rows of a part; None, with a message, if they or their texts are damaged."""
    try:
        with files.open_read(rows) as stream:
            parquet = open_parquet(io.BytesIO(stream.read()), page_checksum_verification=True)
            table = parquet.read(use_threads=False)
        check_schema(table.schema, WRITTEN, rows)
        promised = (table.schema.metadata or {}).get(TEXTS_KEY, b"").decode()
        is_whole = files.exists(texts) and files.sha256(texts) == promised
    except (OSError, ValueError, pa.ArrowException, UserError):
        is_whole = False
    if not is_whole:
        say(f"{texts} or {rows} is missing or damaged; its texts are generated again.", "warning")
        return None
    return table
