"""How surely `curator watch` finds a changed layout, and how often it cries wolf: real pages, changed as redesigns change them.

    python benchmarks/drift.py [--hosts even|odd] [--sets cleanportaleval,fundus,scrapinghub] [--newer N] [--general] [--show]

Each host with two pages or more is a portal: a row of twelve earlier articles and of some newer ones. Where it has fewer pages, more
articles are made of them: paragraphs go, their words and those of teasers come from other portals. The articles are read by a rule for
the element that holds the text, or (where that has no name, and with `--general`) by the general finder, which many a change does not
mislead. Then the newer ones are changed, on every page the same way:

    renamed   all classes and ids have other names
    moved     the second half of the body stands in a new element behind the old one
    widget    a box of another portal stands in the body, with other words on every page

and so that no layout changed: as they were, much shorter, every third of them a page of another kind, one odd page. `--hosts` takes half
of the portals: what is tuned on one half is checked on the other. The pages are not part of the project: without them there is nothing
to do.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32
from zoneinfo import ZoneInfo

from lxml import html
from results import Record, result_option, script_parser
from truths import DATA, HALVES, NOT_HERE, is_chosen, page_of, pages, true_text

from webarticlecurator import Portal, load_portal
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.labelling.text_blocks import TextBlock, shares_in, text_blocks
from webarticlecurator.watching.drift import drifts
from webarticlecurator.watching.page_facts import page_facts
from webarticlecurator.watching.portal_articles import WatchedArticle, lines_of

EARLIER = 12
FEWEST_BODY_BLOCKS = 4
TARGETS = {"renamed": 0.9, "moved": 0.9, "widget": 0.5}
"""Change -> the least share of portals in which it is found."""
HARMLESS = ("as they were", "shorter", "other kind", "one odd page")
MOST_FALSE_ALARMS = 0.05
Tree = Any
Change = Callable[[Tree, list[TextBlock], Random], None]


@dataclass(frozen=True)
class Template:
    """A real page, and its body."""

    url: str
    tree: Tree
    gold: str

    def copy(self) -> tuple[Tree, list[TextBlock], list[TextBlock]]:
        """A tree of its own, the blocks of its body, and all others."""
        tree = deepcopy(self.tree)
        blocks = text_blocks(tree)
        shares = shares_in(blocks, self.gold)
        body = [block for block, share in zip(blocks, shares, strict=True) if share >= 0.6 and len(block.text.split()) > 2]
        inside = {id(block) for block in body}
        return tree, body, [block for block in blocks if id(block) not in inside]


def templates(data: Path, names: Sequence[str], hosts: str | None) -> dict[str, list[Template]]:
    """The pages of each host that has several."""
    found: dict[str, list[Template]] = defaultdict(list)
    for name in names:
        for meta, body in pages(data, name):
            page = page_of({**meta, "crawl_date": None}, body, classified=True) if is_chosen(meta, hosts) else None
            if page is not None and page.tree is not None:
                template = Template(meta["url"], page.tree, true_text(meta))
                if len(template.copy()[1]) >= FEWEST_BODY_BLOCKS:
                    found[f"{name} {meta['host']}"].append(template)
    return {name: some for name, some in found.items() if len(some) > 1}


# --- articles like those that there are ---


@dataclass(frozen=True)
class Variants:
    """Articles made of a portal's pages: other words, other lengths, the same layout."""

    own: Sequence[Template]
    words: Sequence[str]

    def article(self, number: int, draw: Random, *, shorter: bool) -> tuple[Tree, list[TextBlock], Template]:
        template = self.own[number % len(self.own)]
        tree, body, others = template.copy()
        kept = _thinned(body, draw, 0.2 if shorter else draw.uniform(0.5, 1.0))
        if number >= len(self.own) or shorter:
            for block in kept:
                self.reword(block.element, draw)
            for block in others:
                if block.links and len(block.text.split()) > 3 and draw.random() < 0.7:
                    self.reword(block.element, draw)
        return tree, kept, template

    def reword(self, element: Tree, draw: Random) -> None:
        for part in element.iter():
            if isinstance(part.tag, str) and part.tag not in ("script", "style"):
                part.text = self._other_words(part.text, draw)
                if part is not element:
                    part.tail = self._other_words(part.tail, draw)

    def _other_words(self, text: str | None, draw: Random) -> str | None:
        count = len((text or "").split())
        if not count:
            return text
        start = draw.randrange(len(self.words) - 400)
        return f" {' '.join(self.words[start : start + max(1, round(count * draw.uniform(0.6, 1.4)))])} "


