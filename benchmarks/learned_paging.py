"""How archives and articles are paged: what a portal file gives whose lines were proposed from stored pages alone.

  python benchmarks/learned_paging.py [--data DIR] [--one-page] [--portals even|odd] [--skip-example] [--verbose]

Each portal's rules are proposed from its pages together (`--one-page`: from each page alone), written into a portal file, loaded, and asked
as `curator try --json` asks them: `next` of an archive page, `next_page` of an article. On the recorded pages the links to articles are
those of the portal files that come with the program. Of the example portal the pages of each column are given that a crawl stores.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

from results import Record, result_option

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import ArchiveFormat, Column, PagingMode, Portal
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.crawling.planning import intervals_to_walk
from webarticlecurator.crawling.requests import archive_request, first_url, page_url, page_value
from webarticlecurator.document.page import read_page
from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.learning.paging import find_article_paging, find_paging
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.capture import PageSource, Request
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.pipeline import crawl
from webarticlecurator.trial import look
from webarticlecurator.urls import normalise
from webarticlecurator.warc.source import WarcSource

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"


@dataclass(frozen=True)
class Case:
    group: str
    """The portal, or the column, whose pages are given together."""
    kind: str
    page: Page
    expected: str | None


def page_at(source: PageSource, url: str, format: str = "html") -> Page | None:
    capture = source.fetch(Request(url=url)).capture
    page = read_page(capture, format=format) if capture is not None else None
    return page if isinstance(page, Page) else None


def rules_of(name: str) -> dict[str, Plain]:
    """The links to articles, from the portal file that comes with the program."""
    import yaml

    archive = yaml.safe_load(load_portal(name).effective).get("archive") or {}
    return {key: archive[key] for key in ("item", "link", "format") if key in archive} or {"link": "a"}


def portal_with(folder: Path, page: Page, archive: Mapping[str, Plain], articles: Mapping[str, Plain]) -> Portal:
    """The portal of a file with these lines; JSON is YAML."""
    lines = {"portal": "learned", "home": page.url, "archive": {"url": page.url.replace("{", "{{").replace("}", "}}"), **archive}}
    if articles:
        lines["articles"] = dict(articles)
    file = folder / "portal.yaml"
    file.write_text(json.dumps(lines, ensure_ascii=False), encoding="utf-8")
    return load_portal(file)


def with_paging(archive: Mapping[str, Plain], settings: Mapping[str, Plain]) -> dict[str, Plain]:
    return {name: value for name, value in {**archive, **settings}.items() if value is not None}


# --- recorded pages ---


def recorded(data: Path) -> tuple[list[Case], WarcSource | None]:
    place = data / "archive-pages"
    if not place.is_dir():
        return [], None
    source = WarcSource([place / "pages.warc.gz"], on_damage=lambda damage: print(damage, file=sys.stderr))
    cases = []
    for line in (place / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        page = page_at(source, case["page_url"])
        if page is not None and page.tree is not None:
            expected = case["expected"] if case["kind"] != "article_urls" else None
            cases.append(Case(case["portal"], case["kind"], page, normalise(expected) if expected else None))
    return cases, source


def archive_answers(cases: Sequence[Case], source: PageSource, folder: Path) -> Iterator[tuple[Case, str | None, str]]:
    """Each case with what `curator try --as archive` gives for `next`, and the mode."""
    pages = list({case.page.requested_url: case.page for case in cases}.values())
    archive = rules_of(cases[0].group)
    findings = find_paging(pages)
    settings = findings.rules[0].settings
    for case in cases:
        if case.kind == "next_page":
            portal = portal_with(folder, case.page, with_paging(archive, settings), {})
            line = look(case.page.requested_url, portal=portal, source=source, kind="archive")
            yield case, line.get("next"), findings.rules[0].mode


def article_answers(cases: Sequence[Case], source: PageSource, folder: Path) -> Iterator[tuple[Case, str | None, str]]:
    pages = list({case.page.requested_url: case.page for case in cases}.values())
    choices = find_article_paging(pages).choices
    articles: dict[str, Plain] = {"next": choices[0].value} if choices else {}
    for case in cases:
        portal = portal_with(folder, case.page, {"link": "a"}, articles)
        yield case, look(case.page.requested_url, portal=portal, source=source, kind="article").get("next_page"), ""


def measure_recorded(asked: argparse.Namespace, folder: Path, record: Record) -> None:
    cases, source = recorded(asked.data)
    if source is None:
        record.leave_out("paging of recorded pages, since they are no part of the project and are not here")
        return
    halves = {"even": 0, "odd": 1}
    for kind, answers in (("next_page", archive_answers), ("next_article_page", article_answers)):
        groups: dict[str, list[Case]] = {}
        for case in cases:
            fits = case.kind == kind or (kind == "next_page" and case.kind == "article_urls" and not asked.one_page)
            if fits and (asked.portals is None or crc32(case.group.encode()) % 2 == halves[asked.portals]):
                groups.setdefault(case.page.requested_url if asked.one_page else case.group, []).append(case)
        right = total = right_mode = 0
        for group in groups.values():
            if not any(case.kind == kind for case in group):
                continue
            written = next((one for one in [load_portal(group[0].group)] if one.columns), None)
            own_modes = {column.paging.mode for column in written.columns} if written is not None else set()
            for case, found, mode in answers(group, source, folder):
                is_right = (normalise(found) if found else None) == case.expected
                total, right, right_mode = total + 1, right + is_right, right_mode + (mode in own_modes)
                if asked.verbose or not is_right:
                    told = f"{case.group}: {case.page.requested_url} -> {found}, expected {case.expected} {mode}"
                    print(f"  {'ok   ' if is_right else 'WRONG'} {told}")
        name, least = ("next page of an archive", 0.92) if kind == "next_page" else ("next page of an article", 0.82)
        record.figure(f"{name}: right, of {total} cases", right / max(total, 1), at_least=least)
        if kind == "next_page":
            record.figure("mode of paging as in the portal file", right_mode / max(total, 1))
    source.close()


# --- the example portal ---


def measure_example(folder: Path, record: Record, *, verbose: bool) -> None:
    """For each column: whether the proposed lines lead from page to page as the portal file's own do."""
    with ExamplePortal(articles=600) as site:
        portal = load_portal(site.portal_file(folder, delay="0s"))
        corpus = folder / "corpus"
        crawl(portal, corpus=corpus, options=CrawlOptions(articles=False))
    right = 0
    links: dict[int, frozenset[str]] = {}
    pages: list[Page] = []
    with closing(WarcSource(sorted((corpus / "warc").glob("*-archive-*")), on_damage=lambda damage: print(damage))) as source:
        for column in portal.columns:
            is_right, told = column_result(column, portal, source, folder, verbose=verbose)
            right += is_right
            print(f"  {'ok   ' if is_right else 'WRONG'} {column.name:12}{told}")
            for page, _ in stored(column, portal, source).values():
                pages.append(page)
                links[id(page)] = frozenset(link.url for link in read_archive_page(page, column, portal).articles)
    record.figure(f"example portal: columns whose paging is right, of {len(portal.columns)}", right / len(portal.columns), at_least=0.82)
    for proposal in find_url_cleaning(pages, links_of=lambda page: links[id(page)]):
        print(f"example portal: {'.'.join(proposal.path)}: {proposal.choices[0].value} ({proposal.choices[0].reason})")


