"""Links to articles: how often the rules proposed from archive pages alone give exactly the right ones.

    python benchmarks/learned_links.py [--data DIR] [--one-page] [--sets recorded,example,sites] [--verbose]

Each proposal is written into a portal file, and that is asked as `curator try --as archive --json` asks it. The pages of a portal are given
together (`--one-page`: each alone, as if it had no other). The sets: `recorded` real pages, the columns of the `example` portal (with its
rules for addresses, which are not learned here), and theme-true `sites` of which everything is known (`examples/sites`). An example is
one of up to five articles of each page, in turn.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

from results import Record, result_option

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.example_portal import answers as served
from webarticlecurator.example_portal.columns import COLUMNS
from webarticlecurator.example_portal.shelves import Shelves
from webarticlecurator.example_portal.site import Site
from webarticlecurator.learning.links import LinkFindings, find_links, proposals
from webarticlecurator.model.capture import Capture, Fetched, Request, Verdict
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.trial import look
from webarticlecurator.urls import normalise, split
from webarticlecurator.warc.source import WarcSource

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
sys.path.insert(0, str(ROOT))
MOST_EXAMPLES, MOST_PAGES = 5, 6
HOME = "http://127.0.0.1:9"
FIGURES = ("exact", "among the best three", "with an example")
TARGETS = (0.80, 0.90, 0.90)


@dataclass(frozen=True)
class Case:
    group: str
    """The portal, or the column, whose pages are given together."""
    capture: Capture
    expected: frozenset[str]
    urls: Mapping[str, object] | None = None
    """The rules for addresses that the portal file has already."""

    @property
    def page(self) -> Page:
        is_json = self.capture.entity.lstrip()[:1] in (b"{", b"[")
        page = read_page(self.capture, format="json" if is_json else "html")
        assert isinstance(page, Page), (self.capture.url, page)
        return page


# --- what is asked ---


def recorded(data: Path) -> Iterator[Case]:
    place = data / "archive-pages"
    if not place.is_dir():
        return
    source = WarcSource([place / "pages.warc.gz"], on_damage=print)
    for line in (place / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["kind"] == "article_urls":
            capture = source.fetch(Request(url=case["page_url"])).capture
            assert capture is not None, case["page_url"]
            yield Case(case["portal"], capture, frozenset(map(normalise, case["expected"])))
    source.close()


def example(_data: Path) -> Iterator[Case]:
    site = Site(Shelves(600, 1), HOME, page_size=10, filling=0)
    rules = {"drop_fragment": True, "drop_params": ["utm_*"]}
    for column in COLUMNS.values():
        days = (date(2024, 3, 1) + timedelta(days=4 * number) for number in range(30))
        dates = [{"year": f"{day:%Y}", "month": f"{day:%m}", "day": f"{day:%d}"} for day in days] if column.name == "naptar" else [{}]
        dates = [{"year": "2010", "month": "11"}, {"year": "2011", "month": "01"}] if column.name == "regi" else dates
        for values, page in ((values, page) for values in dates for page in range(1, MOST_PAGES + 1 if column.paged else 2)):
            path = column.page_path(page, **values)
            place, _, query = path.partition("?")
            is_post = column.method == "POST"
            request = served.Request(method=column.method, target=place, body=query.encode()) if is_post else served.Request(target=path)
            listing = site.listing(request)
            if listing is not None and listing.articles:
                url = f"{HOME}{place}?{urlencode({'of': page})}" if is_post else HOME + path
                found = frozenset(normalise(HOME + article.path) for article in listing.articles)
                yield Case(f"example portal, {column.name}", _capture(url, site.answer(request)), found, rules)


def sites(_data: Path) -> Iterator[Case]:
    from examples.sites import SOFTWARE
    from examples.sites.variations import KINDS, variations

    for variation in (variation for kind in KINDS for variation in variations(kind)):
        made = SOFTWARE[variation.software](HOME, variation)
        for target, posts in made.indexes.items():
            answer = made.pages.get(target) or made.answer(served.Request(target=target))
            if answer is not None:
                yield Case(variation.name, _capture(HOME + target, answer), frozenset(normalise(post.url) for post in posts))


SETS = {"recorded": recorded, "example": example, "sites": sites}


def _capture(url: str, answer: served.Answer) -> Capture:
    now = datetime(2024, 6, 1, tzinfo=UTC)
    return Capture(url=url, requested_url=url, status=200, headers=tuple(answer.headers), entity=answer.body, date=now)


# --- what is found ---


class _OnePage:
    """A source of one page."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    def fetch(self, request: Request) -> Fetched:
        return Fetched(request=request, verdict=Verdict(FetchOutcome.FETCHED, ""), capture=self._capture)


