"""Is what was read an article: or a listing, the teaser before a paywall, nothing at all?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.container import Container
from webarticlecurator.extraction.error_pages import says_not_there
from webarticlecurator.extraction.listings import why_listing
from webarticlecurator.model.article import Block, Post
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text, squeeze

TEASER = 1_500
"""Characters; a text that is longer is no teaser."""
_UNDECLARED_TEASER = 1_000
_GATE = re.compile(
    r"(?<!no-)(?<!without-)(?:pay-?wall|reg-?wall|piano-(?:offer|container|inline)|tp-container-inner|subscribers?-only|content-gate|article-gate|"
    r"premium-(?:gate|wall|lock|overlay)|locked-content|paid-content|subscription-(?:gate|wall|offer)|leaky)",
    re.IGNORECASE,
)
_GATES_OF_SOFTWARE = frozenset({"gh-post-upgrade-cta"})
"""Classes of `aside`, each of which one software gives to what it puts in place of the rest of a text, and to nothing else (Ghost)."""
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
    page: Page, container: Container | None, blocks: Sequence[Block], posts: Sequence[Post], metadata: Metadata, home: str, length: int
) -> Judgement:
    """The outcome of a page that could be read; `length`: of all text, posts included."""
    if not posts and (title := says_not_there(page, metadata, length)):
        return Judgement(PageOutcome.NOT_ARTICLE, f"it says that what was asked for is not there: “{title}”")
    if not posts and (listing := why_listing(page, container, blocks, metadata, home=home, length=length)):
        return Judgement(PageOutcome.LISTING, listing)
    if gate := _gate_of_software(container):
        return Judgement(PageOutcome.PAYWALL, f"the text ends at a gate ({gate}) after {length} characters", "teaser only")
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


def access_flags(judgement: Judgement) -> tuple[str, ...]:
    """What was observed is ours to say, and no field of the publisher's."""
    return (f"access as observed: {judgement.observed_access}",) if judgement.observed_access else ()


def _why_empty(page: Page, container: Container | None) -> str:
    if container is not None:
        return f"there is no text in it (container by {container.how})"
    return "no container of an article's text was found on the page" if page.tree is not None else "body.root finds nothing in the JSON"


def _shows(block: Block) -> bool:
    """A gallery without captions is an article, too."""
    return block.type in ("figure", "gallery", "embed", "social") or any(
        isinstance(child, Block) and _shows(child) for child in block.children
    )


# --- paywalls ---


def _gate_of_software(container: Container | None) -> str | None:
    boxes = _around(container).iter("aside") if container is not None else ()
    names = (name for box in islice(boxes, _MOST_GATES) for name in (box.get("class") or "").split())
    return next((f"aside.{name}" for name in names if name in _GATES_OF_SOFTWARE), None)


def _around(container: Container) -> Element:
    last = container.elements[-1]
    parent = last.getparent()
    return parent if parent is not None else last


def _gate(container: Container | None) -> str | None:
    """The name of what stands in or behind the text and asks for money."""
    if container is None:
        return None
    around = _around(container)
    gates = ((element, name) for element in around.iter(etree.Element) if (name := _gate_name(element)))
    for element, name in islice(gates, _MOST_GATES):
        if len(squeeze(element_text(element))) >= _LEAST_GATE_TEXT:
            return f"{element.tag}.{name}"
    return None


def _gate_name(element: Element) -> str | None:
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    found = _GATE.search(names) if len(names) > 1 and element.tag not in ("body", "html") else None
    return found[0] if found else None