def _thinned(body: list[TextBlock], draw: Random, share: float) -> list[TextBlock]:
    """So many of its paragraphs stay, three at least."""
    elements = list(dict.fromkeys(block.element for block in body))
    gone = set(draw.sample(elements, max(0, min(len(elements) - 3, round((1 - share) * len(elements))))))
    for element in gone:
        holds_others = any(block.element is not element and element in block.element.iterancestors() for block in body)
        if not holds_others and element.getparent() is not None:
            element.getparent().remove(element)
    return [block for block in body if block.element not in gone]


# --- what becomes of the newer ones ---


def renamed(tree: Tree, _: list[TextBlock], __: Random) -> None:
    for element in tree.iter():
        for name in ("class", "id") if isinstance(element.tag, str) else ():
            if element.get(name):
                element.set(name, " ".join(f"{token[::-1]}-neu" for token in element.get(name).split()))


def moved(_: Tree, body: list[TextBlock], __: Random) -> None:
    container = common(body)
    elements = [block.element for block in body]
    children = [child for child in container if any(child is element or child in element.iterancestors() for element in elements)]
    children = children if len(children) > 1 else list(container)  # lines with breaks between them
    new = html.Element("div", {"class": "article-continued"})
    new.extend(children[len(children) // 2 :])
    if container.tag != "body":
        container.addnext(new)
    else:
        container.append(new)


def with_widget(box: Tree, variants: Variants) -> Change:
    def widget(_: Tree, body: list[TextBlock], draw: Random) -> None:
        new = deepcopy(box)
        variants.reword(new, draw)
        new.tail = None
        body[len(body) // 2].element.addprevious(new)

    return widget


def box_of(other: Template, draw: Random) -> Tree | None:
    """Of another portal: no text of its article, and not long."""
    tree, body, _ = other.copy()
    around = {ancestor for block in body for ancestor in (block.element, *block.element.iterancestors())}
    boxes = [
        element
        for element in tree.iter("div", "section", "aside", "ul")
        if element not in around
        and 15 <= len("".join(element.itertext()).split()) <= 80
        and next(element.iter("script", "style"), None) is None
    ]
    return draw.choice(boxes) if boxes else None


def common(body: Sequence[TextBlock]) -> Tree:
    """The smallest element that holds nearly all of the body."""
    counts: dict[Tree, int] = defaultdict(int)
    for block in body:
        for element in (block.element, *block.element.iterancestors()):
            counts[element] += len(block.text)
    most = 0.9 * sum(len(block.text) for block in body)
    return max((element for element, count in counts.items() if count >= most), key=lambda element: sum(1 for _ in element.iterancestors()))


@dataclass(frozen=True)
class Row:
    """One portal's articles, and by which rules they are read."""

    name: str
    variants: Variants
    portal: Portal
    strangers: Sequence[Template]
    newer: int

    def earlier(self) -> list[WatchedArticle]:
        return [self._article(number) for number in range(EARLIER)]

    def later(self, change: str) -> list[WatchedArticle]:
        draw = Random(crc32(self.name.encode()))
        box = next(box for _ in range(50) if (box := box_of(draw.choice(self.strangers), draw)) is not None)
        stranger = Variants([draw.choice(self.strangers)], self.variants.words)
        changes = {"renamed": renamed, "moved": moved, "widget": with_widget(box, self.variants)}
        articles = []
        for place in range(self.newer):
            is_strange = (change == "other kind" and place % 3 == 1) or (change == "one odd page" and place == self.newer - 1)
            variants = stranger if is_strange else self.variants
            articles.append(self._article(EARLIER + place, changes.get(change), shorter=change == "shorter", variants=variants))
        return articles

    def _article(
        self, number: int, change: Change | None = None, *, shorter: bool = False, variants: Variants | None = None
    ) -> WatchedArticle:
        draw = Random(number)
        tree, body, template = (variants or self.variants).article(number, draw, shorter=shorter)
        if change is not None:
            change(tree, body, draw)
        page = page_of({"url": template.url, "encoding": "utf-8"}, html.tostring(tree, encoding="utf-8"), classified=True)
        assert page is not None and page.tree is not None
        article = read_article([page], self.portal, id=str(number), identity=template.url, url=template.url)
        return WatchedArticle(
            id=str(number),
            url=template.url,
            day=(datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=number)).isoformat(),
            is_empty=article.outcome.value == "empty",
            words=article.extent.words or 0,
            fields=frozenset(article.metadata),
            unknown_tags=frozenset(unknown.tag for unknown in article.unknown_tags),
            lines=lines_of(article.text),
            page=page_facts(page.tree, article.text),
        )


def rule_for(some: Sequence[Template]) -> str | None:
    """Selectors of the elements that hold the texts, as short as they can be; None where one of them has no name of its own."""
    selectors = [_selector(tree, common(body)) for tree, body, _ in (template.copy() for template in some)]
    return ", ".join(f'"{selector}"' for selector in dict.fromkeys(selectors)) if all(selectors) else None


def _selector(tree: Tree, element: Tree) -> str | None:
    for holder in (element, *element.iterancestors()):
        names = [f"{holder.tag}.{name}" for name in (holder.get("class") or "").split() if _is_plain(name)]
        names += [f"{holder.tag}#{holder.get('id')}"] if _is_plain(holder.get("id") or "") else []
        selector = next((name for name in names if len(tree.cssselect(name)) == 1), None)
        if selector is not None or holder.tag == "body":
            return selector
    return None


def _is_plain(name: str) -> bool:
    return name.replace("-", "").replace("_", "").isalpha()


def rows(found: dict[str, list[Template]], newer: int, *, general: bool) -> Iterator[Row]:
    everything = [template for some in found.values() for template in some]
    for name, some in sorted(found.items()):
        strangers = [template for template in everything if template not in some]
        words = " ".join(template.gold for template in strangers).split()
        root = None if general else rule_for(some)
        body = f"body: {{root: [{root}]}}\n" if root else ""
        rules = f'portal: "p"\nhome: "https://{name.split()[-1]}/"\n{body}'
        portal = replace(load_portal(Path("portal.yaml"), content=rules.encode()), timezone=ZoneInfo("UTC"))
        yield Row(name, Variants(some, words), portal, strangers, newer)


def measure(asked: argparse.Namespace, record: Record) -> None:
    shares: dict[str, list[bool]] = defaultdict(list)
    seconds: list[float] = []
    for row in rows(templates(asked.data, asked.sets.split(","), asked.hosts), asked.newer, general=asked.general):
        earlier = row.earlier()
        for change in (*TARGETS, *HARMLESS):
            articles = [*earlier, *row.later(change)]
            begin = time.process_time()
            seen = list(drifts(articles))
            seconds.append(time.process_time() - begin)
            is_found = any(abs(drift.place - EARLIER) <= 2 for drift in seen)
            shares[change].append(is_found if change in TARGETS else bool(seen))
            if asked.show and (is_found or change in TARGETS):
                signs = [(sign.kind, sign.what) for drift in seen for sign in drift.seen[:3]]
                print(
                    f"  {row.name[:45]:46}{'rule' if row.portal.body.root else 'general':9}{change:14}",
                    [drift.place for drift in seen],
                    signs,
                )
    note = f"{len(shares['renamed'])} portals, {EARLIER} earlier and {asked.newer} newer articles each."
    means = {change: sum(of_portals) / len(of_portals) for change, of_portals in shares.items()}
    record.table("Share of portals", ("what became of the newer articles", "found, or alarm"), list(means.items()), note)
    for change, least in TARGETS.items():
        record.figure(f"{change}: found", means[change], at_least=least)
    alarms = [is_alarm for change in HARMLESS for is_alarm in shares[change]]
    record.figure(f"false alarms, of {len(alarms)} rows", sum(alarms) / len(alarms), at_most=MOST_FALSE_ALARMS)
    record.figure("time for one portal, at most", max(seconds), "s")


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--sets", default="cleanportaleval,fundus,scrapinghub")
    parser.add_argument("--hosts", choices=HALVES)
    parser.add_argument("--newer", type=int, default=6)
    parser.add_argument("--general", action="store_true", help="read all portals by the general finder")
    parser.add_argument("--show", action="store_true", help="what was found of each portal")
    parser.add_argument("--data", type=Path, default=DATA)
    asked = result_option(parser).parse_args()
    record = Record(
        "The watch for changed layouts",
        "Real pages are changed as redesigns change them: all classes and ids have other names, half of the body stands in a new "
        "element, a box stands in the body. Beside that stand rows of articles whose layout did not change. A portal is found when the "
        "watch names the place.",
    )
    if asked.data.is_dir():
        measure(asked, record)
    else:
        record.leave_out(f"changed layouts, {NOT_HERE}")
    record.end(asked.result)


if __name__ == "__main__":
    main()
