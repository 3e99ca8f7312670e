"""Beam's client for S3, with one connection for all files, shorter retries and an error of one sentence.

Beam sets up a client for every file, which takes as long as many requests. It retries reading for ten minutes, then
raises the error of Amazon's library. It does not retry the requests of an upload.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any  # Any: boto3's objects, which are made at run time

from apache_beam.io.aws import s3filesystem, s3io  # noqa: F401  the first registers S3 with Beam
from apache_beam.io.aws.clients.s3 import boto3_client
from apache_beam.io.aws.clients.s3.messages import S3ClientError
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.utils.retry import PermanentException

from schemas.errors import UserError

PATIENCE = 60.0  # seconds of retries; after that no request is made to the bucket for as long
FIRST_WAIT = 1.0  # seconds, doubled each time
_TRANSIENT = (408, 429)  # status codes below 500 after which a retry may succeed
_given_up: dict[str, tuple[float, str]] = {}  # bucket -> when it may be asked again, the error reported


class StoreDown(UserError, PermanentException):
    """Store that has refused requests for PATIENCE seconds; Beam does not retry it."""


def _with_retries(send: Callable[..., Any]) -> Callable[..., Any]:
    """Add retries to a method of Beam's client, whose requests have no common type."""

    def send_with_retries(client: Any, request: Any, *arguments: Any) -> Any:
        bucket = request.bucket if hasattr(request, "bucket") else request.dest_bucket
        begun, wait = time.monotonic(), FIRST_WAIT
        until, error = _given_up.get(bucket, (begun, ""))
        if begun < until:  # cleanup after an error need not wait again
            raise StoreDown(error)
        while True:
            try:
                return send(client, request, *arguments)
            except S3ClientError as fault:
                if not _is_transient(fault):
                    raise
                if time.monotonic() + wait > begun + PATIENCE:
                    error = _sentence(bucket, client.client.meta.endpoint_url, fault.message)
                    _given_up[bucket] = (time.monotonic() + PATIENCE, error)
                    raise StoreDown(error) from fault
            time.sleep(wait)
            wait *= 2

    return send_with_retries


def _is_transient(fault: S3ClientError) -> bool:
    """Return whether a retry may succeed."""
    if fault.code is None:  # no answer, or a failed upload that was garbage-collected, where retries are of no use
        return not isinstance(fault.__context__, ReferenceError)
    return fault.code >= 500 or fault.code in _TRANSIENT


def _sentence(bucket: str, address: str, fault: str) -> str:
    why = " ".join(fault.split()).rstrip(".")
    return (
        f"The object store at {address} has not served s3://{bucket} for {PATIENCE:.0f} seconds ({why}). Check that "
        "it works, and that it is the one that you mean (AWS_ENDPOINT_URL, --s3_endpoint_url); then give the same "
        "command again."
    )


class Client(boto3_client.Client):
    """Beam's client with shorter retries: each request raises StoreDown if the store stays unavailable."""

    get_object_metadata = _with_retries(boto3_client.Client.get_object_metadata)
    get_range = _with_retries(boto3_client.Client.get_range.__wrapped__)  # without the retries of Beam's decorator
    list = _with_retries(boto3_client.Client.list)
    create_multipart_upload = _with_retries(boto3_client.Client.create_multipart_upload)
    upload_part = _with_retries(boto3_client.Client.upload_part)
    complete_multipart_upload = _with_retries(boto3_client.Client.complete_multipart_upload)
    copy = _with_retries(boto3_client.Client.copy)
    delete = _with_retries(boto3_client.Client.delete)
    delete_batch = _with_retries(boto3_client.Client.delete_batch)


@cache
def connection(options: PipelineOptions) -> Client:
    """Return the client for some options; it is only copied, and reads no file itself."""
    return Client(options=options)


def install() -> None:
    """Make Beam's filesystem for ``s3://`` use :class:`Client`."""
    # A copy shares the connection, which is safe for threads, but has its own position in its file.
    s3io.boto3_client.Client = lambda options: copy(connection(options))  # type: ignore[misc, assignment]
