"""Is a page a listing: of teasers, products, results, whatever is shown with a link to a page of its own?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN, VOID_MEDIA
from webarticlecurator.extraction.body.page_shape import PageShape
from webarticlecurator.extraction.container import Container
from webarticlecurator.extraction.marked_articles import articles_elsewhere
from webarticlecurator.model.article import Block, ContentNode, Inline, plain_text
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text
from webarticlecurator.urls import bare_host, join, same_page, split

_ITEM = 15
"""Characters from which the text of a link may be a headline."""
_MOST_LINKED, _FEWEST_ITEMS, _FEWEST_HEADINGS = 0.5, 8, 6
_HEADINGS = ("heading", "subheading")
_FEWEST_TEASERS, _LONGEST_TEASER = 6, 500
"""Teasers of a listing, and letters of one on average: whole posts are none."""
_LARGEST = 1 / 3
"""Share of the text between two links: however many links stand in or behind an article, its own text hangs together."""
_HEADLINE, _MOST_OF_LINE = 15, 0.7
"""Letters of a link that may be a headline, and the share of its line that it is."""
_WEAK_DATES = ("html:", "url:", "meta:dc", "meta:date")
"""Sources of dates that listings have, too: those of their teasers, or of the page as such."""
_IN_TEXT = ("html:", "microdata:", "rdfa:")
"""Sources of what may be said of any article on the page."""
_GENERAL_SOURCES = ("json-ld", "meta:", "microdata:", "rdfa:", "html:", "url:")
LISTS = frozenset(
    (
        *("archive", "archives", "archiv", "archivum", "author", "category", "cimke", "kategoria", "label", "page", "rovat", "section"),
        *("sections", "szerzo", "tag", "tags", "topic", "topics"),
    )
)
"""What the addresses of listings say before a name or a number."""
_PAGING = frozenset(("from", "offset", "oldal", "page", "paged", "pagina", "pg", "seite", "sida", "start", "strana"))
_DAYS = re.compile(r"(?:19|20)\d\d(?:/\d\d?){0,2}")
_FILE, _NUMBER = re.compile(r"\.[a-z]{2,5}(?:;|$)", re.IGNORECASE), re.compile(r"\d{3}")
_WORDS_OF_ARTICLE = 4
"""Words in the end of an address that is a headline; sections have fewer."""
_TRACKING = ("utm_", "srsltid", "gclid", "fbclid")
"""Parameters of an address that say where a visitor came from."""
_SECTIONS = LISTS | frozenset(
    (
        *("blog", "browse", "catalog", "categoria", "categories", "collections", "directory", "hirek", "hub", "kategorie", "list", "news"),
        *("notizie", "noticias", "products", "rubrik", "rubrique", "search", "seccion", "shop", "subject", "trending"),
    )
)
_LISTING_CLASS = re.compile(
    r"\b(?:archives?|blog|catalog|categor(?:ia|ie|ies|y)|collections?|frontpage|home|index|kategori[ae]|list|listing|products|rovat|rubri[ck]a?|"
    r"rubrique|search|tags?|tax|taxonomy)\b"
)
_SURELY_ARTICLE, _FEWEST_POINTS, _PLAIN = -6, 2, 3
"""Points that leave no doubt, that what is seen must have at least, and of an address or a name of a listing."""
_HARDLY_ANY, _PASSAGE, _MANY_PARAGRAPHS = 350, 500, 1_500
"""Characters of a page with next to no text, of text that hangs together, and of an article's."""
_SEVERAL, _FEW_LINES, _SHORT_TEASER, _TOGETHER = 6, 3, 400, 0.2
_ARTICLE_CLASS = re.compile(r"\b(?:article|post|postid|single|singular)\b")
"""What makers of sites call the body of an article's page."""


