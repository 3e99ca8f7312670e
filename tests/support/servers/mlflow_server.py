"""A real tracking server on loopback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path


class MlflowServer:
    """``mlflow server`` on loopback, on one port and one store over its deaths."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder, self.uri = folder, f"http://127.0.0.1:{self.port}"
        self.command = [
            "mlflow", "server", "--host", "127.0.0.1", "--port", str(self.port),
            "--backend-store-uri", f"sqlite:///{self.folder / 'server.db'}",
            "--artifacts-destination", str(self.folder / "artifacts"), "--workers", "1",
        ]  # fmt: skip
        self.environment = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it unless it runs, and wait until it answers."""
        if self.process is not None:
            return
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {"PATH": path} | self.environment
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        for _ in range(1800):
            assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
            try:
                with urllib.request.urlopen(f"{self.uri}/health", timeout=1):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text()[-2000:])

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
