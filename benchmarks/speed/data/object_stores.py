"""Object stores through Beam's filesystems, as Beam has them and with one client, and through obstore.

    python -m benchmarks.speed.data.object_stores

All use the S3 server of the tests (moto, on loopback). Each measures itself in fresh processes that
take turns; figures are medians over ROUNDS. Lines of code are those without blank lines, comments and docstrings. Needs
`pip install -e '.[bench]'`. Writes benchmarks/results/object_stores.json.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, write

WAYS = {
    "Beam, a client for each file": ("allsaid.stores.beam", []),
    "Beam": ("allsaid.stores.beam", ["allsaid/stores/beam.py", "allsaid/stores/s3.py"]),
    "obstore": ("benchmarks.speed.data.obstore_stores", ["benchmarks/speed/data/obstore_stores.py"]),
}
BUCKET, OBJECTS, SMALL, LARGE, ROUNDS = "s3://kitchen", 1000, 30, 32_000_000, 3


def main() -> None:
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    names = ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION")
    os.environ |= dict(zip(names, (f"http://{host}:{port}", "test", "test", "us-east-1"), strict=True))
    client = boto3.client("s3")
    client.create_bucket(Bucket="kitchen")
    for number in range(OBJECTS):
        client.put_object(Bucket="kitchen", Key=f"list/{number:04}.json", Body=b"{}")
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in WAYS}
    for _ in range(ROUNDS):
        for name in WAYS:
            command = [sys.executable, "-m", "benchmarks.speed.data.object_stores", name]
            runs[name].append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    server.stop()
    found = {
        name: {"lines of code": sum(lines_of_code(ROOT / path) for path in paths)}
        | {key: round(median(run[key] for run in runs[name]), 3) for key in runs[name][0]}
        for name, (_, paths) in WAYS.items()
    }
    result = {"ways": found, "objects": OBJECTS, "small": SMALL, "large": LARGE, "rounds": ROUNDS}
    write(RESULTS / "object_stores.json", result | {"obstore": version("obstore"), "beam": version("apache-beam")})


def lines_of_code(path: Path) -> int:
    """Count the lines of statements, without docstrings."""
    tree = ast.parse(path.read_text())
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            block = getattr(node, "body", None)
            last = block[0].lineno - 1 if isinstance(block, list) else node.end_lineno or node.lineno
            lines |= set() if is_docstring else {*range(node.lineno, max(last, node.lineno) + 1)}
    text = path.read_text().splitlines()
    return sum(bool(text[line - 1].split("#")[0].strip()) for line in lines)


def measure(name: str) -> None:
    """Measure one way in this process; print the figures as JSON."""
    started = time.perf_counter()
    stores = importlib.import_module(WAYS[name][0])
    figures = {"seconds to import": time.perf_counter() - started}
    listing: Callable[[], Any] = (
        (lambda: stores.match(f"{BUCKET}/list/**")) if name != "obstore" else (lambda: stores.below(f"{BUCKET}/list"))
    )
    if name == "Beam, a client for each file":
        s3 = importlib.import_module("allsaid.stores.s3")
        s3.s3io.boto3_client.Client = s3.Client
    stores.exists(BUCKET + "/list/0000.json")  # the first request opens the connection
    figures["seconds to list"] = seconds(listing)
    assert len(listing()) == OBJECTS
    figures["small writes a second"] = SMALL / seconds(lambda: [put(stores, number, b"{}") for number in range(SMALL)])
    figures["small reads a second"] = SMALL / seconds(lambda: [get(stores, number) for number in range(SMALL)])
    content = os.urandom(LARGE)
    figures["MB a second written"] = LARGE / 1e6 / seconds(lambda: put(stores, -1, content))
    figures["MB a second read"] = LARGE / 1e6 / seconds(lambda: get(stores, -1))
    assert get(stores, -1) == content
    print(json.dumps(figures))


def seconds(act: Callable[[], Any]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def put(stores: Any, number: int, content: bytes) -> None:
    with stores.create(f"{BUCKET}/out/{number}") as stream:
        stream.write(content)


def get(stores: Any, number: int) -> bytes:
    with stores.open_read(f"{BUCKET}/out/{number}") as stream:
        return bytes(stream.read())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1])
    else:
        main()
