"""`curator extract`: the texts of single pages, without a corpus: from addresses, files, folders, or a list of these."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import JOBS, Call, Contact, address, argument, command, load_portals, option
from webarticlecurator.cli.page_sources import live_pages
from webarticlecurator.cli.process import ExitCode, first_of, while_read
from webarticlecurator.errors import UsageError
from webarticlecurator.model.article import CaptureRef
from webarticlecurator.model.capture import Capture, PageSource, Request
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.progress import Work
from webarticlecurator.storage.drafts import in_the_way
from webarticlecurator.storage.places import draft_of
from webarticlecurator.urls import bare_host, is_http
from webarticlecurator.workers.pool import BATCH, Job, Workers, run

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.model.article import Article

_SUFFIXES = {"text": ".txt", "markdown": ".md", "jsonl": ".jsonl", "tei": ".xml", "csv": ".csv"}
_FIELDS = ("url", "headline", "author", "datePublished", "articleSection", "language", "words", "text")
"""Columns of the table."""
_PAGES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
_MOST_SITEMAPS = 1_000


@command(portals="none", corpus=False, json=None)
def extract(
    call: Call,
    sources: Annotated[list[str] | None, argument("URL|FILE|FOLDER|-", "Pages; - reads a list of them from stdin.", parse=address)] = None,
    to: Annotated[str, option("--to", f"{', '.join(_SUFFIXES)}.", "FORMAT")] = "text",
    output: Annotated[str, option("--output -o", "The file; or the folder, for a file a page: it ends in /.", "PATH")] = "-",
    portal: Annotated[str | None, option("--portal", "By the rules of this portal file.", "PORTAL")] = None,
    urls: Annotated[str | None, option("--urls", "List what the sitemaps, feeds and links of this home page name.", "HOME")] = None,
    contact: Contact = None,
    jobs: Annotated[int | None, JOBS] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator extract https://pelda.example/a            the text of one page
      curator extract page.html --to markdown            of a file
      curator extract pages/ --to jsonl -o all.jsonl     of all pages in a folder
      curator extract pages/ --to text -o texts/         a file a page
      curator extract - --to csv -o all.csv < list.txt   of addresses or files, one a line
      curator extract --urls https://pelda.example/      addresses that a site names

    Get headline and text, metadata, or TEI of pages without a corpus: by the rules of --portal, or as the general reader sees them.
    Sites are asked politely, as robots.txt and their pauses want it. The address of a file is the one that its head tells. What is
    no article is listed with the reason, and the exit code is then 1; it has a line of jsonl all the same.
    """
    if to not in _SUFFIXES:
        raise UsageError(f"--to {to} is unknown. There are {', '.join(_SUFFIXES)}.")
    if urls is not None:
        if output != "-":
            raise UsageError(f"--urls prints addresses: write > {output} behind the command in place of --output.")
        shown: set[str] = set()
        for url in while_read(_named_by(urls, contact)):
            if url not in shown:
                console.data(url)
                shown.add(url)
        call.next("extract", "urls", url=urls)
        return ExitCode.OK
    if not sources:
        raise UsageError("Which pages? Give addresses, files or folders, or - for a list of them: curator extract page.html")
    rules = load_portals([portal])[0] if portal is not None else None
    given = list(_all_of(sources))
    folder = Path(output) if output.endswith("/") or Path(output).is_dir() else None
    if folder is None and to == "tei" and len(given) > 1:
        raise UsageError("TEI of several pages is several files: name a folder with -o, such as -o tei/")
    if output != "-" and folder is None and (problem := in_the_way(Path(output))):
        raise UsageError(problem)
    if folder is not None and to in ("jsonl", "csv"):
        raise UsageError(f"--to {to} is one file: name it with -o, such as -o articles{_SUFFIXES[to]}")
    failures: dict[str, str] = {}
    with call.work() as (stop, progress), ExitStack() as stack:
        pages, workers = _pages(given, rules, contact, failures, stack), Workers.asked_for(jobs).for_tasks(len(given), BATCH)
        made = chain.from_iterable(run(_Job(rules, to), pages, workers=workers, batch=1 if len(given) < BATCH else BATCH))
        with_content = _with_content(made, len(given), failures, Work("extract", "reading", progress, stop, unit="pages"))
        if folder is None:
            _into_file(output, to, with_content, stack)
        else:  # a file a page, named after it
            folder.mkdir(parents=True, exist_ok=True)
            names = Counter[str]()
            for source, content in with_content:
                stem = Path(source.rstrip("/").partition("?")[0]).stem or "page"
                names[stem] += 1
                number = f"-{names[stem]}" if names[stem] > 1 else ""
                (folder / f"{stem}{number}{_SUFFIXES[to]}").write_bytes(content)
    for source, reason in failures.items():
        console.complain(f"{source}: {reason}")
    if len(given) > 1:
        console.say(f"{amount(len(given) - len(failures), 'article')} of {amount(len(given), 'page')}")
    call.next("extract", "done")
    return first_of((ExitCode.INCOMPLETE, stop.is_set()), (ExitCode.FAILURES, failures))


