"""Flink and Beam's job server as packages of Maven Central: 162 jars, 150 MB, fetched once."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

POM = Path(__file__).with_name("pom.xml")


class ClusterError(Exception):
    """Why there is no cluster, in a sentence with its remedy."""


def lacking() -> str:
    """What this machine needs first, in a sentence; "" where nothing is lacking."""
    names = [name for name in ("java", "mvn") if shutil.which(name) is None]
    if not names:
        return ""
    none = " and ".join(f"no `{name}`" for name in names)
    return f"Flink needs Java 11 or 17 and Maven; there is {none} on the PATH. On Debian: apt-get install maven."


def jars(folder: Path) -> Path:
    """The folder below ``folder`` with the packages of ``pom.xml``, which are fetched if they are not there.

    Raises ClusterError.
    """
    if fault := lacking():
        raise ClusterError(fault)
    kept = folder / f"jars-{hashlib.sha256(POM.read_bytes()).hexdigest()[:8]}"
    if kept.is_dir():
        return kept
    new = kept.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    print("Fetching Flink from Maven Central (150 MB) …", flush=True)
    command = ["mvn", "-q", "-B", "-f", str(POM), "dependency:copy-dependencies", "-DincludeScope=runtime"]
    done = subprocess.run([*command, f"-DoutputDirectory={new}"], capture_output=True, text=True)
    if done.returncode:
        told = [line for line in done.stdout.splitlines() if "ERROR" in line]
        raise ClusterError(f"Maven could not fetch Flink. {told[0] if told else done.stderr.strip()}")
    return new.rename(kept)
