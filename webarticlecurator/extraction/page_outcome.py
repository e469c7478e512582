"""Is what was read an article: or a listing, the teaser before a paywall, nothing at all?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.container import Container
from webarticlecurator.extraction.teasers import why_teasers
from webarticlecurator.model.article import Block, Inline, Node, Post, plain_text
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import same_page

TEASER = 1_500
"""Characters; a text that is longer is no teaser."""
_UNDECLARED_TEASER = 1_000
_ITEM = 15
"""Characters from which the text of a link may be a headline."""
_MOST_LINKED, _FEWEST_ITEMS, _FEWEST_HEADINGS = 0.5, 8, 6
_GATE = re.compile(
    r"(?<!no-)(?<!without-)(?:pay-?wall|reg-?wall|piano-(?:offer|container|inline)|tp-container-inner|subscribers?-only|content-gate|article-gate|"
    r"premium-(?:gate|wall|lock|overlay)|locked-content|paid-content|subscription-(?:gate|wall|offer)|leaky)",
    re.IGNORECASE,
)
_LEAST_GATE_TEXT = 20
_MOST_GATES = 20


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome, and why."""

    outcome: PageOutcome
    reason: str = ""
    observed_access: str | None = None
    """What we saw of the text, where there is anything to say about access."""


def judge(
    page: Page, container: Container | None, blocks: Sequence[Block], posts: Sequence[Post], metadata: Metadata, home: str
) -> Judgement:
    """The outcome of a page that could be read."""
    text = [plain_text(block) for block in (*blocks, *(block for post in posts for block in post.blocks))]
    length = sum(map(len, text))
    if not posts and (listing := _listing(page, blocks, metadata, home, length) or why_teasers(page, container, metadata)):
        return Judgement(PageOutcome.LISTING, listing)
    if not length and not any(_shows(block) for block in blocks):
        return Judgement(PageOutcome.EMPTY, _why_empty(page, container))
    declared = metadata["isAccessibleForFree"][0].value if metadata.get("isAccessibleForFree") else None
    gate = _gate(container) if declared == "false" or length < _UNDECLARED_TEASER else None
    if declared == "false" and length >= TEASER:
        return Judgement(PageOutcome.ARTICLE, observed_access="full text")
    if declared == "false" or (gate and declared is None and length < _UNDECLARED_TEASER):
        said = "declared not free" if declared else "declared nothing about access"
        seen = f"and there is a gate ({gate})" if gate else "and no gate was recognised"
        return Judgement(PageOutcome.PAYWALL, f"{said}; observed {length} characters of text, {seen}", "teaser only")
    return Judgement(PageOutcome.ARTICLE)


def with_access(metadata: Metadata, judgement: Judgement) -> Metadata:
    """What was observed beside what is declared: two values, none of which stands for the other."""
    if judgement.observed_access is None or "conditionsOfAccess" in metadata:
        return metadata
    found = Found(value=judgement.observed_access, raw=judgement.reason or judgement.observed_access, source="observed")
    return {**metadata, "conditionsOfAccess": (found,)}


def _why_empty(page: Page, container: Container | None) -> str:
    if container is not None:
        return f"there is no text in it (container by {container.how})"
    return "no container of an article's text was found on the page" if page.tree is not None else "body.root finds nothing in the JSON"


# --- listings ---


def _listing(page: Page, blocks: Sequence[Block], metadata: Metadata, home: str, length: int) -> str | None:
    if page.tree is not None and same_page(page.url, home):
        return "it is the portal's home page"
    linked = [(block.type, size) for block in _texts(blocks) if (size := _linked(block)) >= _ITEM]
    if len(linked) >= _FEWEST_ITEMS and sum(size for _, size in linked) > _MOST_LINKED * length:
        return f"most of its text are {len(linked)} links"
    headings = sum(1 for kind, _ in linked if kind in ("heading", "subheading"))
    if headings >= _FEWEST_HEADINGS and "datePublished" not in metadata:
        return f"it has {headings} linked headings and no date"
    return None


def _texts(blocks: Iterable[Node]) -> Iterator[Block]:
    """The innermost blocks: those with text of their own."""
    for block in blocks:
        if isinstance(block, Block):
            if block.children and isinstance(block.children[0], Block):
                yield from _texts(block.children)
            else:
                yield block


def _linked(block: Block) -> int:
    """The length of its text, if all of that is a link; else 0."""
    has_inline = False
    for child in block.children:
        if isinstance(child, Inline):
            has_inline = True
            if _links(child):
                continue
        text = child if isinstance(child, str) else plain_text(child)
        if text and not text.isspace():
            return 0
    return len(plain_text(block)) if has_inline else 0


def _links(inline: Inline) -> bool:
    if inline.type == "link":
        return True
    return bool(inline.children) and all(isinstance(child, Inline) and _links(child) for child in inline.children)


def _shows(block: Block) -> bool:
    """A gallery without captions is an article, too."""
    return block.type in ("figure", "gallery", "embed", "social") or any(
        isinstance(child, Block) and _shows(child) for child in block.children
    )


# --- paywalls ---


def _gate(container: Container | None) -> str | None:
    """The name of what stands in or behind the text and asks for money."""
    if container is None:
        return None
    parent = container.elements[-1].getparent()
    place = parent if parent is not None else container.elements[-1]
    gates = ((element, name) for element in place.iter(etree.Element) if (name := _gate_name(element)))
    for element, name in islice(gates, _MOST_GATES):
        if len(squeeze(element_text(element))) >= _LEAST_GATE_TEXT:
            return f"{element.tag}.{name}"
    return None


def _gate_name(element: Element) -> str | None:
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    found = _GATE.search(names) if len(names) > 1 and element.tag not in ("body", "html") else None
    return found[0] if found else None
