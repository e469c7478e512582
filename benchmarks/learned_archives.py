"""What is learned of archive pages: links to articles, and how archives and articles are paged (`learned.py`)."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import yaml
from results import Record
from truths import ROOT

sys.path.insert(0, str(ROOT))

from examples.sites import SOFTWARE
from examples.sites.variations import KINDS, variations
from webarticlecurator import Capture, CrawlOptions, Portal, crawl, load_portal
from webarticlecurator.config.portal import ArchiveFormat, Column, PagingMode
from webarticlecurator.corpus.events import ArchivePlace
from webarticlecurator.crawling.column_walks import intervals_to_walk
from webarticlecurator.crawling.requests import archive_request, place_at
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.example_portal import ExamplePortal, answers
from webarticlecurator.example_portal.columns import COLUMNS
from webarticlecurator.example_portal.shelves import Shelves
from webarticlecurator.example_portal.site import Site
from webarticlecurator.extraction.archive_page import read_archive_page
from webarticlecurator.learning.links.find_links import LinkFindings, find_links, proposals
from webarticlecurator.learning.paging.find_paging import find_article_paging, find_paging
from webarticlecurator.model.capture import Fetched, PageSource, Request, Verdict
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.stages.trial import look
from webarticlecurator.urls import normalise, split
from webarticlecurator.warc.source import WarcSource

Lines = Mapping[str, Plain]
"""Of a part of a portal file."""
WHEN = datetime(2024, 6, 1, tzinfo=UTC)


def portal_with(url: str, archive: Mapping[str, object], articles: Lines | None = None) -> Portal:
    """The portal of a file with these lines for a page; JSON is YAML."""
    lines: dict[str, object] = {"portal": "learned", "home": "{0.scheme}://{0.authority}/".format(split(url))}
    lines["archive"] = {
        "url": url.replace("{", "{{").replace("}", "}}"),
        **{name: rule for name, rule in archive.items() if rule is not None},
    }
    if articles:
        lines["articles"] = articles
    return load_portal(Path("portal.yaml"), content=json.dumps(lines, ensure_ascii=False).encode())


@dataclass(frozen=True)
class OnePage:
    """A source of one page."""

    capture: Capture

    def fetch(self, request: Request) -> Fetched:
        return Fetched(request=request, verdict=Verdict(FetchOutcome.FETCHED, ""), capture=self.capture)


@dataclass(frozen=True)
class Case:
    """An archive page (or a page of an article), and what is to be found on it."""

    group: str
    """The portal, or the column, whose pages are given together."""
    kind: str
    capture: Capture
    expected: Any
    urls: Mapping[str, object] | None = None
    """The rules for addresses that the portal file has already."""
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Article -> what is known of its day and its authors."""

    @property
    def page(self) -> Page | None:
        """None for JSON, of which no rules are learned."""
        page = read_page(self.capture) if self.capture.entity.lstrip()[:1] not in (b"{", b"[") else None
        return page if isinstance(page, Page) else None


def recorded(data: Path) -> Iterator[Case]:
    place = data / "archive-pages"
    if not place.is_dir():
        return
    with closing(WarcSource([place / "pages.warc.gz"], on_damage=print)) as source:
        for line in (place / "cases.jsonl").read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            capture = source.fetch(Request(url=case["page_url"])).capture
            if capture is not None:
                yield Case(case["portal"], case["kind"], capture, case["expected"])


