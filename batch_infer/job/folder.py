"""The output folder of a generation run: its file names, its allowed content, and the writing of a part."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from allsaid.console import say
from allsaid.storage import files
from allsaid.storage.run_store import LOCK_FILES, LOCKS, VALIDATION, check_files
from batch_infer.job import formats, previous, staging
from batch_infer.job.submitted import FOLDER as SUBMITTED
from batch_infer.job.submitted import REJECTED_TEXTS
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import JOB, TEXTS
from batch_infer.proof.tally import RECORD, Tally, add_up, equal_texts
from batch_infer.rows import hashes, sources
from batch_infer.rows.kinds.places import SURVEYS
from batch_infer.rows.sources import Part, Source
from schemas.errors import UserError
from schemas.texts.generated import CELLS, DATA_KEY, GENERATED, MODEL_KEY, RUN_KEY

if TYPE_CHECKING:
    from batch_infer.job.handler import PartTexts  # it loads Beam, which is not needed to read texts

DONE, REPORT, TOTAL = "done", "report.html", "total.json"
DIGESTS = "digests"  # file name prefix of the text digests
Job = dict[str, Any]  # the content of JOB, all that the output depends on; Any: plain data of several types
MAPPING = "mapping"  # key of the job: the mapping of the model's table, as YAML
ATTENTION = "attention"  # folder of the attention weights, per file of texts
# Allowed content of an output folder. A small file is written as ".new" before it takes its place.
KNOWN = re.compile(
    rf"(?:{JOB}|{summary_file.NAME})(?:\.new)?|{REPORT}"
    rf"|(?:{TEXTS}|{previous.ROWS}|{ATTENTION}|{REJECTED_TEXTS})/part-\d+\.parquet|{DONE}/(?:part-\d+\.json|{TOTAL}|{hashes.NAMES}|{SURVEYS}|[-\w.]+\.new)"
    rf"|{DONE}/(?:{staging.FOLDER}/\w+|{SUBMITTED})/[\w.]+"
    rf"|{VALIDATION}/[^/]+\.html|{LOCK_FILES}|texts(?:-kept-aside)?\.(?:{'|'.join(formats.WRITERS)})"
)


def check(output: str) -> None:
    """Raise UserError if the path can't be an output folder, or holds files that the job did not write."""
    check_files(output, "generate", KNOWN, (TEXTS, previous.ROWS, ATTENTION, REJECTED_TEXTS, DONE, VALIDATION, LOCKS))


def begin(output: str, job: Job) -> bool:
    """Write the job to a folder that this run has locked; return whether the same job has already finished there."""
    existing = {name.split("/")[0] for name in files.below(output)} - {LOCKS}
    before = files.read_json(files.join(output, JOB)) if JOB in existing else None
    if before is None:
        if existing - {f"{JOB}.new"}:
            raise UserError(f"--output {output} has files, but no {JOB} that can be read. Give a new folder.")
        files.replace(files.join(output, JOB), (json.dumps(job, indent=2) + "\n").encode())
        return False
    differing = sorted(key for key in job.keys() | before.keys() if job.get(key) != before.get(key))
    if differing:
        raise UserError(
            f"--output {output} holds texts of a run that differs in {', '.join(differing)}. Give a new folder."
        )
    # The tallies are removed after the summary is written, so if some are left, the summary may be cut off.
    has_finished = summary_file.NAME in existing and DONE not in existing
    if has_finished:
        say(f"{output} holds the finished texts of this run; nothing is left to do.")
    return has_finished


def footer(job: Job) -> dict[bytes, bytes]:
    """Return the origin metadata of a file of texts; `allsaid trace` reads it."""
    model = f"{job['model_name']}/{job['model_version']}"
    origin = {RUN_KEY: job["model_run"], MODEL_KEY: model, DATA_KEY: job["data_fingerprint"]}
    return (GENERATED.metadata or {}) | {key: value.encode() for key, value in origin.items()}


def write_part(part_texts: PartTexts, output: str, source: Source, origin: dict[bytes, bytes]) -> None:
    """Write a part's rows, then its tally, which marks them as complete.

    A runner may write the same part twice at once: each file appears under its name only when it is complete.
    """
    carried, number = part_texts.carried, part_texts.part.number
    table = part_texts.texts.add_column(0, source.id_column, carried.column(sources.ID))
    for column in [*source.kept, *(column for column in carried.schema if column.name == CELLS)]:
        table = table.append_column(column, carried.column(column.name))
    name = part_name(number, "parquet")
    work = files.join(output, DONE)
    with files.HashedFile(output, f"{TEXTS}/{name}", DONE) as texts:
        pq.write_table(table.replace_schema_metadata(origin), texts, compression="zstd")
    previous.write(output, name, part_texts.rows, texts.entry["sha256"], work)
    if part_texts.attention is not None:
        with files.whole(files.join(output, ATTENTION, name), work) as stream:
            pq.write_table(part_texts.attention, stream, compression="zstd")
    with files.whole(files.join(work, part_name(number, "json")), work) as stream:
        stream.write(part_texts.tally.to_json().encode())


def part_name(part: int, ending: str) -> str:
    return f"part-{part:05}.{ending}"


def tally_of(output: str, name: str) -> Tally | None:
    """Return a tally in the work folder; None if it can't be read."""
    values = files.read_json(files.join(output, DONE, name))
    return None if values is None else Tally.from_json(values)


def texts_before(output: str, parts: Sequence[Part]) -> dict[int, int]:
    """Return the numbers of the parts that are done, each with its number of texts."""
    done = {*files.below(files.join(output, DONE))}
    names = ((part.number, part_name(part.number, "json")) for part in parts)
    tallies = ((number, tally_of(output, name)) for number, name in names if name in done)
    return {number: tally.texts for number, tally in tallies if tally is not None}


def add_up_block(block: tuple[int, Iterable[int]], output: str, shards: int) -> tuple[int, Tally]:
    """Return the sum of the tallies of a block of parts, and write the digests of its texts to a file."""
    number, parts = block
    names, work = (part_name(part, "json") for part in sorted(parts)), files.join(output, DONE)
    total, digests = add_up(tally for name in names if (tally := tally_of(output, name)) is not None).split()
    hashes.write(hashes.path_of(work, DIGESTS, number), work, [digests], shards)
    return number, total


def equal_in_shard(shard: int, output: str, blocks: int, shards: int) -> int:
    """Count the equal texts in one hash range, ``shard``, of the digests of all blocks."""
    paths = [hashes.path_of(files.join(output, DONE), DIGESTS, block) for block in range(blocks)]
    return equal_texts(hashes.read(paths, RECORD, shard, shards))


def write_total(total: Tally, output: str) -> None:
    """Write the tally of all parts."""
    work = files.join(output, DONE)
    with files.whole(files.join(work, TOTAL), work) as stream:
        stream.write(total.to_json().encode())


def mapping_of(output: str) -> str:
    """Return the mapping of the table that the rows came from, as YAML; "" for other inputs."""
    return str((files.read_json(files.join(output, JOB)) or {}).get(MAPPING, ""))
