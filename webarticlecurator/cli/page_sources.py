"""The sources of a command's pages: the corpus, WARC files, a saved page, or the portal itself; and the
contact of whoever asks a portal of others."""

from __future__ import annotations

import ipaddress
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from webarticlecurator import settings
from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.errors import CorpusError, StoreUnreachable, UsageError
from webarticlecurator.model.progress import Stopped
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.storage.places import file_size, is_file, is_folder, url_of

if TYPE_CHECKING:
    from webarticlecurator.cli.command import Call
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.stored_pages import PagesOfCorpus
    from webarticlecurator.databases import Row
    from webarticlecurator.model.capture import Exchange, PageSource
    from webarticlecurator.model.page import Page
    from webarticlecurator.stages.survey import Surveyed
    from webarticlecurator.survey.page_pass import Question

_LARGE = 50_000_000
"""Bytes of WARC files that take a while to read."""


def survey_pages(
    call: Call, question: Question, *, phase: str, warcs: Sequence[Path], sample: int | None, again: bool
) -> Surveyed:
    """Return what the article pages of a corpus, or of WARC files, answer to a question."""
    from webarticlecurator.stages import survey as corpus_survey

    with of_corpus(call, warcs) as call:
        return call.run(
            corpus_survey.surveyed,
            question,
            phase=phase,
            workers=call.workers,
            sample=sample,
            kept=not warcs,
            again=again,
        )


@contextmanager
def of_corpus(call: Call, warcs: Sequence[Path]) -> Iterator[Call]:
    """The command with its corpus; of WARC files one is made, which goes when the command ends."""
    if not warcs:
        yield call
        return
    from webarticlecurator.stages import pipeline

    with TemporaryDirectory(prefix="curator-") as folder:
        with call.work() as (stop, progress):
            files = [existing(path) for path in warcs]
            if sum(map(file_size, files)) > _LARGE:
                console.say(
                    f"Their pages are copied into {folder} for this command; `curator warc import` makes a "
                    "corpus of them once."
                )
            pipeline.import_warcs(call.portal, files, corpus=Path(folder), progress=progress, stop=stop)
            if stop.is_set():
                raise Stopped
        yield replace(call, corpus=Path(folder))


@contextmanager
def stored_pages(
    portal: Portal, warc: Sequence[Path], corpus: Path | None, *, otherwise: str = "--warc FILE"
) -> Iterator[PagesOfCorpus]:
    """The pages of a corpus, or of WARC files. `otherwise`: what else could have been said where there are
    none."""
    from webarticlecurator.corpus.folder import corpus_of, missing
    from webarticlecurator.corpus.stored_pages import LedgerSource, PagesOfCorpus
    from webarticlecurator.warc.source import WarcSource

    if not warc:
        folder = corpus_of(portal, corpus)
        if folder.ledger.exists():
            with closing(LedgerSource(folder)) as stored:
                yield PagesOfCorpus(stored, portal, folder)
            return
        if not (warc := list(folder.warc_files())):
            raise UsageError(f"{missing(portal, folder)} Or say where the pages are: {otherwise}.")
    if sum(file_size(existing(path)) for path in warc) > _LARGE:
        console.say(f"Reading {amount(len(warc), 'WARC file')}, which takes a while...")
    with closing(WarcSource(warc, on_damage=lambda damage: console.complain(str(damage)))) as source:
        yield PagesOfCorpus(source, portal)


def listed_pages(source: PageSource, portal: Portal, corpus: Path | None) -> PagesOfCorpus:
    """Pages from elsewhere, with what the archive pages of the corpus tell of them; nothing, where it cannot
    be read."""
    from webarticlecurator.corpus.folder import corpus_of
    from webarticlecurator.corpus.ledger import Ledger
    from webarticlecurator.corpus.stored_pages import PagesOfCorpus

    with suppress(CorpusError, StoreUnreachable):
        folder = corpus_of(portal, corpus)
        if folder.ledger.exists():
            Ledger.open(folder.ledger, read_only=True).close()
            return PagesOfCorpus(source, portal, folder)
    return PagesOfCorpus(source, portal)