def in_groups(cases: Sequence[Case], one_page: bool) -> list[list[Case]]:
    """Those that are given together."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[case.capture.requested_url if one_page else case.group].append(case)
    return list(groups.values())


# --- links to articles ---

LINK_FIGURES = {"exact": 0.80, "among the best three": 0.90, "with an example": 0.90}
"""And the least that is wanted of each."""
MOST_EXAMPLES, MOST_PAGES = 5, 6
HOME = "http://127.0.0.1:9"


def recorded_links(data: Path) -> Iterator[Case]:
    for case in recorded(data):
        if case.kind == "article_urls" and case.page is not None:
            by_person = articles_by(load_portal(case.group), case)
            yield replace(case, expected=frozenset(map(normalise, case.expected)), beside=by_person)


def example_links(_: Path) -> Iterator[Case]:
    site = Site(Shelves(600, 1), HOME, page_size=10, filling=0)
    rules = {"drop_fragment": True, "drop_params": ["utm_*"]}
    days = [date.fromordinal(date(2024, 3, 1).toordinal() + 4 * number) for number in range(30)]
    dates = {"naptar": [{"year": f"{day:%Y}", "month": f"{day:%m}", "day": f"{day:%d}"} for day in days]}
    dates["regi"] = [{"year": "2010", "month": "11"}, {"year": "2011", "month": "01"}]
    for column in COLUMNS.values():
        numbers = range(1, MOST_PAGES + 1 if column.paged else 2)
        for values, number in ((values, number) for values in dates.get(column.name, [{}]) for number in numbers):
            path = column.page_path(number, **values)
            place, _, query = path.partition("?")
            is_post = column.method == "POST"
            request = answers.Request(method=column.method, target=place, body=query.encode()) if is_post else answers.Request(target=path)
            listing = site.listing(request)
            if listing is not None and listing.articles:
                url = f"{HOME}{place}?{urlencode({'of': number})}" if is_post else HOME + path
                listed = frozenset(normalise(HOME + article.path) for article in listing.articles)
                known = {a.path: {"datePublished": a.published.isoformat(), "author": list(a.authors)} for a in listing.articles}
                beside = {normalise(HOME + path): fields for path, fields in known.items()}
                yield Case(f"example portal, {column.name}", "article_urls", captured(url, site.answer(request)), listed, rules, beside)


def links_of_sites(_: Path) -> Iterator[Case]:
    for variation in (variation for kind in KINDS for variation in variations(kind)):
        made = SOFTWARE[variation.software](HOME, variation)
        for target, posts in made.indexes.items():
            answer = made.pages.get(target) or made.answer(answers.Request(target=target))
            if answer is not None:
                listed = frozenset(normalise(post.url) for post in posts)
                yield Case(variation.name, "article_urls", captured(HOME + target, answer), listed)


def captured(url: str, answer: answers.Answer) -> Capture:
    return Capture(url=url, requested_url=url, status=200, headers=tuple(answer.headers), entity=answer.body, date=WHEN)


def articles_by(portal: Portal, case: Case) -> dict[str, Mapping[str, Any]]:
    """What `curator try` says of the page."""
    line = look(case.capture.url, portal=portal, source=OnePage(case.capture), kind="archive")
    return {normalise(article["url"]): article for article in line["articles"]}


def links_by(findings: LinkFindings, case: Case, number: int) -> dict[str, Mapping[str, Any]]:
    """The same by one of the choices."""
    for proposal in proposals(findings):
        if number < len(proposal.choices):
            rules = proposal.choices[number].value
            assert isinstance(rules, Mapping), rules
            portal = portal_with(case.capture.url, {**rules, "urls": case.urls})
            return articles_by(portal, case)
    return {}


def right_beside(case: Case, articles: Mapping[str, Mapping[str, Any]]) -> list[bool]:
    """Of each day and list of authors that the first choice tells, and of which the truth is known, whether it is right."""
    pairs = [(case.beside.get(url, {}).get(name), told.get(name)) for url, told in articles.items() for name in ("datePublished", "author")]
    known = [(truth, told) for truth, told in pairs if truth and told]
    return [truth[:10] == told[:10] if isinstance(truth, str) else set(truth) == set(told) for truth, told in known]


def link_scores(cases: Sequence[Case], *, show: bool) -> Iterator[tuple[str, tuple[float, ...], list[bool], float]]:
    """Of each page of a portal: whether it was exact, among three, with an example; what is told beside the links; the seconds a page."""
    read = [page for case in cases if (page := case.page) is not None]
    portal = portal_with(cases[0].capture.url, {"link": "a", "urls": cases[0].urls}) if cases[0].urls is not None else None
    begun = time.perf_counter()
    findings = find_links(read, portal=portal)
    seconds = (time.perf_counter() - begun) / len(cases)
    by_example: dict[str, LinkFindings] = {}
    for case in cases:
        told = [links_by(findings, case, number) for number in range(len(findings.rules))]
        by_rule = [frozenset(articles) for articles in told]
        articles = sorted(case.expected)
        examples = articles[:: max(1, len(articles) // MOST_EXAMPLES)][:MOST_EXAMPLES]
        for url in examples:
            by_example[url] = find_links(read, examples=[url], portal=portal)
        hits = statistics.mean(links_by(by_example[url], case, 0).keys() == case.expected for url in examples)
        beside = right_beside(case, told[0]) if told else []
        yield case.group, (by_rule[:1] == [case.expected], case.expected in by_rule[:3], hits), beside, seconds
        if show and not all(beside):
            print(f"{case.group}: {findings.rules[0].fields} tell {beside.count(False)} of {len(beside)} wrongly")
        if show and by_rule[:1] != [case.expected]:
            print(f"{case.group}: {case.capture.url[:100]}")
            for rule, urls in zip(findings.rules, by_rule, strict=True):
                print(f"    {rule.picks} finds {len(urls - case.expected)} too many, {len(case.expected - urls)} too few")


LINK_SETS = {"recorded": recorded_links, "example": example_links, "sites": links_of_sites}


def links(asked: argparse.Namespace, record: Record) -> None:
    rows = []
    for name in (asked.sets or "recorded,example").split(","):
        groups = in_groups([case for case in LINK_SETS[name](asked.data) if case.page is not None], asked.one_page)
        scored = [score for group in groups for score in link_scores(group[:MOST_PAGES], show=asked.show)]
        if not scored:
            record.leave_out(f"links of {name} pages, since they are no part of the project and are not here")
            continue
        shares = [statistics.fmean(column) for column in zip(*(hits for _, hits, *_ in scored), strict=True)]
        milliseconds = 1000 * statistics.mean(seconds for *_, seconds in scored)
        beside = [right for *_, of_page, _ in scored for right in of_page]
        told = statistics.fmean(bool(of_page) for *_, of_page, _ in scored)
        right = sum(beside) / max(len(beside), 1)
        rows.append((name, len(scored), len({group for group, *_ in scored}), *shares, told, right, milliseconds))
        if name != "sites":
            record.figure(f"{name} pages of whose articles the first choice tells a day or authors", told)
            record.figure(f"of these {len(beside):,} values right", right, at_least=0.98)
        for (figure, least), share in zip(LINK_FIGURES.items(), shares, strict=True):
            if name != "sites":
                record.figure(f"links of {name} pages: {figure}", share, at_least=least)
    record.table("Links to articles", ("pages", "number", "portals", *LINK_FIGURES, "with fields", "fields right", "ms a page"), rows)


# --- paging ---

PAGING_TARGETS = {"next page of an archive": 0.92, "next page of an article": 0.82, "example": 0.82}


def paging(asked: argparse.Namespace, record: Record) -> None:
    sets = (asked.sets or "recorded,example").split(",")
    if "recorded" in sets:
        cases = [case for case in recorded(asked.data) if case.page is not None]
        if cases:
            paging_of_recorded(cases, asked, record)
        else:
            record.leave_out("paging of recorded pages, since they are no part of the project and are not here")
    if "example" in sets:
        paging_of_example(record, show=asked.show)


def paging_of_recorded(cases: Sequence[Case], asked: argparse.Namespace, record: Record) -> None:
    others = () if asked.one_page else ("article_urls",)
    questions = (("next page of an archive", "next_page", others), ("next page of an article", "next_article_page", ()))
    for name, kind, also in questions:
        rights, modes = [], []
        groups = in_groups([case for case in cases if case.kind == kind or case.kind in also], asked.one_page)
        for group in (group for group in groups if any(case.kind == kind for case in group)):
            own_modes = {column.paging.mode for column in load_portal(group[0].group).columns}
            for case, url, mode in next_pages(group, kind):
                expected = normalise(case.expected) if case.expected else None
                rights.append((normalise(url) if url else None) == expected)
                modes.append(mode in own_modes)
                if not rights[-1]:
                    print(f"  WRONG {case.group}: {case.capture.requested_url} -> {url}, expected {expected} {mode}")
        record.figure(f"{name}: right, of {len(rights)} cases", sum(rights) / max(len(rights), 1), at_least=PAGING_TARGETS[name])
        if kind == "next_page":
            record.figure("mode of paging as in the portal file", sum(modes) / max(len(modes), 1))


def next_pages(cases: Sequence[Case], kind: str) -> Iterator[tuple[Case, str | None, str]]:
    """Each case with what `curator try` gives for its next page, and the mode; links are those of the portal file that is shipped."""
    read = [page for page in {case.capture.requested_url: case.page for case in cases}.values() if page is not None]
    if kind == "next_page":
        shipped = yaml.safe_load(load_portal(cases[0].group).effective).get("archive") or {}
        links_there = {key: shipped[key] for key in ("item", "link", "format") if key in shipped} or {"link": "a"}
        rule = find_paging(read)[0][0]
        archive, articles, mode, shown, told = {**links_there, **rule.settings}, {}, rule.mode, "archive", "next"
    else:
        choices = [choice for proposal in find_article_paging(read)[0] for choice in proposal.choices]
        archive, articles, mode, shown, told = {"link": "a"}, {"next": choices[0].value} if choices else {}, "", "article", "next_page"
    for case in cases:
        if case.kind == kind:
            url = case.capture.requested_url
            line = look(url, portal=portal_with(url, archive, articles), source=OnePage(case.capture), kind=shown)
            yield case, line.get(told), mode


def paging_of_example(record: Record, *, show: bool) -> None:
    """For each column: whether the proposed lines lead from page to page as the portal file's own do."""
    rights: list[bool] = []
    with ExamplePortal(articles=600) as site, tempfile.TemporaryDirectory() as folder:
        portal, corpus = load_portal(site.portal_file(Path(folder), delay="0s")), Path(folder) / "corpus"
        crawl(portal, corpus=corpus, options=CrawlOptions(articles=False))
        with closing(WarcSource(sorted((corpus / "warc").glob("*-archive-*")), on_damage=print)) as source:
            for column in (column for column in portal.columns if column.format is ArchiveFormat.HTML):
                is_right, told = column_result(column, portal, source, show=show)
                rights.append(is_right)
                print(f"  {'ok   ' if is_right else 'WRONG'} {column.name:12}{told}")
    name = f"example portal: columns whose paging is right, of {len(rights)}"
    record.figure(name, sum(rights) / len(rights), at_least=PAGING_TARGETS["example"])


