"""Redaction of passwords and secrets in everything that leaves this process.

All text that is printed, logged, recorded or sent goes through :func:`public`.
"""

from __future__ import annotations

import logging
import os
import re
import traceback
from collections.abc import Mapping
from functools import cache
from typing import Any  # Any: what a person or a library logs
from urllib.parse import unquote

# Variables whose values are secret, and variables that hold an address with a secret password.
SECRETS = (
    "MLFLOW_TRACKING_PASSWORD",
    "MLFLOW_TRACKING_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AZURE_STORAGE_CONNECTION_STRING",
    "OPENLINEAGE_API_KEY",
)
ADDRESSES = ("MLFLOW_TRACKING_URI", "MLFLOW_REGISTRY_URI", "OPENLINEAGE_URL")
HIDDEN = "***"
_given: set[str] = set()  # secrets of the command line
_ADDRESS = re.compile(r"(?s)([\w+.-]+://)(?!\[)([^/?#]*:.*|[^/?#]*)@(.*)")
# User and password before the host; a path as in "models:/recipes@champion" has neither.
_USERINFO = re.compile(
    r"""(?<=:/)(?:
        /?(?!\[)[^\s/?#]*:(?:  # a user, and after the colon a password up to the last @
            (?!\s|\d+(?:\W|$))(?:(?!://).)*  # of the line: it may hold blanks
            |\S*  # of the word where a port may stand: "http://host:5000 has no cook@inn"
        )
        |/[^\s/?#]*  # a user alone
    )@""",
    re.VERBOSE,
)
_QUERY = re.compile(r"(://[^\s?]*)\?[^\s=]*=\S*")


def address_parts(address: str) -> tuple[str, str, str, str]:
    """Split an address into scheme, user, password and the rest; user and password are as written, "" if absent.

    The last ``@`` precedes the host: everything before it is user and password, whatever characters they have.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return "", "", "", address
    user, _, password = found[2].partition(":")
    return found[1], user, password, found[3]


def hide(secret: str | None) -> None:
    """Make :func:`public` hide this value, too, from now on."""
    if secret:
        _given.add(secret)


def public(text: str) -> str:
    """Return ``text`` without secrets, so that it may be printed or stored.

    User, password and query are removed from every address, whatever characters the password has. The values of
    :data:`SECRETS`, the passwords of :data:`ADDRESSES` and the arguments of :func:`hide` become ``***`` everywhere,
    whether a letter is plain, escaped or percent-encoded. Values that could be any word ("test") or are shorter stay.
    """
    values = {os.environ.get(name, "") for name in SECRETS} | _given
    values |= {address_parts(os.environ.get(name, ""))[2] for name in ADDRESSES}
    values |= {unquote(value) for value in values}
    told = frozenset(value for value in values if len(value) >= (8 if value.isalnum() else 4))
    if told:
        text = _any_of(told).sub(HIDDEN, text)
    return _QUERY.sub(r"\1", _USERINFO.sub(lambda found: "/" * found[0].startswith("/"), text))


@cache
def _any_of(secrets: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(secrets, key=lambda secret: (-len(secret), secret))
    return re.compile("|".join("".join(map(_forms, secret)) for secret in longest_first), re.IGNORECASE)


def _forms(letter: str) -> str:
    encoded = "".join(f"%{byte:02X}" for byte in letter.encode())
    return rf"(?:\\?{re.escape(letter)}|{encoded}{'|[+]' * (letter == ' ')})"


def public_values(values: Any) -> Any:
    """Redact every string in a JSON-like value; convert other types to redacted strings."""
    if isinstance(values, Mapping):
        return {public(str(key)): public_values(value) for key, value in values.items()}
    if isinstance(values, list | tuple):
        return [public_values(value) for value in values]
    return values if isinstance(values, int | float | None) else public(str(values))


class _PublicRecord(logging.LogRecord):
    """Log record without secrets."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        if self.exc_info and self.exc_info[1]:  # the formatter uses this text if it is set
            self.exc_text = public("".join(traceback.format_exception(self.exc_info[1]))).rstrip("\n")

    def getMessage(self) -> str:
        return public(super().getMessage())


def guard_logs() -> None:
    """From now on redact all log records of libraries, tracebacks included, by :func:`public`."""
    logging.setLogRecordFactory(_PublicRecord)
