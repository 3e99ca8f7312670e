"""Files in object stores, through Beam's filesystems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import BinaryIO

from apache_beam.io.filesystem import BeamIOError, CompressionTypes
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions, S3Options

from allsaid.redaction import address_parts, public
from allsaid.stores import s3
from schemas.errors import UserError

s3.install()
# Beam's object stores refuse to work without options; a run sets its own. The usual AWS_… variables always count.
if FileSystems._pipeline_options is None:
    FileSystems.set_options(PipelineOptions([]))


def check_access(path: str) -> None:
    """Raise UserError if an address holds a password (Beam would take it for a bucket) or S3 has no credentials."""
    _, user, password, _ = address_parts(path)
    if user or password:
        raise UserError(
            f"{public(path)} is given with a user or password. Leave them out, and name them in the store's own "
            "variables or options, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    _check_credentials(FileSystems.get_scheme(path))


@cache
def _check_credentials(scheme: str | None) -> None:
    """Raise UserError if there are no credentials for S3; Beam would retry for minutes."""
    if scheme != "s3":
        return
    try:
        from boto3 import Session
    except ImportError:  # Beam says how to install it
        return
    options = (FileSystems._pipeline_options or PipelineOptions([])).view_as(S3Options)
    if not options.s3_access_key_id and Session().get_credentials() is None:
        raise UserError(
            "There are no credentials for s3://. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, "
            "or give --s3_access_key_id and --s3_secret_access_key."
        )


@contextmanager
def _store_errors() -> Iterator[None]:
    """Raise StoreDown itself: Beam's filesystems wrap it in their own errors."""
    try:
        yield
    except BeamIOError as fault:
        inner: object = fault
        while isinstance(inner, BeamIOError) and inner.exception_details:
            inner = next(iter(inner.exception_details.values()))
        if isinstance(inner, s3.StoreDown):
            raise inner from fault
        raise


def join(folder: str, *names: str) -> str:
    return FileSystems.join(folder, *names)


def open_read(path: str) -> BinaryIO:
    check_access(path)
    return FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED)


def create(path: str) -> BinaryIO:
    return FileSystems.create(path, compression_type=CompressionTypes.UNCOMPRESSED)


def copy(source: str, target: str) -> None:
    FileSystems.copy([source], [target])


def rename(path: str, target: str) -> None:
    FileSystems.rename([path], [target])


def exists(path: str) -> bool:
    check_access(path)
    with _store_errors():
        return FileSystems.exists(path)


def match(pattern: str) -> list[str]:
    """Return the sorted paths of the files that match a glob."""
    check_access(pattern)
    with _store_errors():
        return sorted(file.path for file in FileSystems.match([pattern])[0].metadata_list)


def delete(paths: Sequence[str]) -> None:
    FileSystems.delete(paths)
