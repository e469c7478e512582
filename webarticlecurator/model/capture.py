"""Requests, exchanges and captures: what we asked, what crossed the wire, what a browser made of it, and what
a reader of pages gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, Protocol, Self, get_args

from webarticlecurator.model.outcome import Verdict

IDLE = "idle"
"""Wait until nothing is loaded any more."""
PageKind = Literal["archive", "article"]
"""The kinds of pages, each read by rules of its own."""
RequisiteKind = Literal["css", "fonts", "images"]
"""The kinds of files that a page needs to look as its readers saw it."""
REQUISITE_KINDS: tuple[RequisiteKind, ...] = get_args(RequisiteKind)
"""These kinds, in the order in which files of a page are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrolling:
    """A page that is longer than it shows at first."""

    until: str | None = None
    """A selector; None: until nothing new comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """The way in which a page is shown in a browser before it is read."""

    wait: str = IDLE
    """A selector that must have come, or `IDLE`."""
    scroll: Scrolling | None = None
    click: str | None = None
    """The selector of the element that is clicked once it is there: a consent, a "read on"."""
    steps: Literal["scroll", "click"] | None = None
    """A page that is read as it grows, a request a step, by scrolling or by clicking the `button`; None: at
    once."""
    button: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A page that a browser made of an answer: as a person would see it."""

    html: bytes
    """The HTML in UTF-8. Of a step after the first one: only what is new, in the elements that it stands
    in."""
    date: datetime
    """The time when it was read out of the browser: UTC, aware."""
    browser: str
    """The name and version of the browser: "Chromium 156.0.8078.79"."""
    step: int = 0
    """The number of times that it was scrolled, or the button clicked, before."""
    end: str | None = None
    """The reason why nothing more can come ("nothing new after 3 attempts, and nothing is loading", "the
    button is gone"); None: more may come."""
    limit: str | None = None
    """The bound that ended it before its end."""
    lack: str | None = None
    """The data of the page that could not be had this time, and may be another; not stored: an article
    without it is an `error`."""


_AS_RECEIVED = Rendered(html=b"", date=datetime.min, browser="")
"""Stands for what a browser says of an answer that it was not given."""

Headers = tuple[tuple[str, str], ...]
"""Header lines in the order they came; names keep their case, and may repeat."""

Truncated = Literal["length", "time", "disconnect", "unspecified"]
"""The reasons why a response is not whole, in WARC's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a portal."""

    url: str
    method: str = "GET"
    body: bytes | None = None
    headers: Headers = ()
    """The headers that only this request adds (content type, If-None-Match): the portal's own headers come
    from its fetch rules."""
    is_sitemap: bool = False
    """True if the answer may be a gzip file, and larger than a page."""
    is_requisite: bool = False
    """True if it asks for a style sheet, a picture or a font of a page."""
    rendering: Rendering | None = None
    """The way in which a browser shows the answer; None: no browser has to do with it."""
    step: int = 0
    """The number of times that a page that grows in the browser is scrolled, or its button clicked,
    before."""

    @property
    def key(self) -> str:
        """Return the method, URL, digest of the body and step: what makes two requests the same."""
        digest = f" {sha256(self.body).hexdigest()[:16]}" if self.body is not None else ""
        step = f" step {self.step}" if self.step else ""
        return f"{self.method} {self.url}{digest}{step}"


