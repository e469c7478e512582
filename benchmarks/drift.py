"""How surely `curator watch` finds a changed layout, and how often it cries wolf: real pages, changed as redesigns change them.

    python benchmarks/drift.py [--hosts even|odd] [--sets cleanportaleval,fundus,scrapinghub] [--newer N] [--general] [--long N] [--show]

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

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zlib import crc32
from zoneinfo import ZoneInfo

from lxml import html
from reader_score import DATA, is_chosen, pages
from results import Record, result_option, script_parser

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.extraction.article import read_article
from webarticlecurator.labelling.text_blocks import TextBlock, text_blocks
from webarticlecurator.labelling.truth import shares_in
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.watching.articles import WatchedArticle
from webarticlecurator.watching.drift import drifts
from webarticlecurator.watching.page_facts import page_facts
from webarticlecurator.watching.series import lines_of

EARLIER = 12
FEWEST_BODY_BLOCKS = 4
OTHER_KIND = 0.12
"""Of the pages in long rows."""
TARGETS = {"renamed": 0.9, "moved": 0.9, "widget": 0.5}
Tree = Any


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
            if not is_chosen(meta, hosts):
                continue
            page = _page(body, meta["url"], meta.get("encoding"))
            gold = meta["gold"].get("articleBody") or "\n".join(block["text"] for block in meta["gold"].get("blocks", ()))
            if page is not None and page.tree is not None:
                template = Template(meta["url"], page.tree, gold)
                if len(template.copy()[1]) >= FEWEST_BODY_BLOCKS:
                    found[f"{name} {meta['host']}"].append(template)
    return {name: some for name, some in found.items() if len(some) > 1}


def _page(body: bytes, url: str, encoding: str | None) -> Page | None:
    capture = Capture(url=url, requested_url=url, status=200, headers=(), entity=body, date=datetime(2024, 6, 1, tzinfo=UTC))
    page = read_page(capture, encoding=encoding, classified=True)
    return page if isinstance(page, Page) else None


# --- articles like those that there are ---


class Variants:
    """Articles made of a portal's pages: other words, other lengths, the same layout."""

    def __init__(self, own: Sequence[Template], words: Sequence[str]) -> None:
        self.own, self.words = own, words

    def article(self, number: int, draw: random.Random, shorter: bool = False) -> tuple[Tree, list[TextBlock], Template]:
        template = self.own[number % len(self.own)]
        tree, body, others = template.copy()
        kept = self._thinned(body, draw, shorter)
        if number >= len(self.own) or shorter:
            for block in kept:
                self._reword(block.element, draw)
            for block in others:
                if block.links and len(block.text.split()) > 3 and draw.random() < 0.7:
                    self._reword(block.element, draw)
        return tree, kept, template

    def _thinned(self, body: list[TextBlock], draw: random.Random, shorter: bool) -> list[TextBlock]:
        share = 0.2 if shorter else draw.uniform(0.5, 1.0)
        elements = list(dict.fromkeys(block.element for block in body))
        go = set(draw.sample(elements, max(0, min(len(elements) - 3, round((1 - share) * len(elements))))))
        for element in go:
            holds_others = any(block.element is not element and element in block.element.iterancestors() for block in body)
            if not holds_others and element.getparent() is not None:
                element.getparent().remove(element)
        return [block for block in body if block.element not in go]

    def _reword(self, element: Tree, draw: random.Random) -> None:
        for one in element.iter():
            if isinstance(one.tag, str) and one.tag not in ("script", "style"):
                one.text = self._others(one.text, draw)
                if one is not element:
                    one.tail = self._others(one.tail, draw)

    def _others(self, text: str | None, draw: random.Random) -> str | None:
        count = len((text or "").split())
        if not count:
            return text
        start = draw.randrange(len(self.words) - 400)
        return f" {' '.join(self.words[start : start + max(1, round(count * draw.uniform(0.6, 1.4)))])} "


# --- what becomes of the newer ones ---


def renamed(tree: Tree, _: list[TextBlock], draw: random.Random) -> None:  # noqa: ARG001
    for one in tree.iter():
        if isinstance(one.tag, str):
            for name in ("class", "id"):
                if one.get(name):
                    one.set(name, " ".join(f"{token[::-1]}-neu" for token in one.get(name).split()))


