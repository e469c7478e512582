"""An audit in sentences for a person and as JSON for a program, and what to do next."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.survey.audit.results import Audit, Finding

if TYPE_CHECKING:
    pass

_FINDINGS = 25
_OF_A_KIND = 6
_ROWS = 15
_UNLISTED = 25
_SHAPES = 5
_YEARS = 6
_UNDECIDED = "undecided-text"
_YEAR_WIDTH, _MARGIN = 6, 2
"""Characters of a column of the table of metadata, and before its first."""


def as_json(audit: Audit, code: int, *, complete: bool) -> dict[str, Any]:
    """One object; a layout is null where the base rules are meant."""
    return {
        "portal": audit.portal,
        "exit_code": int(code),
        "complete": complete,
        "pages": audit.pages,
        "of_pages": audit.of_pages,
        "small_sample": audit.is_small,
        "passed_over": dict(audit.passed_over),
        "words_kept": audit.words_kept,
        "words_dropped": audit.words_dropped,
        "findings": [{**_plain(asdict(finding)), "share": round(finding.share, 4)} for finding in audit.findings],
        "dropped": [_plain(row) for row in audit.dropped],
        "undecided": [_plain(row) for row in audit.undecided],
        "unmatched_rules": list(audit.unmatched),
        "years": [_plain(row) for row in audit.by_year],
        "metadata": audit.metadata,
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "layout": row["layout"] or None}


def in_words(audit: Audit, width: int) -> Iterator[str]:
    """The findings, the most costly first, then the account; the table of metadata as wide as the terminal is."""
    pages = (
        amount(audit.pages, "article")
        if audit.pages >= audit.of_pages
        else f"{amount(audit.pages, 'article')} of {amount(audit.of_pages, 'stored page')}"
    )
    count = len(audit.findings)
    found = "nothing found" if not count else amount(count, "finding")
    yield f"{audit.portal}: {pages} looked at, {amount(audit.words_kept, 'word')} kept, {audit.words_dropped:,} dropped: {found}"
    if audit.is_small:
        yield "  A small sample: below 20 pages little can be seen, and what is seen may be an accident."
    for number, finding in enumerate(_shown(audit.findings), start=1):
        yield ""
        yield from _finding(number, finding)
    hidden = count - len(_shown(audit.findings))
    if hidden:
        yield from ("", f"And {amount(hidden, 'more finding')} of these kinds; --json has them all.")
    yield from _metadata(audit, width)
    yield from _account(audit)


def _shown(findings: Sequence[Finding]) -> list[Finding]:
    """Of one kind not too many: where the container is wrong, all of the page's furniture is a finding."""
    shown: list[Finding] = []
    for finding in findings:
        if sum(one.kind == finding.kind for one in shown) < _OF_A_KIND and len(shown) < _FINDINGS:
            shown.append(finding)
    return shown


def _finding(number: int, finding: Finding) -> Iterator[str]:
    yield f"{number}. {finding.kind}: {finding.message}"
    amounts = [f"{finding.pages:,} of {amount(finding.of_pages, 'page')} ({finding.share:.0%})"]
    amounts += [amount(finding.words, "word")] if finding.words else []
    amounts += [f"layout {finding.layout}"] if finding.layout else []
    amounts += [_years(finding.years)] if finding.years else []
    yield f"   {', '.join(amounts)}"
    if finding.rule and finding.rule not in finding.message:
        yield f"   rule: {finding.rule}"
    yield f"   {finding.advice}"
    for example in finding.examples:
        yield f"     {example.url}"
        if example.text:
            yield f"       {example.text}"


def _years(years: Sequence[int]) -> str:
    """Each year, or the first and the last of many."""
    if len(years) > _YEARS:
        return f"{len(years)} years from {years[0]} to {years[-1]}"
    return ", ".join(map(str, years))


