"""A small corpus made of pages that a test names, and built as often as it likes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import orjson
from ledgers import changed_by_hand
from seams import compare_build, main
from warc_records import write_warc

from webarticlecurator import BuildOptions, BuildSummary, Portal, build, load_portal

RULES = "portal: pelda\ntitle: Example\nhome: https://pelda.example/\nlanguage: en\n"
_LONG = "The council met on Tuesday and talked for hours about the bridge, the school and the money that both of them need. "


def page(title: str = "A bridge", *, text: str = "", published: str | None = "2024-05-01T10:00:00+02:00", head: str = "") -> bytes:
    """An article as portals publish them."""
    date = f'<meta property="article:published_time" content="{published}">' if published else ""
    body = "".join(f"<p>{_LONG}{text or title} {number}.</p>" for number in range(4))
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{date}{head}</head><body>'
        f'<nav><a href="/">Home</a></nav><article><h1>{title}</h1><div class="text">{body}</div></article></body></html>'
    ).encode()


@dataclass(slots=True)
class SmallCorpus:
    """A portal file and a corpus in one folder."""

    base: Path
    rules: str = ""
    _imports: int = 0
    now: datetime = field(default=datetime(2026, 1, 2, 12, tzinfo=UTC))

    @property
    def portal(self) -> Portal:
        file = self.base / "portal.yaml"
        file.write_text(RULES + self.rules, encoding="utf-8")
        return load_portal(file)

    @property
    def folder(self) -> Path:
        return self.base / "corpus"

    def store(self, *pages: tuple[str, bytes], date: str = "2024-06-01T00:00:00Z", kind: str = "text/html; charset=utf-8") -> None:
        """Put pages into the corpus, as another program's WARC file brings them: (path, HTML)."""
        self._imports += 1
        stored = {f"https://pelda.example{path}": html for path, html in pages}
        file = write_warc(self.base / f"in-{self._imports}.warc.gz", stored, date=date, kind=kind)
        assert main(["warc", "import", str(self.portal.sources[0].path), str(file), "--corpus", str(self.folder), "--quiet"]) == 0

    def build(self, *, place: Path | None = None, stop: Event | None = None, progress: Any = None, **options: Any) -> BuildSummary:
        """Build, in this process unless jobs says otherwise."""
        return build(
            self.portal,
            corpus=self.folder if place is None else place,
            options=BuildOptions(**{"jobs": 1, **options}),
            stop=stop,
            progress=progress,
            now=lambda: self.now,
        )

    def compare(self, **options: Any) -> Any:
        """What a build would change."""
        return compare_build(self.portal, corpus=self.folder, options=BuildOptions(**{"jobs": 1, **options}))

    @property
    def documents(self) -> dict[str, bytes]:
        """Everything in the folder of documents: path -> content."""
        top = self.folder / "tei"
        return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*")) if path.is_file()}

    @property
    def built(self) -> dict[str, tuple[str, str]]:
        """Path of the URL -> outcome and reason, as the build database has it."""
        rows = self.ask("SELECT url, outcome, reason FROM articles")
        return {url.removeprefix("https://pelda.example"): (outcome, reason) for url, outcome, reason in rows}

    @property
    def problems(self) -> list[dict[str, str]]:
        return [orjson.loads(line) for line in (self.folder / "problems.jsonl").read_bytes().splitlines()]

    def ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The build database's answer to a question."""
        with closing(sqlite3.connect(self.folder / "build.sqlite")) as database:
            return database.execute(sql, values).fetchall()

    def forget(self, path: str) -> None:
        """As if a crawl had found out that nothing of this URL is to be kept."""
        with changed_by_hand(self.folder / "ledger.sqlite") as ledger:
            ledger.execute("UPDATE urls SET parts = 0 WHERE url = ?", (f"https://pelda.example{path}",))
