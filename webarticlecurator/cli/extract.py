"""`curator extract`: the texts of single pages, without a corpus: of addresses, files, folders, WARC files, stdin, or a list of these."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, BinaryIO

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import JOBS, Call, Contact, address, argument, command, load_portals, option
from webarticlecurator.cli.given_pages import GivenPage, archived_pages, given_pages
from webarticlecurator.cli.page_sources import live_pages, page_of_web
from webarticlecurator.cli.process import ExitCode, first_of, while_read
from webarticlecurator.errors import UsageError
from webarticlecurator.loose_pages.page_task import Extracted, LeftOut, PageTask
from webarticlecurator.model.capture import Capture, PageSource, Request
from webarticlecurator.model.progress import Work
from webarticlecurator.patterns import Pattern, PatternError
from webarticlecurator.storage.drafts import in_the_way
from webarticlecurator.storage.places import draft_of
from webarticlecurator.urls import bare_host
from webarticlecurator.warc.records import Damage
from webarticlecurator.workers.pool import BATCH, Workers, run

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.exporting.export_options import ExportOptions
    from webarticlecurator.extraction.site_entrances import Entrance
    from webarticlecurator.loose_pages.page_job import PageJob
    from webarticlecurator.model.links import ArchivePage

_FORMS = ("text", "markdown", "html", "jsonl", "record", "csv", "tei")
_MOST_TOLD = 1_000
"""Sentences on single pages that are shown."""
_MANY = 10**9
"""Pages that are expected of WARC files, which tell no number."""
_MOST_SITEMAPS = 1_000


def _regex(text: str) -> Pattern:
    try:
        return Pattern.parse(text)
    except PatternError as error:
        raise UsageError(f"--match {text}: {error}") from None


@command(portals="none", corpus=False, json=None)
def extract(
    call: Call,
    sources: Annotated[
        list[str] | None,
        argument("URL|FILE|FOLDER|WARC|-", "Pages; -: the page, WARC file or list of these that comes from stdin.", parse=address),
    ] = None,
    to: Annotated[str, option("--to", f"{', '.join(_FORMS)}.", "FORMAT")] = "text",
    output: Annotated[str, option("--output -o", "The file; or the folder, for a file a page: it ends in /.", "PATH")] = "-",
    portal: Annotated[str | None, option("--portal", "By the rules of this portal file.", "PORTAL")] = None,
    urls: Annotated[str | None, option("--urls", "List what the sitemaps, feeds and links of this home page name.", "HOME")] = None,
    match: Annotated[Pattern | None, option("--match", "Only pages in whose address this is found.", "REGEX", parse=_regex)] = None,
    only_articles: Annotated[bool, option("--only-articles", "No text of what is no article: lists, beginnings before a wall.")] = False,
    language: Annotated[str, option("--language", "Only articles in these languages, such as de,fr.", "TAG,...")] = "",
    with_metadata: Annotated[bool, option("--with-metadata", "Only articles of which headline and date are known.")] = False,
    dedup: Annotated[bool, option("--dedup", "Of articles with the same text only the first.")] = False,
    links: Annotated[bool, option("--links", "markdown, html: the addresses of links.")] = False,
    images: Annotated[bool, option("--images", "markdown, html: pictures with their captions.")] = False,
    tables: Annotated[bool, option("--no-tables", "Leave tables out.")] = True,
    comments: Annotated[bool, option("--comments/--no-comments", "What readers said, below the text.")] = False,
    front_matter: Annotated[bool, option("--front-matter", "markdown: begin with the data of the article, in YAML.")] = False,
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
      curl https://pelda.example/a | curator extract -   of what comes from stdin
      curator extract - --to csv -o all.csv < list.txt   of addresses or files, one a line
      curator extract pages.warc.gz --match '/hirek/'    of the pages in a WARC, ARC or WACZ file
      curator extract --urls https://pelda.example/      addresses that a site names

    Get headline and text, metadata, or TEI of pages without a corpus: by the rules of --portal, or as the general reader sees them.
    jsonl has a value a name, for tables of data; record all that is known, as `export --to jsonl`.
    Sites are asked politely, as robots.txt and their pauses want it. The address of a file is the one that its head tells. Pages
    that are no articles give their text, too, and it is said what they are: a list, a beginning before a wall; --only-articles leaves
    them out. What has no text is listed with the reason, and the exit code is then 1; it has a line of record all the same.
    """
    if to not in _FORMS:
        raise UsageError(f"--to {to} is unknown. There are {', '.join(_FORMS)}.")
    if urls is not None:
        return _show_addresses(call, urls, output, contact)
    if not sources:
        raise UsageError("Which pages? Give addresses, files or folders, or - for a list of them: curator extract page.html")
    from webarticlecurator.loose_pages.page_job import PageJob

    shown = {"links": links, "images": images, "comments": comments}
    job = PageJob(
        rules=load_portals([portal])[0] if portal is not None else None,
        form=to,
        options=_shown(shown, tables=tables, front_matter=front_matter),
        only_articles=only_articles,
        languages=tuple(filter(None, language.split(","))),
        with_metadata=with_metadata,
        digests=dedup,
    )
    with TemporaryDirectory(prefix="curator-") as stdin:
        return _run(call, job, list(given_pages(sources, Path(stdin))), match, output, contact, jobs)