def url_of_key(key: str) -> str:
    """The URL in the key of a request."""
    return key.split(" ", 2)[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """An HTTP request and its response, with the bytes as they crossed the wire."""

    request: Request
    request_bytes: bytes
    """The head and body as sent, but with `[redacted]` in place of secrets."""
    redacted: tuple[str, ...] = ()
    """Names of the request headers whose value is not what was sent."""
    response_bytes: bytes | None
    """The head and body exactly as received; None when not a byte of a response arrived."""
    status: int | None = None
    headers: Headers = ()
    entity: bytes = b""
    """The body with the transfer coding removed and the content coding kept: what the payload digest is taken
    of."""
    started: datetime
    """The moment when the request was sent: UTC, aware."""
    duration_ms: int
    ip: str | None = None
    """The peer's address."""
    truncated: Truncated | None = None
    error: str | None = None
    """The error on the wire, in plain English; None when the response is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place in the store."""

    file: str
    """The name of the file inside the warc folder, without `.open`."""
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedRecord(Location):
    """A record of the store that was noted before: where it lies, and by what it is known there again."""

    record: str
    """The WARC-Record-ID, without angle brackets."""
    target: str
    """The WARC-Target-URI."""
    digest: str | None
    """The WARC-Payload-Digest; empty or None where none was noted."""

    @classmethod
    def of_row(
        cls, file: str, offset: int, length: int, record: str, target: str, digest: str | None
    ) -> Self:
        """Return the record of a row with columns of this order."""
        return cls(file=file, offset=offset, length=length, record=record, target=target, digest=digest)

    @classmethod
    def of_capture(cls, capture: Mapping[str, Any]) -> Self:
        """A capture as documents and exports name it in JSON."""
        names = ("file", "offset", "length", "record_id", "url", "digest")
        return cls.of_row(*(capture[name] for name in names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A response that a page can be read from, whether it came over the network or out of a WARC a minute or
    a decade later."""

    url: str
    """The URL this response answers: after redirects the last one."""
    requested_url: str
    """The URL that was asked for first."""
    method: str = "GET"
    """The HTTP method by which it was asked for."""
    status: int
    """The HTTP status."""
    headers: Headers
    """The headers as they came, in their order."""
    entity: bytes
    """The body: transfer coding removed, content coding (gzip) kept."""
    date: datetime
    """The time of the capture: UTC, aware."""
    is_dated: bool = True
    """False where the time of the capture is not known: then the date is the last that it may be."""
    record_id: str | None = None
    """The WARC-Record-ID of the response, once stored."""
    location: Location | None = None
    """The place of the response in a WARC file."""
    is_rendered: bool = False
    """True if a browser made it of the answer: HTML in UTF-8, whatever the portal's pages are in."""


def capture_of(exchange: Exchange, requested_url: str | None = None) -> Capture:
    """Return what a reader of pages gets of an exchange that was answered, whatever the answer."""
    url = exchange.request.url
    return Capture(
        url=url,
        requested_url=requested_url or url,
        method=exchange.request.method,
        status=exchange.status or 0,
        headers=exchange.headers,
        entity=exchange.entity,
        date=exchange.started,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The result of one polite request: a verdict always, a capture when there is a whole 2xx response."""

    request: Request
    verdict: Verdict
    exchanges: tuple[Exchange, ...] = ()
    """Every attempt and every redirect hop, in order; the last one decided."""
    capture: Capture | None = None
    rights: tuple[Exchange, ...] = ()
    """robots.txt and tdmrep.json, where this request was the first to its host and had to ask for them."""
    disallowed: bool = False
    """True if robots.txt disallows it, obeyed or not."""
    fault: bool = False
    """Set with an `error` that says nothing of the host: one of the program's own, or a page that is not in
    the files that were asked."""
    rendered: Rendered | None = None
    """The page that a browser made of the answer; then `capture` is this, as HTML in UTF-8."""
    loaded: tuple[Exchange, ...] = ()
    """The exchanges of all that the page loaded in the browser: scripts, data; each as it crossed the wire,
    in order."""

    @property
    def last(self) -> Exchange | None:
        """The exchange that decided; None where nothing was asked."""
        return self.exchanges[-1] if self.exchanges else None

    @property
    def final_url(self) -> str:
        """Return where the redirects led; the requested URL when there were none."""
        return self.exchanges[-1].request.url if self.exchanges else self.request.url

    @property
    def shown(self) -> Rendered:
        """Return what a browser says of the answer; nothing where it was none that fetched it."""
        return self.rendered or _AS_RECEIVED


class PageSource(Protocol):
    """A source that answers requests: the web, a WARC, a folder. Live and archived pages take the same
    road."""

    def fetch(self, request: Request) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions."""
