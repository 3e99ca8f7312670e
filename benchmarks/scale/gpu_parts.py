"""What the two scripts for a GPU share: where it is missing they say so, and what they leave out they name."""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from benchmarks import result_file

SECONDS = 540  # a part that would begin later is left out: the command may take ten minutes


class Parts:
    """The parts of a result, as they are measured one after another."""

    def __init__(self, device: str, seconds: float = SECONDS) -> None:
        self.device, self._until = device, time.monotonic() + seconds
        self.found: dict[str, Any] = {}
        self.left_out: list[str] = []

    def measure(self, name: str, make: Callable[[], Any]) -> None:
        """Keep what ``make`` gives; a part that fails, or comes too late, is named among those left out."""
        if time.monotonic() > self._until:
            self.left_out.append(f"{name}: the time was over.")
            return
        begun = time.monotonic()
        try:
            self.found[name] = make()
        except Exception as fault:
            self.left_out.append(f"{name}: {type(fault).__name__}: {' '.join(str(fault).split())[:300]}")
        print(f"{name}: {time.monotonic() - begun:.0f} s, {json.dumps(self.found.get(name))}", flush=True)

    def result(self) -> dict[str, Any]:
        return {**self.found, "left_out": self.left_out, "machine": machine(self.device)}


def machine(device: str) -> dict[str, Any]:
    name = torch.cuda.get_device_name() if device == "cuda" else platform.processor() or platform.machine()
    return {"device": name, "torch": torch.__version__, "cuda": torch.version.cuda, "python": platform.python_version()}


def wait(device: str) -> float:
    """The time at which the device has done all that it was given."""
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def has_gpu(would: str) -> bool:
    """Whether there is one; else a sentence says what the script would do with it."""
    if not torch.cuda.is_available():
        print(f"Left out: this machine has no GPU that PyTorch can use. With one this script {would}.")
    return torch.cuda.is_available()


def finish(parts: Parts, given: argparse.Namespace) -> None:
    result = parts.result()
    output: Path = given.output
    result_file.write(output, result)
    print(json.dumps(result, indent=2, ensure_ascii=False))
