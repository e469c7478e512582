"""A generated portal is proved only if all of it was collected, and always by a file that names all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from generated_portal import (
    ARTICLES,
    AT,
    BEHIND,
    BUTTONS,
    BY_KIND,
    EXTRAS,
    KINDS,
    LABELS,
    ON_BUTTONS,
    PARTS,
    Section,
    Site,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scripted_portal import AnyPath, Crawler, scripted_portal
from warc_records import records

OK = 0
HEAD = "portal: pelda\nhome: HOME/\ntimezone: Europe/Budapest\n"
NEXT, SECTION, EDITION, FURTHER = LACKING = ("next", "section", "edition", "articles.next")
"""What a portal file may lack."""

OPEN_FALSE_PROOFS = frozenset(
    {
        "translations of another form",  # what articles lead to, each to its own, and is written otherwise
    }
)
"""Kinds on which crawls by a wrong file are known to end with 0: taken out one by one as these are mended."""
OPEN_FALSE_DOUBTS = frozenset({"counts of parts"})
"""Kinds on which crawls by a right file are known not to: years and months that count the articles of all."""


@dataclass(frozen=True)
class File:
    """A portal file of a site."""

    site: Site
    lacks: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()
    """What it lacks by a person's word."""

    @property
    def columns(self) -> list[Section]:
        """Return the lists that it names."""
        left_out = [self.site.edition] if EDITION in self.lacks else []
        if SECTION in self.lacks and len(self.site.sections) > 1:
            left_out.append(self.site.sections[-1])
        return [each for each in self.site.lists if each not in left_out]

    @property
    def rules(self) -> str:
        """Return it as YAML, without its head."""
        archive = {"item": "li.t", "link": "a.h"}
        rules: dict[str, Any] = {"archive": archive, "columns": {}}
        for each in self.columns:
            first_page = {"url": f"HOME{each.at}"}
            rules["columns"][each.name] = first_page if NEXT in self.lacks else each.right_rules()
        if NEXT in self.said:
            archive["pages"] = "none"
        if EDITION in self.said:
            rules["not_collected"] = ["/de/"]
        if FURTHER in self.said:
            rules["articles"] = {"one_page": True}
        elif self.site.long and FURTHER not in self.lacks:
            rules["articles"] = {"next": "a.onward"}
        return yaml.safe_dump(rules, sort_keys=False)

    @property
    def wanted(self) -> Iterator[str]:
        """Give the pages of articles that no person's word leaves out."""
        for section in self.site.sections if EDITION in self.said else self.site.lists:
            for number in section.shown(1) if NEXT in self.said else range(section.articles):
                yield from self.site.parts(section, number)[: 1 if FURTHER in self.said else None]


# --- what is drawn ---


@dataclass(frozen=True)
class Drawing:
    """Draws what is not left out."""

    draw: st.DrawFn
    without: frozenset[str]

    def leaves_out(self, kind: str) -> bool:
        return kind in self.without

    def one(self, options: Sequence[str], *others: str) -> str:
        left_out = self.without.union(others)
        return self.draw(st.sampled_from([each for each in options if each not in left_out]))

    def section(self, name: str, dates: str, prefix: str = "") -> Section:
        is_open = dates == "undated" and self.leaves_out("undated beside dates")
        kind = self.one(KINDS, *(("years", "months") if is_open else ()))
        in_path = {"months", "index"} | ({"button", "years"} if self.leaves_out("two parameters") else set())
        at = AT[0] if prefix or kind in in_path else self.one(AT)
        ways = tuple(BEHIND) if at == AT[0] else ("?page=", "?start=", "elsewhere")
        has_parts = kind in ("years", "months", "index") and self.leaves_out("counts of parts")
        label = {"icon": "<svg></svg>", "button": self.one(ON_BUTTONS)}.get(kind, self.one(LABELS))
        return Section(
            name=name,
            kind=kind,
            articles=self.draw(st.integers(3 if self.leaves_out("few articles") else 1, 14)),
            size=self.draw(st.integers(3, 6)),
            at=prefix + at.format(name=name),
            further=BY_KIND.get(kind) or BEHIND[self.one(ways)],
            label="<svg></svg>" if label == "nothing" else label,
            button=self.one(BUTTONS),
            counts="" if has_parts else self.one(("", "<p>{} articles</p>", "<div data-total={}></div>")),
            written=prefix + self.one(ARTICLES),
        )


