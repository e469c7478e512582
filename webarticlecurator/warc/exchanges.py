"""Contents of any program's WARC files: captures by their places, exchanges in the shape of our own, a list
of them, copies of some."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Self, cast, get_args

from webarticlecurator.databases import connect
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.model.capture import (
    Capture,
    Exchange,
    Headers,
    Location,
    NotedRecord,
    Rendered,
    Request,
    Truncated,
)
from webarticlecurator.protocol.message import (
    HttpResponse,
    header,
    mime_of,
    parse_request,
    parse_response,
    redact,
)
from webarticlecurator.storage.drafts import is_stream
from webarticlecurator.storage.places import draft_of, find_file, missing, open_file
from webarticlecurator.urls import join, normalise
from webarticlecurator.warc.records import (
    MAX_BLOCK,
    OnDamage,
    Record,
    bare,
    pack,
    parse_date,
    read_record,
    record_of,
    refuse,
)
from webarticlecurator.warc.store import warc_paths
from webarticlecurator.warc.stored import LOADED, PORTAL_FILE, REQUISITE, Group, is_page, read_groups

_NO_EXCHANGE = frozenset({"resource", "conversion", "continuation"})


class RecordPlaces:
    """The places of records, by what they are looked for: in a temporary file, so that memory does not grow
    with the WARCs."""

    def __init__(self) -> None:
        self._places = connect("")
        self._places.executescript(
            "CREATE TABLE places (key TEXT, rank INTEGER, date TEXT, path BLOB, offset INTEGER, skip "
            "INTEGER);"
            " CREATE INDEX by_key ON places (key, rank, date); BEGIN;"
        )

    def add(
        self, keys: Iterable[str], record: Record, *, rank: int = 0, date: datetime | None = None
    ) -> None:
        """Where of one key there are several, the highest rank counts, and of these the latest date."""
        place = (
            rank,
            date.isoformat() if date is not None else "",
            os.fsencode(record.path),
            record.offset,
            record.skip,
        )
        self._places.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?)", [(key, *place) for key in keys]
        )

    def find(self, keys: Sequence[str], most: int) -> list[tuple[Path, int, int]]:
        """File, offset and skip of the first ones that one of these keys leads to."""
        sql = (
            f"SELECT path, offset, skip FROM places WHERE key IN ({', '.join('?' * len(keys))})"
            " ORDER BY rank DESC, date DESC, rowid DESC LIMIT ?"
        )
        return [
            (Path(os.fsdecode(path)), offset, skip)
            for path, offset, skip in self._places.execute(sql, (*keys, most))
        ]

    def add_response(self, response: Record) -> None:
        """For the revisits that stand for it."""
        self.add((response.id, f"{response.url} {response.date}"), response)

    def original(self, revisit: Record) -> Record | None:
        """The response that a revisit stands for, by the id it names, else by URL and date."""
        url, date = (
            bare(revisit.field("WARC-Refers-To-Target-URI") or ""),
            parse_date(revisit.field("WARC-Refers-To-Date") or ""),
        )
        places = self.find([bare(revisit.field("WARC-Refers-To") or "") or f"{url} {date}"], 1)
        return next((read_record(*place) for place in places), None)

    def close(self) -> None:
        self._places.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcExchange:
    """A request with its answer, read from a WARC file of any program."""

    exchange: Exchange
    """Bytes as in the file, but with `[redacted]` for secrets; without a request record its `request_bytes`
    are empty."""
    capture: Capture
    """The exchange as a page to read; its record id and location are those of the foreign file."""
    rendered: Rendered | None = None
    """The page as a browser showed it; then `capture` is that."""
    loaded: bool = False
    """A page loaded it in a browser, or needs it to look as it did: no page of its own."""
    is_further: bool = False
    """A crawl of ours asked for it as a further page of an article."""
    source: str | None = None
    """The address at which a web archive gave it; None: it is in a file."""


def read_warc(*paths: Path, on_damage: OnDamage = refuse) -> Iterator[WarcExchange | str]:
    """Every HTTP exchange of WARC files, in their order, or why a record gives none; revisits are resolved
    among them."""
    with closing(RecordPlaces()) as places:
        for path in paths:
            for group in read_groups(path, on_damage=on_damage):
                if group.main.type == "response":
                    places.add_response(group.main)
                if group.main.type not in {*_NO_EXCHANGE, "response", "revisit"}:
                    continue
                stored, shown = to_exchange(group.main, group.request, places), group.shown()
                if isinstance(stored, str):
                    yield stored
                    continue
                stored = replace(stored, is_further=group.event.get("part", 1) != 1)
                if group.rendered is not None and shown is not None:
                    yield replace(
                        stored,
                        capture=rendered_capture(group.rendered, stored.capture.headers),
                        rendered=shown,
                    )
                else:
                    yield replace(stored, loaded=group.event.get("kind") in (LOADED, REQUISITE))


def iter_warc(paths: str | Path | Iterable[str | Path], *, on_damage: OnDamage = refuse) -> Iterator[Capture]:
    """The HTTP responses in WARC and ARC files of any program, redirects and errors too; of folders, those in
    all files in them.

    A response that is stored as unchanged since an earlier one has the body of that one. What is no HTTP
    response is passed over. Damage ends it with a CorpusError, unless `on_damage` takes notice of it.

    >>> from webarticlecurator import extract, iter_warc
    >>> for capture in iter_warc("corpora/kilenchid"):
    ...     if capture.status == 200 and "/francais/" in capture.url:
    ...         article = extract(capture)
    """
    given = (paths,) if isinstance(paths, (str, Path)) else paths
    exchanges = read_warc(*warc_paths(map(Path, given)), on_damage=on_damage)
    yield from (stored.capture for stored in exchanges if isinstance(stored, WarcExchange))


def to_exchange(
    response: Record, request: Record | None, places: RecordPlaces | None = None
) -> WarcExchange | str:
    """One response record as an exchange, or why there is none; `places`: of what a revisit may stand for."""
    method, body = (parse_request(request.block) if request else None) or ("GET", b"")
    http = parse_response(response.block, method)
    reason = _unusable(response, http)
    if http is None or reason:
        return reason
    block = response.block
    if response.type == "revisit":
        original = places.original(response) if places is not None else None
        if original is None:
            return "a revisit of a record that is not in this file"
        whole = original.block
        before = parse_response(whole)
        block = block[: http.head_size] + (whole[before.head_size :] if before else b"")
        http = replace(http, entity=before.entity if before else b"")
    capture = stored_capture(
        response, method=method, status=http.status, headers=http.headers, entity=http.entity
    )
    request_bytes, redacted = redact(request.block) if request else (b"", ())
    cut = response.field("WARC-Truncated") if response.type == "response" else None
    exchange = Exchange(
        request=Request(url=capture.url, method=method, body=body or None),
        request_bytes=request_bytes,
        redacted=redacted,
        response_bytes=block,
        status=http.status,
        headers=http.headers,
        entity=http.entity,
        started=capture.date,
        duration_ms=0,
        ip=response.field("WARC-IP-Address"),
        truncated=_truncated(cut),
    )
    return WarcExchange(exchange=exchange, capture=capture)


def _truncated(written: str | None) -> Truncated | None:
    """Return why a record says that its response was cut off, in one of the words that we know."""
    if not written:
        return None
    return cast(Truncated, written) if written in get_args(Truncated) else "unspecified"


def _unusable(response: Record, http: HttpResponse | None) -> str:
    """Return why no exchange can be made of a record; empty when one can."""
    if response.type in _NO_EXCHANGE:
        return f"a {response.type} record, not an HTTP exchange"
    reasons = {
        "not a page of the web": not response.url.lower().startswith(("http://", "https://")),
        f"larger than {MAX_BLOCK >> 20} MB": response.size > MAX_BLOCK,
        "no readable WARC-Date": response.date is None,
        "not an HTTP response": http is None,
        "not modified since an earlier capture": response.type == "revisit"
        and http is not None
        and http.status == 304,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def list_exchanges(path: Path, *, on_damage: OnDamage) -> Iterator[dict[str, str | int | None]]:
    """Everything in the file but what tells of the file itself, in its order: exchanges, and records that
    stand alone."""
    for group in read_groups(path, on_damage=on_damage):
        main, event = group.main, group.event
        if main.type in ("warcinfo", "") or main.url.startswith(PORTAL_FILE):
            continue
        http = parse_response(main.block) if group.response else None
        # what the crawl made of it; only our files know
        outcome, reason = (
            value if isinstance(value := event.get(name), str) else None for name in ("outcome", "reason")
        )
        yield {
            "url": main.url,
            "date": main.field("WARC-Date"),
            "status": http.status if http else None,
            "type": mime_of(http.headers if http else main.fields) or None,
            # the body as stored: chunks removed, content coding kept
            "size": len(http.entity) if http else main.size,
            "outcome": outcome,
            "reason": reason,
            "record": main.type,
            "file": path.name,
            "offset": main.offset,
            "rendered": group.rendered.size if group.rendered is not None else None,
        }


def copy_exchanges(
    paths: Iterable[Path], out: Path, urls: Iterable[str], *, on_damage: OnDamage
) -> tuple[int, list[str]]:
    """Copy the exchanges of these URLs, and of where they redirect to, byte for byte into a new file, with
    the records that say where they come from. Gives how many there were, and the URLs that no file has; no
    file when nothing was found. Raises UsageError."""
    if out.exists() and not is_stream(out):
        raise UsageError(f"{out} is there already. Name another file, or remove it first.")
    named = {normalise(url): url for url in urls}
    copy = _Copy(named)
    with draft_of(out, sync=True) as part:
        with part.open("wb") as target:
            for path in paths:
                about_file: list[Record] = []  # copied when the first exchange behind it is
                for group in read_groups(path, on_damage=on_damage):
                    if group.main.type == "warcinfo":
                        about_file = [group.main]
                    elif group.main.url.startswith(PORTAL_FILE):
                        about_file.append(group.main)
                    elif copy.wants(group):
                        for record in (*about_file, *group.records):
                            target.write(_packed(record))
                        about_file = []
        if not copy.exchanges:
            part.unlink()
    return copy.exchanges, sorted(url for key, url in named.items() if key not in copy.seen)


class _Copy:
    """The exchanges that are copied, and those that were."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self._wanted = set(wanted)
        self.seen: set[str] = set()
        self.exchanges = 0

    def wants(self, group: Group) -> bool:
        """Count an exchange that is wanted; where it leads to comes later in the file."""
        key = normalise(group.main.url)
        if key not in self._wanted:
            return False
        self.seen.add(key)
        self.exchanges += 1
        http = parse_response(group.response.block) if group.response else None
        location = header(http.headers, "location") if http and http.status // 100 == 3 else None
        goal = join(group.main.url, location) if location else None
        if goal:
            self._wanted.add(normalise(goal))
        return True


