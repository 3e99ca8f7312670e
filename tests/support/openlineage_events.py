"""OpenLineage events in a file, as `allsaid` writes them in a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Event = dict[str, Any]


class Events:
    """The events that are sent from now on, to a file."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._path = path
        values = {"TYPE": "file", "LOG_FILE_PATH": str(path), "APPEND": "true"}
        for name, value in values.items():
            monkeypatch.setenv(f"OPENLINEAGE__TRANSPORT__{name}", value)

    def read(self) -> list[Event]:
        """Return the events since the last call, in order."""
        found = read_events(self._path)
        self._path.unlink(missing_ok=True)
        return found


def read_events(path: Path) -> list[Event]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def told(events: list[Event]) -> list[tuple[str, str]]:
    """Return each event's state and job."""
    return [(event["eventType"], event["job"]["name"]) for event in events]


def versions(data: list[Event]) -> dict[tuple[str, str], str]:
    """Return the version of each data set of an event by namespace and name; "" if it has none."""
    return {(one["namespace"], one["name"]): one["facets"].get("version", {}).get("datasetVersion", "") for one in data}


def parent_of(event: Event) -> str:
    """Return the id of the run that started this one."""
    return event["run"]["facets"]["parent"]["run"]["runId"]


def error_of(event: Event) -> str:
    return event["run"]["facets"]["errorMessage"]["message"]


def failed_checks(data: Event) -> list[str]:
    """Return the names of the checks that a data set has failed."""
    checks = data["facets"]["dataQualityAssertions"]["assertions"]
    return [check["assertion"] for check in checks if not check["success"]]