def doubtful_documents(call: Call, warcs: Sequence[Path], most: int) -> list[Row]:
    """Return what can hardly be true of documents, as the last build found it, each with so many of these;
    nothing of mere WARC files, or where none is built."""
    from webarticlecurator.building.database import BuiltArticles
    from webarticlecurator.corpus.folder import portal_and_corpus

    if warcs:
        return []
    _, corpus = portal_and_corpus(call.portal, call.corpus)
    if not corpus.build_database.exists():
        return []
    with BuiltArticles(corpus.build_database) as built:
        return built.doubtful_documents(most)


def file_flags(flag: str, files: Sequence[Path]) -> str:
    """Return how files are named in the commands that we suggest, with a blank before them."""
    return "".join(f" {flag} {shlex.quote(url_of(path))}" for path in files)


def existing(path: Path) -> Path:
    """A file that was named. Raises UsageError where there is none."""
    if not is_file(path):
        raise UsageError(
            f"{url_of(path)} is a folder; name the files in it."
            if is_folder(path)
            else f"{url_of(path)}: there is no such file."
        )
    return path


@contextmanager
def live_pages(
    portal: Portal, contact: str | None, *, command: str = "try", in_browser: bool | None = None
) -> Iterator[PageSource]:
    """The portal's pages, politely, for commands that store nothing; whoever asks a foreign host has to say
    who they are.

    `command`: which one the person typed. `in_browser`: whether they can be shown in a browser; None: where
    the portal file says so.
    """
    from webarticlecurator.fetch.web import Web
    from webarticlecurator.stages.pipeline import live_source

    who = required_contact([portal], contact, command=command)
    with live_source(Web(portal, contact=who, say=console.say), browser=in_browser) as source:
        yield source


def page_of_web(source: PageSource, url: str) -> tuple[Page, Sequence[Exchange]]:
    """Ask for one page, whatever it is; return it with what was asked of its host before. Raises UsageError
    where it cannot be read."""
    from webarticlecurator.document.parsed_page import fetched_page
    from webarticlecurator.model.capture import Request
    from webarticlecurator.model.page import NoPage

    fetched = source.fetch(Request(url=url))
    page = fetched_page(fetched, classified=True)
    if isinstance(page, NoPage):
        raise UsageError(f"{url} cannot be read: {page.reason}.")
    return page, fetched.rights


# --- who crawls: no portal of others is asked for anything before it can know whom to write to ---


def contact_of(flag: str | None) -> str | None:
    """The contact that the command line, the environment or the settings file gives. Raises UsageError if
    nobody could be reached by it."""
    text, source = settings.lookup("contact", flag)
    if text is None:
        return None
    contact = text.strip()
    if (
        len(contact) <= 200
        and contact.isascii()
        and linear_at(r"(mailto:)?[^\s@<>()]+@[^\s@<>()]+|https?://[^\s<>()]+").fullmatch(contact)
    ):
        return contact
    raise UsageError(
        f"The contact {text!r} (from {source}) is neither an e-mail address nor a web address."
        " Give one at which the people of a portal can reach you, such as you@university.example."
    )


def required_contact(
    portals: Iterable[Portal], flag: str | None, *, command: str, hosts: Iterable[str] = ()
) -> str | None:
    """Return the contact; raises UsageError where anyone else's host would be asked without one, by a portal
    or one of `hosts`.

    `command`: which one the person typed.
    """
    contact = contact_of(flag)
    foreign = sorted(
        {
            host
            for host in (*hosts, *(host for portal in portals for host in portal.asked_hosts))
            if not _is_loopback(host)
        }
    )
    if contact is None and foreign:
        host = foreign[0].removeprefix("*.")
        raise UsageError(
            f"Before {host} is asked for anything, it must be able to know who asks. "
            "Say who crawls, in one of these ways:\n"
            f"  curator {command} --contact you@university.example ...\n"
            "  export CURATOR_CONTACT=you@university.example\n"
            f"  a line `contact: you@university.example` in {settings.settings_file()}\n"
            "An e-mail address or the web page of your project; it becomes part of the User-Agent."
        )
    return contact


def _is_loopback(host: str) -> bool:
    """True if this name can only mean this machine; no look-up."""
    name = host.strip("[]").rstrip(".").lower()
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
