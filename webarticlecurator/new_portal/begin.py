"""The three ways to begin: an address, WARC files, saved pages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from threading import Event as Flag

from webarticlecurator.config import scalars
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import corpus_to_fill
from webarticlecurator.corpus.saved_pages import SavedPages
from webarticlecurator.crawling.crawler import opened
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.crawling.run import CrawlEnvironment
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.site_entrances import name_of
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.progress import Progress, Silent
from webarticlecurator.new_portal.first_file import NewPortal
from webarticlecurator.new_portal.look import look_and_write
from webarticlecurator.new_portal.sources import PoliteLook, StoredLook
from webarticlecurator.pipeline import warc_info
from webarticlecurator.urls import bare_host
from webarticlecurator.warc.exchanges import read_warc
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.source import WarcSource
from webarticlecurator.warc.store import utc_now

_RETRIES = 1
_RECORDS = 20_000
"""Of a WARC file, in which the home page is looked for."""


def new_from_web(
    url: str,
    output: Path,
    *,
    corpus: Path | None = None,
    contact: str | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    now: Callable[[], datetime] = utc_now,
) -> NewPortal:
    """Look at a site, politely, and store what it answers in the corpus that `curator crawl` goes on with. Raises UsageError."""
    portal = portal_to_be(url, output)
    folder = corpus_to_fill(portal, corpus)
    progress, stop = progress or Silent(), stop or Flag()
    web = Web(
        replace(portal.fetch, retries=_RETRIES),
        hosts=portal.hosts,
        contact=contact,
        stop=stop,
        say=lambda text: progress.say(portal.name, text),
        now=now,
    )
    with closing(web):
        warcinfo = warc_info(portal, contact, online=True)
        environment = CrawlEnvironment(
            source=web, warcinfo=warcinfo, now=now, stop=stop, progress=progress, pace=lambda: web.permitted_rate
        )
        with opened(portal, folder, CrawlOptions(), environment, ()) as run:
            look = PoliteLook(web, run, bare_host(portal.home))
            return look_and_write(url, portal, look, now())


def portal_to_be(url: str, output: Path) -> Portal:
    """What is known of a portal before it is looked at: its name and its address. Raises UsageError."""
    try:
        home = scalars.web_address(url)
    except ValueError as error:
        raise UsageError(f"{error}. An address begins with http:// or https://, such as https://pelda.example/") from None
    content = f"portal: {name_of(home)}\nhome: {json.dumps(home)}\n"
    return load_portal(output, content=content.encode())


def new_from_warcs(files: Sequence[Path], output: Path, on_damage: Callable[[Damage], None]) -> NewPortal:
    """The same from WARC files of any program: nothing is asked. Raises UsageError where there is no page in them."""
    urls = [capture.url for path in files for capture in _html_in(path, on_damage)]
    home = _home_among(urls)
    if home is None:
        raise UsageError(f"{', '.join(map(str, files))}: there is no page in it that can be read.")
    with closing(WarcSource(files, on_damage=lambda _: None)) as source:
        return look_and_write(home, portal_to_be(home, output), StoredLook(source), datetime.now(UTC))


def new_from_saved(files: Sequence[Path], output: Path) -> NewPortal:
    """The same from pages that a browser saved. Raises UsageError where one cannot be read, or none tells its address."""
    saved = SavedPages(files)
    home = _home_among(saved.addresses)
    if home is None:
        raise UsageError("None of these pages tells its address (`<link rel=canonical>` or `og:url`): save them as WARC, or give the URL.")
    return look_and_write(home, portal_to_be(home, output), StoredLook(saved), datetime.now(UTC))


def _html_in(path: Path, on_damage: Callable[[Damage], None]) -> Iterator[Capture]:
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file.")
    for found in islice(read_warc(path, on_damage=on_damage), _RECORDS):
        if isinstance(found, str) or found.capture.status != HTTPStatus.OK:
            continue
        if "html" in (found.capture.header("Content-Type") or "text/html").lower():
            yield found.capture


def _home_among(urls: Sequence[str]) -> str | None:
    """The shortest address of the host that most pages are of."""
    hosts = Counter(map(bare_host, urls))
    best = min(hosts, key=lambda host: (-hosts[host], host), default=None)
    return min((url for url in urls if bare_host(url) == best), key=lambda url: (len(url), url), default=None)
