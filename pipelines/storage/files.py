"""All files are reached through Beam's filesystems, so that an object store works as a folder does."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions, S3Options

from allsaid.console import UserError
from allsaid.redaction import address_parts, public
from schemas.table import to_table

# Without options Beam's object stores refuse to work; a run sets its own. The usual AWS_… variables count in any case.
FileSystems.set_options(PipelineOptions([]))

ROW_GROUP = 1000  # rows held in memory before they are written


def join(folder: str, *names: str) -> str:
    return FileSystems.join(folder, *names)


def is_local(path: str) -> bool:
    return FileSystems.get_scheme(path) is None


def _check_access(path: str) -> None:
    """Raise UserError where an address holds a password, which Beam would take for a bucket, or S3 is asked without."""
    _, user, password, _ = address_parts(path)
    if user or password:
        raise UserError(
            f"{public(path)} is given with a user or password. Leave them out, and name them in the store's own "
            "variables or options, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    _check_credentials(FileSystems.get_scheme(path))


@cache
def _check_credentials(scheme: str | None) -> None:
    """Raise UserError where S3 would be asked without credentials; Beam would ask again for minutes."""
    if scheme != "s3":
        return
    try:
        from boto3 import Session
    except ImportError:  # Beam says how to install it
        return
    given = (FileSystems._pipeline_options or PipelineOptions([])).view_as(S3Options)
    if not given.s3_access_key_id and Session().get_credentials() is None:
        raise UserError(
            "There are no credentials for s3://. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, "
            "or give --s3_access_key_id and --s3_secret_access_key."
        )


def open_read(path: str) -> BinaryIO:
    _check_access(path)
    return FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED)


def create(path: str) -> BinaryIO:
    """Open a new file for writing; folders above it are made."""
    return FileSystems.create(path, compression_type=CompressionTypes.UNCOMPRESSED)


def read_text(path: str) -> str:
    with open_read(path) as stream:
        return stream.read().decode()


def write_text(path: str, text: str) -> None:
    with create(path) as stream:
        stream.write(text.encode())


def replace(path: str, content: bytes) -> None:
    """Write a file that readers see whole, the old one or the new: one put, or on a local disk one renaming."""
    if not is_local(path):
        with create(path) as stream:
            stream.write(content)
        return
    new = Path(f"{path}.new")
    try:
        with create(str(new)) as stream:
            stream.write(content)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)  # a full disk leaves it empty
        raise


def copy(source: str, target: str) -> None:
    """Copy a file; folders above the new one are made."""
    if is_local(target):
        Path(target).parent.mkdir(parents=True, exist_ok=True)
    FileSystems.copy([source], [target])


def exists(path: str) -> bool:
    _check_access(path)
    return FileSystems.exists(path)


def match(pattern: str) -> list[str]:
    """Paths of the files of an object store that fit a glob, sorted."""
    _check_access(pattern)
    return sorted(found.path for found in FileSystems.match([pattern])[0].metadata_list)


def below(folder: str) -> list[str]:
    """Paths of all files below a folder, relative to it, sorted; none where it does not exist.

    Links are not followed: what is below them is not the folder's own.
    """
    prefix = folder.rstrip("/") + "/"
    if is_local(folder):
        found = [join(here, name) for here, _, names in os.walk(prefix) for name in names]
    else:
        found = [path for path in match(re.sub(r"[*?[\]]", "?", prefix) + "**") if path.startswith(prefix)]
    return sorted(path[len(prefix) :] for path in found)


def delete(paths: Sequence[str]) -> None:
    """Delete files; those that are not there are no fault."""
    stored = [path for path in paths if not is_local(path) and exists(path)]
    for path in filter(is_local, paths):  # Beam would take `[`, `*` and `?` in their names for a glob
        Path(path).unlink(missing_ok=True)
    if stored:
        FileSystems.delete(stored)


def remove(folder: str, last: str = "") -> None:
    """Delete a folder with all that is in it, ``last`` (a file below it) after all others.

    Nothing happens where the folder does not exist.
    """
    delete([join(folder, name) for name in below(folder) if name != last])
    if not is_local(folder):
        delete([join(folder, last)])
    elif Path(folder).is_dir():
        shutil.rmtree(folder)


def sha256(url: str) -> str:
    """The SHA-256 of a file's bytes as they are, read in chunks."""
    digest = hashlib.sha256()
    with open_read(url) as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


class HashedFile(io.RawIOBase):
    """A new file whose size and SHA-256 are known when it is written, without reading it again."""

    def __init__(self, folder: str, name: str) -> None:
        self.name, self.size = name, 0
        self._digest = hashlib.sha256()
        self._stream = create(join(folder, name))

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._digest.update(data)
        self.size += len(data)
        self._stream.write(data)
        return len(data)

    def close(self) -> None:
        try:
            self._stream.close()
        finally:
            super().close()

    @property
    def entry(self) -> dict[str, Any]:
        """What a manifest says of the file."""
        return {"path": self.name, "bytes": self.size, "sha256": self._digest.hexdigest()}


class RowWriter:
    """Dataclass rows -> one Parquet file in row groups; without rows there is no file."""

    def __init__(self, folder: str, name: str, schema: pa.Schema) -> None:
        self.folder, self.name, self.schema = folder, name, schema
        self.rows = 0
        self._waiting: list[Any] = []
        self._stream: HashedFile | None = None
        self._writer: pq.ParquetWriter | None = None

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
        if self._writer is not None and self._stream is not None:
            self._writer.close()
            self._stream.close()

    def write(self, row: Any) -> None:
        self.rows += 1
        self._waiting.append(row)
        if len(self._waiting) == ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        if self._writer is None:
            self._stream = HashedFile(self.folder, self.name)
            self._writer = pq.ParquetWriter(self._stream, self.schema, compression="zstd")
        self._writer.write_table(to_table(self._waiting, self.schema))
        self._waiting = []

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The manifest's entry for this file, once it is closed; none where it has no rows."""
        return [self._stream.entry | {"rows": self.rows}] if self._stream is not None else []


def write_rows(folder: str, name: str, schema: pa.Schema, rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Write a small file that is there even without rows; its entry for the manifest."""
    with HashedFile(folder, name) as stream:
        pq.write_table(to_table(rows, schema), stream, compression="zstd")
    return [stream.entry | {"rows": len(rows)}]


def read_rows(path: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Rows of a Parquet file, a row group's worth in memory at a time; nothing where there is no file."""
    if not exists(path):
        return
    with open_read(path) as stream:
        for batch in pq.ParquetFile(stream).iter_batches(ROW_GROUP, columns=list(columns), use_threads=False):
            yield from batch.to_pylist()