@st.composite
def sites(draw: st.DrawFn, without: frozenset[str]) -> Site:
    drawing = Drawing(draw, without)
    dates = drawing.one(("dated", "undated"))
    edition_by = drawing.one(("menu", "its home", "hreflang", "translations"))
    names = ("news", "sport", "essays")[: draw(st.integers(1, 3))]
    sections = tuple(drawing.section(name, dates) for name in names)
    edition = drawing.section("berichte", dates, "/de") if draw(st.booleans()) else None
    if edition and edition_by == "translations" and "translations of another form" in without:
        edition = replace(edition, written=f"/de{sections[0].written}")
    return Site(
        sections=sections,
        edition=edition,
        edition_by=edition_by,
        last_by=drawing.one(("by menu", "by footer", "by articles")) if len(names) > 1 else "by menu",
        menu=drawing.one(("everywhere", "home alone")),
        dates=dates,
        long=draw(st.sampled_from([0, 0, 1, 3])),
        parts_by=drawing.one(PARTS),
        extras=draw(st.frozensets(st.sampled_from(EXTRAS))),
    )


@st.composite
def wrong_files(draw: st.DrawFn, without: frozenset[str] = OPEN_FALSE_PROOFS) -> File:
    lacks = draw(st.frozensets(st.sampled_from(LACKING), min_size=1))
    said = draw(st.frozensets(st.sampled_from(LACKING)))
    return File(draw(sites(without)), lacks, said & lacks - {SECTION})


# --- what comes of it ---


@dataclass(frozen=True)
class Ended:
    """How a crawl ended, and `status` behind it; and which pages of articles are not collected."""

    code: int
    status: int
    missing: set[str]
    said: str


def crawls(curator: Callable[..., Any], file: File, times: int) -> list[Ended]:
    """Crawl a site by a portal file, again and again."""
    with scripted_portal() as portal, TemporaryDirectory() as folder:
        portal.script = AnyPath(file.site.answer)
        crawler = Crawler(curator, Path(folder), portal, file.rules, HEAD)
        return [crawled(crawler, file) for _ in range(times)]


def crawled(crawler: Crawler, file: File) -> Ended:
    """Crawl once, and compare with what the portal has."""
    code = crawler.crawl()
    of_articles = (path for path in (crawler.corpus / "warc").iterdir() if "-articles-" in path.name)
    stored = {record.url for path in of_articles for record in records(path) if record.type == "response"}
    missing = set(file.wanted) - {url.removeprefix(crawler.portal.home) for url in stored}
    return Ended(code, int(crawler.run("status").code), missing, crawler.said)


most = settings.default.max_examples if settings.default else 25
unchecked = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
some = settings(max_examples=2 * most // 3, suppress_health_check=unchecked)
fewer = settings(some, max_examples=most // 3)


@some
@given(file=wrong_files())
def test_a_generated_portal_is_never_proved_unless_whole(curator: Callable[..., Any], file: File) -> None:
    for crawl in crawls(curator, file, times=2):
        assert OK not in (crawl.code, crawl.status) or not crawl.missing, (file.rules, crawl)


@fewer
@given(site=sites(OPEN_FALSE_DOUBTS))
def test_a_right_file_on_it_is_always_proved(curator: Callable[..., Any], site: Site) -> None:
    file = File(site)
    for crawl in crawls(curator, file, times=2):
        assert (crawl.code, crawl.status, crawl.missing) == (OK, OK, set()), (file.rules, crawl.said)