def why_listing(
    page: Page, container: Container | None, blocks: Sequence[Block], metadata: Metadata, *, home: str, length: int
) -> str | None:
    """The reason to take a page for a listing, whose text has this many characters; None if it may be an article."""
    if page.tree is None:
        return None
    reason = _by_blocks(page, blocks, metadata, home, length)
    if reason is not None or container is None:
        return reason
    if container.shape is not None and not _is_told(metadata) and (reason := _by_footer(page, page.tree, container)) is not None:
        return reason
    if not _is_told(metadata) and (reason := _by_articles(page, page.tree, container, metadata, length)) is not None:
        return reason
    against = _names_article(page.url) or _has_strong_date(metadata) or _says(page.tree, "article")
    is_open = container.shape is not None and not _is_told(metadata)
    if against and not is_open:
        return None
    said = _statements(page, page.tree, metadata, length)
    if sum(points for _, points in said if points < 0) <= _SURELY_ARTICLE:
        return None
    teasers = _teasers_of(page, container.elements)
    shape = container.shape() if container.shape is not None else None
    if not against and (reason := _by_teasers(teasers, shape)) is not None:
        return reason
    if shape is None or not is_open or (against and shape.own and all(points < _PLAIN for _, points in said)):
        return None
    if shape.largest < _HARDLY_ANY and not any(points < 0 for _, points in said) and _says(page.tree, "website"):
        return "it calls itself a website, nothing says that it is an article, and no text in it hangs together"
    return _by_evidence(shape, teasers, said)


def _by_blocks(page: Page, blocks: Sequence[Block], metadata: Metadata, home: str, length: int) -> str | None:
    if same_page(page.url, home):
        return "it is the portal's home page"
    texts = _texts(blocks)
    kinds = [block.type for block in texts]
    linked = [(block.type, size) for block in texts if block.type != "caption" and (size := _linked(block, page.url)) >= _ITEM]
    if len(linked) >= _FEWEST_ITEMS and sum(size for _, size in linked) > _MOST_LINKED * length:
        return f"most of its text are {len(linked)} links"
    headings = sum(1 for kind, _ in linked if kind in _HEADINGS)
    if headings < _FEWEST_HEADINGS or "datePublished" in metadata or 2 * headings <= sum(kind in _HEADINGS for kind in kinds):
        return None
    says_article = _names_article(page.url) or (page.tree is not None and _says(page.tree, "article"))
    return None if says_article else f"it has {headings} linked headings and no date"


def _texts(blocks: Sequence[ContentNode]) -> list[Block]:
    """The innermost blocks: those with text of their own."""
    found: list[Block] = []
    waiting = list(reversed(blocks))
    while waiting:
        block = waiting.pop()
        if not isinstance(block, Block):
            continue
        if block.children and isinstance(block.children[0], Block):
            waiting.extend(block.children[::-1])
        else:
            found.append(block)
    return found


def _linked(block: Block, url: str) -> int:
    """The length of its text, if all of that is a link to another page; else 0."""
    for child in block.children:
        if isinstance(child, str) and not child.isspace():  # so begin nearly all paragraphs
            return 0
    beside = [plain_text(child) for child in block.children if not _is_link(child, url)]
    return 0 if len(beside) == len(block.children) or "".join(beside).strip() else len(plain_text(block))


def _is_link(node: ContentNode, url: str) -> bool:
    """Whether it is one, or there is nothing but links in it; headings of documentation are links to themselves."""
    if not isinstance(node, Inline):
        return False
    if node.type == "link":
        return node.url is None or "#" not in node.url or not same_page(node.url, url)
    return bool(node.children) and all(_is_link(child, url) for child in node.children)


# --- text in the footer of the site ---


def _by_footer(page: Page, tree: Element, container: Container) -> str | None:
    """Where the only text is the site's, the page's own part has none; what a page says of itself is then said of its links."""
    main = next((one for one in tree.iter(etree.Element) if one.tag == "main" or one.get("role") == "main"), None)
    if main is None or any(_footer_of(element) is None for element in container.elements) or _shows_something(main):
        return None
    linked = sum(_letters(text) for text, link in _line_texts(main) if text and link and _is_of_host(page, link))
    told = 0 < _letters(element_text(main, without=set(main.iter("h1")))) <= linked / _MOST_LINKED
    return "its text is that of the site's footer, and its main part is links to other pages" if told else None


