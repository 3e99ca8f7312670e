"""A PostgreSQL server on loopback from Debian's packages, owned by a user without rights."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

USER = "postgres"  # made by Debian's package; PostgreSQL refuses to run as root


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, or None where they are not installed."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


class Postgres:
    """A new cluster whose only role, ``mlflow``, owns a database of that name; every connection needs its password."""

    def __init__(self, password: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._bin = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="allsaid-postgres-"))  # pytest's own folders are root's alone
        secret = self.folder / "password"
        secret.write_text(password)
        if os.geteuid() == 0:
            for path in (self.folder, secret):
                shutil.chown(path, USER)
        try:
            self._run("initdb", "-U", "mlflow", "-A", "scram-sha-256", "--pwfile", str(secret), "--no-sync")
            self.start()
            with closing(self.connect("postgres", password)) as connection:
                connection.autocommit = True
                connection.cursor().execute("CREATE DATABASE mlflow")
        except BaseException:
            self.remove()
            raise

    def connect(self, database: str, password: str) -> Any:
        import psycopg2

        return psycopg2.connect(
            host="127.0.0.1", port=self.port, user="mlflow", password=password, dbname=database, connect_timeout=10
        )

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        self._run("pg_ctl", "-w", "-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-m", "fast", "stop")

    def remove(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)

    def _run(self, program: str, *options: str) -> None:
        other_user = ["runuser", "-u", USER, "--"] if os.geteuid() == 0 else []
        command = [*other_user, str(self._bin / program), "-D", str(self.folder / "data"), *options]
        log = self.folder / "commands"
        with log.open("ab") as told:  # no pipe: the server would hold it open
            done = subprocess.run(command, stdout=told, stderr=told, cwd=self.folder)
        assert done.returncode == 0, log.read_text()
