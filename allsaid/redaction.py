"""The one rule for what leaves this process: no password and no secret, in whatever form.

All that is printed, logged, recorded or sent goes through :func:`public`.
"""

from __future__ import annotations

import logging
import os
import re
import traceback
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote

# Variables whose values are secret, and those that hold an address whose password is.
SECRETS = (
    "MLFLOW_TRACKING_PASSWORD",
    "MLFLOW_TRACKING_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AZURE_STORAGE_CONNECTION_STRING",
)
ADDRESSES = ("MLFLOW_TRACKING_URI", "MLFLOW_REGISTRY_URI")
HIDDEN = "***"
_given: set[str] = set()  # secrets of the command line
_ADDRESS = re.compile(r"(?s)([\w+.-]+://)(?!\[)([^/?#]*:.*|[^/?#]*)@(.*)")
# What stands before the host. A path as in "models:/recipes@champion" is none.
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
    """An address as scheme, user, password and the rest; user and password as they are written, "" where it has none.

    The last ``@`` stands before the host: all before it is user and password, whatever characters they have.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return "", "", "", address
    user, _, password = found[2].partition(":")
    return found[1], user, password, found[3]


def hide(secret: str | None) -> None:
    """From now on :func:`public` hides this value, too."""
    if secret:
        _given.add(secret)


def public(text: str) -> str:
    """``text`` as it may be printed or stored: the one rule for all that leaves this process.

    User, password and query go from every address, whatever characters the password has. The values of
    :data:`SECRETS`, the passwords of :data:`ADDRESSES` and what :func:`hide` was given become ``***`` wherever they
    stand, each letter plain, escaped or percent-encoded; but for what could be any word ("test") or is shorter still.
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
    """Plain data with each text in it :func:`public`; what is no plain data becomes such a text."""
    if isinstance(values, Mapping):
        return {public(str(key)): public_values(value) for key, value in values.items()}
    if isinstance(values, list | tuple):
        return [public_values(value) for value in values]
    return values if isinstance(values, int | float | None) else public(str(values))


class _PublicRecord(logging.LogRecord):
    """What a library logs, without secrets."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        if self.exc_info and self.exc_info[1]:  # the formatter takes this text where it is there
            self.exc_text = public("".join(traceback.format_exception(self.exc_info[1]))).rstrip("\n")

    def getMessage(self) -> str:
        return public(super().getMessage())


def guard_logs() -> None:
    """From now on what libraries log is :func:`public`, its tracebacks too, wherever it is written."""
    logging.setLogRecordFactory(_PublicRecord)
