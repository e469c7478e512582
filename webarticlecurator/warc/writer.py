"""Exchanges as WARC records, and what stands at the head of a file: every byte is made in memory, by no clock
and no disk of its own."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

import orjson

from webarticlecurator.config.fetch_rules import Secret
from webarticlecurator.config.portal import Portal
from webarticlecurator.model.capture import Exchange, Location, Rendered
from webarticlecurator.own_patterns import linear
from webarticlecurator.protocol.message import parse_response
from webarticlecurator.urls import percent_encoded
from webarticlecurator.version import NAME, VERSION
from webarticlecurator.warc.records import digest, pack
from webarticlecurator.warc.stored import (
    EVENT_FIELD,
    LAYOUT_FIELD,
    PORTAL_FILE,
    RENDERED_FIELD,
    RecordKind,
    StoredExchange,
    StoredResponse,
)

_REVISIT = "http://netpreserve.org/warc/1.1/revisit/"
_ROBOTS = {"obey": "obeyed as RFC 9309 says", "record": "recorded, not obeyed"}
_REDACTED = (
    "the captures were made with credentials ({}); their values are replaced by [redacted] in the request "
    "records"
)
_SAID_OF_SERIES = {
    "archive": "archive pages",
    "requisites": "style sheets, pictures and fonts of pages",
}
"""Words for what files of a series hold, where its name does not say it."""
_UNWRITABLE = linear(r"[\x00-\x20\x7f\x85\u2028\u2029]")
_LINE_BREAKS = linear(r"[\r\n\0]+")


@dataclass(frozen=True, slots=True)
class WarcInfo:
    """The record at the beginning of every file of one run. It tells nothing of the machine: host names and
    addresses are not the reader's business."""

    portal: Portal
    contact: str | None = None
    """Who crawls."""
    online: bool = False
    """The portal is asked, by a name, and perhaps with what others do not have."""

    def kept_files(self) -> Iterator[tuple[str, str, bytes]]:
        """The portal file, those that it extends, and last the rules that were in force, which are all of
        them merged: name, URI, content. The URI names the content, so that equal files have equal URIs in
        every WARC."""
        files = [(source.path.name, source.content) for source in self.portal.sources]
        for name, content in (*files, ("effective.yaml", self.portal.effective.encode())):
            yield name, f"{PORTAL_FILE}{sha256(content).hexdigest()}", content

    def fields(self, series: str, browser: str | None) -> list[tuple[str, str]]:
        """The body of the warcinfo record; `browser`: what showed pages of the file."""
        rules = self.portal.fetch
        secrets = [name for name, value in rules.headers.items() if isinstance(value, Secret)]
        secrets += ["cookies"] if rules.cookies_file is not None else []
        *sources, (_, effective, _) = self.kept_files()
        fields = (
            ("software", f"{NAME} {VERSION}"),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
            ("operator", self.contact),
            ("http-header-user-agent", rules.agent(self.contact) if self.online else None),
            ("curator-browser", browser),
            ("robots", _ROBOTS[rules.robots]),
            ("isPartOf", self.portal.name),
            (LAYOUT_FIELD, "1"),
            (
                "description",
                f"{_SAID_OF_SERIES.get(series, series)} of the portal {self.portal.name}",
            ),
            *(("curator-portal-file", f"{name} {uri}") for name, uri, _ in sources),
            ("curator-effective-file", effective),
            (
                "curator-credentials",
                _REDACTED.format(", ".join(secrets)) if secrets and self.online else None,
            ),
        )
        return [(name, value) for name, value in fields if value]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreEntry:
    """One thing to store: an exchange with what we know of it, or what we know alone."""

    target: str
    """The subject of the event: the request's URL, or a URN."""
    event: Mapping[str, Any] = field(default_factory=dict)
    """JSON; "via" and "hopsFromSeed" are also written as WARC's own fields."""
    exchange: Exchange | None = None
    """The exchange; None: a verdict without an exchange, the end of a walk."""
    revisit_of: StoredResponse | None = None
    """The earlier response with the same payload: then the new one is written as a revisit of it."""
    rendered: Rendered | None = None
    """The page as a browser showed it."""
    shown_before: str | None = None
    """The record of the page that it grew from, where that was not asked for again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordMaker:
    """Makes the records of one file. Named fields are text, each line with its end."""

    file: str
    """Name without `.open`."""
    warcinfo_id: str
    new_id: Callable[[], str]

    def beginning(self, warcinfo: WarcInfo, series: str, date: datetime, browser: str | None) -> bytes:
        """warcinfo and the portal files: what a file begins with."""
        dated = f"WARC-Date: {_date(date)}\r\n"
        fields = f"{dated}WARC-Filename: {self.file}\r\nContent-Type: application/warc-fields\r\n"
        records = [
            _record("warcinfo", self.warcinfo_id, fields, _warc_fields(warcinfo.fields(series, browser)))
        ]
        for _, uri, content in warcinfo.kept_files():
            fields = (
                f"{dated}WARC-Target-URI: {uri}\r\nWARC-Warcinfo-ID: <{self.warcinfo_id}>\r\n"
                f"WARC-Payload-Digest: {digest(content)}\r\nContent-Type: application/yaml\r\n"
            )
            records.append(_record("resource", self.new_id(), fields, content))
        return b"".join(records)

    def exchange(self, entry: StoreEntry, offset: int, now: datetime) -> tuple[list[bytes], StoredExchange]:
        """The records of one entry, to be written at `offset`."""
        exchange, rendered = entry.exchange, entry.rendered
        moment = _moment_of(exchange, rendered) or now
        common = f"WARC-Date: {_date(moment)}\r\nWARC-Warcinfo-ID: <{self.warcinfo_id}>\r\n"
        others, told = "", b""
        records: list[bytes] = []
        response: StoredResponse | None = None
        values = [
            (name, str(entry.event[name]))
            for name in ("via", "hopsFromSeed")
            if entry.event.get(name) is not None
        ]
        if exchange is not None:
            values += _fields_of(exchange)
            wire = f"WARC-Target-URI: {_uri(exchange.request.url)}\r\n{common}"
            with suppress(ValueError):
                wire += f"WARC-IP-Address: {ipaddress.ip_address(exchange.ip or '')}\r\n"
            if exchange.request_bytes:
                request_id = self.new_id()
                fields = f"{wire}Content-Type: application/http;msgtype=request\r\n"
                records.append(_record("request", request_id, fields, exchange.request_bytes))
                others = f"WARC-Concurrent-To: <{request_id}>\r\n"
            if exchange.response_bytes is not None:
                place = offset + sum(map(len, records))
                record, response = self._response(
                    entry.revisit_of, exchange, exchange.response_bytes, f"{wire}{others}", place
                )
                records.append(record)
                others += f"WARC-Concurrent-To: <{response.record}>\r\n"
        if rendered is not None:
            record, response = self._rendered(entry, rendered, offset + sum(map(len, records)), response)
            records.append(record)
            others += f"WARC-Refers-To: <{response.record}>\r\n"
            shown = {
                "browser": rendered.browser,
                "step": rendered.step,
                "end": rendered.end,
                "limit": rendered.limit,
            }
            told = _json_field(RENDERED_FIELD, {name: value for name, value in shown.items() if value})
        # It completes the exchange: it names all the others, so a reader knows that they are all there.
        fields = (
            f"WARC-Target-URI: {_uri(entry.target)}\r\n{common}{others}Content-Type: "
            "application/warc-fields\r\n"
        )
        block = _warc_fields(values) + told + _json_field(EVENT_FIELD, entry.event)
        records.append(_record("metadata", self.new_id(), fields, block))
        location = Location(file=self.file, offset=offset, length=sum(map(len, records)))
        return records, StoredExchange(location=location, event=entry.event, response=response)

    def _rendered(
        self, entry: StoreEntry, rendered: Rendered, offset: int, response: StoredResponse | None
    ) -> tuple[bytes, StoredResponse]:
        """The record of a page as a browser showed it; `response`: what it was made of, where that is among
        the same records."""
        before = response.record if response is not None else entry.shown_before
        refers_to = f"WARC-Refers-To: <{before}>\r\n" if before is not None else ""
        url, payload = (
            entry.exchange.request.url if entry.exchange is not None else entry.target,
            digest(rendered.html),
        )
        fields = (
            f"WARC-Target-URI: {_uri(url)}\r\nWARC-Date: {_date(rendered.date)}\r\nWARC-Warcinfo-ID: "
            f"<{self.warcinfo_id}>\r\n"
            f"{refers_to}WARC-Payload-Digest: {payload}\r\nContent-Type: text/html; charset=utf-8\r\n"
        )
        return self._answer(
            "conversion", fields, rendered.html, offset, url, rendered.date, 200, payload, response
        )

    def _response(
        self, known: StoredResponse | None, exchange: Exchange, block: bytes, fields: str, offset: int
    ) -> tuple[bytes, StoredResponse]:
        """`known`: what the response is stored as a revisit of."""
        truncated = exchange.truncated
        if known is not None and exchange.status == 304:
            profile, payload = "server-not-modified", known.digest
        else:
            profile = "identical-payload-digest"
            if exchange.error is None and truncated is None and exchange.status is not None:
                payload = digest(exchange.entity)
            else:  # of a response that went wrong it is taken as any reader will see it; what is no HTTP has no payload
                seen = parse_response(block, exchange.request.method)
                payload = digest(seen.entity) if seen else ""
            http = parse_response(block) if known is not None else None
            if http is not None and http.head_size < len(block):
                block, truncated = block[: http.head_size], "length"
        if known is not None:
            fields += (
                f"WARC-Profile: {_REVISIT}{profile}\r\nWARC-Refers-To: <{known.record}>\r\n"
                f"WARC-Refers-To-Target-URI: {_uri(known.target)}\r\nWARC-Refers-To-Date: "
                f"{_date(known.date)}\r\n"
            )
        fields += f"WARC-Payload-Digest: {payload}\r\n" if payload else ""
        fields += f"WARC-Truncated: {truncated}\r\n" if truncated else ""
        fields += "Content-Type: application/http;msgtype=response\r\n"
        kind: RecordKind = "response" if known is None else "revisit"
        return self._answer(
            kind, fields, block, offset, exchange.request.url, exchange.started, exchange.status, payload
        )

    def _answer(
        self, kind: RecordKind, fields: str, block: bytes, offset: int, url: str, date: datetime, status: int | None, payload: str,
        made_of: StoredResponse | None = None,
    ) -> tuple[bytes, StoredResponse]:  # fmt: skip
        """A record that a page is read from, and what is told of it."""
        record_id = self.new_id()
        record = _record(kind, record_id, fields, block)
        return record, StoredResponse(
            record=record_id,
            target=_uri(url),
            at=date.astimezone(UTC).isoformat(),
            digest=payload,
            file=self.file,
            offset=offset,
            length=len(record),
            kind=kind,
            status=status,
            made_of=made_of,
        )


def _record(kind: str, record_id: str, fields: str, block: bytes) -> bytes:
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{record_id}>\r\n{fields}"
        f"WARC-Block-Digest: {digest(block)}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return pack(b"".join((head.encode("utf-8", "replace"), block, b"\r\n\r\n")))


def _moment_of(exchange: Exchange | None, rendered: Rendered | None) -> datetime | None:
    """Return when something came; without an exchange the page as it was shown is all there is."""
    if exchange is not None:
        return exchange.started
    return rendered.date if rendered is not None else None


def _fields_of(exchange: Exchange) -> Iterator[tuple[str, str]]:
    """Give what no other record says of an exchange."""
    yield "fetchTimeMs", str(exchange.duration_ms)
    if exchange.error:
        yield "curator-error", exchange.error
    if exchange.redacted:
        yield "curator-redacted", ", ".join(exchange.redacted)


def _warc_fields(fields: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{name}: {_LINE_BREAKS.sub(' ', value)}\r\n" for name, value in fields).encode(
        "utf-8", "replace"
    )


def _json_field(name: str, values: Mapping[str, Any]) -> bytes:
    """JSON is one line: whatever breaks lines in its values is written as an escape."""
    try:
        value = orjson.dumps(dict(values))
    except TypeError:  # half a surrogate pair, out of some page's broken JSON
        value = json.dumps(dict(values), ensure_ascii=False).encode("utf-8", "replace")
    return b"%b: %b\r\n" % (name.encode(), value)


def _date(moment: datetime) -> str:
    """To the microsecond, so that a ledger made again from the files has the very same moments."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


@lru_cache(maxsize=64)  # an exchange names its address four times
def _uri(url: str) -> str:
    return _UNWRITABLE.sub(percent_encoded, url.strip().encode("utf-8", "replace").decode())