def stored_pages(column: Column, portal: Portal, source: PageSource) -> dict[str, tuple[Page, str | None]]:
    """The pages of a column in the order of its walks, with the next page of each; a page without articles ends a walk."""
    found: dict[str, tuple[Page, str | None]] = {}
    for interval in intervals_to_walk(column, portal, None, CrawlOptions(), datetime.now(UTC)):
        url: str | None = place_at(column, interval).url
        index = 0
        while url is not None:
            place = ArchivePlace(index, column.paging.value_at(index) or "", url)
            capture = source.fetch(archive_request(column, interval, place)).capture
            page = read_page(capture, format=column.format) if capture is not None else None
            if not isinstance(page, Page) or not (read := read_archive_page(page, column, portal)).articles:
                break
            index += 1
            following = read.next_url
            if column.paging.mode.counts:
                following = place_at(column, interval, index).url
            # where pages have one address and differ in what is sent for them, `curator try` tells of no next one
            found[f"{index} {url}"] = (page, normalise(following) if following is not None and following != url else None)
            url = following
    return found


def column_result(column: Column, portal: Portal, source: PageSource, *, show: bool) -> tuple[bool, str]:
    """Where the column goes on, the proposed lines must lead there; on its last page to nothing, or to the page behind it."""
    stored = stored_pages(column, portal, source)

    def links_of(page: Page) -> frozenset[str]:
        return frozenset(link.url for link in read_archive_page(page, column, portal).articles)

    given = [page for page, _ in stored.values()]
    rules, _ = find_paging(given, links_of)
    if not rules:
        return False, f"{column.paging.mode}: nothing is proposed for {len(given)} pages"
    rule, last = rules[0], {normalise(page.requested_url) for page in given}
    archive: dict[str, Plain] = {"link": "a"}
    wrong: list[str] = []
    for page, following in stored.values():
        proposed = portal_with(page.requested_url, {**archive, **rule.settings})
        own = replace(proposed.columns[0], item=column.item, link=column.link)
        line = look(page.requested_url, portal=replace(proposed, columns=(own,)), source=source, kind="archive")
        url = normalise(line["next"]) if line.get("next") else None
        if url != following and not (url is None and following not in last):
            wrong.append(f"{page.requested_url} -> {url}, expected {following}")
    told = f"{column.paging.mode}: {rule.mode} on {len(given)} pages, {json.dumps(rule.settings, ensure_ascii=False)}"
    others = "; ".join(json.dumps(other.settings, ensure_ascii=False) for other in rules[1:])
    goes_on = rule.mode is not PagingMode.NONE or column.paging.mode is PagingMode.NONE
    return not wrong and goes_on, told + (f" (or {others})" if show and others else "") + "".join(f"\n      {line}" for line in wrong[:3])