def _all_of(sources: Iterable[str]) -> Iterator[str]:
    """Addresses and files, those of folders and of stdin, too."""
    for source in sources:
        if source == "-":
            yield from _all_of(address(line.strip()) for line in sys.stdin if line.strip() not in ("", "-"))
        elif is_http(source) or Path(source).is_file():
            yield source
        elif Path(source).is_dir():
            pages = [str(path) for path in sorted(Path(source).rglob("*")) if path.name.lower().endswith(_PAGES) and path.is_file()]
            if not pages:
                raise UsageError(f"{source}: there is no page in this folder; names of pages end in {', '.join(_PAGES)}.")
            yield from pages
        else:
            raise UsageError(f"{source}: this is neither an address with http:// or https:// nor a file or folder.")


def _pages(
    sources: Iterable[str], rules: Portal | None, contact: str | None, failures: dict[str, str], stack: ExitStack
) -> Iterator[tuple[str, Capture | None]]:
    """Each with what its site answered; files are read by those who do the work. What cannot be had is a failure."""
    from webarticlecurator.config.load import portal_at

    sites: dict[str, PageSource] = {}
    for source in sources:
        if not is_http(source):
            yield source, None
            continue
        host = "" if rules is not None else bare_host(source)
        if host not in sites:
            sites[host] = stack.enter_context(live_pages(rules or portal_at(source), contact, command="extract"))
        fetched = sites[host].fetch(Request(url=source, rendering=rules.articles.rendering if rules is not None else None))
        if fetched.capture is None:
            failures[source] = f"{fetched.verdict.outcome}: {fetched.verdict.reason}"
        else:
            yield source, fetched.capture


def _named_by(home: str, contact: str | None) -> Iterator[str]:
    """Addresses that sitemaps, feeds and the links of a home page name, the same perhaps twice."""
    from webarticlecurator.config.load import portal_at
    from webarticlecurator.document.parsed_page import read_page
    from webarticlecurator.extraction.site_entrances import Entrance
    from webarticlecurator.learning.site import entrances
    from webarticlecurator.learning.site.list_links import probable_articles
    from webarticlecurator.learning.site.seen import read_list
    from webarticlecurator.model.page import Page

    with live_pages(portal_at(home), contact, command="extract --urls") as source:
        fetched = source.fetch(Request(url=home))
        page = read_page(fetched.capture, classified=True) if fetched.capture is not None else None
        if not isinstance(page, Page):
            raise UsageError(f"{home} cannot be read: {page.reason if page is not None else fetched.verdict.reason}.")
        lists = [each for each in entrances.entrances_of(page, fetched.rights, None) if each.kind != "api"]
        known = {each.url for each in lists}
        for each in lists:  # to which those are added that a sitemap leads to
            capture = source.fetch(Request(url=each.url, is_sitemap=each.kind == "sitemap")).capture
            listed = read_list(capture, each.kind, home) if capture is not None else None
            if listed is None and each.told_by != entrances.USUAL_PLACE:
                console.complain(f"{each.url}: this {each.kind} cannot be read")
            if listed is None:
                continue
            yield from (link.url for link in listed.articles)
            further = [entry.url for entry in listed.sitemaps if entry.url not in known][: _MOST_SITEMAPS - len(lists)]
            known.update(further)
            lists += [Entrance("sitemap", url, each.url) for url in further]
        yield from probable_articles(page)


Extracted = tuple[str, bytes, str]
"""Where a page comes from; the bytes to be written; and why there is no article."""


