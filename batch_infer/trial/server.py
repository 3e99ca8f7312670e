"""The server of the page: loopback only, plain forms, one row at a time. Typed values are not stored."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl

from allsaid import console
from allsaid.console import say
from allsaid.stops import when_stopped
from batch_infer.trial.page import page
from batch_infer.trial.trial import Answer, Trial, write
from schemas.errors import UserError

LOOPBACK = "127.0.0.1"
HOST = re.compile(r"(127\.0\.0\.1|localhost)(:\d+)?")  # hosts that a browser on this machine may use for the page
LENGTH = re.compile(r"[0-9]{1,12}")  # of a form, in bytes
MOST_BYTES = 1 << 20
MOST_DROPPED = 16 << 20  # read and discarded from a form that is too large
MOST_FIELDS = 1000
PATIENCE = 60  # seconds that a request may stall
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without a referrer, browsers would hide the origin of the form
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
FORM = "application/x-www-form-urlencoded"

Typed = Mapping[str, str]  # typed values by field name


class Refused(Exception):
    """A request that is rejected without processing its form."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class PageServer(ThreadingHTTPServer):
    """Server of a trial's page. Its threads read requests; texts are generated in the thread that runs :meth:`work`."""

    def __init__(self, trial: Trial, port: int) -> None:
        """Listen on a port, or on a free one if it is 0; raise UserError if the port is taken."""
        self.trial = trial
        self._waiting: SimpleQueue[tuple[Typed, Future[Answer]]] = SimpleQueue()
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as fault:
            raise UserError(
                f"--port {port} can't be listened on ({fault.strerror}). Choose another, or leave it out."
            ) from fault
        has_example = any(field.example for field in trial.fields)
        self.example = self.ask(trial.at_first) if has_example else None  # asked once, however often the page is opened

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.server_port}/"

    def ask(self, typed: Typed) -> Future[Answer]:
        """Request the texts of the typed row."""
        found: Future[Answer] = Future()
        self._waiting.put((typed, found))
        return found

    def work(self) -> None:
        """Generate the requested texts, one row at a time, until a stop raises KeyboardInterrupt."""
        while True:
            typed, found = self._waiting.get()
            try:
                found.set_result(write(self.trial, typed))
            except Exception as fault:  # reported here and on the page; the next row may succeed
                console.crash(fault)
                found.set_exception(fault)

    def handle_error(self, request: Any, client_address: Any) -> None:  # Any: of any family of sockets
        """Ignore connections closed by a browser that did not wait for its answer."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def serve(trial: Trial, port: int) -> None:
    """Serve the page until the command is stopped."""
    with PageServer(trial, port) as server, when_stopped("The page is closed."):
        Thread(target=server.serve_forever, daemon=True).start()
        say(f"The page is at {server.address} and nowhere else. Ctrl-C closes it.", address=server.address)
        try:
            server.work()
        finally:
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    timeout = PATIENCE

    def do_GET(self) -> None:
        self._reply(lambda: self._answer(self.server.trial.at_first, self.server.example))

    def do_POST(self) -> None:
        self._reply(self._answer_form)

    def _reply(self, answer: Callable[[], None]) -> None:
        try:
            self._check()
            answer()
        except Refused as refused:
            self._send(refused.status, f"{refused}\n", "text/plain")

    def _check(self) -> None:
        """Raise Refused for a request that does not come from this machine's own page."""
        host = self.headers.get("Host", "")
        if not HOST.fullmatch(host):
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, f"This page is at {self.server.address} and nowhere else.")
        if self.headers.get("Origin", f"http://{host}") != f"http://{host}":
            sentence = f"Another site has sent this. Open {self.server.address} and type there."
            raise Refused(HTTPStatus.FORBIDDEN, sentence)
        if self.path != "/":
            raise Refused(HTTPStatus.NOT_FOUND, f"There is one page, {self.server.address}.")

    def _answer_form(self) -> None:
        typed = self._typed()
        self._answer(typed, self.server.ask(typed))

    def _answer(self, typed: Typed, pending: Future[Answer] | None) -> None:
        try:
            answer = pending.result() if pending else None
        except Exception as fault:
            sentence = f"This is a fault of Allsaid ({type(fault).__name__}). The terminal shows its traceback."
            answer = Answer(fault=sentence)
        self._page(typed, answer)

    def _typed(self) -> Typed:
        """Return the values of a form by field name; raise Refused."""
        length = self.headers.get("Content-Length", "")
        if not LENGTH.fullmatch(length) or self.headers.get_content_type() != FORM:
            raise Refused(HTTPStatus.BAD_REQUEST, "This is no form of the page.")
        if int(length) > MOST_BYTES:
            self.rfile.read(min(int(length), MOST_DROPPED))  # a browser reads no answer before it has sent all
            sentence = f"The form holds {int(length):,} bytes; {MOST_BYTES:,} can be read. Go back and shorten it."
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)
        try:
            body = self.rfile.read(int(length)).decode("ascii")
            pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        except ValueError as fault:
            raise Refused(HTTPStatus.BAD_REQUEST, f"This is no form of the page ({fault}).") from fault
        return dict(pairs)

    def _page(self, typed: Typed, answer: Answer | None) -> None:
        nonce = secrets.token_urlsafe(16)
        content = page(self.server.trial, typed, answer, nonce, is_opened=self.command == "GET")
        self._send(HTTPStatus.OK, content, "text/html", POLICY.format(nonce=nonce))

    def _send(self, status: HTTPStatus, content: str, kind: str, policy: str = "default-src 'none'") -> None:
        body = content.encode()
        self.send_response(status)
        for name, value in (HEADERS | {"Content-Security-Policy": policy}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: object) -> None:
        """Log no request."""
