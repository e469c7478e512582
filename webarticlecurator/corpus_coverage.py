"""Joins the stages of coverage: indexes in, both holdings counted and drawn; and what only a web archive has brought into the corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Any

import orjson

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, write_whole
from webarticlecurator.coverage import index_server
from webarticlecurator.coverage.captures import WAYBACK, capture
from webarticlecurator.coverage.counts import Comparison, comparing
from webarticlecurator.coverage.index_lines import DAMAGED, IndexLine, article_of, captures_in, lines_of
from webarticlecurator.databases import Database, Row, connect
from webarticlecurator.errors import CorpusError
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.progress import Progress, Snapshot
from webarticlecurator.storage.places import draft_of, open_file
from webarticlecurator.urls import bare_host, is_http, other_spellings

if TYPE_CHECKING:
    from webarticlecurator.crawling.importing import Imported
    from webarticlecurator.warc.exchanges import WarcExchange

_SHOWN_AFTER = 5_000
"""Lines."""
_YEARS_NAMED = 16
"""For which there is room below the picture."""


def only_theirs_file(corpus: Corpus) -> Path:
    """The index of articles that only the archive has."""
    return corpus.coverage / "only-theirs.cdxj"


def coverage(
    portal: Portal, sources: Sequence[str], *, corpus: Path | None, output: Path | None, contact: str | None, progress: Progress, stop: Flag
) -> dict[str, Any]:
    """Count what a corpus and the archives of these indexes hold, draw it, and list what only they have."""
    folder = crawled_corpus(portal, corpus)
    folder.coverage.mkdir(exist_ok=True)
    troubles: list[str] = []
    with comparing(portal, folder) as comparison, closing(connect(folder.coverage / index_server.KEPT)) as kept:
        kept.execute(index_server.TABLE)
        for source in sources:
            show = _shower(portal, source, progress)
            if is_http(source):
                web = _web(portal, source, contact, progress, stop)
                with closing(web):
                    _take_server(comparison, index_server.queries(source, portal), source, web, kept, stop, show, troubles)
            else:
                _take_file(comparison, Path(source), stop, show, troubles)
        if stop.is_set():
            troubles.append("interrupted: what was not read is not counted")
        groups = comparison.counted()
        with draft_of(only_theirs_file(folder)) as draft, draft.open("wb") as file:
            for row in comparison.only_theirs():
                fields = {name: row[name] for name in ("url", "mime", "status", "digest", "length", "offset", "filename") if row[name]}
                stamp = "".join(filter(str.isdigit, row.timestamp[:19]))
                file.write(f"{row.urlkey} {stamp} {orjson.dumps(fields).decode()}\n".encode())
        counted = {
            "portal": portal.name,
            "sources": list(sources),
            "complete": not troubles,
            "troubles": troubles,
            "lines": +comparison.lines,
            **groups,
            "any_page_counts": not portal.article_urls.only,
            "only_theirs": str(only_theirs_file(folder)),
            "report": str(output or folder.coverage / "coverage.html"),
        }
    _draw(portal, counted)
    return counted


def _shower(portal: Portal, source: str, progress: Progress) -> Callable[[int, str], None]:
    return lambda number, unit: progress.show(Snapshot(portal=portal.name, phase="coverage", doing=f"{source}: {number:,} {unit}", unit=""))


def _take_server(
    comparison: Comparison,
    queries: Iterable[str],
    source: str,
    web: Web,
    kept: Database,
    stop: Flag,
    show: Callable[[int, str], None],
    troubles: list[str],
) -> None:
    for query in queries:
        trouble = index_server.ask(query, web, kept, stop, lambda number: show(number, "pages"))
        if trouble is not None and not stop.is_set():
            troubles.append(f"{source}: {trouble}")
        comparison.take(_shown(captures_in(index_server.lines_kept(kept, query)), show))


def _take_file(comparison: Comparison, path: Path, stop: Flag, show: Callable[[int, str], None], troubles: list[str]) -> None:
    def read() -> Iterator[bytes]:
        try:
            for line in lines_of(file):
                if stop.is_set():
                    return
                yield line
        except DAMAGED as error:
            troubles.append(f"{path}: damaged, and read up to there ({error})")

    with open_file(path) as file:
        comparison.take(_shown(captures_in(read()), show))


def _shown(lines: Iterable[IndexLine | None], show: Callable[[int, str], None]) -> Iterator[IndexLine | None]:
    for number, line in enumerate(lines):
        if number % _SHOWN_AFTER == 0:
            show(number, "lines")
        yield line


def _web(portal: Portal, server: str, contact: str | None, progress: Progress, stop: Flag) -> Web:
    """The web for asking an archive: at the portal file's pace, but with nothing that is meant for the portal alone."""
    rules = replace(portal.fetch, headers={}, cookies_file=None, robots="record")
    rules = replace(rules, private_hosts=(*rules.private_hosts, bare_host(server)))  # a person named it
    return Web(rules, hosts=frozenset(), contact=contact, stop=stop, say=partial(progress.say, portal.name))


