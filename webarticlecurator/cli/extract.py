"""`curator extract`: the texts of single pages, without a corpus: of addresses, files, folders, WARC files,
stdin, or a list of these."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain, groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TYPE_CHECKING, Annotated, BinaryIO

from webarticlecurator.amounts import amount, each_number, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import (
    JOBS,
    Call,
    Contact,
    address,
    argument,
    command,
    load_portals,
    option,
)
from webarticlecurator.cli.given_pages import GivenPage, archived_pages, given_pages
from webarticlecurator.cli.page_sources import live_pages
from webarticlecurator.cli.process import ExitCode, first_of, while_read
from webarticlecurator.corpus.folder import lost_by_writing
from webarticlecurator.errors import UsageError, refuse
from webarticlecurator.loose_pages.page_task import Extracted, LeftOut, PageTask
from webarticlecurator.model.capture import PageSource
from webarticlecurator.model.progress import Work
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.patterns import Pattern, PatternError
from webarticlecurator.storage.drafts import in_the_way
from webarticlecurator.storage.places import draft_of
from webarticlecurator.warc.records import Damage
from webarticlecurator.workers.pool import BATCH, Workers, run

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.loose_pages.asked_sites import AskedSites
    from webarticlecurator.loose_pages.forms import Form
    from webarticlecurator.loose_pages.page_job import PageJob

_FORMS = ("text", "markdown", "html", "jsonl", "record", "csv", "tei")
_CALLED = {"json": "jsonl", "xml": "tei", "xmltei": "tei", "txt": "text", "md": "markdown"}
"""The forms by the names that other programs have for them."""
_TABLE = "For who knows trafilatura, docs/reference/python.md has a table of what is what."
_TAG = linear_at(r"[a-z]{2,3}(?:-[a-z0-9]+)*")
_MOST_TOLD = 1_000
"""Sentences on single pages that are shown."""
_MANY = 10**9
"""Pages that are expected of WARC files, which tell no number."""


def _regex(text: str) -> Pattern:
    try:
        return Pattern.parse(text)
    except PatternError as error:
        raise UsageError(f"--match {text}: {error}") from None


@command(portals="none", corpus=False, json=None)
def extract(
    call: Call,
    sources: Annotated[
        tuple[str, ...],
        argument(
            "URL|FILE|FOLDER|WARC|-",
            "Pages; -: the page, WARC file or list of these that comes from stdin.",
            parse=address,
        ),
    ] = (),
    to: Annotated[str, option("--to", f"{', '.join(_FORMS)}.", "FORMAT")] = "text",
    output: Annotated[
        str, option("--output -o", "The file; or the folder, for a file a page: it ends in /.", "PATH")
    ] = "-",
    portal: Annotated[str | None, option("--portal", "By the rules of this portal file.", "PORTAL")] = None,
    urls: Annotated[
        str | None,
        option("--urls", "List what this home page, its sitemaps and feeds name, or this list.", "HOME"),
    ] = None,
    match: Annotated[
        Pattern | None, option("--match", "Only pages in whose address this is found.", "REGEX", parse=_regex)
    ] = None,
    only_articles: Annotated[
        bool, option("--only-articles", "No text of what is no article: lists, beginnings before a wall.")
    ] = False,
    language: Annotated[
        str, option("--language", "Only articles in these languages, such as de,fr.", "TAG,...")
    ] = "",
    with_metadata: Annotated[
        bool, option("--with-metadata", "Only articles of which headline and date are known.")
    ] = False,
    dedup: Annotated[bool, option("--dedup", "Of articles with the same text only the first.")] = False,
    links: Annotated[bool, option("--links", "markdown, html: the addresses of links.")] = False,
    images: Annotated[bool, option("--images", "markdown, html: pictures with their captions.")] = False,
    tables: Annotated[bool, option("--no-tables", "Leave tables out.")] = True,
    comments: Annotated[bool, option("--comments", "What readers said, below the text.")] = False,
    no_comments: Annotated[bool, option("--no-comments", "Leave that out, as is done unasked.")] = False,
    front_matter: Annotated[
        bool, option("--front-matter", "markdown: begin with the data of the article, in YAML.")
    ] = False,
    one_way: Annotated[bool, option("--precision --recall", "")] = False,
    contact: Contact = None,
    jobs: Annotated[int | None, JOBS] = None,
) -> ExitCode:
    """
    \b
    Examples:
      export CURATOR_CONTACT=you@university.example      once, so that sites know who asks
      curator extract https://pelda.example/a            the text of one page
      curator extract page.html --to markdown            of a file
      curator extract pages/ --to jsonl -o all.jsonl     of all pages in a folder
      curator extract pages/ --to text -o texts/         a file a page
      curl https://pelda.example/a | curator extract -   of what comes from stdin
      curator extract - --to csv -o all.csv < list.txt   of addresses or files, one a line
      curator extract pages.warc.gz --match '/hirek/'    of the pages in a WARC, ARC or WACZ file
      curator extract --urls https://pelda.example/      addresses that a site names

    Get headline and text, metadata, or TEI of pages without a corpus: by the rules of --portal, or as the
    general reader sees them. jsonl has a value a name, for tables of data; record all that is known, as
    `export --to jsonl`. For who knows trafilatura, newspaper or fundus, docs/reference/python.md has a
    table of what is what. Sites are asked politely, as robots.txt and their pauses want it, several at
    the same time: what answers first comes first. The address of a file is the one that its head tells.
    In a list, empty lines and those that begin with # are left out. Pages that are no articles give their
    text, too, and it is said what they are: a list, a beginning before a wall; --only-articles leaves
    them out. What has no text is listed with the reason, and the exit code is then 1; it has a line of
    record all the same.
    """
    refuse((one_way, f"Pages are read in one way: there is no --precision and no --recall. {_TABLE}"))
    _check_form(to)
    flags = those_that_hold(
        (to != "text", "--to"),
        (portal is not None, "--portal"),
        (only_articles, "--only-articles"),
        (language, "--language"),
        (with_metadata, "--with-metadata"),
        (dedup, "--dedup"),
        (links, "--links"),
        (images, "--images"),
        (not tables, "--no-tables"),
        (comments, "--comments"),
        (no_comments, "--no-comments"),
        (front_matter, "--front-matter"),
        (jobs is not None, "--jobs"),
    )
    if urls is not None:
        _refuse_beside_urls([*sources, *flags], output)
        return _show_addresses(call, urls, match, contact)
    _check_shown(to, flags)
    refuse(
        (
            not sources,
            "Which pages? Give addresses, files or folders: curator extract page.html. A page or a list of "
            "these comes from stdin for -: curator extract - < page.html",
        )
    )
    from webarticlecurator.loose_pages.forms import options_of
    from webarticlecurator.loose_pages.page_job import PageJob

    job = PageJob(
        rules=load_portals([portal])[0] if portal is not None else None,
        form=to,
        options=options_of(
            links=links,
            images=images,
            tables=tables,
            comments=comments and not no_comments,
            front_matter=front_matter,
        ),
        only_articles=only_articles,
        languages=tuple(map(_language, filter(None, language.split(",")))),
        with_metadata=with_metadata,
        digests=dedup,
    )
    with TemporaryDirectory(prefix="curator-") as stdin:
        pages = _each_once(given_pages(sources, Path(stdin)))
        meant = [page for page in pages if _is_meant(page, match)]
        return _run(call, job, meant, match, output, contact, jobs)


def _check_form(to: str) -> None:
    """Raise UsageError for a format that there is not, with the one that was probably meant."""
    from webarticlecurator.exporting.export_options import did_you_mean

    meant = did_you_mean(_CALLED.get(to, to), _FORMS)
    refuse((to not in _FORMS, f"--to {to} is unknown. {meant}There are {', '.join(_FORMS)}."))


def _check_shown(to: str, flags: Iterable[str]) -> None:
    """Raise UsageError where something is to be shown or left out that this format cannot do."""
    from webarticlecurator.loose_pages.forms import FORMS

    of_any = frozenset[str]().union(*(form.shows for form in FORMS.values()))
    for flag in flags:
        if flag in of_any - FORMS[to].shows:
            able = [name for name, form in FORMS.items() if flag in form.shows]
            raise UsageError(f"{flag} does nothing for --to {to}. It is for {', '.join(able)}.")


def _language(written: str) -> str:
    """Return the tag of a language in small letters. Raises UsageError for its name."""
    from babel import Locale

    tag = written.strip().lower()
    if _TAG.fullmatch(tag) is not None:
        return tag
    named = (code for code, name in Locale("en").languages.items() if name.lower() == tag)
    meant = next((f"{tag} is {code}" for code in named), "write tags such as de or pt-BR")
    raise UsageError(f"--language {tag}: this is no tag of a language; {meant}.")


def _each_once(given: Iterable[GivenPage]) -> list[GivenPage]:
    """Return what was named without what was named before, which is counted. Raises UsageError where nothing
    was."""
    pages = list(given)
    refuse(
        (not pages, "Which pages? Nothing came from stdin: neither a page nor a list of addresses and files.")
    )
    once: dict[str, GivenPage] = {}
    for page in pages:
        once.setdefault(page.source, page)
    if len(once) < len(pages):
        console.say(f"Read once, though named again: {amount(len(pages) - len(once), 'page')}")
    return list(once.values())


def _is_meant(page: GivenPage, match: Pattern | None) -> bool:
    """Say whether an address or the name of a file is wanted; of a WARC file that is asked of each page in
    it."""
    return page.is_archive or page.problem != "" or _fits(match, page.source)


def _fits(match: Pattern | None, address: str) -> bool:
    """True if an address is wanted: all are where no pattern is given."""
    return match is None or match.in_address(address) is not None


def _run(
    call: Call,
    job: PageJob,
    given: Sequence[GivenPage],
    match: Pattern | None,
    output: str,
    contact: str | None,
    jobs: int | None,
) -> ExitCode:
    """Read all pages, write what is made of them, and say how it ended."""
    has_archives = any(page.is_archive for page in given)
    place = _place_of(output, job.form, is_one=len(given) == 1 and not has_archives)
    account, expected = _Account(), _MANY if has_archives else len(given)
    with call.work() as (stop, progress), ExitStack() as stack:
        pages = _pages(given, match, _asked_sites(job.rules, contact, stop, stack), account)
        workers = Workers.asked_for(jobs).for_tasks(expected, BATCH)
        made = chain.from_iterable(run(job, pages, workers=workers, batch=1 if expected < BATCH else BATCH))
        work = Work("extract", "reading", progress, stop, unit="pages")
        with_content = _with_content(made, expected, account, work)
        if place is None:
            _into_file(output, job.form, with_content, stack)
        else:
            _into_folder(place, job.form, with_content)
    _say(account)
    if stop.is_set() and not has_archives:
        console.say(f"Ended before its time: {amount(expected - account.pages, 'page')} not read")
    nothing = account.left_out.total() > 0 and account.given == 0
    code = first_of(
        (ExitCode.INCOMPLETE, stop.is_set()), (ExitCode.FAILURES, nothing or account.failures.number)
    )
    if code is ExitCode.OK and any(page.path is None for page in given):
        call.next("extract", "done")
    return code


def _place_of(output: str, to: str, *, is_one: bool) -> Path | None:
    """Return the folder that takes a file a page; None where all go into one file, or to stdout. Raises
    UsageError."""
    from webarticlecurator.loose_pages.forms import FORMS

    form, place = FORMS[to], Path(output)
    if output.endswith("/") or (output != "-" and place.is_dir()):
        refuse(
            (form.is_lines, f"--to {to} is one file: name it with -o, such as -o articles{form.suffix}"),
            (
                place.exists() and not place.is_dir(),
                f"{place} is a file, and no folder can be made of it: name another",
            ),
        )
        return place
    _check_file(output, to, form, is_one=is_one)
    return None


def _check_file(output: str, to: str, form: Form, *, is_one: bool) -> None:
    """Raise UsageError where pages cannot all go there, or a folder was probably meant."""
    place = Path(output)
    problem = in_the_way(place) or lost_by_writing(place)
    name = output if output != "-" else to
    looks_like_folder = not (form.is_lines or place.suffix or output == "-" or place.exists())
    refuse(
        (problem, problem or ""),
        (
            form.is_file and not is_one,
            f"--to {to} of several pages is several files: name a folder with -o, such as -o {name}/",
        ),
        (
            looks_like_folder and not is_one,
            f"-o {output} of several pages: -o {output}/ is a folder with a file a page, -o "
            f"{output}{form.suffix} one file of all",
        ),
    )


def _show_addresses(call: Call, home: str, match: Pattern | None, contact: str | None) -> ExitCode:
    """Print each address that a site names, or a sitemap or feed of it."""
    from webarticlecurator.config.load import portal_at
    from webarticlecurator.loose_pages.site_addresses import named_addresses

    shown: set[str] = set()
    with live_pages(portal_at(home), contact, command="extract --urls") as source:
        for url in while_read(named_addresses(source, home, console.complain)):
            if url not in shown and _fits(match, url):
                console.data(url)
                shown.add(url)
    call.next("extract", "urls", url=home)
    return ExitCode.OK


def _refuse_beside_urls(flags: Collection[str], output: str) -> None:
    """Raise UsageError where addresses are to be listed, and something else is said of pages."""
    needless = f"{', '.join(flags)} would do nothing beside it."
    refuse(
        (
            output != "-",
            f"--urls prints addresses: write > {output} behind the command in place of --output.",
        ),
        (flags, f"--urls prints addresses, and reads no pages: {needless}"),
    )


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
        others = told.number - len(told.first)
        console.complain(*those_that_hold((others > 0, f"... and {others:,} more of these")))
    left_out = ", ".join(each_number(account.left_out, "{:,} by {}"))
    read = f"{amount(account.articles, 'article')} of {amount(account.pages, 'page')}"
    console.say(
        *those_that_hold((left_out, f"Left out: {left_out}"), (account.pages > 1, read)),
    )


def _pages(
    given: Iterable[GivenPage], match: Pattern | None, sites: AskedSites, account: _Account
) -> Iterator[PageTask]:
    """Yield each page with what its site answered, or a WARC file holds; others are read by those who do the
    work.

    Sites that are named one after the other are asked at the same time.
    """
    for is_file, together in groupby(given, key=lambda page: page.path is not None):
        pages = tuple(together)
        yield from _stored(pages, match, account) if is_file else _answered(pages, sites, account)


def _answered(pages: Sequence[GivenPage], sites: AskedSites, account: _Account) -> Iterator[PageTask]:
    """Yield what sites answer; what cannot be had, and a line of a list that names nothing, is a failure."""
    for page in pages:
        if page.problem:
            account.fail(page.source, page.problem)
    for fetched in sites.answers(page.source for page in pages if not page.problem):
        if fetched.capture is not None:
            yield PageTask(fetched.request.url, capture=fetched.capture)
        else:
            account.fail(fetched.request.url, f"{fetched.verdict.outcome}: {fetched.verdict.reason}")


def _stored(pages: Iterable[GivenPage], match: Pattern | None, account: _Account) -> Iterator[PageTask]:
    """Yield files, and the pages in WARC files."""
    for page in pages:
        if page.is_archive and page.path is not None:
            captures = archived_pages(page.path, account.note_damage)
            yield from (
                PageTask(capture.url, capture=capture) for capture in captures if _fits(match, capture.url)
            )
        else:
            yield PageTask(page.source, path=page.path, name=page.name)


def _asked_sites(rules: Portal | None, contact: str | None, stop: Event, stack: ExitStack) -> AskedSites:
    """Return who asks sites for pages, each as its robots.txt wants it."""
    from webarticlecurator.config.load import portal_at
    from webarticlecurator.loose_pages.asked_sites import AskedSites

    def open_site(url: str) -> PageSource:
        return stack.enter_context(live_pages(rules or portal_at(url), contact, command="extract"))

    return AskedSites(rules, open_site, stop)


def _with_content(
    made: Iterable[Extracted], expected: int, account: _Account, work: Work
) -> Iterator[Extracted]:
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
    from webarticlecurator.loose_pages.file_names import long_name
    from webarticlecurator.loose_pages.forms import FORMS

    folder.mkdir(parents=True, exist_ok=True)
    names = Counter[str]()
    for page in pages:
        name = page.name if page.name not in names else long_name(page.source)
        names[name] += 1
        number = text_if(names[name] > 1, f"-{names[name]}")
        path = folder / f"{name}{number}{FORMS[to].suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.content)