def _shown(parts: Mapping[str, bool], *, tables: bool, front_matter: bool) -> ExportOptions:
    """Return what is shown of articles, as the writers of exports take it."""
    from webarticlecurator.exporting.export_options import ExportOptions, Part

    return ExportOptions(
        with_=frozenset(Part(name) for name, wanted in parts.items() if wanted),
        without=frozenset() if tables else frozenset({Part.TABLES}),
        front_matter=front_matter,
    )


def _run(
    call: Call, job: PageJob, given: Sequence[GivenPage], match: Pattern | None, output: str, contact: str | None, jobs: int | None
) -> ExitCode:
    """Read all pages, write what is made of them, and say how it ended."""
    has_archives = any(page.is_archive for page in given)
    place = _place_of(output, job.form, is_one=len(given) == 1 and not has_archives)
    account, expected = _Account(), _MANY if has_archives else len(given)
    with call.work() as (stop, progress), ExitStack() as stack:
        pages = _pages(given, match, _Sites(job.rules, contact, account, stack), account)
        workers = Workers.asked_for(jobs).for_tasks(expected, BATCH)
        made = chain.from_iterable(run(job, pages, workers=workers, batch=1 if expected < BATCH else BATCH))
        work = Work("extract", "reading", progress, stop, unit="pages")
        with_content = _with_content(made, expected, account, work)
        if place is None:
            _into_file(output, job.form, with_content, stack)
        else:
            _into_folder(place, job.form, with_content)
    _say(account)
    call.next("extract", "done")
    nothing = account.left_out.total() > 0 and account.given == 0
    return first_of((ExitCode.INCOMPLETE, stop.is_set()), (ExitCode.FAILURES, nothing or account.failures.number))


def _place_of(output: str, to: str, *, is_one: bool) -> Path | None:
    """Return the folder that takes a file a page; None where all go into one file, or to stdout. Raises UsageError."""
    from webarticlecurator.loose_pages.forms import FORMS

    form = FORMS[to]
    folder = Path(output) if output.endswith("/") or Path(output).is_dir() else None
    if folder is None and form.is_file and not is_one:
        raise UsageError(f"--to {to} of several pages is several files: name a folder with -o, such as -o {to}/")
    if folder is not None and form.is_lines:
        raise UsageError(f"--to {to} is one file: name it with -o, such as -o articles{form.suffix}")
    problem = in_the_way(Path(output)) if output != "-" and folder is None else None
    if problem is not None:
        raise UsageError(problem)
    return folder


def _show_addresses(call: Call, home: str, output: str, contact: str | None) -> ExitCode:
    """Print each address that a site names."""
    if output != "-":
        raise UsageError(f"--urls prints addresses: write > {output} behind the command in place of --output.")
    shown: set[str] = set()
    for url in while_read(_named_by(home, contact)):
        if url not in shown:
            console.data(url)
            shown.add(url)
    call.next("extract", "urls", url=home)
    return ExitCode.OK


@dataclass(slots=True)
class _Told:
    """Sentences on pages, of which the first are shown: a WARC file may hold millions of lists."""

    number: int = 0
    first: dict[str, str] = field(default_factory=dict)
    """Sentences by what messages call the page."""

    def add(self, source: str, reason: str) -> None:
        self.number += 1
        if len(self.first) < _MOST_TOLD:
            self.first[source] = reason


@dataclass(slots=True)
class _Account:
    """The result of a run, by what messages call the pages."""

    pages: int = 0
    articles: int = 0
    remarks: _Told = field(default_factory=_Told)
    """Kinds of pages whose text is given, though they are no articles."""
    failures: _Told = field(default_factory=_Told)
    """Reasons why nothing is given."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Pages that a person did not want, by the option that says so."""
    given: int = 0
    """Pages of which something is written."""

    def fail(self, source: str, reason: str) -> None:
        self.pages += 1
        self.failures.add(source, reason)

    def note_damage(self, damage: Damage) -> None:
        self.failures.add(str(damage.path), str(damage))


def _say(account: _Account) -> None:
    """Tell which pages are no articles, or could not be had, and how many there were."""
    for told in (account.remarks, account.failures):
        for source, reason in told.first.items():
            console.complain(f"{source}: {reason}")
        if told.number > len(told.first):
            console.complain(f"... and {told.number - len(told.first):,} more of these")
    if account.left_out:
        console.say(f"Left out: {', '.join(f'{number:,} by {option}' for option, number in account.left_out.items())}")
    if account.pages > 1:
        console.say(f"{amount(account.articles, 'article')} of {amount(account.pages, 'page')}")


