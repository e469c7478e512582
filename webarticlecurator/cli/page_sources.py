"""Where the pages of a command come from: the corpus, WARC files, a saved page, or the portal itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from webarticlecurator.cli import console
from webarticlecurator.cli.contact import contact_of, require_contact
from webarticlecurator.errors import CorpusError, StoreUnreachable, UsageError
from webarticlecurator.storage.places import file_size, is_file

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.stored_pages import StoredPages
    from webarticlecurator.model.capture import Fetched, PageSource, Request

_LARGE = 50_000_000
"""Bytes of a WARC that take a while to read."""


@contextmanager
def stored_pages(portal: Portal, warc: list[Path] | None, corpus: Path | None, *, otherwise: str = "--warc FILE") -> Iterator[StoredPages]:
    """The pages of a corpus, or of WARC files. `otherwise`: what else could have been said where there are none."""
    from webarticlecurator.corpus.folder import corpus_of, missing
    from webarticlecurator.corpus.stored_pages import LedgerSource, StoredPages
    from webarticlecurator.warc.source import WarcSource

    if not warc:
        folder = corpus_of(portal, corpus)
        if folder.ledger.exists():
            with closing(LedgerSource(folder)) as stored:
                yield StoredPages(stored, portal, folder)
            return
        warc = list(folder.warc_files())
        if not warc:
            raise UsageError(f"{missing(portal, folder)} Or say where the pages are: {otherwise}.")
    files = _announced([existing(path) for path in warc])
    with closing(WarcSource(files, on_damage=lambda damage: console.complain(str(damage)))) as source:
        yield StoredPages(source, portal)


def listed_pages(source: PageSource, portal: Portal, corpus: Path | None) -> StoredPages:
    """Pages from elsewhere, with what the archive pages of the corpus tell of them; nothing, where it cannot be read."""
    from webarticlecurator.corpus.folder import corpus_of
    from webarticlecurator.corpus.ledger import Ledger
    from webarticlecurator.corpus.stored_pages import StoredPages

    with suppress(CorpusError, StoreUnreachable):
        folder = corpus_of(portal, corpus)
        if folder.ledger.exists():
            Ledger.open(folder.ledger, read_only=True).close()
            return StoredPages(source, portal, folder)
    return StoredPages(source, portal)


def has_articles(portal: Portal, corpus: Path | None) -> bool:
    """Whether articles are stored already; of a corpus that cannot be read those tell who need it."""
    from webarticlecurator.corpus.folder import corpus_of
    from webarticlecurator.corpus.ledger import Ledger

    with suppress(CorpusError, StoreUnreachable):
        folder = corpus_of(portal, corpus)
        if folder.ledger.exists():
            with Ledger.reading(folder.ledger) as ledger:
                return ledger.has_articles()
    return False


def is_built(portal: Portal, corpus: Path | None) -> bool:
    """Whether there are documents of all that is stored, by the rules of now."""
    from webarticlecurator.corpus_build import is_up_to_date

    with suppress(CorpusError, StoreUnreachable, UsageError):
        return has_articles(portal, corpus) and is_up_to_date(portal, corpus)
    return False


def existing(path: Path) -> Path:
    """A file that was named. Raises UsageError where there is none."""
    if not is_file(path):
        raise UsageError(f"{path}: there is no such file.")
    return path


def _announced(files: list[Path]) -> Iterator[Path]:
    """Say which file is being read, when that takes a while."""
    now_and_then = console.NowAndThen()
    for number, path in enumerate(files, start=1):
        now_and_then.say(f"Reading {path} ({number} of {len(files)})...", at_once=file_size(path) > _LARGE)
        yield path


@contextmanager
def live_pages(portal: Portal, contact: str | None, *, command: str = "try", in_browser: bool | None = None) -> Iterator[PageSource]:
    """The portal's pages, politely, for commands that store nothing; whoever asks a foreign host has to say who they are.

    `command`: which one the person typed. `in_browser`: whether they can be shown in a browser; None: where the portal file says so.
    """
    from webarticlecurator.fetch.web import Web
    from webarticlecurator.pipeline import live_source

    who = contact_of(contact)
    require_contact([portal], who, command=command)
    with (
        closing(Web(portal.fetch, hosts=portal.hosts, contact=who, say=console.say)) as web,
        live_source(web, portal, stop=Event(), say=console.say, browser=in_browser) as source,
    ):
        yield source


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page source whose pages are shown in a browser, be it in the default way."""

    source: PageSource

    def fetch(self, request: Request) -> Fetched:
        from webarticlecurator.model.rendering import Rendering

        shown = request if request.is_sitemap or request.rendering else replace(request, rendering=Rendering())
        return self.source.fetch(shown)
