"""What a corpus holds, so that two of one portal can be compared: whatever happened to one of them, they hold the same."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from seams import digest, read_records, status_of

from soak.cases import Outcome

_MOST_TOLD = 5
_ITS_OWN = re.compile(rb"urn:uuid:[0-9a-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|\d{8}T\d{6}Z-\d{5}|offset[^,;<]*")
"""What differs between two crawls of the same pages: record ids, moments, names of files, places in them."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Of one corpus."""

    urls: Mapping[str, tuple[str, int]]
    """Address of each article -> its outcome and how many pages it has."""
    responses: Counter[str]
    """How many good answers the WARC files hold of each address among the articles."""
    contents: frozenset[tuple[str, str]]
    """Address and digest of the payload of each."""
    proved: frozenset[tuple[str, str]]
    """Columns and intervals whose end is proved."""


def facts_of(corpus: Path) -> Facts:
    """Read from the ledger, and from the WARC files themselves."""
    with closing(sqlite3.connect(corpus / "ledger.sqlite")) as ledger:
        urls = {url: (outcome, parts) for url, outcome, parts in ledger.execute("SELECT url, outcome, parts FROM urls")}
        proved = frozenset(ledger.execute("SELECT DISTINCT column, ifnull(interval, '') FROM proved_walks"))
    responses: Counter[str] = Counter()
    contents: set[tuple[str, str]] = set()
    for path in sorted((corpus / "warc").iterdir()):
        for record in read_records(path, on_damage=lambda _: None) if "-articles-" in path.name else ():
            if record.type == "response" and status_of(record.block) == 200:
                responses[record.url] += 1
                contents.add((record.url, record.field("WARC-Payload-Digest") or digest(record.block)))
    return Facts(urls, responses, frozenset(contents), proved)


def compared(disturbed: Facts, whole: Facts) -> Outcome:
    """What the disturbed one lacks, has twice, or has made up."""
    found = Outcome()
    found.lost += _told("article", (url for url, state in whole.urls.items() if disturbed.urls.get(url) != state))
    found.lost += _told("proof", map(str, whole.proved - disturbed.proved))
    found.lost += _told("stored", map(str, whole.contents - disturbed.contents))
    found.doubled += _told("stored twice", (url for url, count in disturbed.responses.items() if count > whole.responses[url] > 0))
    found.invented += _told("article", disturbed.urls.keys() - whole.urls.keys())
    found.invented += _told("stored", map(str, disturbed.contents - whole.contents))
    found.invented += _told("proof", map(str, disturbed.proved - whole.proved))
    return found


def files_of(folder: Path) -> dict[str, str]:
    """Every file of a folder -> digest of what it says, without what differs between two runs of the same."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha1(_ITS_OWN.sub(b"", path.read_bytes())).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def compared_files(disturbed: Mapping[str, str], whole: Mapping[str, str]) -> Outcome:
    """The same of files: by name and content."""
    found = Outcome()
    found.lost += _told("file", whole.keys() - disturbed.keys())
    found.invented += _told("file", disturbed.keys() - whole.keys())
    found.broken += _told("other content", (name for name in whole.keys() & disturbed.keys() if whole[name] != disturbed[name]))
    return found


def _told(what: str, names: object) -> list[str]:
    several = sorted(names)  # type: ignore[call-overload]
    return [f"{what}: {name}" for name in several[:_MOST_TOLD]] + (
        [f"and {len(several) - _MOST_TOLD} more"] if len(several) > _MOST_TOLD else []
    )
