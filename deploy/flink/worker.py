"""A Python worker of a TaskManager: asks its runner for what it must know, then runs as Beam's own containers do.

A TaskManager starts it with ``--id`` and ``--provision_endpoint`` (Beam's contract of SDK containers). The packages of
``--extra_package`` are installed for this process alone; what they need must be in its environment.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import grpc
from apache_beam.portability import common_urns
from apache_beam.portability.api import (
    beam_artifact_api_pb2,
    beam_artifact_api_pb2_grpc,
    beam_provision_api_pb2,
    beam_provision_api_pb2_grpc,
    beam_runner_api_pb2,
)
from google.protobuf import json_format, text_format

EXTRA_PACKAGES = "extra_packages.txt"  # among the files of a job: the names of those to be installed


def provided(worker: str, provision: str) -> beam_provision_api_pb2.ProvisionInfo:
    """What the runner tells of the job and of itself."""
    with grpc.insecure_channel(provision) as channel:
        service = beam_provision_api_pb2_grpc.ProvisionServiceStub(channel)
        asked = beam_provision_api_pb2.GetProvisionInfoRequest()
        return service.GetProvisionInfo(asked, metadata=[("worker_id", worker)]).info


def environment(worker: str, info: beam_provision_api_pb2.ProvisionInfo) -> dict[str, str]:
    """What Beam's harness reads from its environment."""
    return {
        "WORKER_ID": worker,
        "PIPELINE_OPTIONS": json_format.MessageToJson(info.pipeline_options),
        "CONTROL_API_SERVICE_DESCRIPTOR": text_format.MessageToString(info.control_endpoint),
        "LOGGING_API_SERVICE_DESCRIPTOR": text_format.MessageToString(info.logging_endpoint),
        "RUNNER_CAPABILITIES": " ".join(info.runner_capabilities),
    }


def fetch(worker: str, info: beam_provision_api_pb2.ProvisionInfo, folder: Path) -> None:
    """Copy the files that were sent with the job into a folder, under the names that they had."""
    sender = [("worker_id", worker)]
    with grpc.insecure_channel(info.artifact_endpoint.url) as channel:
        service = beam_artifact_api_pb2_grpc.ArtifactRetrievalServiceStub(channel)
        asked = beam_artifact_api_pb2.ResolveArtifactsRequest(
            artifacts=info.dependencies, preferred_urns=[common_urns.artifact_types.EMBEDDED.urn]
        )
        for artifact in service.ResolveArtifacts(asked, metadata=sender).replacements:
            name = beam_runner_api_pb2.ArtifactStagingToRolePayload.FromString(artifact.role_payload).staged_name
            wanted = beam_artifact_api_pb2.GetArtifactRequest(artifact=artifact)
            with (folder / name).open("wb") as file:
                file.writelines(piece.data for piece in service.GetArtifact(wanted, metadata=sender))


def install(sent: Path, into: Path) -> None:
    """Install the job's own packages into a folder, from the files that were sent with it."""
    packages = [str(sent / name) for name in (sent / EXTRA_PACKAGES).read_text().splitlines()]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", str(into), *packages], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--id", required=True)
    parser.add_argument("--provision_endpoint", required=True)
    given, _ = parser.parse_known_args()
    info = provided(given.id, given.provision_endpoint)
    os.environ |= environment(given.id, info)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # so that the folder goes with the process
    with tempfile.TemporaryDirectory() as folder:
        fetch(given.id, info, Path(folder))
        if Path(folder, EXTRA_PACKAGES).exists():
            install(Path(folder), Path(folder, "installed"))
            sys.path.insert(0, f"{folder}/installed")

        from apache_beam.runners.worker.sdk_worker_main import main  # it logs while it is imported

        main(sys.argv)
