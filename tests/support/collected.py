"""What a crawl left and what `curator try` says of a page, as a person or another program gets it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import warc_records
from scripted_portal import Crawler, ScriptedPortal
from warc_records import StoredRecord


def tried(crawler: Crawler, path: str, *flags: object) -> dict[str, Any]:
    """What the rules read of a page, asked for now unless it is to come from the corpus."""
    place = flags if "--corpus" in flags else ("--fetch", *flags)
    ended = crawler.curator("try", crawler.file, crawler.portal.home + path, *place, "--json")
    assert ended.out, ended.err
    return dict(json.loads(ended.out))


def listed(crawler: Crawler, path: str) -> dict[str, list[str]]:
    """What an archive page said of a stored article: field -> values."""
    metadata = tried(crawler, path, "--as", "article", "--corpus", crawler.corpus)["metadata"]
    values = {name: [one["value"] for one in values if one["source"].startswith("listing:")] for name, values in metadata.items()}
    return {name: some for name, some in values.items() if some}


def records(corpus: Path, *types: str) -> Iterator[StoredRecord]:
    """Of these types, or all, file by file."""
    for path in sorted((corpus / "warc").iterdir()):
        yield from (record for record in warc_records.records(path) if not types or record.type in types)


class StopAfter(Event):
    """Ctrl-C when so many archive pages were asked for."""

    def __init__(self, site: ScriptedPortal, pages: int) -> None:
        super().__init__()
        self._site, self._pages = site, pages

    def is_set(self) -> bool:
        return super().is_set() or len(self._site.archive_asked) >= self._pages