def _metadata(audit: Audit, width: int) -> Iterator[str]:
    """Field by year; as many years beside one another as there is room for."""
    if not audit.metadata:
        return
    whole = {"pages": audit.pages, "filled": sum((Counter(row["filled"]) for row in audit.metadata), Counter[str]())}
    columns = [("all", whole), *((str(row["year"] or "n.d."), row) for row in audit.metadata)]
    fields = list(audit.metadata[0]["filled"])
    beside = max(1, (width - max(map(len, fields)) - _MARGIN) // _YEAR_WIDTH)
    yield from ("", f"Metadata: of {amount(audit.pages, 'article')} so many have a value, in percent")
    while shown := columns[:beside]:
        del columns[:beside]
        cells = [(name, *(_percent(row["filled"][name], row["pages"]) for _, row in shown)) for name in fields]
        yield from console.aligned([("field", *(heading for heading, _ in shown)), *cells])


def _percent(filled: int, pages: int) -> str:
    """100 means all of them, 0 none."""
    return "<1" if 0 < filled * 100 < pages else str(filled * 100 // pages)


def _account(audit: Audit) -> Iterator[str]:
    if audit.by_year:
        rows = [
            (
                row["layout"] or "base rules",
                str(row["year"] or "no date"),
                f"{row['pages']:,}",
                f"{row['words_kept']:,}",
                f"{row['words_dropped']:,}",
            )
            for row in audit.by_year
        ]
        yield from ("", "The account", *console.aligned([("layout", "year", "pages", "words kept", "dropped"), *rows], headed=True))
    if audit.dropped:
        dropped = [(f"{row['words']:,}", f"{row['pages']:,}", row["tag"], row["rule"]) for row in audit.dropped[:_ROWS]]
        yield from ("", "Dropped, by rule", *console.aligned([("words", "pages", "tag", "rule"), *dropped], headed=True))
    if audit.undecided:
        undecided = [(f"{row['words']:,}", f"{row['pages']:,}", row["tag"]) for row in audit.undecided[:_ROWS]]
        yield from ("", "Kept, though no rule decides the tag", *console.aligned([("words", "pages", "tag"), *undecided], headed=True))
    if audit.unmatched:
        yield from ("", "Rules that matched nothing", *(f"  {rule}" for rule in audit.unmatched))
    if audit.passed_over:
        passed = ", ".join(f"{count:,} {outcome}" for outcome, count in audit.passed_over.items())
        yield from ("", f"Passed over, since they are no articles: {passed}")


def next_command(audit: Audit, typed: str, pages: str, *, is_built: bool = False) -> str:
    """The most useful thing to do now. `typed` is how a command names the portal and its corpus, `pages` the WARC files instead.

    `is_built`: there are documents of all that is stored, by the rules of now.
    """
    urls = (example.url for finding in audit.findings for example in finding.examples)
    url = next(urls, None)
    if any(finding.kind == _UNDECIDED for finding in audit.findings[:1]):
        return f"`curator tags {typed}{pages}` shows what is undecided"
    if audit.findings and url is not None:
        return f"`curator try {typed} {shlex.quote(url)}{pages}` shows what the rules make of a page; then audit again"
    if audit.findings or pages:
        return f"`curator audit {typed}{pages}` again, when the rules were changed"
    if is_built:
        return f"`curator stats {typed}` tells what the corpus is made of"
    return f"`curator build {typed}` brings the TEI documents up to date"


# --- `--archive` ---


def comparison_as_json(found: dict[str, Any], code: int) -> dict[str, Any]:
    """One object."""
    return {"exit_code": int(code), **found, "complete": found["complete"] and not any(one["failed"] for one in found["sources"])}


def comparison_in_words(found: dict[str, Any]) -> Iterator[str]:
    """What each source names, then each article that is not known, with who names it."""
    yield f"{found['portal']}: the ledger beside the site's own feeds and sitemaps"
    for source in found["sources"]:
        yield from _source(source)
    if found["total"]:
        yield f"Not in the ledger: {found['total']:,}"
    else:
        says_something = any(one["named"] for one in found["sources"])
        others = "All others" if found["at_the_edge"] else "All of these"
        yield f"{others} are in the ledger." if says_something else "So this says nothing of whether an article is missing."
    for one in found["unlisted"][:_UNLISTED]:
        more = one["times"] - len(one["seen_on"])
        yield f"  {one['url']}"
        yield from (f"    named by {place}" for place in one["seen_on"])
        yield from [f"    and by {more:,} more"] if more else []
    if found["total"] > _UNLISTED:
        yield f"  and {found['total'] - _UNLISTED:,} more, of which --json names {len(found['unlisted']) - _UNLISTED:,}"
    if found["at_the_edge"]:
        yield (
            "Not in the ledger either, but perhaps beyond the beginning or the end of the archive that the portal file describes:"
            f" {found['at_the_edge']:,}"
        )


_PLURALS = {"feed": "feed", "sitemap": "sitemaps"}
_NAMES = {"feed": "The feed names", "sitemap": "The sitemaps name"}


def _source(one: dict[str, Any]) -> Iterator[str]:
    """What a source names, how much of that is known, and what only the archive has."""
    if one["failed"]:
        whole = "" if one["is_older"] or one["fetched_at"] is None else "all "
        yield f"The {_PLURALS[one['source']]} could not {whole}be fetched: {_failed(one)}"
        if one["fetched_at"] is None:
            return
    if one["looked_at"]:
        yield f"No {one['source']} was found: {', '.join(one['looked_at'])}"
        return
    left = one["named"] - one["known"] - one["missing"]
    parts = [f"{amount(one['known'], 'is', 'are')} in the ledger", f"{amount(one['missing'], 'is', 'are')} not ({one['share']:.1%})"]
    parts += [f"{left:,} may lie beyond the archive's beginning or end"] if left else []
    yield f"{_NAMES[one['source']]} {amount(one['named'], 'article')}: {', '.join(parts)}"
    if one["read"]:
        yield f"  read so far: {one['read']}"
    if one["others"]:
        told = ", ".join(f"{number:,} such as {url}" for number, url in one["others"][:_SHAPES])
        yield f"  passed over, since no article of the portal has such an address: {told}{', ...' if len(one['others']) > _SHAPES else ''}"
    if one["only_archive"]:
        yield f"  only in the archive: {amount(one['only_archive'], 'fetched article')} (such as {one['only_archive_examples'][0]})"


def _failed(one: dict[str, Any]) -> str:
    """Why, and what is compared instead."""
    if one["fetched_at"] is None:
        return f"{one['failed']}; no earlier fetch brought anything that could be compared"
    day = f"{one['fetched_at']:%Y-%m-%d %H:%M} UTC"
    if one["looked_at"]:
        return f"{one['failed']}; an earlier fetch, on {day}, found none"
    return f"{one['failed']}; compared is {f'what an earlier fetch brought on {day}' if one['is_older'] else 'what came'}"


def next_after_comparison(found: dict[str, Any], typed: str) -> str:
    """What to do about it; `typed` is how a command names the portal and its corpus."""
    if found["total"]:
        return (
            f"`curator try {typed} URL --as archive --fetch`, with an archive page that should list one of them, shows whether a rule"
            " misses it; what no archive page lists, a column with `format: urls` can name"
        )
    if any(one["failed"] for one in found["sources"]):
        return f"`curator audit {typed} --archive --fetch` asks for them again"
    if not any(one["read"] or one["looked_at"] for one in found["sources"]):
        return f"`curator audit {typed} --archive --fetch` also compares what the site's feeds and sitemaps name"
    return f"`curator status {typed}` shows what the walks proved"
