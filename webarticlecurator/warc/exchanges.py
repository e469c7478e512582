"""Exchanges out of any program's WARC files, in the shape of our own; what cannot be used is told with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast, get_args

from webarticlecurator.http.message import HttpResponse, header, parse_request, parse_response, redact
from webarticlecurator.model.capture import Capture, Exchange, Request, Truncated
from webarticlecurator.model.rendering import Rendered
from webarticlecurator.warc.foreign import read_any_records
from webarticlecurator.warc.places import RecordIndex
from webarticlecurator.warc.reader import capture_of, rendered_capture
from webarticlecurator.warc.records import MAX_BLOCK, OnDamage, Record, refuse
from webarticlecurator.warc.store import warc_paths
from webarticlecurator.warc.stored import LOADED, Group, groups, is_page
from webarticlecurator.warc.warcinfo import PORTAL_FILE

_NO_EXCHANGE = frozenset({"resource", "conversion", "continuation"})
_ANSWERS_OR_THEIR_LIKE = _NO_EXCHANGE | {"response", "revisit"}
_NOT_LISTED = frozenset({"warcinfo", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcExchange:
    """One exchange of a WARC file."""

    exchange: Exchange
    """Bytes as in the file, but with `[redacted]` for secrets; without a request record its `request_bytes` are empty."""
    capture: Capture
    """The same as a page to read; its record id and location are those of the foreign file."""
    rendered: Rendered | None = None
    """What a browser made of it; then `capture` is that."""
    loaded: bool = False
    """A page loaded it in a browser: no page of its own."""


def read_groups(path: Path, *, on_damage: OnDamage = refuse) -> Iterator[Group]:
    """Every record of a file of any program, together with its neighbours of the same exchange."""
    return groups(read_any_records(path, on_damage=on_damage))


def read_warc(path: Path, *, on_damage: OnDamage = refuse) -> Iterator[WarcExchange | str]:
    """Every HTTP exchange of a WARC file, in its order, or why a record gives none; revisits are resolved inside the file."""
    with closing(RecordIndex()) as places:
        yield from _read(path, places, on_damage)


def iter_warc(paths: str | Path | Iterable[str | Path], *, on_damage: OnDamage = refuse) -> Iterator[Capture]:
    """The HTTP responses in WARC and ARC files of any program, redirects and errors too; of folders, those in all files in them.

    A response that is stored as unchanged since an earlier one has the body of that one. What is no HTTP response is passed over.
    Damage ends it with a CorpusError, unless `on_damage` takes notice of it.

    >>> from webarticlecurator import extract, iter_warc
    >>> for capture in iter_warc("corpora/kilenchid"):
    ...     if capture.status == 200 and "/francais/" in capture.url:
    ...         article = extract(capture)
    """
    given = (paths,) if isinstance(paths, (str, Path)) else paths
    with closing(RecordIndex()) as places:
        for path in warc_paths(map(Path, given)):
            yield from (found.capture for found in _read(path, places, on_damage) if isinstance(found, WarcExchange))


def _read(path: Path, places: RecordIndex, on_damage: OnDamage) -> Iterator[WarcExchange | str]:
    for group in read_groups(path, on_damage=on_damage):
        record = group.main
        if record.type == "response":
            places.add(path, record)
        if record.type in _ANSWERS_OR_THEIR_LIKE:
            found = to_exchange(path, record, group.request, places)
            yield found if isinstance(found, str) else _as_shown(path, group, found)


def _as_shown(path: Path, group: Group, found: WarcExchange) -> WarcExchange:
    page, shown = group.rendered, group.shown()
    if page is None or shown is None:
        return replace(found, loaded=group.event.get("kind") == LOADED)
    return replace(found, capture=rendered_capture(path, page, found.capture.headers), rendered=shown)


def to_exchange(path: Path, response: Record, request: Record | None, places: RecordIndex) -> WarcExchange | str:
    """One response record as an exchange, or why there is none; `places` knows what a revisit may refer to."""
    asked = parse_request(request.block) if request else None
    method = asked.method if asked else "GET"
    http = parse_response(response.block, method)
    reason = _unusable(response, http)
    if http is None or reason:
        return reason
    block = response.block
    if response.type == "revisit":
        original = places.referred_to(response)
        if original is None:
            return "a revisit of a record that is not in this file"
        whole = original.read()
        before = parse_response(whole.block)
        block = block[: http.head_size] + (whole.block[before.head_size :] if before else b"")
        http = replace(http, entity=before.entity if before else b"")
    capture = replace(capture_of(path, response, http, method), entity=http.entity)
    request_bytes, redacted = redact(request.block) if request else (b"", ())
    exchange = Exchange(
        request=Request(url=capture.url, method=method, body=asked.body or None if asked else None),
        request_bytes=request_bytes,
        redacted=redacted,
        response_bytes=block,
        status=http.status,
        headers=http.headers,
        entity=http.entity,
        started=capture.date,
        duration_ms=0,
        ip=response.field("WARC-IP-Address"),
        truncated=_truncated(response),
    )
    return WarcExchange(exchange=exchange, capture=capture)


def _unusable(response: Record, http: HttpResponse | None) -> str:
    """Why no exchange can be made of a record; empty when one can."""
    if response.type in _NO_EXCHANGE:
        shown = (
            " (what a page grew by in a browser, without an exchange of its own)"
            if response.type == "conversion" and is_page(response)
            else ""
        )
        return f"a {response.type} record, not an HTTP exchange{shown}"
    reasons = {
        "not a page of the web": not response.url.lower().startswith(("http://", "https://")),
        f"larger than {MAX_BLOCK >> 20} MB": response.size > MAX_BLOCK,
        "no readable WARC-Date": response.date is None,
        "not an HTTP response": http is None,
        "not modified since an earlier capture": response.type == "revisit" and http is not None and http.status == 304,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _truncated(response: Record) -> Truncated | None:
    reason = response.field("WARC-Truncated") if response.type == "response" else None
    return cast(Truncated, reason if reason in get_args(Truncated) else "unspecified") if reason else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One exchange, or one record that stands alone."""

    url: str
    date: str | None
    """As in the record."""
    status: int | None
    type: str | None
    """Content type without parameters; of what is not HTTP the type of the record."""
    size: int
    """Bytes of the body as stored (chunks removed, content coding kept), or of the record's block."""
    outcome: str | None
    """What the crawl made of it; only our files know."""
    reason: str | None
    record: str
    """WARC-Type."""
    file: str
    offset: int
    rendered: int | None = None
    """Bytes of what a browser made of it, where one did."""


def list_exchanges(path: Path, *, on_damage: OnDamage) -> Iterator[Listed]:
    """Everything in the file but what tells of the file itself, in its order."""
    for group in read_groups(path, on_damage=on_damage):
        if group.main.type not in _NOT_LISTED and not group.main.url.startswith(PORTAL_FILE):
            yield _listed(path, group)


def _listed(path: Path, group: Group) -> Listed:
    main, event = group.main, group.event
    http = parse_response(main.block) if group.response else None
    content_type = header(http.headers, "content-type") if http else main.field("Content-Type")
    return Listed(
        url=main.url,
        date=main.field("WARC-Date"),
        status=http.status if http else None,
        type=(content_type or "").partition(";")[0].strip().lower() or None,
        size=len(http.entity) if http else main.size,
        outcome=_text(event.get("outcome")),
        reason=_text(event.get("reason")),
        record=main.type,
        file=path.name,
        offset=main.offset,
        rendered=group.rendered.size if group.rendered is not None else None,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
