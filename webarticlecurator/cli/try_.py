"""`curator try`: what the rules of a portal file make of a page; `curator test`: whether that is what is
expected of it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import click

from webarticlecurator.amounts import amount, part, prefixed, size, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import (
    Call,
    Contact,
    WarcFiles,
    address,
    argument,
    command,
    difference,
    option,
    output_option,
)
from webarticlecurator.cli.console import cut
from webarticlecurator.cli.page_sources import existing, file_flags, listed_pages, live_pages, stored_pages
from webarticlecurator.cli.process import ExitCode, while_read
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.errors import UsageError, refuse, told_by_system
from webarticlecurator.model.capture import PageKind, Rendering, Request

if TYPE_CHECKING:
    from webarticlecurator.corpus.stored_pages import PagesOfCorpus
    from webarticlecurator.stages.portal_tests import Result, Tested

Line = dict[str, Any]
_LONGEST = 100
"""Characters of a text of which only the beginning matters."""
_MOST_UNDECIDED = 15
_kind_option = partial(option, "--as", takes="KIND", parse=click.Choice(get_args(PageKind)))
"""The option that says by which rules a page is read."""


@command(json="Print one JSON object a page.")
def try_(
    call: Call,
    url: Annotated[
        list[str], argument("URL", "Pages to try; - reads a list from stdin, one URL a line.", parse=address)
    ],
    warc: WarcFiles = (),
    html: Annotated[Path | None, option("--html", "Take this file for the page at URL.", "FILE")] = None,
    fetch: Annotated[bool, option("--fetch", "Get the pages from the portal, politely.")] = False,
    browser: Annotated[
        bool,
        option(
            "--browser",
            "The same, shown in a browser even where the file does not say so; what it adds is told.",
        ),
    ] = False,
    as_kind: Annotated[
        PageKind | None,
        _kind_option(
            "By which rules: archive or article.  [default: archive where a crawl, or a column's url, says "
            "so]"
        ),
    ] = None,
    column: Annotated[str | None, option("--column", "Use the rules of this column.", "NAME")] = None,
    highlight: Annotated[
        bool, option("--highlight", "Write the page with each text marked by what became of it.")
    ] = False,
    output: Annotated[
        Path | None, output_option("With --highlight: the file.  [default: highlight.html]")
    ] = None,
    contact: Contact = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator try portal.yaml https://pelda.example/2024/05/01/ --fetch
      curator try portal.yaml https://pelda.example/cikk/1 --html saved.html
      curator try portal.yaml URL --warc old.warc.gz --as archive --column belfold
      curator try portal.yaml URL --browser            whether the page needs a browser, and what the rules find then
      curator try portal.yaml - --json < urls.txt
      curator try portal.yaml URL --highlight -o page.html

    Show what the rules of PORTAL make of pages: of an archive page its articles and the next page, of an article its metadata,
    its text, what was left out by which rule, and the tags that no rule decides. The pages come from the corpus, unless --warc,
    --html, --fetch or --browser says otherwise. Nothing is stored.

    With --highlight the page is written to a file, as `curator open` shows those of a corpus: every text of
    it is marked by what the rules for articles made of it, kept as what or dropped by which rule.
    """
    fetch = fetch or browser
    _refuse_together(url, warc, html, fetch, as_kind, column, highlight, output)
    rendering = Rendering() if browser else None
    with ExitStack() as opened:
        if html is not None:
            source = _saved(call, html)
        elif fetch:
            source = _live(call, opened, contact, in_browser=browser)
        else:
            elsewhere = "--warc FILE, --html FILE or --fetch"
            source = opened.enter_context(stored_pages(call.portal, warc, call.corpus, otherwise=elsewhere))
        if highlight:
            made = _highlight(call, url[0], source, output or Path("highlight.html"), rendering)
            return ExitCode.OK if made else ExitCode.FAILURES
        line, all_read = Line(), True
        for page in while_read(_typed(url)):
            line = _look(call, page, source, as_kind, column, rendering)
            all_read = all_read and _is_read(line)
    if not line:
        raise UsageError("There is no URL on stdin: give one a line, or name the pages on the command line.")
    files = file_flags("--html", [html] if html else ()) + file_flags("--warc", warc)
    pages = first_that_holds({" --browser": browser, " --fetch": fetch, files: True})
    _next(call, line, pages, live=fetch, html=html is not None)
    return ExitCode.OK if all_read else ExitCode.FAILURES


