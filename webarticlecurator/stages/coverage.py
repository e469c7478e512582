"""Joins the stages of coverage: indexes in, both holdings counted and drawn; and what only a web archive has
brought into the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache, partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Any

import orjson

from webarticlecurator.building.article_row import day_of
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, write_whole
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_questions import open_for_coverage
from webarticlecurator.coverage import captures
from webarticlecurator.databases import Row, connect, rows_of
from webarticlecurator.errors import CorpusError
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.own_patterns import linear
from webarticlecurator.report.charts import ChartSeries, Panel, columns
from webarticlecurator.report.pages import page
from webarticlecurator.storage.places import draft_of, open_file
from webarticlecurator.urls import bare_host, is_http, other_spellings

if TYPE_CHECKING:
    from webarticlecurator.warc.exchanges import WarcExchange

_QUERIES = dict(
    linear(r"(?ms)^--- ([a-z-]+)\n(.*?)(?=^--- |\Z)").findall(
        files("webarticlecurator.coverage").joinpath("counts.sql").read_text("utf-8")
    )
)


def coverage(
    portal: Portal,
    sources: Sequence[str],
    *,
    corpus: Path | None,
    output: Path | None,
    contact: str | None,
    progress: Progress,
    stop: Flag,
) -> dict[str, Any]:
    """Count what a corpus and the archives of these indexes hold, draw it, and list what only they have."""
    folder, troubles, work = (
        crawled_corpus(portal, corpus),
        list[str](),
        Work(portal.name, "index", progress, stop, unit=""),
    )
    place = folder.only_theirs.parent
    place.mkdir(exist_ok=True)

    def indexes() -> Iterator[Iterator[bytes]]:
        yield from map(lines_from, sources)
        replace(work, phase="comparing").show()

    def lines_from(source: str) -> Iterator[bytes]:
        of_server = (captures.lines_kept(kept, query) for query in captures.queries(source, portal))
        parts = of_server if is_http(source) else [captures.lines_of(open_file(Path(source)))]
        try:
            for number, line in enumerate(chain.from_iterable(parts)):
                if number % 5_000 == 0:
                    work.show(f"line {number + 1:,} of {source}")
                if work.stopped:
                    troubles.append(f"{source}: interrupted, and counted up to there")
                    return
                yield line
        except captures.DAMAGED as error:
            troubles.append(f"{source}: damaged, and read up to there ({error})")

    with closing(connect(place / captures.KEPT)) as kept:
        kept.execute(captures.TABLE)
        for server in filter(is_http, sources):
            with closing(_web(portal, server, contact, progress, stop)) as web:
                answers = [captures.ask(query, web, kept, work) for query in captures.queries(server, portal)]
            troubles += [f"{server}: {trouble}" for trouble in answers if trouble is not None]
        replace(work, phase="corpus").show()
        numbers = _counted(portal, folder, indexes())
    counted = {
        "portal": portal.name,
        "sources": list(sources),
        "troubles": troubles,
        **numbers,
        "any_page_counts": not portal.article_urls.only,
        "only_theirs_file": str(folder.only_theirs),
        "report": str(output or place / "coverage.html"),
    }
    html = page(
        "coverage.html", portal=portal, counted=counted, columns=columns, panel=Panel, series=ChartSeries
    )
    write_whole(Path(counted["report"]), html.encode("utf-8", "replace"))
    return counted


def _counted(portal: Portal, corpus: Corpus, indexes: Iterable[Iterable[bytes]]) -> dict[str, Any]:
    """The totals, rows of years and columns, and what the lines were; a list of what only the archive has is
    written."""
    kinds: Counter[str] = Counter()
    article_at = lru_cache(1024)(
        partial(captures.article_of, portal=portal)
    )  # an index has the captures of an address together

    def articles_in(index: Iterable[bytes]) -> Iterator[tuple[str, ...]]:
        for read in captures.read_index(index, article_at):
            if isinstance(read, str):
                kinds[read] += 1
                continue
            line, article = read
            kinds[line.kind] += 1
            if line.kind == "pages":
                url, compared = article
                fields = {name: value for name, value in line._asdict().items() if name != "moment"}
                yield (
                    compared,
                    line.moment.isoformat(),
                    url,
                    f"{compared} {line.moment:%Y%m%d%H%M%S} {orjson.dumps(fields).decode()}",
                )

    groups: dict[str, Any] = {"totals": [], "years": [], "columns": []}
    with Ledger.reading(corpus.ledger, build=corpus.build_database) as ledger:
        db = open_for_coverage(ledger, whole_day=day_of)
        db.execute(_QUERIES["tables"])
        ledger.hold()
        for index in indexes:
            db.executemany(_QUERIES["take"], articles_in(index))
        db.execute("COMMIT")
        kinds["addresses of pages that the corpus knows as no articles"] = db.execute(
            _QUERIES["others"]
        ).rowcount
        db.execute(_QUERIES["compared"])
        for row in rows_of(db.execute(_QUERIES["counted"])):
            groups[row.pop("by")].append(row)
        with draft_of(corpus.only_theirs) as draft, draft.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for (line,) in db.execute(_QUERIES["only-theirs"]))
    totals = next(iter(groups["totals"]), Row(name=None, both=0, only_ours=0, only_theirs=0, days=None))
    del totals["name"]
    return {**groups, "totals": totals, "lines": +kinds}


def _web(portal: Portal, server: str, contact: str | None, progress: Progress, stop: Flag) -> Web:
    """The web for asking an archive: at the portal file's pace, but with nothing that is meant for the portal
    alone."""
    named = (*portal.fetch.private_hosts, bare_host(server))
    rules = replace(portal.fetch, headers={}, cookies_file=None, robots="record", private_hosts=named)
    asked = replace(portal, fetch=rules, hosts=frozenset())
    return Web(asked, contact=contact, stop=stop, say=partial(progress.say, portal.name))


def fetch_from_archive(
    portal: Portal,
    *,
    corpus: Path | None,
    replay: str | None,
    limit: int | None,
    contact: str | None,
    progress: Progress,
    stop: Flag,
) -> tuple[Row, int, int]:
    """Get the listed captures, and take them into the corpus as what they are. What is there already is not
    asked for.

    Gives also how many the archive was asked for and did not give, and how many lie beyond the limit.
    """
    from webarticlecurator.stages.pipeline import importing

    place, root = (
        crawled_corpus(portal, corpus).only_theirs,
        f"{replay.rstrip('/')}/" if replay is not None else None,
    )
    if not place.exists():
        raise CorpusError(f"There is no {place}, which says what to get.", advice="coverage")

    states: Counter[str] = Counter()

    def answers() -> Iterator[WarcExchange | str]:
        article_at = partial(captures.article_of, portal=portal)
        for read in captures.read_index(captures.lines_of(listed), article_at):
            if isinstance(read, str):
                yield read
                continue
            line, article = read
            spellings = (article[0], *other_spellings(article[0]))
            url = next((url for url in spellings if run.ledger.url_id(url) is not None), article[0])
            if run.ledger.has_pages(url):
                yield "already in the corpus"
            elif (run.ledger.outcome_of(url) or ("",))[0] == FetchOutcome.QUEUED:
                yield "waits for the portal, which may have it"
            elif limit is not None and states["asked"] >= limit:
                states["left"] += 1
                yield "more than --limit"
            else:
                states["asked"] += 1
                run.doing = f"capture {states['asked']:,}"
                answer = captures.capture(line, url, web, root)
                states["not given"] += isinstance(answer, str)
                yield answer

    with (
        importing(portal, corpus, progress, stop) as importer,
        place.open("rb") as listed,
        closing(_web(portal, replay or captures.WAYBACK, contact, progress, stop)) as web,
    ):
        run = importer.run
        run.phase("articles")
        return importer.take_in(answers()), states["not given"], states["left"]
