"""Section front pages and the like: running text that is all teasers, each with a link to the page it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.extraction.container import Container
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.urls import bare_host, join, same_page, split

_FEWEST, _LONGEST = 6, 500
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


def why_teasers(page: Page, container: Container | None, metadata: Metadata) -> str | None:
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
    if len(pages) < _FEWEST or text > _LONGEST * len(pages) or max(stretches) > _LARGEST * text:
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


# --- lines ---


def _lines(roots: Iterable[Element]) -> Iterator[tuple[int, str]]:
    """How many letters each line has, as a browser shows it, and where it leads if it is a link that may be a headline."""
    for root in roots:
        length = linked = 0
        target = ""
        for text, link in chain(_texts(root), [(None, "")]):
            if text is not None:
                letters = sum(map(str.isalpha, text))
                length += letters
                linked += letters if link else 0
                target = link or target
            elif length:
                yield length, target if linked >= _HEADLINE and linked > _MOST_OF_LINE * length else ""
                length = linked = 0
                target = ""


def _texts(root: Element) -> Iterator[tuple[str | None, str]]:
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