def _footer_of(element: Element) -> Element | None:
    """The footer of the site that it is, or is in; an article may have a footer, too."""
    for one in chain((element,), element.iterancestors()):
        if one.tag == "footer":
            return None if next(one.iterancestors("article", "main"), None) is not None else one
    return None


def _shows_something(main: Element) -> bool:
    """Whether there are pictures or players in it that are no links: a page of pictures needs no text."""
    return any(next(one.iterancestors("a"), None) is None for one in main.iter(*VOID_MEDIA))


def _is_of_host(page: Page, link: str) -> bool:
    url = join(page.base, link, encoding=page.encoding)
    return url is not None and bare_host(url) == bare_host(page.url) and not same_page(url, page.url)


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


# --- articles, marked up as such ---


def _by_articles(page: Page, tree: Element, container: Container, metadata: Metadata, length: int) -> str | None:
    """Dates and authors beside the headlines say nothing of the page."""
    of_page = {name: found for name, found in metadata.items() if not (found and found[0].source.startswith(_IN_TEXT))}
    said = _statements(page, tree, of_page, length)
    if sum(points for _, points in said if points < 0) <= _SURELY_ARTICLE:
        return None
    count = articles_elsewhere(page, tree, container, metadata)
    against = _has_strong_date(of_page) or _says(tree, "article")
    if not count or (against and container.shape is not None and container.shape().own and all(points < _PLAIN for _, points in said)):
        return None
    return f"its text is {amount(count, 'article')}, and the headline of each leads to a page of its own"


# --- teasers ---


@dataclass(frozen=True, slots=True)
class _Teasers:
    """Lines that are links to other pages of the host, and the text around them."""

    pages: int = 0
    elsewhere: int = 0
    """Lines that lead to other hosts, or to another place of the page."""
    text: int = 0
    """Letters that stand in none of them."""
    longest: int = 0
    """Letters between two of them, where they are most."""


def _teasers_of(page: Page, elements: Iterable[Element]) -> _Teasers:
    host, pages, stretches, elsewhere = bare_host(page.url), set[str](), [0], 0
    for length, link in _lines(elements):
        url = join(page.base, link, encoding=page.encoding) if link else None
        if url is None or url in pages or bare_host(url) != host or same_page(url, page.url):
            stretches[-1] += length  # a teaser may be a link as a whole: its second line is text
            elsewhere += url is not None and url not in pages
        else:
            pages.add(url)
            stretches.append(0)
    return _Teasers(len(pages), elsewhere, sum(stretches), max(stretches))


def _by_teasers(teasers: _Teasers, shape: PageShape | None) -> str | None:
    few = teasers.pages < _FEWEST_TEASERS or teasers.text > _LONGEST_TEASER * teasers.pages
    if few or teasers.longest > _LARGEST * teasers.text or (shape is not None and shape.largest >= _MANY_PARAGRAPHS):
        return None
    return f"its text is {teasers.pages} teasers with a link each, and nothing says that it is an article"


def _has_strong_date(metadata: Metadata) -> bool:
    dates = metadata.get("datePublished", ())
    return bool(dates) and not dates[0].source.startswith(_WEAK_DATES)


def _says(tree: Element, kind: str) -> bool:
    """By its `og:type`."""
    types = (one.get("content") or "" for one in tree.iter("meta") if one.get("property") == "og:type")
    return any(kind in declared.lower() for declared in types)


def _names_article(url: str) -> bool:
    """Whether an address ends like that of an article: with a file, a number, or the words of a headline."""
    parts = split(url)
    for parameter in (parts.query or "").split("&"):
        name, _, value = parameter.partition("=")
        if _NUMBER.search(value) and name.lower() not in _PAGING and not name.lower().startswith(_TRACKING):
            return True
    segments = _segments(url)
    if not segments or _DAYS.fullmatch("/".join(segments[-3:])) or not LISTS.isdisjoint(segments[:-1]):
        return False
    words = max(len(re.split(r"[\W_]+", segment)) for segment in segments[-2:])
    return words >= _WORDS_OF_ARTICLE or _FILE.search(segments[-1]) is not None or _NUMBER.search(segments[-1]) is not None