def _packed(record: Record) -> bytes:
    """Return a record as it is written again. Raises UsageError where it is too large."""
    if record.size > MAX_BLOCK:
        where = f"{record.path}: byte {record.offset}"
        raise UsageError(f"{where}: this record is too large to be packed anew. Leave its URL out.")
    return pack(b"".join((record.head, record.block, b"\r\n\r\n")))


# --- single captures by their places: what the ledger noted, read back ---

_OF_THE_BODY = frozenset(
    {"content-type", "content-encoding", "content-length", "transfer-encoding", "content-md5", "digest"}
)
"""Headers that say nothing of what a browser made of a response."""


class CaptureReader:
    """Reads captures by their places. Files stay open: in the order of their places, each file is read once
    from start to end."""

    def __init__(self, folder: Path, expected: Iterable[Location] = ()) -> None:
        """`expected`: what will be read; of an object store nothing behind that is asked for."""
        self._folder = folder
        self._ends: dict[str, int] = {}
        for place in expected:
            self._ends[place.file] = max(self._ends.get(place.file, 0), place.offset + place.length)
        self._files: dict[str, tuple[Path, BinaryIO]] = {}
        """By name, the one used last at the end."""
        self.damaged: dict[str, str] = {}
        """Record that was asked for and is not whole in its place -> why."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        while self._files:
            self._files.popitem()[1][1].close()

    def read(self, location: NotedRecord) -> Capture | None:
        """The whole response stored there; None where it was stored cut short. Raises CorpusError."""
        record = self.record(location)
        return capture_in(record) if record.field("WARC-Truncated") is None else None

    def capture(self, location: NotedRecord) -> Capture:
        """The response stored there, cut short or not; a revisit as it is, with no entity. Raises
        CorpusError."""
        return capture_in(self.record(location))

    def record(self, location: NotedRecord) -> Record:
        """The record itself, of whatever type; never another one in its place. Raises CorpusError."""
        try:
            record = self._record_at(location)
            if not is_noted(record, location):
                where = f"{record.path}: byte {location.offset}"
                raise CorpusError(
                    f"{where}: here is another record than that of {location.target}.", advice="index"
                )
        except CorpusError as error:
            self.damaged[location.record] = str(error)
            raise
        return record

    def _record_at(self, location: Location) -> Record:
        """Return the record that lies there, be it the one that was meant or not. Raises CorpusError."""
        name = location.file
        if (opened := self._files.pop(name, None)) is None:
            while len(self._files) >= 8:  # of an object store, each holds what was read last of it
                self._files.pop(next(iter(self._files)))[1].close()
            path = find_file(self._folder, name)
            try:
                opened = path, open_file(path, self._ends.get(name))
            except FileNotFoundError:  # of an object store that is known only now
                raise CorpusError(missing(path)) from None
        path, file = self._files[name] = opened
        file.seek(location.offset)
        record = record_of(
            file.read(location.length), path, location.offset, location.offset + location.length
        )
        return record or read_record(
            path, location.offset
        )  # the slow way knows of every oddity, and says what is wrong


def is_noted(record: Record, noted: NotedRecord) -> bool:
    """True if a record is the one that was noted, by what its head says of it: its bytes are checked where
    they are unpacked."""
    if (record.id, record.url) != (noted.record, noted.target.replace(" ", "%20")):
        return False
    return not noted.digest or record.field("WARC-Payload-Digest") == noted.digest


def capture_in(record: Record) -> Capture:
    """Return what a record holds: a response, what a browser made of one, or the head of a revisit. Raises
    CorpusError."""
    if record.type == "conversion" and is_page(record):
        return rendered_capture(record)
    http = parse_response(record.block)
    if record.type not in ("response", "revisit") or http is None:
        raise CorpusError(
            f"{record.path}: byte {record.offset}: there is no HTTP response here.", advice="index"
        )
    entity = http.entity if record.type == "response" else b""
    return stored_capture(record, status=http.status, headers=http.headers, entity=entity)


def rendered_capture(record: Record, headers: Headers = ()) -> Capture:
    """A page as a browser showed it; `headers`: those of the response that it was made of."""
    kept = (line for line in headers if line[0].lower() not in _OF_THE_BODY)
    headers = (("Content-Type", "text/html; charset=utf-8"), *kept)
    return stored_capture(record, status=200, headers=headers, entity=record.block, is_rendered=True)


def stored_capture(record: Record, **values: Any) -> Capture:
    """A stored answer as a page to be read. Raises CorpusError."""
    date, url = record.date, record.url
    if date is None or record.size > MAX_BLOCK:
        flaw = "has no readable date" if date is None else f"is larger than {MAX_BLOCK >> 20} MB"
        raise CorpusError(f"{record.path}: byte {record.offset}: this {record.type} {flaw}.")
    return Capture(
        url=url, requested_url=url, date=date, record_id=record.id, location=record.location, **values
    )
