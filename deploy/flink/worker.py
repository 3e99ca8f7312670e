"""A Python worker of a TaskManager: asks its runner for what it must know, then runs as Beam's own containers do.

A TaskManager starts it with ``--id`` and ``--provision_endpoint`` (Beam's contract of SDK containers).
"""

from __future__ import annotations

import argparse
import os
import sys

import grpc
from apache_beam.portability.api import beam_provision_api_pb2, beam_provision_api_pb2_grpc
from google.protobuf import json_format, text_format


def environment(worker: str, provision: str) -> dict[str, str]:
    """What Beam's harness reads from its environment."""
    with grpc.insecure_channel(provision) as channel:
        service = beam_provision_api_pb2_grpc.ProvisionServiceStub(channel)
        asked = beam_provision_api_pb2.GetProvisionInfoRequest()
        info = service.GetProvisionInfo(asked, metadata=[("worker_id", worker)]).info
    return {
        "WORKER_ID": worker,
        "PIPELINE_OPTIONS": json_format.MessageToJson(info.pipeline_options),
        "CONTROL_API_SERVICE_DESCRIPTOR": text_format.MessageToString(info.control_endpoint),
        "LOGGING_API_SERVICE_DESCRIPTOR": text_format.MessageToString(info.logging_endpoint),
        "RUNNER_CAPABILITIES": " ".join(info.runner_capabilities),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--id", required=True)
    parser.add_argument("--provision_endpoint", required=True)
    given, _ = parser.parse_known_args()
    os.environ |= environment(given.id, given.provision_endpoint)

    from apache_beam.runners.worker.sdk_worker_main import main  # it logs while it is imported

    main(sys.argv)
