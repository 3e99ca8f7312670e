"""OpenLineage events of runs: START, then COMPLETE, FAIL or ABORT, with the data that a run reads and writes.

Events are sent where the environment names a transport (docs/cluster.md). Otherwise nothing is imported, and the
functions of this module do nothing. An event that can't be sent never affects the run.
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from allsaid import stops
from allsaid.console import say
from allsaid.gates import Check, broken
from allsaid.lineage_data import Data, Run, RunName
from allsaid.redaction import public
from schemas.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa
    from openlineage.client import OpenLineageClient

# Variables that name a transport of the client: https://openlineage.io/docs/client/python
URL, CONFIG, TRANSPORT = "OPENLINEAGE_URL", "OPENLINEAGE_CONFIG", "OPENLINEAGE__TRANSPORT__"
# The run that starts this one, as "namespace/job/run id", by the convention of Airflow and dbt; and the first of all.
PARENT, ROOT = "OPENLINEAGE_PARENT_ID", "OPENLINEAGE_ROOT_PARENT_ID"
NAMESPACE = "OPENLINEAGE_NAMESPACE"  # of the jobs
TAG = "openlineage_run"  # names the run in MLflow and in the summary of texts
_MODEL = re.compile(r"models:/([^/@]+)(?:@.+|/(\d+))?")
_STORE = re.compile(r"(\w+://[^/]+)/?(.*)")
_DATE = re.compile(r"(?<=.)[-_.]?\d{4}-\d\d-\d\d$")
NIGHTLY = "nightly"  # the command whose run has other commands as its steps, also in other processes
_open: list[Run] = []  # the runs in progress of this process; each is the parent of the next one


def data(
    address: str,
    version: str = "",
    schema: pa.Schema | None = None,
    rows: int | None = None,
    files: int | None = None,
    checks: Sequence[Check] = (),
) -> Data:
    """Describe data by its address: a path, the address of an object, or models:/NAME with @ALIAS or /VERSION.

    Files are named by OpenLineage's rules. The namespace of models is the tracking server.
    """
    if model := _MODEL.fullmatch(address):
        namespace, name, version = os.environ.get("MLFLOW_TRACKING_URI", "mlflow"), model[1], version or model[2] or ""
    elif store := _STORE.fullmatch(address):
        namespace, name = store.groups()
    else:
        namespace, name = "file", str(Path(address).absolute())
    columns = tuple((column.name, str(column.type)) for column in schema or ())
    return Data(public(namespace), public(name), version, columns, rows, files, tuple(checks))


def reads(*given: Data) -> None:
    """Add to the inputs of the current run; later facts on the same data replace earlier ones."""
    if _open:
        _open[-1].reads.update({(data.namespace, data.name): data for data in given})


def writes(*given: Data) -> None:
    """Add to the outputs of the current run; later facts on the same data replace earlier ones."""
    if _open:
        _open[-1].writes.update({(data.namespace, data.name): data for data in given})


def run_id() -> str:
    """Return the id of the current run; "" if no events are sent."""
    return _open[-1].name.run if _open else ""


def environment() -> dict[str, str]:
    """Return the variables by which a run in another process becomes a child of the current run."""
    if not _open:
        return {}
    parent, root = _open[-1].name, _open[0].root or _open[0].name
    return {name: f"{run.namespace}/{run.job}/{run.run}" for name, run in ((PARENT, parent), (ROOT, root))}


def tags() -> dict[str, str]:
    """Return the tag of a run in MLflow that names the current run; none if no events are sent."""
    return {TAG: run_id()} if _open else {}


@contextmanager
def recorded(command: str, subject: str, reads: Iterable[str] = (), writes: Iterable[str] = ()) -> Iterator[None]:
    """Send the events of a run while the block runs; a run inside of another one is its child.

    subject: the address that names the job among those of its command, such as the output's. A date at its end is left
    out, since a job that runs each day is one job. reads, writes: addresses that are known at the start. A run whose
    checks fail has failed.
    """
    client = _client()
    if client is None:
        yield
        return
    from openlineage.client.uuid import generate_new_uuid

    parent = _open[-1].name if _open else _given(PARENT)
    root = _open[0].root or _open[0].name if _open else _given(ROOT) or parent
    namespace = os.environ.get(NAMESPACE, "allsaid")
    is_step = parent is not None and (parent.namespace, parent.job.partition(".")[0]) == (namespace, NIGHTLY)
    what = _DATE.sub("", Path(data(subject).name).name)
    job = f"{parent.job}.{command}" if parent and (_open or is_step) else f"{command}.{what}"
    name = RunName(namespace, public(job), str(generate_new_uuid()))
    run = Run(name, client, parent, root)
    for given, addresses in ((run.reads, reads), (run.writes, writes)):
        given.update({(file.namespace, file.name): file for file in map(data, filter(None, addresses))})
    _send(run, "START")
    _open.append(run)
    try:
        yield
    except BaseException as fault:
        if isinstance(fault, typer.Exit | SystemExit):  # an exit code, after the work is done
            _send(run, "COMPLETE")
        elif stops.is_stopped() or isinstance(fault, KeyboardInterrupt):
            _send(run, "ABORT")
        else:
            trace = "" if isinstance(fault, UserError) else traceback.format_exc()
            _send(run, "FAIL", str(fault) or type(fault).__name__, trace)
        raise
    else:
        faults = broken(check for written in run.writes.values() for check in written.checks)
        _send(run, "FAIL" if faults else "COMPLETE", " ".join(faults))
    finally:
        _open.remove(run)


def _client() -> OpenLineageClient | None:
    """Return the client of the environment's transport; None without one, or in a process that follows another."""
    if _open:
        return _open[-1].client
    is_set = any(name in (URL, CONFIG) or name.startswith(TRANSPORT) for name in os.environ)
    if not is_set or os.environ.get("RANK", "0") != "0":  # torchrun starts followers
        return None
    try:
        from openlineage.client import OpenLineageClient

        return OpenLineageClient()
    except ImportError:
        say("OpenLineage's client is not installed, so no events are sent: pip install 'allsaid[lineage]'.", "warning")
    except Exception as fault:  # of any transport
        say(f"No events are sent to OpenLineage: {fault}", "warning")
    return None


def _given(variable: str) -> RunName | None:
    """Return the run that a variable names; None without one, or after a warning."""
    value = os.environ.get(variable, "")
    if not value:
        return None
    if not re.fullmatch(r".+/[^/]+/[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value):
        say(f"{variable} is not namespace/job/run id, so events name no such run: {value}", "warning")
        return None
    return RunName(*value.rsplit("/", 2))


def _send(run: Run, state: str, message: str = "", trace: str = "") -> None:
    """Send an event; a failure is a warning."""
    from allsaid import lineage_events  # it loads the client

    try:
        run.client.emit(lineage_events.event(run, state, public(message), public(trace)))
    except Exception as fault:  # of any transport
        say(f"OpenLineage did not get the event {state} of {run.name.job}: {fault}", "warning")
