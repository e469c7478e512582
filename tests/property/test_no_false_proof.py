"""Whatever pager a site has and whatever natural mistake a portal file makes: no crawl says that all is there when it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from scripted_portal import MISSING, Crawler, Reply, ScriptedPortal, moved

from webarticlecurator import load_portal, status

SEEDS = [pytest.param(seed, marks=[] if seed < 10 else [pytest.mark.nightly]) for seed in range(60)]
MISTAKES_OF_ONE_SITE = 4
OK = 0
HOME = "HOME"

_FRONT = "<h1>Címlap</h1>"
ADDRESSES = {
    "path": ("/hirek/", "/hirek/page/{page}/"),
    "short path": ("/hirek", "/hirek/{page}"),
    "root": ("/", "/page/{page}/"),
    "query": ("/hirek", "/hirek?oldal={page}"),
    "more query": ("/lista.php?rovat=bel", "/lista.php?rovat=bel&p={page}"),
    "file": ("/hirek.html", "/hirek-{page}.html"),
}
"""First page, and the pages from the second on."""
NEXT_LABELS = ("next", "Older posts", "következő »", "»", "Ältere Beiträge")
USUAL, BY_CLASS, BY_ADDRESS, DOWNWARDS = "usual", "by class", "by address", "downwards"
KINDS: dict[str, tuple[dict[str, tuple[str, str]], tuple[str, ...]]] = {
    USUAL: (ADDRESSES, NEXT_LABELS),
    BY_CLASS: ({"opaque": ("/hirek", "/m/zr{page}x")}, ("Blorp", "")),
    BY_ADDRESS: ({name: ADDRESSES[name] for name in ("path", "root", "query")}, ("Blorp",)),
    DOWNWARDS: (
        {"file": ("/", "/archives/P{page}.html"), "below": ("/hirek/", "/hirek/archive/page/{page}/")},
        ("« előző oldal", "previous page"),
    ),
}
"""What tells that a pager is one: its addresses, and what is written on the link that leads on. "Blorp" is a word of no language."""


@dataclass(slots=True)
class Site:
    """One blog: its articles on pages of a size, a pager, perhaps a box and a count."""

    articles: int
    size: int
    address: str
    order: tuple[str, ...]
    """What the pager holds, in this order: first, prev, numbers, next, last."""
    window: int
    """Numbers beside the current one; 99: all of them."""
    self_link: bool
    label: str
    rel: bool
    boxed: int
    """Articles in the box beside."""
    featured: frozenset[int]
    counted: bool
    kind: str
    """By what its pager is known; where pages count downwards, the first is the last number."""
    end: str
    """What is behind the last page: missing, empty, clamped, redirect, home."""

    @property
    def pages(self) -> int:
        return -(-self.articles // self.size)

    @property
    def urls(self) -> set[str]:
        return {self.article(number) for number in range(self.articles)}

    @property
    def looks_back(self) -> bool:
        """Whether a later page shows in any way that it is not the first."""
        return self.counted or bool({"first", "prev", "numbers"} & set(self.order))

    def article(self, number: int) -> str:
        return f"/2024/{1 + number % 12:02d}/egy-cikk-a-hidrol-{number}"

    def page_url(self, number: int) -> str:
        first, others = KINDS[self.kind][0][self.address]
        return first if number == 1 else others.format(page=self.written(number))

    def written(self, number: int) -> int:
        return self.pages + 1 - number if self.kind == DOWNWARDS else number

    @property
    def wrapper(self) -> str:
        return {BY_CLASS: "pagination", BY_ADDRESS: "w"}.get(self.kind, "lapozo")

    @property
    def back_label(self) -> str:
        return {BY_CLASS: self.label, BY_ADDRESS: self.label, DOWNWARDS: "következő oldal »"}.get(self.kind, "")

    @property
    def next_class(self) -> str:
        return {BY_CLASS: "pagination-next", BY_ADDRESS: "x1"}.get(self.kind, "next")

    @property
    def script(self) -> dict[str, Reply | str]:
        others = KINDS[self.kind][0][self.address][1]
        numbers = range(1, self.pages + 61)
        paths = ["/", *(path for number in numbers for path in (self.page_url(number), others.format(page=self.written(number))))]
        return {path: self.answer(path) for path in paths}

    def answer(self, path: str) -> Reply | str:
        """What the site says at a path."""
        others = KINDS[self.kind][0][self.address][1]
        numbers = range(1, self.pages + (60 if self.kind == USUAL else 1))
        number = next((n for n in numbers if path in (self.page_url(n), others.format(page=self.written(n)))), None)
        if number is None or number <= self.pages:
            return self.page(number) if number else _FRONT if path == "/" else MISSING
        beyond = {"missing": MISSING, "home": moved("/front"), "empty": self.html(number, []), "redirect": moved(self.page_url(self.pages))}
        return beyond.get(self.end, self.page(self.pages))

    def page(self, number: int) -> str:
        return self.html(number, range((number - 1) * self.size, min(number * self.size, self.articles)))

    def html(self, number: int, listed: Iterable[int]) -> str:
        listed = tuple(listed)
        items = "".join(
            f"<article class='teaser{' kiemelt' if one in self.featured else ''}'><h2><a href='{self.article(one)}'>Cikk {one}</a></h2>"
            f"<p>Miről szól. <a href='{self.article(one)}#hozzaszolasok'>3</a></p></article>"
            for one in listed
        )
        box = "".join(f"<li><a href='{self.article(one)}'>Népszerű {one}</a></li>" for one in range(self.boxed))
        count = f"<p class=allas>{self.written(number)} / {self.pages}</p>" if self.counted and listed else ""
        return (
            "<html><body><nav><a href='/'>Címlap</a> <a href='/hirek'>Hírek</a> <a href='/rolunk'>Rólunk</a></nav>"
            f"<main>{items}{count}<div class={self.wrapper}>{''.join(self.pager(number))}</div></main>"
            f"<aside class=nepszeru><ul>{box}</ul></aside><footer><a href='/impresszum'>Impresszum</a></footer></body></html>"
        )

    def pager(self, number: int) -> Iterator[str]:
        if self.pages == 1:
            return
        for part in self.order:
            if part == "numbers":
                yield from self._numbers(number)
            elif part in ("first", "prev") and number > 1:
                # software that counts downwards gives its first page a number here
                numbered = KINDS[self.kind][0][self.address][1].format(page=self.written(number - 1))
                url = self.page_url(1) if part == "first" else numbered if self.kind == DOWNWARDS else self.page_url(number - 1)
                yield f"<a class={part} href='{url}'>{self.back_label or part}</a> "
            elif part == "next" and number < self.pages:
                rel = " rel=next" if self.rel else ""
                yield f"<a class={self.next_class}{rel} href='{self.page_url(number + 1)}'>{self.label}</a> "
            elif part == "last" and number < self.pages:
                yield f"<a class=last href='{self.page_url(self.pages)}'>last »»</a> "

    def _numbers(self, number: int) -> Iterator[str]:
        for one in range(1, self.pages + 1):
            if one == number and not self.self_link:
                yield f"<b class=current>{one}</b> "
            elif one == number:
                yield f"<a class='page current' href='{self.page_url(one)}'>{one}</a> "
            elif abs(one - number) <= self.window or one == self.pages:
                yield f"<a class=page href='{self.page_url(one)}'>{one}</a> "


def any_site(choice: Random) -> Site:
    """A site that a portal file can describe: with a pager as soon as there is more than one page."""
    size, pages = choice.randint(2, 8), choice.randint(1, 9)
    articles = size * (pages - 1) + choice.randint(1, size)
    kind = choice.choice((USUAL, USUAL, BY_CLASS, BY_ADDRESS, DOWNWARDS))
    parts = [part for part in ("first", "prev", "last") if choice.random() < 0.5] if kind == USUAL else ["prev"]
    forms = choice.choice((["next"], ["numbers"], ["next", "numbers"])) if kind == USUAL else ["next"]
    addresses, labels = KINDS[kind]
    order = tuple(choice.sample([*parts, *forms], len(parts) + len(forms)))
    return Site(
        articles=articles,
        size=size,
        address=choice.choice(sorted(addresses)),
        order=order,
        window=choice.choice((1, 2, 99)),
        self_link=choice.random() < 0.3,
        label=choice.choice(labels),
        rel=choice.random() < 0.4 and kind == USUAL,
        boxed=min(articles // 3, choice.choice((0, 0, 3, 5))),
        featured=frozenset(choice.sample(range(articles), max(1, articles // choice.randint(2, 6)))),
        counted=choice.random() < 0.3 and kind in (USUAL, DOWNWARDS),
        kind=kind,
        end=choice.choice(("missing", "empty", "clamped", "redirect", "home")),
    )


Rules = dict[str, Any]


def right_rules(site: Site) -> dict[str, Rules]:
    """Name -> the `archive` of a portal file that finds every article; there are several ways."""
    first, others = KINDS[site.kind][0][site.address]
    common = {"item": "article.teaser", "link": "h2 a"}
    rules: dict[str, Rules] = {}
    if site.pages == 1:
        return {"one page": {**common, "url": HOME + first, "pages": "none"}}
    if "next" in site.order:
        rules["next"] = {**common, "url": HOME + first, "next": f"a.{site.next_class}"}
    if "numbers" in site.order:
        rules["number"] = {**common, "url": HOME + first, "next": {"css": ".lapozo a.page", "page_number": {"step": 1}}}
        rules["numbered"] = {**common, "url": HOME + others, "pages": {"mode": "numbered", "last": ".lapozo .page, .lapozo .current"}}
    if site.kind in (BY_CLASS, DOWNWARDS):
        return rules  # their pages cannot be counted
    rules["infinite"] = {**common, "url": HOME + others, "pages": {"mode": "infinite", "start": 1}}
    rules["expanding"] = {**common, "url": HOME + others, "pages": {"mode": "expanding", "start": 1}}
    return rules


def wrong_rules(site: Site) -> dict[str, Rules]:
    """The same with one natural mistake each; some of them happen to do no harm."""
    first = KINDS[site.kind][0][site.address][0]
    wrong: dict[str, Rules] = {}
    for name, rules in right_rules(site).items():
        wrong |= {
            f"{name}: first item only": {**rules, "item": "article:first-of-type"},
            f"{name}: one class too many": {**rules, "item": "article.teaser.kiemelt"},
            f"{name}: links of the box": {key: value for key, value in rules.items() if key != "item"} | {"link": "aside a"},
            f"{name}: a box for an item": {**rules, "item": "aside", "link": "a"},
        }
        if "next" in rules:
            wrong |= {
                f"{name}: next {selector}": {**rules, "next": selector}
                for selector in (".lapozo a", ".lapozo a:last-child", "a.prev", "a.first", "a.last", "a.page", "a.nincs")
            }
            wrong[f"{name}: no next"] = {key: value for key, value in rules.items() if key != "next"}
            wrong[f"{name}: every other page"] = {**rules, "next": {"css": ".lapozo a.page", "page_number": {"step": 2}}}
            if site.looks_back:
                wrong[f"{name}: begins at page 2"] = {**rules, "url": HOME + site.page_url(2)}
        elif rules.get("pages") != "none":
            wrong |= {
                f"{name}: goes from 1 to 3": {**rules, "pages": {**rules["pages"], "first": "1", "start": 3}},
                f"{name}: last page fixed": {**rules, "pages": {"mode": "numbered", "last": 2}},
                f"{name}: pages named": {**rules, "pages": {"mode": "numbered", "values": "1-2"}},
                f"{name}: first page only": {**rules, "url": HOME + first, "pages": None},
            }
            if site.looks_back:
                wrong |= {f"{name}: begins at page {page}": {**rules, "pages": {**rules["pages"], "start": page}} for page in (2, 3)}
    return wrong


Crawl = Callable[[Site, Rules, int], tuple[int, set[str], bool]]


@pytest.fixture
def crawl(curator: Callable[..., Any], site: ScriptedPortal, tmp_path: Path) -> Crawl:
    """Walk the archive of a site into the corpus of this number: the exit code, the articles known, and whether all is proved."""

    def walk(made: Site, archive: Rules, number: int) -> tuple[int, set[str], bool]:
        site.script = dict(made.script)
        folder = tmp_path / str(number)
        folder.mkdir(exist_ok=True)
        crawler = Crawler(curator, folder, site, rules=yaml.safe_dump({"archive": archive}))
        code = crawler.crawl("--archive-only")
        completeness = status(load_portal(crawler.file), corpus=crawler.corpus).completeness
        return code, set(crawler.outcomes), not any(column.open for column in completeness)

    return walk


@pytest.mark.parametrize("seed", SEEDS)
def test_the_right_rules_are_proved_and_find_every_article(seed: int, crawl: Crawl) -> None:
    made = any_site(Random(seed))
    for number, (name, rules) in enumerate(right_rules(made).items()):
        assert (name, *crawl(made, rules, number)) == (name, OK, made.urls, True)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mistake_that_loses_articles_is_told_and_when_it_is_mended_the_next_crawl_finds_them(seed: int, crawl: Crawl) -> None:
    choice = Random(seed)
    made = any_site(choice)
    right, wrong = right_rules(made), wrong_rules(made)
    for number, name in enumerate(choice.sample(sorted(wrong), min(len(wrong), MISTAKES_OF_ONE_SITE))):
        code, known, _ = crawl(made, wrong[name], number)
        if known != made.urls:
            assert code != OK, name
            again, known, _ = crawl(made, wrong[name], number)
            assert known == made.urls or again != OK, name
        assert (name, *crawl(made, right[choice.choice(sorted(right))], number)) == (name, OK, made.urls, True)
