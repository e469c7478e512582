"""What must hold of one WARC record, whoever made it: the rules that other checkers leave out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import get_args

from webarticlecurator.http.message import parse_request, parse_response
from webarticlecurator.model.capture import Truncated
from webarticlecurator.warc import digests
from webarticlecurator.warc.records import MAX_BLOCK, Record, parse_date
from webarticlecurator.warc.writer import IDENTICAL, NOT_MODIFIED


class Severity(StrEnum):
    ERROR = "error"
    """Something is lost, wrong or against the standard."""
    NOTE = "note"
    """Worth knowing; no reason to distrust the file."""


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """One rule that a record breaks."""

    rule: str
    message: str
    severity: Severity = Severity.ERROR


TYPES = frozenset({"warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation"})
FORBIDDEN: dict[str, frozenset[str]] = {
    "WARC-Refers-To": frozenset({"warcinfo", "response", "resource", "request", "continuation"}),
    "WARC-Concurrent-To": frozenset({"warcinfo", "conversion", "continuation"}),
    "WARC-Payload-Digest": frozenset({"warcinfo", "metadata"}),
    "WARC-Target-URI": frozenset({"warcinfo"}),
    "WARC-IP-Address": frozenset({"warcinfo", "conversion", "continuation"}),
    "WARC-Profile": TYPES - {"revisit"},
    "WARC-Filename": TYPES - {"warcinfo"},
}
"""Named field -> record types that may not have it."""
_REQUIRED = ("WARC-Type", "WARC-Record-ID", "WARC-Date")
_TARGETED = TYPES - {"warcinfo", "metadata"}
_PROFILE = re.compile(
    r"http://netpreserve\.org/warc/1\.[01]/(?:revisit/)?((?:uri-agnostic-)?identical-payload-digest|server-not-modified)/?"
)
_ID = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]+>")
_FIRST_WEB_PAGES = datetime(1990, 1, 1, tzinfo=UTC)


def _fields(record: Record) -> Iterator[BrokenRule]:
    """The fields that every record has, and those that its type may not have."""
    for name in _REQUIRED:
        if record.field(name) is None:
            yield BrokenRule("missing-field", f"it has no {name}")
    if record.type and record.type not in TYPES:
        yield BrokenRule("unknown-type", f"its type {record.type!r} is none of WARC's", Severity.NOTE)
    if record.type in _TARGETED and not record.url:
        yield BrokenRule("missing-field", "it has no WARC-Target-URI")
    if record.field("WARC-Record-ID") is not None and not _ID.fullmatch(record.field("WARC-Record-ID") or ""):
        yield BrokenRule("record-id", f"its WARC-Record-ID {record.field('WARC-Record-ID')!r} is no URI in angle brackets")
    for name, types in FORBIDDEN.items():
        if record.type in types and record.field(name) is not None:
            yield BrokenRule("forbidden-field", f"a {record.type} record may not have {name}")
    reason = record.field("WARC-Truncated")
    if reason is not None and reason not in get_args(Truncated):
        yield BrokenRule("truncated", f"WARC-Truncated {reason!r} is none of {', '.join(get_args(Truncated))}")


def _date(record: Record, now: datetime) -> Iterator[BrokenRule]:
    """A date that can be true."""
    text = record.field("WARC-Date")
    if text is None:
        return
    moment = parse_date(text)
    if moment is None:
        yield BrokenRule("date", f"its WARC-Date {text!r} is no date of the form 2024-05-01T12:00:00Z")
    elif moment > now + timedelta(days=1):
        yield BrokenRule("date", f"its WARC-Date {text} lies in the future")
    elif moment < _FIRST_WEB_PAGES:
        yield BrokenRule("date", f"its WARC-Date {text} is older than the web")


def _block_digest(record: Record) -> Iterator[BrokenRule]:
    """The digest of the whole block."""
    declared = record.field("WARC-Block-Digest")
    if declared is None:
        return
    if record.block_digest is None:
        yield BrokenRule("unknown-digest", f"its WARC-Block-Digest {declared[:40]!r} is of an unknown kind", Severity.NOTE)
    elif not digests.agrees(declared, record.block_digest):
        yield BrokenRule("block-digest", "its bytes are not those that its WARC-Block-Digest was made of")


def _payload_digest(record: Record) -> Iterator[BrokenRule]:
    """The digest of what the server meant to send: transfer coding removed. Some programs leave that in; they are recognised."""
    declared = record.field("WARC-Payload-Digest")
    if declared is None or record.type not in ("response", "request", "resource", "conversion"):
        return
    if record.size > MAX_BLOCK:
        yield BrokenRule("payload-digest", f"its payload digest is not checked: more than {MAX_BLOCK >> 20} MB", Severity.NOTE)
        return
    candidates = list(_payloads(record))
    if digests.covers(declared, b"") is None:
        yield BrokenRule("unknown-digest", f"its WARC-Payload-Digest {declared[:40]!r} is of an unknown kind", Severity.NOTE)
    elif not any(digests.covers(declared, payload) for payload, _ in candidates):
        yield BrokenRule("payload-digest", "its payload is not what its WARC-Payload-Digest was made of")
    elif not digests.covers(declared, candidates[0][0]):
        convention = next(name for payload, name in candidates if digests.covers(declared, payload))
        yield BrokenRule("payload-digest-convention", f"its WARC-Payload-Digest was made of {convention}", Severity.NOTE)


def _payloads(record: Record) -> Iterator[tuple[bytes, str]]:
    """What a payload digest may have been made of; the first is what it should be."""
    if record.type == "request":
        request = parse_request(record.block)
        if request is not None:
            yield request.body, "the body"
    if record.type == "response":
        response = parse_response(record.block)
        if response is not None:
            yield response.entity, "the entity"
            yield record.block[response.head_size :], "the body with its transfer coding (chunks)"
    yield record.block, "the whole block"


def _revisit(record: Record) -> Iterator[BrokenRule]:
    """What a revisit must say of what it stands for."""
    if record.type != "revisit":
        return
    found = _PROFILE.fullmatch(record.field("WARC-Profile") or "")
    if not found:
        yield BrokenRule("revisit-profile", f"its WARC-Profile is none of those of WARC 1.1 ({IDENTICAL}, {NOT_MODIFIED})")
        return
    if found[1] != "server-not-modified":
        if record.field("WARC-Payload-Digest") is None:
            yield BrokenRule("revisit-digest", "a revisit with an identical payload must have a WARC-Payload-Digest")
        if record.size and record.field("WARC-Truncated") is None and _lacks_body(record):
            message = "it keeps only the head of the response, but does not say `WARC-Truncated: length`"
            yield BrokenRule("revisit-truncated", message, Severity.NOTE)
    if record.field("WARC-Refers-To") is None and record.field("WARC-Refers-To-Target-URI") is None:
        yield BrokenRule("revisit-reference", "it does not say which record it is a revisit of", Severity.NOTE)


def _lacks_body(record: Record) -> bool:
    response = parse_response(record.block)
    return response is not None and response.head_size == len(record.block)


def http(record: Record) -> Iterator[BrokenRule]:
    """HTTP that can be read, and is whole unless the record says why not."""
    if not record.url.lower().startswith(("http:", "https:")) or record.size > MAX_BLOCK:
        return
    if record.type == "request" and parse_request(record.block) is None:
        yield BrokenRule("http", "its block is no HTTP request")
    if record.type == "response" and record.field("WARC-Truncated") is None:
        response = parse_response(record.block)
        if response is None:
            yield BrokenRule("http", "its block is no HTTP response")
        elif response.fault:
            yield BrokenRule("http-length", f"{response.fault}, and no WARC-Truncated says why")


def broken_rules(record: Record, now: datetime) -> Iterator[BrokenRule]:
    """What is wrong with one record, but for `http`: of that the rest of the exchange may say that the server is to blame."""
    for rule in (_fields, _block_digest, _payload_digest, _revisit):
        yield from rule(record)
    yield from _date(record, now)
