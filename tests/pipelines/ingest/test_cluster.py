"""A cluster that isn't there or has no room is told in a sentence, before anything is sent to it and afterwards."""

from __future__ import annotations

import json
import socket

import grpc
import pytest
from dump_server import Server

from pipelines.ingest import cluster
from pipelines.ingest.runner import make_pipeline, pipeline_options, worker_faults
from schemas.errors import UserError

FLINK = "--runner=FlinkRunner"
# As Beam's job server hands it on, cut.
FAILED = "Pipeline failed in state FAILED: org.apache.flink.runtime.JobException: Recovery is suppressed\nCaused by: "
NO_SLOTS = (
    "java.util.concurrent.CompletionException: org.apache.flink.runtime.jobmanager.scheduler."
    "NoResourceAvailableException: Could not acquire the minimum required resources."
)
REFUSED = "java.util.concurrent.CompletionException: java.net.ConnectException: Connection refused: /127.0.0.1:8081"
NO_FLINK = "org.apache.flink.runtime.rest.ConnectionClosedException: Channel became inactive."


def overview(free: int) -> bytes:
    """What Flink's web page says of the cluster's slots."""
    return json.dumps({"taskmanagers": 1, "slots-total": 2, "slots-available": free, "jobs-running": 1}).encode()


def test_a_job_without_slots_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SLOT_SECONDS", 0)
    master = server.address.removeprefix("http://")
    server.content = overview(1)
    pipeline_options([FLINK, f"--flink_master={master}"])
    with pytest.raises(UserError, match=rf"^--flink_master {master}: the job needs 2 of .* slots, but 1 are free\."):
        pipeline_options([FLINK, f"--flink_master={master}", "--parallelism=2"])


def test_slots_that_become_free_are_waited_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster.time, "sleep", lambda _: setattr(server, "content", overview(1)))
    server.content = overview(0)
    pipeline_options([FLINK, f"--flink_master={server.address}"])
    assert server.asked[-1][0] == "/overview"


def test_what_is_no_cluster_is_told(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 1)
    with pytest.raises(UserError, match=r"no Flink cluster answers there .*Start one, or give the HOST:PORT"):
        pipeline_options([FLINK, f"--flink_master={server.address}"])  # a page, but not Flink's
    with pytest.raises(UserError, match="no Flink cluster answers there"):
        pipeline_options([FLINK, "--flink_master=localhost:many"])
    endpoint = server.address.removeprefix("http://")
    with pytest.raises(UserError, match=r"answers there \(the server there does not answer as one\)"):
        pipeline_options(["--runner=PortableRunner", f"--job_endpoint={endpoint}"])


def test_what_accepts_a_connection_and_never_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a process does that is stopped."""
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as stopped:
        address = f"127.0.0.1:{stopped.getsockname()[1]}"
        with pytest.raises(UserError, match=r"no Flink cluster answers there \(timed out\)"):
            pipeline_options([FLINK, f"--flink_master={address}"])
        with pytest.raises(UserError, match=r"answers there \(the server there does not answer as one\)"):
            pipeline_options(["--runner=PortableRunner", f"--job_endpoint={address}"])


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (RuntimeError(FAILED + NO_SLOTS), r"too few free slots .* smaller --parallelism\.$"),
        (RuntimeError(FAILED + REFUSED), "can't reach its Flink cluster, or lost it"),
        (RuntimeError(FAILED + NO_FLINK), "can't reach its Flink cluster, or lost it"),
        (grpc.RpcError("UNAVAILABLE"), "The job service embed ended while the job ran"),
    ],
)
def test_what_ends_a_job_is_told(fault: Exception, told: str) -> None:
    options = pipeline_options(["--runner=PortableRunner", "--job_endpoint=embed", "--environment_type=LOOPBACK"])
    with pytest.raises(UserError, match=told), worker_faults(options):
        raise fault
    with pytest.raises(RuntimeError, match=r"^of the job itself$"), worker_faults(options), make_pipeline(options):
        raise RuntimeError("of the job itself")


def test_a_job_service_of_beams_own_has_no_address_to_be_told() -> None:
    told = r"^The job service that Beam had started ended while the job ran\. Cancel the job"
    with pytest.raises(UserError, match=told), worker_faults(pipeline_options(["--runner=FlinkRunner"])):
        raise grpc.RpcError("UNAVAILABLE")
