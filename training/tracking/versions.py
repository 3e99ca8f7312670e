"""The versions of a registered model that a nightly run needs to know."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from allsaid.redaction import public
from allsaid.storage import files
from training.tracking import connection
from training.tracking.delivery import CHALLENGER
from training.tracking.registry import CHAMPION, WAITING
from training.tracking.spool import DATA_ROWS


@dataclass(frozen=True)
class Versions:
    """The versions of one name; "" for a version that doesn't exist."""

    champion: str = ""
    waiting: str = ""  # a challenger that is better on dev, and that a nightly run has yet to compare
    newest: str = ""
    reason: str = ""  # for the decision on the newest version
    trained: float = 0.0  # when the newest version was registered, in seconds since 1970
    rows: int | None = None  # number of rows that the newest version was trained on; None: not recorded


def read(name: str) -> Versions:
    """Return the versions of a model; an empty object if there is no such model, or no registry yet."""
    uri = connection.tracking_uri()
    if uri.startswith("sqlite:///") and not Path(uri.removeprefix("sqlite:///")).exists():
        return Versions()
    client = connection.connect(uri)
    with connection.plain_faults(uri):
        try:
            model = client.get_registered_model(name)
        except connection.mlflow_module().MlflowException as fault:
            if not connection.is_missing(fault):
                raise
            return Versions()
        champion, challenger = (str(model.aliases.get(alias, "")) for alias in (CHAMPION, CHALLENGER))
        waits = challenger and client.get_model_version(name, challenger).tags.get("decision") == WAITING
        newest = max(model.latest_versions, key=lambda version: int(version.version), default=None)
        if newest is None:
            return Versions()
        run = client.get_run(newest.run_id) if newest.run_id else None
        reason = client.get_model_version(name, newest.version).tags.get("reason", "")
    rows = run.data.tags.get(DATA_ROWS) if run else None
    return Versions(
        champion,
        challenger if waits else "",
        str(newest.version),
        reason,
        newest.creation_timestamp / 1000,
        int(rows) if rows else None,
    )


def state() -> str:
    """Return a hash of a local registry, to see whether anything changed without loading MLflow, which takes seconds.

    Returns "" for a server, and for a database with changes in a write-ahead log.
    """
    uri = connection.tracking_uri()
    database = Path(uri.removeprefix("sqlite:///"))
    if not uri.startswith("sqlite:///") or not database.is_file() or Path(f"{database}-wal").exists():
        return ""
    return files.sha256(str(database))


def refuse(name: str, version: str, reason: str) -> None:
    """Decide against a waiting version: it stays challenger, tagged with the reason (a sentence)."""
    uri = connection.tracking_uri()
    client = connection.connect(uri)
    with connection.plain_faults(uri):
        for key, value in {"decision": CHALLENGER, "reason": public(reason)}.items():
            client.set_model_version_tag(name, version, key, value)