def _pages(given: Iterable[GivenPage], match: Pattern | None, sites: _Sites, account: _Account) -> Iterator[PageTask]:
    """Yield each page with what its site answered, or a WARC file holds; others are read by those who do the work.

    What cannot be had is a failure.
    """
    for page in given:
        if page.is_archive and page.path is not None:
            captures = archived_pages(page.path, account.note_damage)
            yield from (PageTask(capture.url, capture=capture) for capture in captures if match is None or match.in_address(capture.url))
        elif match is not None and not match.in_address(page.source):
            continue
        elif page.path is not None:
            yield PageTask(page.source, path=page.path)
        elif (capture := sites.capture(page.source)) is not None:
            yield PageTask(page.source, capture=capture)


@dataclass(frozen=True, slots=True)
class _Sites:
    """Asks sites for pages, each as its robots.txt wants it."""

    rules: Portal | None
    contact: str | None
    account: _Account
    stack: ExitStack
    _sources: dict[str, PageSource] = field(default_factory=dict)

    def capture(self, url: str) -> Capture | None:
        """Return what a site answers; None if that is nothing, which is a failure."""
        from webarticlecurator.config.load import portal_at

        host = "" if self.rules is not None else bare_host(url)
        if host not in self._sources:
            pages = live_pages(self.rules or portal_at(url), self.contact, command="extract")
            self._sources[host] = self.stack.enter_context(pages)
        rendering = self.rules.articles.rendering if self.rules is not None else None
        fetched = self._sources[host].fetch(Request(url=url, rendering=rendering))
        if fetched.capture is None:
            self.account.fail(url, f"{fetched.verdict.outcome}: {fetched.verdict.reason}")
        return fetched.capture


def _named_by(home: str, contact: str | None) -> Iterator[str]:
    """Addresses that sitemaps, feeds and the links of a home page name, the same perhaps twice."""
    from webarticlecurator.config.load import portal_at
    from webarticlecurator.extraction.site_entrances import Entrance
    from webarticlecurator.learning.site import entrances
    from webarticlecurator.learning.site.list_links import probable_articles

    with live_pages(portal_at(home), contact, command="extract --urls") as source:
        page, rights = page_of_web(source, home)
        lists = [each for each in entrances.entrances_of(page, rights, None) if each.kind != "api"]
        known = {each.url for each in lists}
        for each in lists:  # to which those are added that a sitemap leads to
            listed = _read_entrance(each, home, source)
            if listed is not None:
                yield from (link.url for link in listed.articles)
                further = [entry.url for entry in listed.sitemaps if entry.url not in known][: _MOST_SITEMAPS - len(lists)]
                known.update(further)
                lists += [Entrance("sitemap", url, each.url) for url in further]
        yield from probable_articles(page)


def _read_entrance(entrance: Entrance, home: str, source: PageSource) -> ArchivePage | None:
    """Read a list of a site; say so where one that the site names cannot be read."""
    from webarticlecurator.learning.site import entrances
    from webarticlecurator.learning.site.seen import read_list

    capture = source.fetch(Request(url=entrance.url, is_sitemap=entrance.kind == "sitemap")).capture
    listed = read_list(capture, entrance.kind, home) if capture is not None else None
    if listed is None and entrance.told_by != entrances.USUAL_PLACE:
        console.complain(f"{entrance.url}: this {entrance.kind} cannot be read")
    return listed


def _with_content(made: Iterable[Extracted], expected: int, account: _Account, work: Work) -> Iterator[Extracted]:
    """Yield what is made of pages, until a person ends it, and take account of all."""
    digests = set[bytes]()
    for page in while_read(made):
        account.pages += 1
        left_out = page.left_out
        if page.digest and page.digest in digests:
            left_out = LeftOut.REPEATED
        digests.add(page.digest)
        if left_out is not None:
            account.left_out[left_out] += 1
            continue
        account.articles += page.reason == ""
        if page.reason:
            (account.remarks if page.has_text else account.failures).add(page.source, page.reason)
        if page.content:
            account.given += 1
            yield page
        if account.pages < expected:
            work.show("", account.pages, 0 if expected == _MANY else expected, failed=account.failures.number)
        if work.stopped:
            break


def _into_file(output: str, to: str, pages: Iterable[Extracted], stack: ExitStack) -> None:
    """Write one after the other into a file that is there when it is whole, or to stdout."""
    from webarticlecurator.loose_pages.forms import FORMS

    file: BinaryIO = sys.stdout.buffer
    if output != "-":
        file = stack.enter_context(stack.enter_context(draft_of(Path(output))).open("wb"))
    form, between = FORMS[to], b""
    file.write(form.beginning)
    for page in pages:
        file.write(between + page.content)
        file.flush()
        between = form.between


def _into_folder(folder: Path, to: str, pages: Iterable[Extracted]) -> None:
    """Write a file a page, named after it."""
    from webarticlecurator.loose_pages.forms import FORMS

    folder.mkdir(parents=True, exist_ok=True)
    names = Counter[str]()
    for page in pages:
        stem = Path(page.source.rstrip("/").partition("?")[0]).stem or "page"
        names[stem] += 1
        number = f"-{names[stem]}" if names[stem] > 1 else ""
        (folder / f"{stem}{number}{FORMS[to].suffix}").write_bytes(page.content)
