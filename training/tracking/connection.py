"""The connection to MLflow: the server's address and its errors. No other file imports MLflow.

``tracker.py`` records and delivers runs over it, ``registry.py`` manages versions of models.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: MLflow's module, which is imported when it is used
from urllib.parse import quote, urlsplit

from allsaid.disk import temporary_faults
from allsaid.imports import without
from allsaid.redaction import address_parts, public
from schemas.errors import UserError
from training.tracking.spool import load_cursors

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import DatasetInput, Run  # noqa: F401  the types of other modules here
    from mlflow.entities.model_registry import ModelVersion  # noqa: F401

DEFAULT_DATABASE = "mlflow.db"
# Default variables. Short timeouts give up a hanging server soon. Usage reports are off.
ENVIRONMENT = {
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_ARTIFACT_UPLOAD_DOWNLOAD_TIMEOUT": "60",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",  # standard output is for figures
}

NOT_THERE = "RESOURCE_DOES_NOT_EXIST"  # MLflow's code
# Codes of values that the server refuses for good; all other errors count as an outage.
REFUSALS = ("INVALID_PARAMETER_VALUE", "BAD_REQUEST")
ADDRESS_REMEDY = "Set MLFLOW_TRACKING_URI to http://HOST:PORT, https://HOST or sqlite:///FILE."
_SPECIAL = re.compile("['?]|%[0-9A-Fa-f]{2}")  # parts of a path that an address or MLflow's SQL changes
SQLITE = b"SQLite format 3\0"  # first bytes of a database
# MLflow's error -> remedy.
REMEDIES = {
    r"unsupported URI|maintenance mode|Could not parse|Invalid url": ADDRESS_REMEDY,
    r"out-of-date database schema": "Another version of MLflow wrote it. Install that one; if yours is newer, keep a "
    "copy of the database and run `mlflow db upgrade` on it.",
    r"disk is full|No space left": "Make room on the disk of MLflow's files.",
    r"readonly database": "Give yourself the right to write to the file and its folder, or set MLFLOW_TRACKING_URI.",
    r"code 40[13]|UNAUTHENTICATED|PERMISSION_DENIED": "Set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD to a "
    "user who may do this.",
    r"code 404|not in a valid JSON format": f"It may be no MLflow server. {ADDRESS_REMEDY}",
    r"Max retries exceeded|[Tt]imed out|Connection refused": "Start the server, or correct MLFLOW_TRACKING_URI.",
}


def tracking_uri(run_dir: Path | None = None) -> str:
    """Return ``MLFLOW_TRACKING_URI``, the server of the last delivery, or else ``mlflow.db`` in the current folder.

    Raises UserError for a folder whose name MLflow would read as something else in an address.
    """
    if uri := os.environ.get("MLFLOW_TRACKING_URI"):
        return encoded(uri)
    cursors = load_cursors(run_dir) if run_dir else []
    if cursors:
        return cursors[-1].uri
    database = Path(DEFAULT_DATABASE).resolve()
    if special := _SPECIAL.search(str(database)):
        raise UserError(
            f"MLflow can't have its database in {database.parent}: the path contains {special[0]}. Rename the folder, "
            "or set MLFLOW_TRACKING_URI."
        )
    return f"sqlite:///{database}"


def encoded(uri: str) -> str:
    """Percent-encode user and password, since libraries cut a password at its first special character."""
    scheme, user, password, host = address_parts(uri)
    if not user and not password:
        return uri
    user, password = (quote(re.sub("%(?![0-9A-Fa-f]{2})", "%25", part), safe="%") for part in (user, password))
    return f"{scheme}{user}{':' * bool(password)}{password}@{host}"


def mlflow_module() -> Any:
    """Return the module ``mlflow``; raise UserError if it is not installed."""
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    for name in ("alembic", "mlflow.store.db.utils"):
        logging.getLogger(name).setLevel(logging.WARNING)
    try:
        # MLflow loads both libraries for what is not used here: data frames of Polars, and a server for chats.
        with without("polars", stand_ins={"fastapi": {"HTTPException": None}}):
            import mlflow
            from mlflow import MlflowClient  # noqa: F401  the project's folder mlflow/ alone is an empty namespace
    except ImportError as fault:
        raise UserError(
            "MLflow is not installed here. Train with `--tracking offline`, give a model folder's path instead of "
            "models:/…, or run `pip install mlflow`."
        ) from fault
    return mlflow


@contextmanager
def plain_faults(uri: str) -> Iterator[None]:
    """Raise UserError, without secrets, instead of MLflow's errors."""
    try:
        yield
    except UserError:
        raise
    except ImportError as fault:  # SQLAlchemy loads a database's driver on demand
        raise UserError(
            f"MLflow at {public(uri)} needs the database driver '{fault.name}', which is not installed here. Install "
            "it, or set MLFLOW_TRACKING_URI to another server."
        ) from fault
    except Exception as fault:
        if not type(fault).__module__.startswith(("mlflow.", "requests.", "sqlalchemy.")):
            raise
        reason = first_line(fault)
        if remedy := next((remedy for error, remedy in REMEDIES.items() if re.search(error, str(fault))), ""):
            reason = f"{reason.split('. ')[0].rstrip('.')}. {remedy}"
        raise UserError(f"MLflow at {public(uri)} failed: {reason}") from fault


