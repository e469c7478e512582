"""`curator test`: the rules of a portal file against what is expected of named pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, PageKind, WarcFiles, command, difference, file_flags, option, page_kind
from webarticlecurator.cli.page_sources import is_built, stored_pages
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.expectations import Expectation
    from webarticlecurator.corpus.stored_pages import StoredPages
    from webarticlecurator.portal_tests import Result, Tested


@command()
def test_(
    call: Call,
    warc: WarcFiles = None,
    accept: Annotated[
        list[str] | None, option("--accept", "Expect of this page what the rules make of it now; may be repeated.", "URL")
    ] = None,
    as_kind: Annotated[
        PageKind | None,
        option("--as", "With --accept: archive or article.  [default: as before, or as the URL says]", "KIND", parser=page_kind),
    ] = None,
    fingerprints: Annotated[
        bool, option("--fingerprints", "With --accept: titles, names and sentences as SHA-256, for files given to others.")
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
    from webarticlecurator.portal_tests import tests_file

    pages = file_flags("--warc", warc)
    if not accept and (as_kind is not None or fingerprints):
        raise UsageError(f"{'--fingerprints' if fingerprints else '--as'} goes with --accept URL: tests.yaml itself says it of each page.")
    if accept:
        with stored_pages(call.portal, warc, call.corpus) as stored:
            code = _accept(call, accept, as_kind, stored, hashed=fingerprints)
        call.next("test", "accepted", pages=pages)
        return code
    file = tests_file(call.portal)
    if not file.exists():
        raise UsageError(
            f"{file}: there is no such file, so nothing is expected of any page yet."
            f" Begin with a page that you know: curator test {call.typed}{pages} --accept URL"
        )
    expectations = load_expectations(file)
    with stored_pages(call.portal, warc, call.corpus) as stored:
        return _test(call, expectations, stored, pages)


def _test(call: Call, expectations: Sequence[Expectation], stored: StoredPages, pages: str) -> ExitCode:
    from webarticlecurator.portal_tests import Result, tested, tests_file

    done: list[Tested] = []
    now_and_then = console.NowAndThen()
    for page in tested(expectations, call.portal, stored):
        done.append(page)
        now_and_then.say(f"{len(done):,} of {amount(len(expectations), 'page')}...")
    counts = Counter(page.result for page in done)
    value = {
        "portal": call.portal.name,
        "tests": str(tests_file(call.portal)),
        "pages": len(done),
        **{result.value.replace("-", "_"): counts[result] for result in Result},
        "results": [
            {"url": page.url, "as": page.kind, "result": page.result.value, "differences": page.differences}
            | ({"reason": page.missing} if page.missing else {})
            for page in done
        ],
    }
    call.tell(value, _in_words(call, done, counts))
    differing = next((page.url for page in done if page.result is Result.DIFFERS), None)
    if differing is not None:
        call.next("test", "differs", url=differing, pages=pages)
    elif counts[Result.NOT_STORED]:
        call.next("test", "not stored")
    else:
        call.next("test", "well" if pages or is_built(call.portal, call.corpus) else "not built", pages=pages)
    return ExitCode.OK if counts[Result.AS_EXPECTED] == len(done) else ExitCode.FAILURES


def _in_words(call: Call, done: Sequence[Tested], counts: Counter[Result]) -> Iterator[str]:
    from webarticlecurator.portal_tests import Result

    for page in done:
        if page.result is not Result.AS_EXPECTED:
            yield f"{page.url}  ({page.kind})"
            yield from (f"  {difference.sentence}" for difference in page.differences)
        if page.result is Result.NOT_STORED:
            gets = f"`curator crawl {call.typed}` gets it if the archive lists it, --warc FILE reads it from elsewhere"
            yield f"  not stored: {page.missing}; {gets}"
    differ, missing = counts[Result.DIFFERS], counts[Result.NOT_STORED]
    parts = [amount(len(done), "page"), f"{counts[Result.AS_EXPECTED]:,} as expected"]
    parts += [amount(differ, "differs", "differ")] if differ else []
    parts += [f"{missing:,} not stored"] if missing else []
    yield ", ".join(parts)


def _accept(call: Call, urls: list[str], kind: PageKind | None, stored: StoredPages, *, hashed: bool) -> ExitCode:
    from webarticlecurator.portal_tests import accept

    result = accept(urls, kind, call.portal, stored, hashed=hashed)
    changed = result.after != result.before
    if call.as_json:
        accepted = [{"url": url, "as": told_as} for url, told_as in result.accepted]
        refused = [{"url": url, "reason": reason} for url, reason in result.refused]
        console.data_json({"tests": str(result.file), "changed": changed, "accepted": accepted, "refused": refused})
    elif changed:
        console.data(difference(result.before, result.after, str(result.file)))
    for url, reason in result.refused:
        console.complain(f"{url}: nothing was accepted: {reason}")
    if changed:
        console.say(f"{result.file} was written. Read it over: this is what the rules give now, not what is right.")
    elif result.accepted:
        console.say(f"{result.file}: all of this was expected already; nothing was written.")
    return ExitCode.FAILURES if result.refused else ExitCode.OK