def _draw(portal: Portal, counted: dict[str, Any]) -> None:
    from webarticlecurator.report.charts import ChartSeries, Panel, columns
    from webarticlecurator.report.pages import page

    known = {row.name: row for row in counted["months"] if row.name}
    years = range(int(min(known)[:4]), int(max(known)[:4]) + 1) if known else range(0)
    names = [f"{year}-{month:02}" for year in years for month in range(1, 13)]
    html = page(
        "coverage.html",
        portal=portal,
        counted=counted,
        months=[known.get(name, Row(name=name, both=0, only_ours=0, only_theirs=0, days=None)) for name in names],
        labels=[(12 * place + 5, str(year)) for place, year in enumerate(years) if year % (1 + len(years) // _YEARS_NAMED) == 0],
        top=max((row.both + max(row.only_ours, row.only_theirs) for row in known.values()), default=0),
        columns=columns,
        panel=Panel,
        series=ChartSeries,
    )
    write_whole(Path(counted["report"]), html.encode("utf-8", "replace"))


# --- what only the archive has ---


def fetch_from_archive(
    portal: Portal, *, corpus: Path | None, replay: str | None, limit: int | None, contact: str | None, progress: Progress, stop: Flag
) -> Imported:
    """Get the listed captures, and take them into the corpus as what they are. What is there already is not asked for."""
    from webarticlecurator.pipeline import importing

    folder = crawled_corpus(portal, corpus)
    if not only_theirs_file(folder).exists():
        raise CorpusError(f"There is no {only_theirs_file(folder)}, which says what to get.", advice="coverage")

    def answers() -> Iterator[WarcExchange | str]:
        asked = 0
        for number, line in enumerate(captures_in(lines_of(file)), start=1):
            importer.run.doing(f"capture {number:,} of {listed:,}")
            article = article_of(line.url, portal) if line is not None else "no line of an index"
            if line is None or isinstance(article, str):
                yield f"not asked for: {article}"
                continue
            spellings = [article[0], *other_spellings(article[0])]
            url = next((url for url in spellings if ledger.url_id(url) is not None), article[0])
            outcome, _ = ledger.outcome_of(url) or ("", "")
            if ledger.has_pages(url):
                yield "already in the corpus"
            elif outcome == FetchOutcome.QUEUED:
                yield "not asked for: waits for the portal, which may have it"
            elif limit is not None and asked >= limit:
                yield "not asked for: --limit"
            else:
                asked += 1
                yield capture(line, url, web, replay)

    with importing(portal, corpus, progress, stop) as importer, only_theirs_file(folder).open("rb") as file:
        ledger, listed = importer.run.ledger, sum(1 for _ in lines_of(file))
        file.seek(0)
        importer.run.phase("articles")
        with closing(_web(portal, replay or WAYBACK, contact, progress, stop)) as web:
            return importer.take_in(answers())