def stored(column: Column, portal: Portal, source: PageSource) -> dict[str, tuple[Page, str | None]]:
    """The pages of a column in the order of its walks, with the next page of each; a page without articles ends a walk."""
    found: dict[str, tuple[Page, str | None]] = {}
    for interval in intervals_to_walk(column, portal, None, CrawlOptions(), datetime.now(UTC)):
        url: str | None = first_url(column, interval)
        index = 0
        while url is not None:
            values = {"page": page_value(column, index) or "", "column": column.name}
            start, end = (interval.start, interval.end) if interval is not None else (None, None)
            capture = source.fetch(archive_request(column, url, values, start=start, end=end)).capture
            page = read_page(capture, format=column.format) if capture is not None else None
            if not isinstance(page, Page) or not (read := read_archive_page(page, column, portal)).articles:
                break
            index += 1
            following = read.next_url
            if column.paging.mode.counts:
                following = page_url(column, interval, page_value(column, index) or "")
            # where pages have one address and differ in what is sent for them, `curator try` tells of no next one
            told = normalise(following) if following is not None and following != url else None
            found[f"{index} {url}"] = (page, told)
            url = following
    return found


def column_result(column: Column, portal: Portal, source: PageSource, folder: Path, *, verbose: bool) -> tuple[bool, str]:
    """Where the column goes on, the proposed lines must lead there; on its last page to nothing, or to the page behind it."""
    pages = stored(column, portal, source)

    def links_of(page: Page) -> frozenset[str]:
        return frozenset(link.url for link in read_archive_page(page, column, portal).articles)

    given = [page for page, _ in pages.values()]
    findings = find_paging(given, links_of)
    if not findings.rules:
        return False, f"{column.paging.mode}: nothing is proposed for {len(given)} pages"
    rule = findings.rules[0]
    last = {normalise(page.requested_url) for page in given}
    wrong: list[str] = []
    archive: dict[str, Plain] = {"link": "a", "format": column.format.value}
    if column.format is ArchiveFormat.JSON:
        archive["link"] = {"json": "any"}
    for page, following in pages.values():
        learned = portal_with(folder, page, with_paging(archive, rule.settings), {})
        own = learned.columns[0]
        url = page.requested_url
        line = look(
            url, portal=replace(learned, columns=(replace(own, item=column.item, link=column.link),)), source=source, kind="archive"
        )
        got = normalise(line["next"]) if line.get("next") else None
        if got != following and not (got is None and following not in last):
            wrong.append(f"{url} -> {got}, expected {following}")
    told = f"{column.paging.mode}: {rule.mode} on {len(given)} pages, {json.dumps(rule.settings, ensure_ascii=False)}"
    others = "; ".join(json.dumps(one.settings, ensure_ascii=False) for one in findings.rules[1:])
    goes_on = rule.mode is not PagingMode.NONE or column.paging.mode is PagingMode.NONE
    return not wrong and goes_on, told + (f" (or {others})" if verbose and others else "") + "".join(f"\n      {one}" for one in wrong[:3])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--one-page", action="store_true", help="each page alone, as if the portal had no other")
    parser.add_argument("--portals", choices=["even", "odd"], help="half of the portals")
    parser.add_argument("--skip-example", action="store_true", help="only the recorded pages")
    parser.add_argument("--verbose", action="store_true")
    asked = result_option(parser).parse_args()
    record = Record(
        "Learning: how archives and articles are paged",
        "The paging of archives, and of articles with several pages, is proposed from stored pages alone, written into a portal file, "
        "and asked as `curator try` asks it.",
    )
    with tempfile.TemporaryDirectory() as folder:
        measure_recorded(asked, Path(folder), record)
    if not asked.skip_example:
        with tempfile.TemporaryDirectory() as folder:
            measure_example(Path(folder), record, verbose=asked.verbose)
    record.end(asked.result)


if __name__ == "__main__":
    main()
