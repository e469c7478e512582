"""`curator test`: the rules of a portal file against what is expected of named pages."""

from __future__ import annotations

import difflib
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder, PageKind, PortalName
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.page_sources import is_built, stored_pages
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.expectations import Expectation, Kind
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.stored_pages import StoredPages
    from webarticlecurator.portal_tests import Result, Tested

_CONTEXT = 2
"""Lines of the file around what changed."""


def test_(
    portal: PortalName,
    warc: Annotated[
        list[Path] | None, typer.Option("--warc", metavar="FILE", help="Read the pages from this WARC, any program's; may be repeated.")
    ] = None,
    corpus: CorpusFolder = None,
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", metavar="URL", help="Expect of this page what the rules make of it now; may be repeated."),
    ] = None,
    as_kind: Annotated[
        PageKind | None,
        arguments.kind_option("With --accept: archive or article.  [default: as before, archive where a column's url fits, else article]"),
    ] = None,
    fingerprints: Annotated[
        bool, typer.Option("--fingerprints", help="With --accept: titles, names and sentences as SHA-256, for files given to others.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
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
    if not accept and (as_kind is not None or fingerprints):
        raise UsageError(f"{'--fingerprints' if fingerprints else '--as'} goes with --accept URL: tests.yaml itself says it of each page.")
    (loaded,) = arguments.load_portals([portal])
    typed, flags = arguments.as_typed(portal, corpus), arguments.warc_flags(warc or ())
    expectations = () if accept else _expectations(loaded, typed + flags)
    with stored_pages(loaded, warc, corpus) as pages:
        if accept:
            code = _accept(accept, as_kind, loaded, pages, hashed=fingerprints, as_json=as_json)
            step = f"curator test {typed}{flags}"
        else:
            code, found = _test(expectations, loaded, pages, as_json=as_json)
            step = _next_command(found, typed, flags, is_all_built=not flags and is_built(loaded, corpus))
    console.say(f"Next: {step}")
    raise typer.Exit(code)


# --- testing ---


def _expectations(portal: Portal, typed: str) -> tuple[Expectation, ...]:
    from webarticlecurator.config.expectations import load_expectations
    from webarticlecurator.portal_tests import tests_file

    file = tests_file(portal)
    if not file.exists():
        raise UsageError(
            f"{file}: there is no such file, so nothing is expected of any page yet."
            f" Begin with a page that you know: curator test {typed} --accept URL"
        )
    return load_expectations(file)


def _test(expectations: tuple[Expectation, ...], portal: Portal, pages: StoredPages, *, as_json: bool) -> tuple[ExitCode, list[Tested]]:
    """The exit code, and what became of each page."""
    from webarticlecurator.portal_tests import Result, tested, tests_file

    found = list(_counted(tested(expectations, portal, pages), len(expectations)))
    counts = Counter(one.result for one in found)
    totals = {result.value.replace("-", "_"): counts[result] for result in Result}
    about = {"portal": portal.name, "tests": str(tests_file(portal)), "pages": len(found), **totals}
    console.report({**about, "results": [_as_data(one) for one in found]}, _in_words(found, counts), as_json=as_json)
    code = ExitCode.OK if counts[Result.AS_EXPECTED] == len(found) else ExitCode.FAILURES
    return code, found


def _in_words(found: list[Tested], counts: Counter[Result]) -> Iterator[str]:
    from webarticlecurator.portal_tests import Result

    for one in found:
        if one.result is not Result.AS_EXPECTED:
            yield f"{one.url}  ({one.kind})"
            yield from (f"  {difference.sentence}" for difference in one.differences)
        if one.result is Result.NOT_STORED:
            yield f"  not stored: {one.missing}; `curator crawl` gets it if the archive lists it, --warc FILE reads it from elsewhere"
    differ, missing = counts[Result.DIFFERS], counts[Result.NOT_STORED]
    parts = [amount(len(found), "page"), f"{counts[Result.AS_EXPECTED]:,} as expected"]
    parts += [amount(differ, "differs", "differ")] if differ else []
    parts += [f"{missing:,} not stored"] if missing else []
    yield ", ".join(parts)


def _as_data(one: Tested) -> dict[str, object]:
    told: dict[str, object] = {"url": one.url, "as": one.kind, "result": one.result.value, "differences": one.differences}
    return {**told, "reason": one.missing} if one.missing else told


def _next_command(found: list[Tested], typed: str, flags: str, *, is_all_built: bool) -> str:
    """`is_all_built`: there are documents of all that is stored, by the rules of now."""
    from webarticlecurator.portal_tests import Result

    differing = next((shlex.quote(one.url) for one in found if one.result is Result.DIFFERS), None)
    if differing is not None:
        looked, accepted = f"curator try {typed}{flags} {differing}", f"curator test {typed}{flags} --accept {differing}"
        return f"`{looked}` shows what the page gives; if that is right, `{accepted}`"
    if any(one.result is Result.NOT_STORED for one in found):
        return f"curator crawl {typed}"
    return f"`curator audit {typed}{flags}` looks at all pages" if flags or is_all_built else f"curator build {typed}"


# --- accepting ---


def _accept(urls: list[str], kind: Kind | None, portal: Portal, pages: StoredPages, *, hashed: bool, as_json: bool) -> ExitCode:
    from webarticlecurator.portal_tests import accept

    result = accept(urls, kind, portal, pages, hashed=hashed)
    changed = result.after != result.before
    if as_json:
        accepted = [{"url": url, "as": told_as} for url, told_as in result.accepted]
        refused = [{"url": url, "reason": reason} for url, reason in result.refused]
        console.data_json({"tests": str(result.file), "changed": changed, "accepted": accepted, "refused": refused})
    elif changed:
        name, before, after = str(result.file), result.before.splitlines(), result.after.splitlines()
        console.data("\n".join(difflib.unified_diff(before, after, name, name, lineterm="", n=_CONTEXT)))
    for url, reason in result.refused:
        console.complain(f"{url}: nothing was accepted: {reason}")
    if changed:
        console.say(f"{result.file} was written. Read it over: this is what the rules give now, not what is right.")
    elif result.accepted:
        console.say(f"{result.file}: all of this was expected already; nothing was written.")
    return ExitCode.FAILURES if result.refused else ExitCode.OK


def _counted(found: Iterable[Tested], total: int) -> Iterator[Tested]:
    now_and_then = console.NowAndThen()
    for number, one in enumerate(found, start=1):
        now_and_then.say(f"{number:,} of {amount(total, 'page')}...")
        yield one