@dataclass(frozen=True, slots=True)
class _Job(Job[tuple[str, Capture | None], Extracted]):
    """By which rules pages are read, and what is made of them; it is its own worker."""

    rules: Portal | None
    to: str

    def make(self, tasks: list[tuple[str, Capture | None]]) -> list[Extracted]:
        return [self._made(source, capture) for source, capture in tasks]

    def give_up(self, task: tuple[str, Capture | None], reason: str) -> Extracted:
        return task[0], b"", reason

    def _made(self, source: str, capture: Capture | None) -> Extracted:
        from webarticlecurator.corpus.saved_pages import saved_capture
        from webarticlecurator.extraction.article_reader import extract as read

        try:
            capture = capture or saved_capture(Path(source))
        except OSError as error:
            return source, b"", error.strerror or str(error)
        read_from = CaptureRef(
            record_id="",
            digest=f"sha256:{sha256(capture.entity).hexdigest()}",
            file="" if is_http(source) else os.fsencode(Path(source).name).decode("utf-8", "replace"),
            offset=0,
            length=len(capture.entity),
            url=capture.url,
            date=f"{capture.date.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        )
        article = replace(read(capture, portal=self.rules), captures=(read_from,))
        is_article = article.outcome is PageOutcome.ARTICLE
        content = self._content(article) if is_article or self.to == "jsonl" else b""
        return source, content, "" if is_article else f"{article.outcome}: {article.reason}"

    def _content(self, article: Article) -> bytes:
        if self.to == "tei":
            from webarticlecurator.building.build_options import rules_digest
            from webarticlecurator.extraction.article_reader import any_portal
            from webarticlecurator.tei.document import PUBLIC_SCHEMA, load_template, render

            portal, now = self.rules or any_portal(article.url), datetime.now(UTC).date()
            digest = rules_digest(self.rules, "") if self.rules is not None else ""
            return render(article, portal, template=load_template("page"), rules_digest=digest, now=now, schema=PUBLIC_SCHEMA)
        from webarticlecurator.exporting.articles import ExportArticle
        from webarticlecurator.exporting.export_options import ExportOptions
        from webarticlecurator.exporting.formats.texts import markdown_of, text_of
        from webarticlecurator.exporting.harmless import csv_cell
        from webarticlecurator.exporting.table import as_text, columns_of, row_of
        from webarticlecurator.model.article import stored_line

        record, extent = stored_line(article), article.extent
        if self.to == "jsonl":
            return orjson.dumps(record) + b"\n"
        # what the writers of exports ask of an article, for one that is in no corpus
        counts = {"words": extent.words or 0, "characters": extent.characters, "posts": len(article.posts)}
        built: Any = SimpleNamespace(url=article.url, language=article.language, published=article.date, kept_record=record, **counts)
        shown = ExportArticle(portal=bare_host(article.url), built=built, options=ExportOptions())
        if self.to == "csv":
            return _csv_line(csv_cell(as_text(value)) for value in row_of(shown, columns_of(_FIELDS)))
        return (text_of if self.to == "text" else markdown_of)(shown).encode()


def _csv_line(cells: Iterable[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()


def _with_content(made: Iterable[Extracted], total: int, failures: dict[str, str], work: Work) -> Iterator[tuple[str, bytes]]:
    """What is made of pages, until a person ends it; of pages that nothing is made of it is noted why."""
    for done, (source, content, reason) in enumerate(while_read(made), start=1):
        failures.update({source: reason} if reason else {})
        if content:
            yield source, content
        if done < total:
            work.show("", done, total, failed=len(failures))
        if work.stopped:
            break


def _into_file(output: str, to: str, pages: Iterator[tuple[str, bytes]], stack: ExitStack) -> None:
    """One after the other into a file that is there when it is whole, or to stdout."""
    file: BinaryIO = sys.stdout.buffer
    if output != "-":
        file = stack.enter_context(stack.enter_context(draft_of(Path(output))).open("wb"))
    file.write(_csv_line(_FIELDS) if to == "csv" else b"")
    between = {"text": b"\n", "markdown": b"\n---\n\n"}.get(to, b"")
    for number, (_, content) in enumerate(pages):
        file.write((between if number else b"") + content)
        file.flush()
