"""Serve the view of one article to the browser of whoever started it, with a form that mends its values: only
on this machine, and only to who knows the address."""

from __future__ import annotations

import secrets
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.errors import UsageError
from webarticlecurator.program_faults import in_a_page
from webarticlecurator.stages.article_view import Form, view_article
from webarticlecurator.stages.fix import STATES, WAITING, fix
from webarticlecurator.stages.named_article import Match

_HOST = "127.0.0.1"
_MOST_SENT = 100_000
"""Bytes of a form."""
_TYPED = ("field", "change", "value", "because")
"""The names of what the form sends."""
_FORGET = "forget"
"""The change that takes back what was mended of a field."""
_PLAIN = "<!DOCTYPE html><title>curator</title><p style='white-space: pre-wrap'>{}</p>"
"""The page in place of a view that cannot be shown."""
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class MendingServer(ThreadingHTTPServer):
    """Serves the view of an article at an address that cannot be guessed."""

    daemon_threads = True

    def __init__(self, portal: Portal, corpus: Corpus, match: Match, *, typed: str) -> None:
        super().__init__((_HOST, 0), _Handler)
        self.path = f"/{secrets.token_urlsafe(24)}/"
        self.host = f"{_HOST}:{self.server_port}"
        self.origin = f"http://{self.host}"
        self._portal, self._corpus, self._match, self._typed = portal, corpus, match, typed
        self._form = Form()
        self._lock = Lock()

    @property
    def url(self) -> str:
        """The address of the view."""
        return f"{self.origin}{self.path}"

    def page(self) -> bytes:
        """Return the view as it is now."""
        with self._lock:
            html = view_article(self._portal, self._corpus, self._match, typed=self._typed, form=self._form)
            self._form = Form()
        return html.encode("utf-8", "replace")

    def handle_error(self, *_: object) -> None:
        """Say nothing: a browser that went away is no fault."""

    def mend(self, sent: bytes) -> None:
        """Do what the form says; the view tells what came of it."""
        with self._lock:
            typed: dict[str, str] = {}
            try:
                read = parse_qs(sent.decode("utf-8", "replace"), keep_blank_values=True)
                typed = {name: read.get(name, [""])[-1] for name in _TYPED}
                self._form = self._mended(**typed)
            except Exception as error:  # whoever waits for an answer gets one, and the server lives on
                self._form = Form(in_a_page(error), is_refused=True, **typed)

    def _mended(self, field: str, change: str, value: str, because: str) -> Form:
        """Mend what the form says. Raises UsageError."""
        forgets = change == _FORGET
        if not (value or forgets):
            raise UsageError("Nothing was typed, so nothing was mended.")
        mended = fix(
            self._portal,
            self._match.url,
            [] if forgets else [f"{field}{change}{value}"],
            corpus=self._corpus.folder,
            because=because,
            forget=[field] if forgets else [],
        )
        told = [
            f"{field}: {' | '.join(each.before) or 'nothing'} → {' | '.join(each.after) or 'nothing'}. "
            f"It {STATES[WAITING]}."
            for each in mended
            if each.field == field
        ]
        return Form(" ".join(told) or f"{field} is as the rules give it again, from the next build on.")


class _Handler(BaseHTTPRequestHandler):
    server: MendingServer
    timeout = 30
    """Seconds in which a request is to be sent."""

    def do_GET(self) -> None:
        if not self._is_ours(self.server.origin, None):
            return
        try:
            status, page = HTTPStatus.OK, self.server.page()
        except Exception as error:  # such as a mistake in corrections.yaml
            status, page = HTTPStatus.INTERNAL_SERVER_ERROR, _PLAIN.format(escape(in_a_page(error))).encode()
        self._send(status, page)

    def do_POST(self) -> None:
        if not self._is_ours(self.server.origin):
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _MOST_SENT:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        self.server.mend(self.rfile.read(int(length)))
        self._send(HTTPStatus.SEE_OTHER, Location=self.server.path)

    def _is_ours(self, *origins: str | None) -> bool:
        """True if a request has the token and comes from where it may; any other is refused."""
        has_token = secrets.compare_digest(self.path.encode(), self.server.path.encode())
        is_for_us = self.headers.get("Host") == self.server.host  # else a name was made to lead here
        if has_token and is_for_us and self.headers.get("Origin") in origins:
            return True
        self._send(HTTPStatus.FORBIDDEN)
        return False

    def _send(self, status: HTTPStatus, content: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, **headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def version_string(self) -> str:
        return "curator"

    def log_message(self, *_: object) -> None:
        """Say nothing: the token would stand in it."""
