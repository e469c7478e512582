"""Exchanges as WARC records, and what stands at the head of a file: every byte is made in memory, by no clock and no disk of its own."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal

import orjson

from webarticlecurator.http.message import parse_response
from webarticlecurator.model.capture import Exchange, Location
from webarticlecurator.model.rendering import Rendered
from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import digest
from webarticlecurator.warc.stored import EVENT_FIELD, LAYOUT_FIELD, PORTAL_FILE, RENDERED_FIELD, Kind, Stored, StoredResponse

_IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_FIELDS_TYPE = "application/warc-fields"
_RENDERED_TYPE = "text/html; charset=utf-8"
_CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_ROBOTS = {"obey": "obeyed as RFC 9309 says", "record": "recorded, not obeyed"}
_DESCRIPTIONS = {"archive": "archive pages", "articles": "articles"}
_REDACTED = "the captures were made with credentials ({}); their values are replaced by [redacted] in the request records"
_UNWRITABLE = re.compile(r"[\x00-\x20\x7f\x85\u2028\u2029]")
_LINE_BREAKS = re.compile(r"[\r\n\0]+")
_EVENT_FIELDS = ("via", "hopsFromSeed")
"""Keys of an event that WARC has fields of its own for."""

WarcFields = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFile:
    """A portal file, as it was when the crawl began."""

    name: str
    content: bytes

    @property
    def uri(self) -> str:
        """Names the content, so that equal files have equal URIs in every WARC."""
        return f"{PORTAL_FILE}{sha256(self.content).hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcInfo:
    """What every file of one run says of itself. Nothing about the machine: host names and addresses are not the reader's business."""

    portal: str
    software: str
    """"webarticlecurator 1.0.0"."""
    operator: str | None = None
    """Who crawls: the contact that the User-Agent names."""
    user_agent: str | None = None
    robots: Literal["obey", "record"] = "obey"
    credentials: tuple[str, ...] = ()
    """With what the captures were made that others do not have: "cookies", "Authorization", "proxy"."""
    sources: tuple[KeptFile, ...] = ()
    """The portal file and those that it extends."""
    effective: KeptFile | None = None
    """All of them merged: the rules that were in force."""

    @property
    def files(self) -> tuple[KeptFile, ...]:
        """Every portal file to keep, the effective one last."""
        return (*self.sources, self.effective) if self.effective else self.sources

    def fields(self, series: str, browser: str | None = None) -> Iterator[tuple[str, str]]:
        """The body of the warcinfo record; `browser`: what showed pages of the file."""
        yield "software", self.software
        yield "format", "WARC File Format 1.1"
        yield "conformsTo", _CONFORMS_TO
        if self.operator:
            yield "operator", self.operator
        if self.user_agent:
            yield "http-header-user-agent", self.user_agent
        if browser:
            yield "curator-browser", browser
        yield "robots", _ROBOTS[self.robots]
        yield "isPartOf", self.portal
        yield LAYOUT_FIELD, "1"
        yield "description", f"{_DESCRIPTIONS.get(series, series)} of the portal {self.portal}"
        for source in self.sources:
            yield "curator-portal-file", f"{source.name} {source.uri}"
        if self.effective:
            yield "curator-effective-file", self.effective.uri
        if self.credentials:
            yield "curator-credentials", _REDACTED.format(", ".join(self.credentials))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreEntry:
    """One thing to store: an exchange with what we know of it, or what we know alone."""

    event: Mapping[str, Any]
    """JSON; "via" and "hopsFromSeed" are also written as WARC's own fields."""
    target: str
    """What the event is about: the request's URL, or a URN."""
    exchange: Exchange | None = None
    """None: a verdict without an exchange, the end of a walk."""
    revisit_of: StoredResponse | None = None
    """What the same payload was stored as before: then the response is written as a revisit of it."""
    rendered: Rendered | None = None
    """What a browser made of it."""
    shown_before: str | None = None
    """The record of the page that it grew from, where that was not asked for again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordMaker:
    """Makes the records of one file."""

    file: str
    """Name without `.open`."""
    warcinfo_id: str
    new_id: Callable[[], str]

    def beginning(self, info: WarcInfo, series: str, date: datetime, browser: str | None = None) -> bytes:
        """warcinfo and the portal files: what a file begins with."""
        fields = [("WARC-Date", _date(date)), ("WARC-Filename", self.file), ("Content-Type", _FIELDS_TYPE)]
        records = [_record("warcinfo", self.warcinfo_id, fields, _warc_fields(info.fields(series, browser)))]
        for source in info.files:
            fields = [
                ("WARC-Date", _date(date)),
                ("WARC-Target-URI", source.uri),
                ("WARC-Warcinfo-ID", f"<{self.warcinfo_id}>"),
                ("WARC-Payload-Digest", digest(source.content)),
                ("Content-Type", "application/yaml"),
            ]
            records.append(_record("resource", self.new_id(), fields, source.content))
        return b"".join(records)

    def exchange(self, entry: StoreEntry, offset: int, now: datetime) -> tuple[bytes, Stored]:
        """The records of one entry, to be written at `offset`."""
        exchange = entry.exchange
        common = [("WARC-Date", _date(exchange.started if exchange else now)), ("WARC-Warcinfo-ID", f"<{self.warcinfo_id}>")]
        concurrent: list[tuple[str, str]] = []
        data = b""
        response: StoredResponse | None = None
        if exchange is not None:
            wire = [("WARC-Target-URI", _uri(exchange.request.url)), *common, *_address(exchange.ip)]
            if exchange.request_bytes:
                request_id = self.new_id()
                fields = [*wire, ("Content-Type", "application/http;msgtype=request")]
                data = _record("request", request_id, fields, exchange.request_bytes)
                concurrent = [("WARC-Concurrent-To", f"<{request_id}>")]
            if exchange.response_bytes is not None:
                answer, response = self._response(entry.revisit_of, exchange, [*wire, *concurrent], offset + len(data))
                data += answer
                concurrent = [*concurrent, ("WARC-Concurrent-To", f"<{response.record_id}>")]
        if entry.rendered is not None:
            if exchange is None:  # then the page as it was shown is all there is
                common = [("WARC-Date", _date(entry.rendered.date)), *common[1:]]
            page, response = self._conversion(entry, entry.rendered, response, offset + len(data))
            data += page
            concurrent = [*concurrent, ("WARC-Refers-To", f"<{response.record_id}>")]
        data += self._metadata(entry, [*common, *concurrent])
        return data, Stored(location=Location(file=self.file, offset=offset, length=len(data)), event=entry.event, response=response)

    def _response(
        self, known: StoredResponse | None, exchange: Exchange, fields: Sequence[tuple[str, str]], offset: int
    ) -> tuple[bytes, StoredResponse]:
        """`known`: what the response is stored as a revisit of."""
        block, truncated = exchange.response_bytes or b"", exchange.truncated
        payload = _payload_digest(exchange)
        if known is not None:
            unchanged = exchange.status == 304
            payload = known.payload_digest if unchanged else payload
            http = None if unchanged else parse_response(block)
            if http is not None and http.head_size < len(block):
                block, truncated = block[: http.head_size], "length"
            fields = [*fields, *_reference(known, _NOT_MODIFIED if unchanged else _IDENTICAL)]
        fields = [
            *fields,
            *([("WARC-Payload-Digest", payload)] if payload else []),
            *([("WARC-Truncated", truncated)] if truncated else []),
            ("Content-Type", "application/http;msgtype=response"),
        ]
        kind: Kind = "response" if known is None else "revisit"
        record_id = self.new_id()
        data = _record(kind, record_id, fields, block)
        return data, StoredResponse(
            record_id=record_id,
            location=Location(file=self.file, offset=offset, length=len(data)),
            url=_uri(exchange.request.url),
            date=exchange.started.astimezone(UTC),
            status=exchange.status,
            payload_digest=payload,
            kind=kind,
        )

    def _conversion(
        self, entry: StoreEntry, rendered: Rendered, made_of: StoredResponse | None, offset: int
    ) -> tuple[bytes, StoredResponse]:
        """The page as a browser showed it."""
        refers_to = made_of.record_id if made_of is not None else entry.shown_before
        url = _uri(entry.exchange.request.url if entry.exchange is not None else entry.target)
        payload, record_id = digest(rendered.html), self.new_id()
        fields = [
            ("WARC-Target-URI", url),
            ("WARC-Date", _date(rendered.date)),
            ("WARC-Warcinfo-ID", f"<{self.warcinfo_id}>"),
            *([("WARC-Refers-To", f"<{refers_to}>")] if refers_to is not None else []),
            ("WARC-Payload-Digest", payload),
            ("Content-Type", _RENDERED_TYPE),
        ]
        data = _record("conversion", record_id, fields, rendered.html)
        return data, StoredResponse(
            record_id=record_id,
            location=Location(file=self.file, offset=offset, length=len(data)),
            url=url,
            date=rendered.date.astimezone(UTC),
            status=200,
            payload_digest=payload,
            kind="conversion",
            made_of=made_of,
        )

    def _metadata(self, entry: StoreEntry, fields: WarcFields) -> bytes:
        """The record that completes an exchange: it names all the others, so a reader knows that they are all there."""
        exchange = entry.exchange
        body: list[tuple[str, str]] = [(name, str(entry.event[name])) for name in _EVENT_FIELDS if entry.event.get(name) is not None]
        if exchange is not None:
            body.append(("fetchTimeMs", str(exchange.duration_ms)))
            body += [("curator-error", exchange.error)] if exchange.error else []
            body += [("curator-redacted", ", ".join(exchange.redacted))] if exchange.redacted else []
        if (shown := entry.rendered) is not None:
            told = {"browser": shown.browser, "step": shown.step, "end": shown.end, "limit": shown.limit}
            body.append((RENDERED_FIELD, _json({name: value for name, value in told.items() if value}).decode()))
        body.append((EVENT_FIELD, _json(entry.event).decode()))
        all_fields = [("WARC-Target-URI", _uri(entry.target)), *fields, ("Content-Type", _FIELDS_TYPE)]
        return _record("metadata", self.new_id(), all_fields, _warc_fields(body))


def _record(kind: str, record_id: str, fields: WarcFields, block: bytes) -> bytes:
    """One packed record."""
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <{record_id}>",
        *(f"{name}: {value}" for name, value in fields),
        f"WARC-Block-Digest: {digest(block)}",
        f"Content-Length: {len(block)}",
    ]
    head = "\r\n".join(lines).encode("utf-8", "replace")
    return pack(b"".join((head, b"\r\n\r\n", block, b"\r\n\r\n")))


def _reference(known: StoredResponse, profile: str) -> WarcFields:
    return [
        ("WARC-Profile", profile),
        ("WARC-Refers-To", f"<{known.record_id}>"),
        ("WARC-Refers-To-Target-URI", _uri(known.url)),
        ("WARC-Refers-To-Date", _date(known.date)),
    ]


def _warc_fields(fields: WarcFields) -> bytes:
    return "".join(f"{name}: {_LINE_BREAKS.sub(' ', value)}\r\n" for name, value in fields).encode("utf-8", "replace")


def _payload_digest(exchange: Exchange) -> str:
    """Empty where there is no payload: what came is no HTTP. Of a response that went wrong it is taken as any reader will see it."""
    if exchange.error is None and exchange.truncated is None and exchange.status is not None:
        return digest(exchange.entity)
    response = parse_response(exchange.response_bytes or b"", exchange.request.method)
    return digest(response.entity) if response else ""


def _json(event: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(dict(event))
    except TypeError:  # half a surrogate pair, out of some page's broken JSON
        return json.dumps(dict(event), ensure_ascii=False).encode("utf-8", "replace")


def _date(moment: datetime) -> str:
    """To the microsecond, so that a ledger made again from the files has the very same moments."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _uri(url: str) -> str:
    whole = url.strip().encode("utf-8", "replace").decode()
    return _UNWRITABLE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), whole)


@lru_cache(maxsize=256)
def _address(ip: str | None) -> WarcFields:
    try:
        return (("WARC-IP-Address", str(ipaddress.ip_address(ip or ""))),)
    except ValueError:
        return ()