def _check_address(uri: str) -> None:
    """Raise UserError for an address that MLflow would fail on, or retry for minutes."""
    try:
        parts = urlsplit(uri)
        is_server = parts.scheme in ("http", "https")
        is_address = bool(parts.port or parts.hostname) if is_server else bool(parts.scheme) or uri == "databricks"
    except ValueError:
        is_address = False
    if not is_address:
        raise UserError(f"'{public(uri)}' is no address of a tracking server. {ADDRESS_REMEDY}")
    if not uri.startswith("sqlite:///"):
        return
    database = Path(uri.removeprefix("sqlite:///"))
    try:
        with database.open("rb") as file:
            head = file.read(len(SQLITE))
    except FileNotFoundError:
        return
    except OSError as fault:
        raise UserError(
            f"The tracking database {database} can't be read ({fault.strerror}). {ADDRESS_REMEDY}"
        ) from fault
    if head and head != SQLITE:
        raise UserError(f"{database} is no sqlite database. {ADDRESS_REMEDY}")


def for_reading(uri: str | None = None) -> str:
    """Return the address for a command that only reads; raise UserError instead of making a new database."""
    uri = uri or tracking_uri()
    database = Path(uri.removeprefix("sqlite:///"))
    if uri.startswith("sqlite:///") and not database.exists():
        raise UserError(
            f"There is no model registry: {database} does not exist. Set MLFLOW_TRACKING_URI or train a model first."
        )
    return uri


def connected(uri: str) -> Any:
    """Return the module with ``uri`` as its global address, which downloads of ``models:/`` use."""
    _check_address(uri)
    mlflow = mlflow_module()
    before = os.environ.get("MLFLOW_TRACKING_URI")
    mlflow.set_tracking_uri(uri)
    # MLflow sets the variable for child processes; here it must stay as the user set it.
    os.environ.pop("MLFLOW_TRACKING_URI", None)
    if before is not None:
        os.environ["MLFLOW_TRACKING_URI"] = before
    return mlflow


def connect(uri: str) -> MlflowClient:
    with plain_faults(uri):
        client: MlflowClient = connected(uri).MlflowClient(tracking_uri=uri)
        return client


def first_line(fault: Exception) -> str:
    """Return the first line of an error's message, shortened and without secrets."""
    return public(str(fault)).strip().split("\n")[0][:400]


def is_missing(fault: Exception) -> bool:
    """Return whether MLflow's error means that a run, model or version does not exist, or that its name is invalid."""
    return getattr(fault, "error_code", "") in (NOT_THERE, *REFUSALS)


@contextmanager
def known_run(uri: str, run_id: str) -> Iterator[None]:
    """Raise UserError instead of MLflow's error if the server has no such run."""
    try:
        yield
    except mlflow_module().MlflowException as fault:
        if not is_missing(fault):
            raise
        raise UserError(f"{public(uri)} has no run {run_id}. `mlflow ui` shows the runs there are.") from fault


def download(artifact_uri: str, folder: Path) -> Path:
    """Copy an artifact of the last connected server below ``folder``, which is a temporary one."""
    with temporary_faults():
        return Path(mlflow_module().artifacts.download_artifacts(artifact_uri=artifact_uri, dst_path=str(folder)))