def moved(tree: Tree, body: list[TextBlock], draw: random.Random) -> None:  # noqa: ARG001
    container = common(body)
    elements = [block.element for block in body]
    children = [child for child in container if any(child is one or child in one.iterancestors() for one in elements)]
    children = children if len(children) > 1 else list(container)  # lines with breaks between them
    new = html.Element("div", {"class": "article-continued"})
    for child in children[len(children) // 2 :]:
        new.append(child)
    if container.tag != "body":
        container.addnext(new)
    else:
        container.append(new)


def widget_of(other: Template, draw: random.Random) -> Tree | None:
    """A box of another portal: no text of its article, and not long."""
    tree, body, _ = other.copy()
    around = {ancestor for block in body for ancestor in (block.element, *block.element.iterancestors())}
    boxes = [
        one
        for one in tree.iter("div", "section", "aside", "ul")
        if one not in around and 15 <= len("".join(one.itertext()).split()) <= 80 and next(one.iter("script", "style"), None) is None
    ]
    return draw.choice(boxes) if boxes else None


def common(body: Sequence[TextBlock]) -> Tree:
    """The smallest element that holds nearly all of the body."""
    counts: dict[Tree, int] = defaultdict(int)
    for block in body:
        for one in (block.element, *block.element.iterancestors()):
            counts[one] += len(block.text)
    most = 0.9 * sum(len(block.text) for block in body)
    return max((one for one, count in counts.items() if count >= most), key=lambda one: sum(1 for _ in one.iterancestors()))


Change = Callable[[Tree, list[TextBlock], random.Random], None]


@dataclass(frozen=True)
class Row:
    """One portal's articles, and by which rules they are read."""

    name: str
    variants: Variants
    portal: Portal
    strangers: Sequence[Template]
    newer: int

    def earlier(self) -> list[WatchedArticle]:
        return [self._article(number, random.Random(number), None) for number in range(EARLIER)]

    def long(self, number: int) -> list[WatchedArticle]:
        """So many articles of an unchanged layout, among them some of another kind, and for a time shorter ones."""
        draw = random.Random(crc32(self.name.encode()))
        stranger = Variants([draw.choice(self.strangers)], self.variants.words)
        return [
            self._article(
                one, random.Random(one), None, number // 3 < one < number // 2, stranger if draw.random() < OTHER_KIND else self.variants
            )
            for one in range(number)
        ]

    def later(self, change: str) -> list[WatchedArticle]:
        draw = random.Random(crc32(self.name.encode()))
        box = next(one for _ in range(50) if (one := widget_of(draw.choice(self.strangers), draw)) is not None)
        stranger = Variants([draw.choice(self.strangers)], self.variants.words)

        def widget(_: Tree, body: list[TextBlock], draw: random.Random) -> None:
            new = deepcopy(box)
            self.variants._reword(new, draw)
            new.tail = None
            body[len(body) // 2].element.addprevious(new)

        changes: dict[str, Change] = {"renamed": renamed, "moved": moved, "widget": widget}
        found = []
        for number in range(EARLIER, EARLIER + self.newer):
            place = number - EARLIER
            is_strange = (change == "other kind" and place % 3 == 1) or (change == "one odd page" and place == self.newer - 1)
            found.append(
                self._article(
                    number, random.Random(number), changes.get(change), change == "shorter", stranger if is_strange else self.variants
                )
            )
        return found

    def _article(
        self, number: int, draw: random.Random, change: Change | None, shorter: bool = False, variants: Variants | None = None
    ) -> WatchedArticle:
        tree, body, template = (variants or self.variants).article(number, draw, shorter)
        if change is not None:
            change(tree, body, draw)
        page = _page(html.tostring(tree, encoding="utf-8"), template.url, "utf-8")
        assert page is not None and page.tree is not None
        article = read_article([page], self.portal, id=str(number), identity=template.url, url=template.url)
        day = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=number)
        return WatchedArticle(
            id=str(number),
            url=template.url,
            day=day.isoformat(),
            is_empty=article.outcome.value == "empty",
            words=article.extent.words or 0,
            fields=frozenset(article.metadata),
            unknown_tags=frozenset(one.tag for one in article.unknown_tags),
            lines=lines_of(article.text),
            page=page_facts(page.tree, article.text),
        )


def rule_for(some: Sequence[Template]) -> str | None:
    """Selectors of the elements that hold the texts, as short as they can be; None where one of them has no name of its own."""
    found = [_selector(tree, common(body)) for tree, body, _ in (template.copy() for template in some)]
    return ", ".join(f'"{one}"' for one in dict.fromkeys(found)) if all(found) else None


def _selector(tree: Tree, element: Tree) -> str | None:
    for one in (element, *element.iterancestors()):
        names = [f"{one.tag}.{name}" for name in (one.get("class") or "").split() if _is_plain(name)]
        names += [f"{one.tag}#{one.get('id')}"] if _is_plain(one.get("id") or "") else []
        selector = next((name for name in names if len(tree.cssselect(name)) == 1), None)
        if selector is not None or one.tag == "body":
            return selector
    return None


def _is_plain(name: str) -> bool:
    return name.replace("-", "").replace("_", "").isalpha()


def portal_of(folder: Path, name: str, root: str | None) -> Portal:
    host = name.split()[-1]
    file = folder / "portal.yaml"
    rule = f"body: {{root: [{root}]}}\n" if root else ""
    file.write_text(f'portal: "p"\nhome: "https://{host}/"\n{rule}', encoding="utf-8")
    return replace(load_portal(file), timezone=ZoneInfo("UTC"))


def rows(found: dict[str, list[Template]], newer: int, general: bool) -> Iterator[Row]:
    import tempfile

    everything = [template for some in found.values() for template in some]
    for name, some in sorted(found.items()):
        strangers = [template for template in everything if template not in some]
        words = " ".join(template.gold for template in strangers).split()
        root = None if general else rule_for(some)
        with tempfile.TemporaryDirectory() as folder:
            yield Row(name, Variants(some, words), portal_of(Path(folder), name, root), strangers, newer)


def long_rows(some: Iterator[Row], number: int) -> None:
    alarms, seconds = [], []
    for row in some:
        articles = row.long(number)
        begin = time.process_time()
        seen = drifts(articles)
        seconds.append(time.process_time() - begin)
        alarms.append(bool(seen))
        for drift in seen:
            print(f"  {row.name[:45]:46}{drift.place:5}", [(one.sign.kind, one.sign.what, one.before, one.after) for one in drift.seen[:3]])
    told = f"{len(alarms)} portals, {number} articles of an unchanged layout each, among them other kinds and shorter ones"
    print(f"{told}: alarm {sum(alarms) / len(alarms):.3f}; {max(seconds):.1f} s at most for one")


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--sets", default="cleanportaleval,fundus,scrapinghub")
    parser.add_argument("--hosts", choices=("even", "odd"))
    parser.add_argument("--newer", type=int, default=6)
    parser.add_argument("--general", action="store_true", help="read all portals by the general finder")
    parser.add_argument("--long", type=int, default=0, metavar="N", help="only: how many alarms in rows of N articles without a change?")
    parser.add_argument("--show", action="store_true", help="what was found of each portal")
    parser.add_argument("--data", type=Path, default=DATA)
    asked = result_option(parser).parse_args()
    record = Record(
        "The watch for changed layouts",
        "Real pages are changed as redesigns change them: all classes and ids have other names, half of the body stands in a new "
        "element, a box stands in the body. Beside that stand rows of articles whose layout did not change. A portal is found when the "
        "watch names the place.",
    )
    if not asked.data.is_dir():
        record.leave_out("changed layouts, since the real pages are no part of the project and are not here")
        record.end(asked.result)
        return
    found = templates(asked.data, asked.sets.split(","), asked.hosts)
    if asked.long:
        long_rows(rows(found, asked.newer, asked.general), asked.long)
        return
    harmless = ("as they were", "shorter", "other kind", "one odd page")
    counts: dict[str, list[bool]] = defaultdict(list)
    seconds: list[float] = []
    for row in rows(found, asked.newer, asked.general):
        earlier = row.earlier()
        for change in (*TARGETS, *harmless):
            articles = [*earlier, *row.later(change)]
            begin = time.process_time()
            seen = list(drifts(articles))
            seconds.append(time.process_time() - begin)
            is_right = any(abs(drift.place - EARLIER) <= 2 for drift in seen)
            counts[change].append(is_right if change in TARGETS else bool(seen))
            if asked.show and (is_right is not (change in TARGETS) or change in TARGETS):
                signs = [(one.sign.kind, one.sign.what, one.before, one.after) for drift in seen for one in drift.seen[:3]]
                print(f"  {row.name[:45]:46}{'rule' if row.portal.body.root else 'general':9}{change:14}", [d.place for d in seen], signs)
    told = f"{len(counts['renamed'])} portals, {EARLIER} earlier and {asked.newer} newer articles each"
    shares = {change: sum(counts[change]) / len(counts[change]) for change in (*TARGETS, *harmless)}
    record.table("Share of portals", ("what became of the newer articles", "found, or alarm"), list(shares.items()), f"{told}.")
    for change, target in TARGETS.items():
        record.figure(f"{change}: found", shares[change], at_least=target)
    alarms = [alarm for change in harmless for alarm in counts[change]]
    record.figure(f"false alarms, of {len(alarms)} rows", sum(alarms) / len(alarms), at_most=0.05)
    record.figure("time for one portal, at most", max(seconds), "s")
    record.end(asked.result)


if __name__ == "__main__":
    main()