def portal_with(rules: Mapping[str, object], case: Case) -> Portal:
    home = "{0.scheme}://{0.authority}/".format(split(case.capture.url))
    archive = {"url": case.capture.url.replace("{", "{{").replace("}", "}}"), **rules}
    if case.urls is not None:
        archive["urls"] = case.urls
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "portal.yaml"
        path.write_text(json.dumps({"portal": "learned", "home": home, "archive": archive}), encoding="utf-8")
        return load_portal(path)


def links_by(findings: LinkFindings, case: Case, number: int) -> frozenset[str]:
    """What `curator try` says of the page."""
    for proposal in proposals(findings):
        if number < len(proposal.choices):
            value = proposal.choices[number].value
            assert isinstance(value, Mapping), value
            portal = portal_with({name: one for name, one in value.items() if one is not None}, case)
            line = look(case.capture.url, portal=portal, source=_OnePage(case.capture), kind="archive")
            return frozenset(normalise(article["url"]) for article in line["articles"])
    return frozenset()


def scores(cases: Sequence[Case], *, verbose: bool) -> Iterator[tuple[str, tuple[float, ...], float]]:
    """Of each page of a portal: whether it was exact, among three, with an example; and the seconds a page."""
    pages = [case.page for case in cases]
    portal = portal_with({"link": "a"}, cases[0]) if cases[0].urls is not None else None
    begun = time.perf_counter()
    findings = find_links(pages, portal=portal)
    took = (time.perf_counter() - begun) / len(cases)
    examples: dict[str, LinkFindings] = {}
    for case in cases:
        found = [links_by(findings, case, number) for number in range(len(findings.rules))]
        articles = sorted(case.expected)
        asked = articles[:: max(1, len(articles) // MOST_EXAMPLES)][:MOST_EXAMPLES]
        for url in asked:
            examples[url] = find_links(pages, examples=[url], portal=portal)
        hits = statistics.mean(links_by(examples[url], case, 0) == case.expected for url in asked)
        yield case.group, (found[:1] == [case.expected], case.expected in found[:3], hits), took
        if verbose and found[:1] != [case.expected]:
            print(f"{case.group}: {case.capture.url[:100]}")
            for rule, urls in zip(findings.rules, found, strict=True):
                print(f"    {rule.picks} finds {len(urls - case.expected)} too many, {len(case.expected - urls)} too few")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with `archive-pages`")
    parser.add_argument("--sets", default="recorded,example", help="default recorded,example; sites takes two minutes more")
    parser.add_argument("--one-page", action="store_true", help="each page alone, as if the portal had no other")
    parser.add_argument("--verbose", action="store_true", help="tell the wrong ones")
    asked = result_option(parser).parse_args()
    record = Record(
        "Learning: links to articles",
        "Rules for links are proposed from archive pages alone, written into a portal file, and asked as `curator try` asks them. A page "
        "is exact where the rule finds all of its articles and nothing else.",
    )
    rows = []
    for name in asked.sets.split(","):
        groups: dict[str, list[Case]] = {}
        for case in SETS[name](asked.data):
            group = groups.setdefault(case.capture.url if asked.one_page else case.group, [])
            group += [case] if len(group) < MOST_PAGES else []
        scored = [row for group in groups.values() for row in scores(group, verbose=asked.verbose)]
        if not scored:
            record.leave_out(f"links of {name} pages, since they are no part of the project and are not here")
            continue
        shares = [statistics.fmean(row[1][at] for row in scored) for at in range(len(FIGURES))]
        took = statistics.mean(row[2] for row in scored)
        rows.append((name, len(scored), len({row[0] for row in scored}), *shares, took * 1000))
        if name in ("recorded", "example"):
            for figure, share, least in zip(FIGURES, shares, TARGETS, strict=True):
                record.figure(f"links of {name} pages: {figure}", share, at_least=least)
    record.table("Links to articles", ("pages", "number", "portals", *FIGURES, "ms a page"), rows)
    record.end(asked.result)


if __name__ == "__main__":
    main()
