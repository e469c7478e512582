"""Is what was read an article: or a listing, the teaser before a paywall, nothing at all?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.extraction.container import Container
from webarticlecurator.model.article import Block, ContentNode, Inline, Post, plain_text
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import bare_host, join, same_page, split

TEASER = 1_500
"""Characters; a text that is longer is no teaser."""
_UNDECLARED_TEASER = 1_000
_ITEM = 15
"""Characters from which the text of a link may be a headline."""
_MOST_LINKED, _FEWEST_ITEMS, _FEWEST_HEADINGS = 0.5, 8, 6
_FEWEST_TEASERS, _LONGEST_TEASER = 6, 500
"""Teasers of a listing, and letters of one on average: whole posts are none."""
_LARGEST = 1 / 3
"""Share of the text between two links: however many links stand in or behind an article, its own text hangs together."""
_HEADLINE, _MOST_OF_LINE = 15, 0.7
"""Letters of a link that may be a headline, and the share of its line that it is."""
_WEAK_DATES = ("html:", "url:", "meta:dc", "meta:date")
"""Sources of dates that listings have, too: those of their teasers, or of the page as such."""
_LISTS = frozenset(
    (
        *("archive", "archives", "archiv", "archivum", "author", "category", "cimke", "kategoria", "label", "page", "rovat", "section"),
        *("szerzo", "tag", "tags", "topic", "topics"),
    )
)
"""What the addresses of listings say before a name or a number."""
_PAGING = frozenset(("from", "offset", "oldal", "page", "paged", "pagina", "pg", "seite", "sida", "start", "strana"))
_DAYS = re.compile(r"(?:19|20)\d\d(?:/\d\d?){0,2}")
_FILE, _NUMBER = re.compile(r"\.[a-z]{2,5}(?:;|$)", re.IGNORECASE), re.compile(r"\d{3}")
_WORDS_OF_ARTICLE = 4
"""Words in the end of an address that is a headline; sections have fewer."""
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
    page: Page, container: Container | None, blocks: Sequence[Block], posts: Sequence[Post], metadata: Metadata, home: str, length: int
) -> Judgement:
    """The outcome of a page that could be read; `length`: of all text, posts included."""
    if not posts and (listing := _listing(page, blocks, metadata, home, length) or _teasers(page, container, metadata)):
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


def access_flags(judgement: Judgement) -> tuple[str, ...]:
    """What was observed is ours to say, and no field of the publisher's."""
    return (f"access as observed: {judgement.observed_access}",) if judgement.observed_access else ()


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


def _texts(blocks: Iterable[ContentNode]) -> Iterator[Block]:
    """The innermost blocks: those with text of their own."""
    for block in blocks:
        if isinstance(block, Block):
            if block.children and isinstance(block.children[0], Block):
                yield from _texts(block.children)
            else:
                yield block


def _linked(block: Block) -> int:
    """The length of its text, if all of that is a link; else 0."""
    beside = [plain_text(child) for child in block.children if not _is_link(child)]
    return 0 if len(beside) == len(block.children) or "".join(beside).strip() else len(plain_text(block))


def _is_link(node: ContentNode) -> bool:
    """Whether it is one, or there is nothing but links in it."""
    return isinstance(node, Inline) and (node.type == "link" or (bool(node.children) and all(map(_is_link, node.children))))


def _shows(block: Block) -> bool:
    """A gallery without captions is an article, too."""
    return block.type in ("figure", "gallery", "embed", "social") or any(
        isinstance(child, Block) and _shows(child) for child in block.children
    )


# --- teasers ---


def _teasers(page: Page, container: Container | None, metadata: Metadata) -> str | None:
    """The reason to take a page for a listing; None where something says that it is an article, or may well be one."""
    if page.tree is None or container is None or _names_article(page.url) or _says_article(page.tree, metadata):
        return None
    host, pages, stretches = bare_host(page.url), set[str](), [0]
    for length, link in _lines(container.elements):
        url = join(page.base, link, encoding=page.encoding) if link else None
        if url is None or url in pages or bare_host(url) != host or same_page(url, page.url):
            stretches[-1] += length  # a teaser may be a link as a whole: its second line is text
        else:
            pages.add(url)
            stretches.append(0)
    text = sum(stretches)
    if len(pages) < _FEWEST_TEASERS or text > _LONGEST_TEASER * len(pages) or max(stretches) > _LARGEST * text:
        return None
    return f"its text is {len(pages)} teasers with a link each, and nothing says that it is an article"


def _says_article(tree: Element, metadata: Metadata) -> bool:
    dates = metadata.get("datePublished", ())
    if dates and not dates[0].source.startswith(_WEAK_DATES):
        return True
    types = (one.get("content") or "" for one in tree.iter("meta") if one.get("property") == "og:type")
    return any("article" in declared.lower() for declared in types)


def _names_article(url: str) -> bool:
    """Whether an address ends like that of an article: with a file, a number, or the words of a headline."""
    parts = split(url)
    for parameter in (parts.query or "").split("&"):
        name, _, value = parameter.partition("=")
        if _NUMBER.search(value) and name.lower() not in _PAGING:
            return True
    segments = [unquote(segment).strip().lower() for segment in parts.path.split("/") if segment]
    if not segments or _DAYS.fullmatch("/".join(segments[-3:])) or not _LISTS.isdisjoint(segments[:-1]):
        return False
    words = max(len(re.split(r"[\W_]+", segment)) for segment in segments[-2:])
    return words >= _WORDS_OF_ARTICLE or _FILE.search(segments[-1]) is not None or _NUMBER.search(segments[-1]) is not None


def _lines(roots: Iterable[Element]) -> Iterator[tuple[int, str]]:
    """How many letters each line has, as a browser shows it, and where it leads if it is a link that may be a headline."""
    for root in roots:
        length = linked = 0
        target = ""
        for text, link in chain(_line_texts(root), [(None, "")]):
            if text is not None:
                letters = sum(map(str.isalpha, text))
                length += letters
                linked += letters if link else 0
                target = link or target
            elif length:
                yield length, target if linked >= _HEADLINE and linked > _MOST_OF_LINE * length else ""
                length = linked = 0
                target = ""


def _line_texts(root: Element) -> Iterator[tuple[str | None, str]]:
    """Every text with the link around it; None where a line ends."""
    links: list[str] = []
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        starts, tag = event == "start", element.tag
        if not isinstance(tag, str) or tag in UNSEEN:
            if starts:
                walker.skip_subtree()
                continue
        elif tag in BLOCK_LEVEL or tag == "br":
            yield None, ""
        elif tag == "a" and starts:
            links.append(element.get("href") or "")
        elif tag == "a":
            links.pop()
        if not starts and element is root:
            return
        text = element.text if starts else element.tail
        if text:
            yield text, links[-1] if links else ""


# --- paywalls ---


def _gate(container: Container | None) -> str | None:
    """The name of what stands in or behind the text and asks for money."""
    if container is None:
        return None
    last = container.elements[-1]
    parent = last.getparent()
    around = parent if parent is not None else last
    gates = ((element, name) for element in around.iter(etree.Element) if (name := _gate_name(element)))
    for element, name in islice(gates, _MOST_GATES):
        if len(squeeze(element_text(element))) >= _LEAST_GATE_TEXT:
            return f"{element.tag}.{name}"
    return None


def _gate_name(element: Element) -> str | None:
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    found = _GATE.search(names) if len(names) > 1 and element.tag not in ("body", "html") else None
    return found[0] if found else None