def _refuse_together(
    urls: Sequence[str], warc: Sequence[Path] | None, html: Path | None, fetch: bool,
    as_kind: PageKind | None, column: str | None, highlight: bool, output: Path | None,
) -> None:  # fmt: skip
    """Raises UsageError for options that do not go together."""
    sources = [bool(warc), html is not None, fetch]
    is_one_page = len(urls) == 1 and urls[0] != "-"
    is_of_archive = as_kind == "archive" or column is not None
    refuse(
        (sum(sources) > 1, "--warc, --html and --fetch (or --browser) exclude each other: say one of them."),
        (
            column is not None and as_kind == "article",
            "--column belongs to archive pages: leave it out, or say --as archive.",
        ),
        (
            output is not None and not highlight,
            "-o belongs to --highlight: without it what the rules make of a page is printed.",
        ),
        (
            highlight and (is_of_archive or not is_one_page),
            "--highlight shows one page by the rules for articles: name one URL, without --as archive and "
            "--column.",
        ),
    )


def _look(
    call: Call,
    page: str,
    source: PagesOfCorpus,
    as_kind: PageKind | None,
    column: str | None,
    rendering: Rendering | None,
) -> Line:
    """Tell what the rules make of a page, and return that."""
    from webarticlecurator.stages import trial

    rules = column
    if rules is None and as_kind != "article":
        rules = source.walked_by(page)
    read_as: PageKind | None = as_kind or ("archive" if rules else None)
    listing = source.listing(page)
    line = trial.look(
        page,
        portal=call.portal,
        source=source,
        kind=read_as,
        column=rules,
        listing=listing,
        rendering=rendering,
    )
    if "metadata" in line and (listed_on := source.listed_on(page)) is not None:
        line["listed_on"] = listed_on
    call.tell(line, in_words(line))
    return line


def _is_read(line: Line) -> bool:
    """True if the rules made something of a page; else the line says why there is nothing."""
    return not line.keys().isdisjoint(("articles", "metadata", "posts"))


def _saved(call: Call, html: Path) -> PagesOfCorpus:
    from webarticlecurator.corpus.saved_pages import SavedPage

    return listed_pages(SavedPage(existing(html)), call.portal, call.corpus)


def _live(call: Call, opened: ExitStack, contact: str | None, *, in_browser: bool) -> PagesOfCorpus:
    web = opened.enter_context(live_pages(call.portal, contact, in_browser=in_browser or None))
    return listed_pages(web, call.portal, call.corpus)


def _typed(urls: Iterable[str]) -> Iterator[str]:
    """Yield the pages that were named, those of stdin where a name is `-`."""
    for url in urls:
        for line in sys.stdin if url == "-" else [url]:
            if line.strip():
                yield address(line.strip())


