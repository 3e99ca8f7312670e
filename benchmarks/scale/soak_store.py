"""The object store of `soak.py`: moto's S3 server in a process of its own, which can refuse requests.

    python -m benchmarks.scale.soak_store

It prints its address. ``POST /soak?after=N&refuse=K`` lets N requests pass and answers the next K with 503; it returns
the number of requests since the last such call, and keeps all objects.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs

from moto.server import ThreadedMotoServer

CONTROL = "/soak"


class Refusing:
    """A WSGI application around the store's own."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.lock = threading.Lock()
        self.requests, self.after, self.refuse = 0, 0, 0

    def __call__(self, request: dict[str, Any], begin: Callable[..., object]) -> Iterable[bytes]:
        with self.lock:
            if request["PATH_INFO"] == CONTROL:
                given = parse_qs(request["QUERY_STRING"])
                answer = str(self.requests).encode()
                self.requests, self.after, self.refuse = 0, int(given["after"][0]), int(given["refuse"][0])
                begin("200 OK", [("Content-Length", str(len(answer)))])
                return [answer]
            self.requests += 1
            is_refused = self.after < self.requests <= self.after + self.refuse
        if not is_refused:
            return self.store(request, begin)
        request["wsgi.input"].read(int(request.get("CONTENT_LENGTH") or 0))
        begin("503 Slow Down", [("Content-Type", "application/xml")])
        return [b"<Error><Code>SlowDown</Code></Error>"]


def main() -> None:
    """Serve until standard input is closed, as it is when the parent has ended in any way."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    running: Any = server._server  # moto offers no other way to its application
    running.app = Refusing(running.app)
    host, port = server.get_host_and_port()
    print(f"http://{host}:{port}", flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