def _segments(url: str) -> list[str]:
    return [unquote(segment).strip().lower() for segment in split(url).path.split("/") if segment]


def _lines(roots: Iterable[Element]) -> Iterator[tuple[int, str]]:
    """How many letters each line has, as a browser shows it, and where it leads if it is a link that may be a headline."""
    for root in roots:
        length = linked = 0
        target = ""
        for text, link in chain(_line_texts(root), [(None, "")]):
            if text is not None:
                letters = _letters(text)
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


# --- evidence of several kinds ---


def _statements(page: Page, tree: Element, metadata: Metadata, length: int) -> list[tuple[str, int]]:
    """What a page says of itself, with the points for a listing, or against it."""
    dates, segments, named = metadata.get("datePublished", ()), _segments(page.url), _names_article(page.url)
    body = next(tree.iter("body"), tree)
    body_class = re.sub("[-_]", " ", f"{body.get('class') or ''} {body.get('id') or ''}".lower())
    of_article = _ARTICLE_CLASS.search(body_class) is not None
    said = (
        ("a date of publication", -2, bool(dates)),
        ("an article in JSON-LD", -2, any(found.source.startswith("json-ld:") for found in dates)),
        ("an author", -2, "author" in metadata),
        ("og:type article", -2, _says(tree, "article")),
        ("the address of an article", -2, named),
        ("the body of an article", -1, of_article),
        ("the address of a host", 4, not segments and not named),
        ("the address of a section", 3, not named and not (LISTS.isdisjoint(segments) and _SECTIONS.isdisjoint(segments[-1:]))),
        ("the body of a listing", 3, not of_article and _LISTING_CLASS.search(body_class) is not None),
        ("hardly any text", 1, length < _HARDLY_ANY),
    )
    return [(name, points) for name, points, holds in said if holds]


def _by_evidence(shape: PageShape, teasers: _Teasers, said: list[tuple[str, int]]) -> str | None:
    """Whether at least as much speaks for a listing as against it; without boxes, teasers or links an address says nothing."""
    seen = (
        ("text that hangs together", -3, teasers.longest >= max(_TOGETHER * teasers.text, _PASSAGE)),
        ("paragraphs in one place", -3, shape.largest >= _MANY_PARAGRAPHS / 2),
        ("many paragraphs in one place", -3, shape.largest >= _MANY_PARAGRAPHS),
        ("running text", -2, shape.running >= 0.25 * shape.text),
        ("short teasers", 3, teasers.pages >= _SEVERAL and teasers.text <= _SHORT_TEASER * teasers.pages),
        ("many links", 2, shape.linked >= 0.3 * shape.text and (shape.lines_of_links >= _FEW_LINES or shape.own < _PASSAGE)),
        ("many lines of links", 1, shape.lines_of_links >= 10),
        ("boxes of one kind", 4, shape.cards >= 10 and shape.text_of_cards >= 0.25 * shape.text),
        ("linked headings", 1, shape.linked_headings >= max(_SEVERAL, 0.4 * shape.headings)),
    )
    held = [(name, points) for name, points, holds in seen if holds]
    shown = sum(points for _, points in held if points > 0)
    if shown < _FEWEST_POINTS or sum(points for _, points in (*said, *held)) < 0 or teasers.elsewhere > teasers.pages:
        return None
    return "more speaks for a listing than against it: " + ", ".join(name for name, points in (*said, *held) if points > 0)


def _is_told(metadata: Metadata) -> bool:
    """Whether the archive or a rule says when it was published: then it is an article."""
    return any(not found.source.startswith(_GENERAL_SOURCES) for found in metadata.get("datePublished", ()))
