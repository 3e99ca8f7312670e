"""`allsaid/stores/beam.py` and `s3.py` as they would be with obstore, for `object_stores.py`.

It has the same functions and errors: retries for a minute, credentials as boto3 finds them, and Beam's own options.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from types import TracebackType
from typing import Any, BinaryIO

import obstore
from obstore.exceptions import BaseError, GenericError
from obstore.store import ObjectStore, from_url

from allsaid.redaction import address_parts, public
from schemas.errors import UserError

PATIENCE = 60.0  # seconds of retries; a store that was given up is not asked again for as long
BUFFER = 8 << 20  # bytes that a reader fetches at once
# Beam's option -> setting of a store; workers of a cluster know the launcher's options.
BEAM_OPTIONS = {
    "s3_access_key_id": "access_key_id",
    "s3_secret_access_key": "secret_access_key",
    "s3_session_token": "session_token",
    "s3_endpoint_url": "endpoint",
    "s3_region_name": "region",
}
_given_up: dict[str, tuple[float, str]] = {}  # bucket -> when it may be asked again, the error reported


class StoreDown(UserError):
    """A store has refused requests for PATIENCE seconds."""


@contextmanager
def _bucket(path: str) -> Iterator[tuple[ObjectStore, str]]:
    """Give the store of a path's bucket and the path in it; raise UserError if the store can't be used."""
    _, user, password, _ = address_parts(path)
    if user or password:
        raise UserError(
            f"{public(path)} is given with a user or password. Leave them out, and name them in the store's own "
            "variables or options, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    scheme, _, rest = path.partition("://")
    name, _, key = rest.partition("/")
    address = f"{scheme}://{name}"
    until, error = _given_up.get(address, (0.0, ""))
    if time.monotonic() < until:  # cleanup after an error need not wait again
        raise StoreDown(error)
    try:
        yield _open(address), key
    except GenericError as fault:
        error = _sentence(address, str(fault))
        _given_up[address] = (time.monotonic() + PATIENCE, error)
        raise StoreDown(error) from fault
    except BaseError as fault:
        raise UserError(f"{path} can't be used: {_first_line(fault)}.") from fault


@cache
def _open(address: str) -> ObjectStore:
    options: dict[str, Any] = dict(_beam_options())
    if address.startswith("s3://") and "access_key_id" not in options:
        options["credential_provider"] = _credentials()
    retries = {"max_retries": 1000, "retry_timeout": timedelta(seconds=PATIENCE)}
    return from_url(address, client_options={"allow_http": True}, retry_config=retries, **options)


def _beam_options() -> Mapping[str, str]:
    """Return the settings among Beam's own options, if Beam runs."""
    beam = sys.modules.get("apache_beam.io.filesystems")
    given = beam.FileSystems._pipeline_options if beam else None
    known = given.get_all_options() if given else {}
    return {ours: known[theirs] for theirs, ours in BEAM_OPTIONS.items() if known.get(theirs)}


def _credentials() -> object:
    """Return the provider of credentials as boto3 finds them; raise UserError without any."""
    try:
        from boto3 import Session
        from obstore.auth.boto3 import Boto3CredentialProvider
    except ImportError as fault:
        raise UserError("s3:// needs boto3. Install it: pip install 'allsaid[aws]'.") from fault
    if Session().get_credentials() is None:
        raise UserError(
            "There are no credentials for s3://. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, "
            "or give --s3_access_key_id and --s3_secret_access_key."
        )
    return Boto3CredentialProvider()


def _first_line(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split()).rstrip(".")


def _sentence(address: str, fault: str) -> str:
    return (
        f"The object store has not served {address} for {PATIENCE:.0f} seconds ({_first_line(fault)}). Look whether it "
        "works, and whether it is the one that you mean (AWS_ENDPOINT_URL, --s3_endpoint_url); then give the same "
        "command again."
    )


class _Reader(io.RawIOBase):
    def __init__(self, path: str) -> None:
        self._path = path
        with _bucket(path) as (store, key):
            self._file = obstore.open_reader(store, key, buffer_size=BUFFER)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _bucket(self._path):
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)


class _Writer(io.RawIOBase):
    """A new object, which exists only when its ``with`` block succeeds."""

    def __init__(self, path: str) -> None:
        self._path = path
        with _bucket(path) as (store, key):
            self._file = obstore.open_writer(store, key)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        with _bucket(self._path):
            return self._file.write(data)

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _bucket(self._path):
            self._file.__exit__(kind, fault, trace)
        self.close()


def join(folder: str, *names: str) -> str:
    return "/".join([folder.rstrip("/"), *names])


def open_read(path: str) -> BinaryIO:
    return io.BufferedReader(_Reader(path), BUFFER)


def create(path: str) -> BinaryIO:
    return _Writer(path)  # type: ignore[return-value]


def copy(source: str, target: str) -> None:
    with _bucket(source) as (store, key), _bucket(target) as (_, new):
        obstore.copy(store, key, new)


def exists(path: str) -> bool:
    with _bucket(path) as (store, key):
        try:
            obstore.head(store, key)
        except FileNotFoundError:
            return False
        return True


def below(folder: str) -> list[str]:
    """Return the paths of all files below a folder."""
    with _bucket(folder) as (store, key):
        found = obstore.list(store, key.rstrip("/") + "/").collect()
    root = folder[: len(folder) - len(key)] if (key := folder.partition("://")[2].partition("/")[2]) else folder
    return [root + entry["path"] for entry in found]


def delete(paths: Sequence[str]) -> None:
    for path in paths:
        with _bucket(path) as (store, key):
            obstore.delete(store, key)
