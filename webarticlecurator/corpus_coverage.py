"""Joins the stages of coverage: indexes in, both holdings counted and drawn; and what only a web archive has brought into the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Any

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, write_whole
from webarticlecurator.coverage import index_server
from webarticlecurator.coverage.captures import WAYBACK, capture
from webarticlecurator.coverage.counts import count
from webarticlecurator.coverage.index_lines import DAMAGED, article_of, captures_in, lines_of
from webarticlecurator.databases import Row, connect
from webarticlecurator.errors import CorpusError
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.progress import Progress, Snapshot
from webarticlecurator.storage.places import open_file
from webarticlecurator.urls import bare_host, is_http, other_spellings

if TYPE_CHECKING:
    from webarticlecurator.crawling.importing import Imported
    from webarticlecurator.warc.exchanges import WarcExchange

_FIRST, _LAST = "1990", "2100"
"""What is drawn: dates of articles may be wrong."""
_YEARS_NAMED = 16
"""For which there is room below the picture."""


def _listed(corpus: Corpus) -> Path:
    """The index of what only the archive has."""
    return corpus.coverage / "only-theirs.cdxj"


def coverage(
    portal: Portal, sources: Sequence[str], *, corpus: Path | None, output: Path | None, contact: str | None, progress: Progress, stop: Flag
) -> dict[str, Any]:
    """Count what a corpus and the archives of these indexes hold, draw it, and list what only they have."""
    folder, troubles = crawled_corpus(portal, corpus), list[str]()
    folder.coverage.mkdir(exist_ok=True)

    def show(what: str, number: int) -> None:
        progress.show(Snapshot(portal=portal.name, phase="coverage", doing=f"{number:,} {what}", unit=""))

    def lines_from(source: str) -> Iterator[bytes]:
        if is_http(source):
            for query in index_server.queries(source, portal):
                yield from index_server.lines_kept(kept, query)
            return
        try:
            with open_file(Path(source)) as file:
                for line in lines_of(file):
                    if stop.is_set():
                        troubles.append(f"{source}: interrupted, and counted up to there")
                        return
                    yield line
        except DAMAGED as error:
            troubles.append(f"{source}: damaged, and read up to there ({error})")

    with closing(connect(folder.coverage / index_server.KEPT)) as kept:
        kept.execute(index_server.TABLE)
        for server in filter(is_http, sources):
            came = partial(show, f"pages came from {server}")
            with closing(_web(portal, server, contact, progress, stop)) as web:
                answers = [index_server.ask(query, web, kept, stop, came) for query in index_server.queries(server, portal)]
            troubles += [f"{server}: {trouble}" for trouble in answers if trouble is not None]
        numbers = count(portal, folder, map(lines_from, sources), _listed(folder), partial(show, "lines read"))
    counted = {
        "portal": portal.name,
        "sources": list(sources),
        "troubles": troubles,
        **numbers,
        "any_page_counts": not portal.article_urls.only,
        "only_theirs_file": str(_listed(folder)),
        "report": str(output or folder.coverage / "coverage.html"),
    }
    write_whole(Path(counted["report"]), _drawn(portal, counted).encode("utf-8", "replace"))
    return counted


def _web(portal: Portal, server: str, contact: str | None, progress: Progress, stop: Flag) -> Web:
    """The web for asking an archive: at the portal file's pace, but with nothing that is meant for the portal alone."""
    named = (*portal.fetch.private_hosts, bare_host(server))
    rules = replace(portal.fetch, headers={}, cookies_file=None, robots="record", private_hosts=named)
    return Web(rules, hosts=frozenset(), contact=contact, stop=stop, say=partial(progress.say, portal.name))


def _drawn(portal: Portal, counted: dict[str, Any]) -> str:
    from webarticlecurator.report.charts import ChartSeries, Panel, columns
    from webarticlecurator.report.pages import page

    known = {row.name: row for row in counted["months"] if _FIRST <= (row.name or "") < _LAST}
    years = range(int(min(known)[:4]), int(max(known)[:4]) + 1) if known else range(0)
    names = [f"{year}-{month:02}" for year in years for month in range(1, 13)]
    return page(
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


def fetch_from_archive(
    portal: Portal, *, corpus: Path | None, replay: str | None, limit: int | None, contact: str | None, progress: Progress, stop: Flag
) -> Imported:
    """Get the listed captures, and take them into the corpus as what they are. What is there already is not asked for."""
    from webarticlecurator.pipeline import importing

    place, root = _listed(crawled_corpus(portal, corpus)), f"{replay.rstrip('/')}/" if replay is not None else None
    if not place.exists():
        raise CorpusError(f"There is no {place}, which says what to get.", advice="coverage")

    def answers() -> Iterator[WarcExchange | str]:
        asked = 0
        for line in captures_in(lines_of(listed)):
            article = article_of(line.url, portal) if line is not None else "no lines of an index"
            if line is None or isinstance(article, str):
                yield str(article)
                continue
            spellings = (article.url, *other_spellings(article.url))
            url = next((url for url in spellings if run.ledger.url_id(url) is not None), article.url)
            if run.ledger.has_pages(url):
                yield "already in the corpus"
            elif (run.ledger.outcome_of(url) or ("",))[0] == FetchOutcome.QUEUED:
                yield "waits for the portal, which may have it"
            elif limit is not None and asked >= limit:
                yield "more than --limit"
            else:
                asked += 1
                run.doing(f"capture {asked:,}")
                yield capture(line, url, web, root)

    with (
        importing(portal, corpus, progress, stop) as importer,
        place.open("rb") as listed,
        closing(_web(portal, replay or WAYBACK, contact, progress, stop)) as web,
    ):
        run = importer.run
        run.phase("articles")
        return importer.take_in(answers())