def _highlight(
    call: Call, url: str, source: PagesOfCorpus, output: Path, rendering: Rendering | None
) -> bool:
    """Write the marked page, and say in a few words what is to be seen there; False where there was no
    page."""
    from webarticlecurator.budget import no_collector
    from webarticlecurator.corpus.folder import write_whole
    from webarticlecurator.stages.article_view import view_page
    from webarticlecurator.stages.marked_pages import KINDS

    fetched = source.fetch(Request(url=url, rendering=call.portal.articles.rendering or rendering))
    with no_collector():
        made = view_page(url, call.portal, fetched, listing=source.listing(url), corpus=source.corpus)
    try:
        write_whole(output, made.html.encode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {told_by_system(error)}") from None
    line = {
        "url": url,
        "outcome": made.outcome,
        "reason": made.reason,
        "file": str(output),
        "words": dict(made.words),
    }
    words = (f"{count:8,} words  {KINDS[name]}" for name, count in made.words.items() if count)
    call.tell(line, [f"{url}: {made.outcome}{part(': {}', made.reason)}", *words])
    call.next("try", "highlight", file=output)
    return bool(made.is_shown)


def _next(call: Call, line: Line, pages: str, *, live: bool, html: bool) -> None:
    """Name what to do next; `pages`: flags that say where the pages are."""
    articles = [entry["url"] for entry in line.get("articles", ())]
    onward = [*articles, *(entry["url"] for entry in line.get("sitemaps", ())), *line.get("sections", ())]
    if onward:
        call.next(
            "try", "archive" if articles else "leads on", url=onward[0], pages=" --fetch" if html else pages
        )
    else:
        situation = _situation(call, line, is_elsewhere=live or html)
        asked_in_vain = live and situation == "unread"
        call.next("try", "not had" if asked_in_vain else situation, url=line["url"], pages=pages)


def _situation(call: Call, line: Line, *, is_elsewhere: bool) -> str:
    """Return what came of a page that leads nowhere; `is_elsewhere`: it was not in the corpus."""
    return first_that_holds(
        {
            "no articles": "articles" in line,
            "bad URL": line.get("outcome") == "bad-url",
            "unread": not _is_read(line),
            "no article": "metadata" in line and line["outcome"] != "article",
            "elsewhere": is_elsewhere and call.portal.columns,
            "no archive": is_elsewhere,
            "undecided": line.get("unknown_tags"),
            "well": True,
        }
    )


def in_words(line: Line) -> Iterator[str]:
    """Yield line by line what the rules made of the page."""
    yield f"{line['url']}  ({line['kind']})"
    if "in_browser" in line:
        yield from _in_browser(line["in_browser"])
    if "outcome" in line:
        yield f"  {line['outcome']}{part(': {}', line['reason'])}"
    if "articles" in line:
        yield from _list_of_articles(line)
    else:
        for post in line.get("posts", ()):
            yield from _post(post)
    if "metadata" in line:
        yield from _article(line)


def _in_browser(seen: Line) -> Iterator[str]:
    """Tell what a browser made of the page, and whether it was worth it."""
    sent, shown = (
        f"words: {seen[name]['words']:,}, links: {seen[name]['links']:,}" for name in ("sent", "shown")
    )
    asked = f"{seen['browser']}; {amount(seen['loaded'], 'more request')}, {size(seen['bytes'])}"
    hardly_less = ", hardly less: `via: http` is quicker, and kinder to the portal"
    without = text_if(not seen["is_needed"], hardly_less)
    yield f"  In a browser ({asked}) outside of menus {shown}; without one {sent}{without}"
    yield from those_that_hold(
        (
            seen["limit"],
            f"  Look at this: the browser did not come to the end of the page: {seen['limit']}",
        )
    )


def _list_of_articles(line: Line) -> Iterator[str]:
    guessed = line.get("guessed", "")
    read_by = f"  No column makes this address: read by the rules of {guessed!r}"
    yield from those_that_hold((guessed, f"{read_by}; `--column NAME` takes those of another one"))
    for article in line["articles"]:
        yield f"  {article['url']}"
        for name, value in article.items():
            if name != "url":
                yield f"      {name}: {value if isinstance(value, str) else '; '.join(value)}"
    yield from _summed(line)


def _post(post: Line) -> Iterator[str]:
    """Tell the head of a post, and where its text begins."""
    yield f"  {post['url'] or 'a post without an address (posts.blog.url), so that it is no article'}"
    for value in _values(post.get("metadata", {}), ""):
        yield f"  {value}"
    yield from prefixed("    flag: ", post["flags"])
    yield (
        f"    text: {cut(' / '.join(post['text'].splitlines()), _LONGEST)}"
        if post.get("text")
        else f"    {post['reason']}"
    )


def head_in_words(line: Line) -> Iterator[str]:
    """Tell of a page of which only the sum matters."""
    yield f"  {line['url']}"
    yield from _summed(line) if "articles" in line else (f"  {line['outcome']}: {line['reason']}",)


def _summed(line: Line) -> Iterator[str]:
    from webarticlecurator.cli.status import refused_links

    onward = f"none, the page grows (`pages: {line['grows']}`)" if "grows" in line else line["next"] or "none"
    yield f"  {amount(len(line['articles']), 'article')}; next page: {onward}"
    if posts := line.get("posts"):
        nowhere, cut = sum(post["url"] is None for post in posts), sum(not post["whole"] for post in posts)
        stand = amount(len(posts), "post stands", "posts stand")
        yield f"  {stand} on it ({nowhere} without an address, {cut} truncated); `--as article` shows them"
    yield from (
        f"  sitemap: {entry['url']} {entry['lastmod'] or ''}".rstrip() for entry in line.get("sitemaps", ())
    )
    yield from prefixed("  section: ", line.get("sections", ()))
    yield from prefixed("  ", refused_links(line["refused"]))
    yield from prefixed("  Look at this: ", line["remarks"])


def _article(line: Line) -> Iterator[str]:
    yield from _values(line["metadata"], "")
    yield from _values(line["disagreements"], ", otherwise")
    goes_on = f"    but it seems to go on ({line.get('goes_on')}): articles.next has to lead there"
    yield from those_that_hold(
        ("listed_on" in line, f"  listed first on: {line.get('listed_on')}"),
        (True, f"  next page of the article: {line['next_page'] or 'none'}"),
        ("goes_on" in line, goes_on),
    )
    comments = [(text,) for _, text in _blocks(line.get("comments", ()))]
    yield from console.listed("  Text:", console.aligned(list(_blocks(line["blocks"])), indent="    "))
    yield from console.listed("  Comments:", console.aligned(comments, indent="    "))
    by_rule: dict[str, list[str]] = {}
    for dropped in line["dropped"]:
        by_rule.setdefault(dropped["rule"], []).append(dropped["text"])
    words_of = {rule: f"{sum(len(text.split()) for text in texts):,}" for rule, texts in by_rule.items()}
    left_out = [(words_of[rule], "words", rule, cut(texts[0], _LONGEST)) for rule, texts in by_rule.items()]
    yield from console.listed("  Left out:", console.aligned(left_out, indent="    "))
    tags = sorted(line["unknown_tags"], key=lambda tag: (-tag["words"], -tag["count"]))
    undecided = [(tag["tag"], f"{tag['count']:,}", "times", f"{tag['words']:,}", "words") for tag in tags]
    lines = console.aligned(undecided[:_MOST_UNDECIDED], indent="    ") + console.more(
        len(tags) - _MOST_UNDECIDED, "--json shows all"
    )
    yield from console.listed("  Undecided (`curator tags` shows them for all pages):", lines)


def _values(metadata: dict[str, list[Line]], note: str) -> Iterator[str]:
    for name, values in metadata.items():
        yield from (f"  {name}{note}: {value['value']}   ({value['source']})" for value in values)


def _blocks(blocks: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Yield the kind of each block and its text in one line; of a post its parts."""
    for block in blocks:
        text = " | ".join(
            filter(
                None,
                (block.get("when"), block.get("who"), block.get("title"), block["text"] or block.get("url")),
            )
        )
        yield block["type"], " / ".join(text.splitlines())


@command()
def test_(
    call: Call,
    warc: WarcFiles = (),
    accept: Annotated[
        tuple[str, ...], option("--accept", "Expect of this page what the rules make of it now.", "URL")
    ] = (),
    as_kind: Annotated[
        PageKind | None, _kind_option("With --accept: archive or article.  [default: as before, or as try]")
    ] = None,
    fingerprints: Annotated[
        bool,
        option(
            "--fingerprints",
            "With --accept: titles, names and sentences as SHA-256, for files given to others.",
        ),
    ] = False,
) -> ExitCode:
    """
    \b
    Examples:
      curator test portal.yaml                                 do all pages still give what they should?
      curator test portal.yaml --accept URL                    expect of this page what it gives now
      curator test portal.yaml --accept URL --fingerprints     the same without a word of the page
      curator test portal.yaml --warc old.warc.gz --json       with the pages of this WARC, for programs

    Hold the rules of PORTAL against the file tests.yaml beside it, which says what must come out of named pages: title,
    authors, date, number of paragraphs, text that must and must not be there, articles and next page of an archive page.
    The pages come from the corpus, or from --warc; the portal is not asked. The exit code is 0 when all pages are as
    expected, 1 when some are not (or are not stored), 2 when a file has mistakes.
    """
    from webarticlecurator.config.expectations import load_expectations
    from webarticlecurator.stages.portal_tests import Result, tested, tests_file, writable_tests_file

    pages = file_flags("--warc", warc)
    if not accept:
        goes = "goes with --accept URL: tests.yaml itself says it of each page."
        refuse((fingerprints, f"--fingerprints {goes}"), (as_kind, f"--as {goes}"))
    if accept:
        writable_tests_file(call.portal)
        with stored_pages(call.portal, warc, call.corpus) as stored:
            code = _accept(call, accept, as_kind, stored, hashed=fingerprints)
        call.next("test", "accepted", pages=pages)
        return code
    file = tests_file(call.portal)
    if not file.exists():
        writable_tests_file(call.portal)
        raise UsageError(
            f"{file}: there is no such file, so nothing is expected of any page yet."
            f" Begin with a page that you know: curator test {call.typed}{pages} --accept URL"
        )
    expectations = load_expectations(file)
    with stored_pages(call.portal, warc, call.corpus) as stored:
        done = list(tested(expectations, call.portal, stored))
    counts = Counter(page.result for page in done)
    value = {
        "portal": call.portal.name,
        "tests": str(file),
        "pages": len(done),
        **{result.value.replace("-", "_"): counts[result] for result in Result},
        "results": [_result(page) for page in done],
    }
    call.tell(value, _tests_in_words(call, done, counts))
    differing = next((page.url for page in done if page.result is Result.DIFFERS), "")
    situation = first_that_holds(
        {"differs": differing, "not stored": counts[Result.NOT_STORED], "well": True}
    )
    call.next("test", situation, url=differing, pages=pages)
    return ExitCode.OK if counts[Result.AS_EXPECTED] == len(done) else ExitCode.FAILURES


def _result(page: Tested) -> dict[str, object]:
    """Return what came of a page, for programs."""
    result: dict[str, object] = {
        "url": page.url,
        "as": page.kind,
        "result": page.result.value,
        "differences": page.differences,
    }
    return {**result, "reason": page.missing} if page.missing else result


def _tests_in_words(call: Call, done: Sequence[Tested], counts: Counter[Result]) -> Iterator[str]:
    from webarticlecurator.stages.portal_tests import Result

    for page in done:
        if page.result is not Result.AS_EXPECTED:
            yield f"{page.url}  ({page.kind})"
            yield from (f"  {difference.sentence}" for difference in page.differences)
        if page.result is Result.NOT_STORED:
            gets = (
                f"`curator crawl {call.typed}` gets it if the archive lists it, --warc FILE reads it from "
                "elsewhere"
            )
            yield f"  not stored: {page.missing}; {gets}"
    differ, missing = counts[Result.DIFFERS], counts[Result.NOT_STORED]
    parts = those_that_hold(
        (True, amount(len(done), "page")),
        (True, f"{counts[Result.AS_EXPECTED]:,} as expected"),
        (differ, amount(differ, "differs", "differ")),
        (missing, f"{missing:,} not stored"),
    )
    yield ", ".join(parts)


def _accept(
    call: Call, urls: Sequence[str], kind: PageKind | None, stored: PagesOfCorpus, *, hashed: bool
) -> ExitCode:
    from webarticlecurator.stages.portal_tests import accept

    result = accept(urls, kind, call.portal, stored, hashed=hashed)
    changed = result.after != result.before
    value = {
        "tests": str(result.file),
        "changed": changed,
        "accepted": result.accepted,
        "refused": result.refused,
    }
    call.tell(value, [difference(result.file, result.before.encode(), result.after.encode(), mark="")])
    for refused in result.refused:
        console.complain(f"{refused['url']}: nothing was accepted: {refused['reason']}")
    written = f"{result.file} was written. Read it over: this is what the rules give now, not what is right."
    as_before = f"{result.file}: all of this was expected already; nothing was written."
    for sentence in those_that_hold((changed, written), (result.accepted, as_before))[:1]:
        console.say(sentence)
    return ExitCode.FAILURES if result.refused else ExitCode.OK
