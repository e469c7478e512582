"""What rules make of the elements of real pages, by the lookup of building and by an inventory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.body.general_table import UNSEEN, VOID_MEDIA
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.container import find_container
from webarticlecurator.extraction.layouts import rules_for
from webarticlecurator.extraction.metadata import read_metadata
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.model.article import HOLDS, Content
from webarticlecurator.model.page import Evidence, Page
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.inventory.tag_question import TagQuestion
from webarticlecurator.survey.stored_page import StoredPage
from webarticlecurator.survey.tag import simplified

Decided = Counter[tuple[str, ...]]
"""Path of simplified tags, operation and rule (not inside of what is left out), and what holds for all around -> elements."""
URL = "https://pelda.example/cikk"
_SHOWN = ("figure", "embed", "social")


def page_of(html: str, url: str = URL) -> Page:
    """A parsed page."""
    tree = parse_html(html)
    assert isinstance(tree, Element)
    return Page(
        url=url,
        requested_url=url,
        date=datetime(2024, 5, 1, tzinfo=UTC),
        tree=tree,
        base=url,
        encoding="utf-8",
        evidence=Evidence.HEADER,
    )


def stored(url: str = URL, year: int | None = 2024) -> StoredPage:
    return StoredPage(url=url, path=Path("a.warc.gz"), offset=0, year=year)


def counts_of(pages: Iterable[Page], portal: Portal, *, year: int | None = 2024) -> TagCounts:
    """What a pass counts on these pages, each of them in a tally of its own."""
    question, whole = TagQuestion(portal), TagCounts()
    for number, page in enumerate(pages):
        tally = question.tally()
        question.look(page, stored(f"{page.url}/{number}", year), tally)
        whole.join(tally)
    return whole


def by_inventory(counts: TagCounts) -> Decided:
    """Every element, as an inventory tells what is decided of it."""
    found: Decided = Counter()
    paths: dict[int, tuple[str, ...]] = {}
    for node in counts.tree.nodes():
        path = paths[node.id] = (*paths[node.parent], node.tag.text) if node.parent is not None else (node.layout, node.tag.text)
        if node.parent is not None:
            around = "dropped" if node.step.in_dropped else "simple" if node.step.in_simple else ""
            decided = (node.decided.operation, _file(node.decided.rule)) if around != "dropped" else ()
            found[(*path, *decided, around)] += node.total.frequency
    return found


def on_pages(pages: Iterable[Page], portal: Portal) -> Decided:
    """Every element, decided as building does."""
    found: Decided = Counter()
    for page in pages:
        rules = rules_for(page, portal, {})
        place, lookup = PageContext.whole(page, portal), Lookup(rules.body.tags)
        metadata = {} if rules.body.root is not None else read_metadata(page, portal, rules.metadata, listing={}).metadata
        container = find_container(rules.body.root, place, metadata)
        for root in container.elements if container is not None else ():
            walk = _Walk(root, lookup, container.furniture if container is not None else {})
            is_apart = container is not None and root in container.apart
            around = root.getparent() if is_apart else root
            assert around is not None
            top = (rules.name or "", simplified(around.tag, around.items()).text)
            for child in [root] if is_apart else root:
                found.update(walk.decided(child, top, "", None))
    return found


class _Walk:
    def __init__(self, root: Element, lookup: Lookup, furniture: object) -> None:
        self._lookup = lookup
        self._furniture: dict[Element, str] = dict(furniture)  # type: ignore[call-overload]
        self._scope = Scope(None, root)

    def decided(self, element: Element, around: tuple[str, ...], standing: str, simple: str | None) -> Iterator[tuple[str, ...]]:
        if element.tag in UNSEEN:
            return
        path = (*around, simplified(element.tag, element.items()).text)
        decision = self._lookup.decide(element, self._scope)
        why = self._furniture.get(element) if decision.general else None
        names = decision.blocks + decision.inlines
        operation = "decompose" if decision.drop or why else "unwrap-all" if decision.simple else " > ".join(names) or "unwrap"
        rule = decision.rule if decision.drop or not why else why
        if simple is not None and operation != "decompose":
            operation, rule = "unwrap", simple
        yield (*path, *((operation, _file(rule)) if standing != "dropped" else ()), standing)
        inside, inner = standing, simple
        is_void = element.tag in VOID_MEDIA
        swallows = any(HOLDS[name] is Content.NOTHING or (name in _SHOWN and is_void) for name in decision.blocks)
        if operation == "decompose" or (simple is None and swallows):
            inside = "dropped"
        elif decision.simple and simple is None:
            inner = rule
            inside = inside or "simple"
        for child in element:
            yield from self.decided(child, path, inside, inner)


def _file(rule: str) -> str:
    """Where a rule stands; its selector may be one of a group."""
    return rule.split(" ")[0] if ":" in rule.split(" ")[0] else rule if rule.startswith("general finder") else "general"
