"""Is a page a listing: of teasers, products, results, whatever is shown with a link to a page of its own?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.checks import fact
from webarticlecurator.extraction.listing_addresses import names_article, names_section, segments_of
from webarticlecurator.extraction.page_shape import PageShape, Teasers, listed_articles
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import same_page

_WEAK_DATES = ("html:", "url:", "meta:dc", "meta:date")
"""Sources of dates that listings have, too: those of their teasers, or of the page as such."""
_IN_TEXT = ("html:", "microdata:", "rdfa:")
"""Sources of what may be said of any article on the page."""
_GENERAL_SOURCES = ("json-ld", "meta:", "microdata:", "rdfa:", "html:", "url:")
_LISTING_CLASS = linear(
    r"\b(?:archives?|blog|catalog|categor(?:ia|ie|ies|y)|collections?|frontpage|home|index|kategori[ae]|list|listing"
    r"|products|rovat|rubri[ck]a?|rubrique|search|tags?|tax|taxonomy)\b"
)
_ARTICLE_CLASS = linear(r"\b(?:article|post|postid|single|singular)\b")
"""What makers of sites call the body of an article's page."""
_HYPHENS = linear("[-_]")
_SURE = ("a date of publication", "og:type article")
"""Statements that only articles make."""
_BY_ADDRESS = "the address of an article"
_HARDLY_ANY = 350
"""Characters of a page with next to no text."""
_PASSAGE = 500
"""Characters of text that hangs together."""
_MANY_PARAGRAPHS = 1_500
"""Characters of an article's text."""
_SURELY_ARTICLE = -6
"""Points that leave no doubt."""
_FEWEST_POINTS = 2
"""Points that what is seen must have at least."""
_PLAIN = 3
"""Points of an address or a name of a listing."""
_SEVERAL = 6
"""Teasers of a listing."""
_MANY = 20
"""Teasers of a page that is a listing whatever it says."""
_FEWEST_LINES = 10
"""Lines of links of a listing."""
_HARDLY_OWN = 0.035
"""The share of a page's text that is sentences, where it is lists."""


def why_listing(page: Page, container: Container | None, metadata: Metadata, *, home: str) -> str | None:
    """Return the reason to take a page for a listing; None if it may be an article."""
    if page.tree is None:
        return None
    if same_page(page.url, home):
        return "it is the portal's home page"
    if container is None or _is_dated_by_rule(metadata):
        return None
    seen = SeenPage(page, container, metadata)
    for verdict_of in _VERDICTS:
        verdict = verdict_of(seen)
        if verdict is not None:
            return verdict or None
    return None


def _is_dated_by_rule(metadata: Metadata) -> bool:
    """Say whether the archive or a rule tells when a page was published."""
    return any(not date.source.startswith(_GENERAL_SOURCES) for date in metadata.get("datePublished", ()))


@dataclass(eq=False)
class SeenPage:
    """A page with what it says of itself, and what it is made of."""

    page: Page
    container: Container
    metadata: Metadata

    @fact
    def types(self) -> set[str]:
        """Return the values of og:type."""
        metas = self.page.outline.named("meta")
        return {meta.get("content", "").lower() for meta in metas if meta.get("property") == "og:type"}

    @fact
    def says(self) -> dict[str, int]:
        """Return what it says of itself, with the points of each statement."""
        return _statements(self.page, self.metadata, is_typed=self.is_typed)

    @fact
    def says_of_page(self) -> dict[str, int]:
        """Return the statements without dates and authors beside headlines, which say nothing of the page."""
        of_page = {name: values for name, values in self.metadata.items() if not _is_in_text(values)}
        return _statements(self.page, of_page, is_typed=self.is_typed)

    @property
    def is_typed(self) -> bool:
        return any("article" in declared for declared in self.types)

    @property
    def is_named_listing(self) -> bool:
        """Say whether its address or a class calls it a listing."""
        return max(self.says.values(), default=0) >= _PLAIN

    @property
    def is_called_article(self) -> bool:
        return not self.says.keys().isdisjoint((*_SURE, _BY_ADDRESS))

    @fact
    def shape(self) -> PageShape | None:
        """Return what it is made of, where the general finder looked at it."""
        return PageShape(self.container.judged) if self.container.judged is not None else None

    @fact
    def teasers(self) -> Teasers:
        furniture = self.container.judged
        blocks = furniture.blocks if furniture is not None else PageBlocks(self.page.outline)
        return Teasers(self.page, blocks, self.container)


def _is_in_text(values: Sequence[Found]) -> bool:
    """Say whether values may be those of any article on the page."""
    return bool(values) and values[0].source.startswith(_IN_TEXT)


# --- what a page says of itself ---


class _OfItself(NamedTuple):
    """What statements are made of."""

    page: Page
    metadata: Metadata
    is_typed: bool
    segments: list[str]
    """Of the address."""
    is_named: bool
    """Whether the address ends like that of an article."""


class _Statement(NamedTuple):
    """One statement, with its points for a listing, or against it."""

    name: str
    points: int
    holds: Callable[[_OfItself], bool]


def _has_date(page: _OfItself) -> bool:
    """Say whether it has a date that cannot be that of a teaser."""
    dates = page.metadata.get("datePublished", ())
    return bool(dates) and not dates[0].source.startswith(_WEAK_DATES)


def _has_data(page: _OfItself) -> bool:
    return any(date.source.startswith("json-ld:") for date in page.metadata.get("datePublished", ()))


def _has_body_of_listing(page: _OfItself) -> bool:
    outline = page.page.outline
    body = outline.elements[next(iter(outline.rows("body")), 0)]
    names = _HYPHENS.sub(" ", f"{body.get('class', '')} {body.get('id', '')}".lower())
    return _LISTING_CLASS.search(names) is not None and not _ARTICLE_CLASS.search(names)


_STATEMENTS = (
    _Statement("a date of publication", -2, _has_date),
    _Statement("an article in JSON-LD", -2, _has_data),
    _Statement("an author", -2, lambda page: "author" in page.metadata),
    _Statement("og:type article", -2, lambda page: page.is_typed),
    _Statement(_BY_ADDRESS, -2, lambda page: page.is_named),
    _Statement("the address of a host", 4, lambda page: not page.segments and not page.is_named),
    _Statement("the address of a section", 3, lambda page: not page.is_named and names_section(page.segments)),
    _Statement("the body of a listing", 3, _has_body_of_listing),
)


def _statements(page: Page, metadata: Metadata, *, is_typed: bool) -> dict[str, int]:
    """Return the statements that a page makes, with their points."""
    segments = segments_of(page.url)
    of_itself = _OfItself(page, metadata, is_typed, segments, names_article(page.url, segments))
    return {statement.name: statement.points for statement in _STATEMENTS if statement.holds(of_itself)}


def _is_beyond_doubt(statements: Mapping[str, int]) -> bool:
    """Say whether they tell that a page is an article."""
    return sum(min(points, 0) for points in statements.values()) <= _SURELY_ARTICLE


# --- what is seen of it ---


class _Sight(NamedTuple):
    """One sign in what a page is made of, with its points for a listing, or against it."""

    name: str
    points: int
    holds: Callable[[PageShape, Teasers], bool]


def _has_passage(_: PageShape, teasers: Teasers) -> bool:
    return teasers.longest >= max(0.2 * teasers.text, _PASSAGE)


def _has_short_teasers(_: PageShape, teasers: Teasers) -> bool:
    return teasers.pages >= _SEVERAL and teasers.text <= 400 * teasers.pages


def _is_boxes(shape: PageShape, _: Teasers) -> bool:
    return shape.boxes >= 12 and shape.in_boxes >= 0.9 * shape.text and shape.own <= 0.02 * shape.text


_SIGHTS = (
    _Sight("text that hangs together", -3, _has_passage),
    _Sight("paragraphs in one place", -3, lambda shape, _: shape.largest >= _MANY_PARAGRAPHS / 2),
    _Sight("many paragraphs in one place", -3, lambda shape, _: shape.largest >= _MANY_PARAGRAPHS),
    _Sight("running text", -2, lambda shape, _: shape.running >= 0.25 * shape.text),
    _Sight("short teasers", 3, _has_short_teasers),
    _Sight("many links", 2, lambda shape, _: shape.linked >= 0.3 * shape.text),
    _Sight("many lines of links", 1, lambda shape, _: shape.lines_of_links >= _FEWEST_LINES),
    _Sight("boxes of one kind", 4, lambda shape, _: shape.boxes >= 10),
    _Sight("nothing but boxes of one kind", 3, _is_boxes),
)


def _seen(shape: PageShape, teasers: Teasers) -> dict[str, int]:
    """Return the signs in what a page is made of, with their points."""
    return {sight.name: sight.points for sight in _SIGHTS if sight.holds(shape, teasers)}


# --- verdicts: a reason to take a page for a listing, an empty one if it is an article, None for neither ---

_ARTICLE = ""


def _as_article_by_type(seen: SeenPage) -> str | None:
    """Take what is typed as an article, and leaves no doubt by what it says of the page, for one, before
    anything on it is counted."""
    return _ARTICLE if seen.is_typed and _is_beyond_doubt(seen.says_of_page) else None


def _as_articles_with_pages(seen: SeenPage) -> str | None:
    """Take whole articles for a listing, the headline of each a link to its page."""
    is_sure = not seen.says_of_page.keys().isdisjoint(_SURE) and not seen.is_named_listing
    is_own = is_sure and seen.shape is not None and seen.shape.own > 0
    if is_own or _is_beyond_doubt(seen.says_of_page):
        return None
    count = listed_articles(seen.page, seen.container, seen.metadata)
    if not count:
        return None
    return f"its text is {amount(count, 'article')}, and the headline of each leads to a page of its own"


def _as_lists_of_links(seen: SeenPage) -> str | None:
    shape = seen.shape
    if shape is None or shape.lines_of_links < _FEWEST_LINES or shape.linked < 0.5 * shape.text:
        return None
    if shape.own > _HARDLY_OWN * shape.text:
        return None
    return "its text is lists of links, and hardly a sentence"


def _as_many_teasers(seen: SeenPage) -> str | None:
    teasers = seen.teasers
    if seen.shape is None or teasers.pages < _MANY or teasers.longest > 0.1 * teasers.text:
        return None
    if seen.shape.largest >= _MANY_PARAGRAPHS / 2:
        return None
    return f"its text is {teasers.pages} teasers with a link each, and nothing stands between them"


def _as_sure_article(seen: SeenPage) -> str | None:
    return _ARTICLE if _is_beyond_doubt(seen.says) else None


def _as_teasers(seen: SeenPage) -> str | None:
    """Take nothing but teasers for a listing.

    However many links stand in or behind an article, its own text hangs together.
    Whole posts are no teasers.
    """
    teasers, largest = seen.teasers, seen.shape.largest if seen.shape is not None else 0
    are_many = teasers.pages >= _SEVERAL and largest < _MANY_PARAGRAPHS
    are_short = teasers.text <= 500 * teasers.pages and teasers.longest <= teasers.text / 3
    if seen.is_called_article or not are_many or not are_short:
        return None
    return f"its text is {teasers.pages} teasers with a link each, and nothing says that it is an article"


def _as_article(seen: SeenPage) -> str | None:
    """Take what says that it is an article, and has sentences, for one."""
    if seen.shape is None:
        return _ARTICLE
    return _ARTICLE if seen.is_called_article and seen.shape.own and not seen.is_named_listing else None


def _as_website(seen: SeenPage) -> str | None:
    is_website = any("website" in declared for declared in seen.types)
    says_article = min(seen.says.values(), default=0) < 0
    if not is_website or says_article or (seen.shape is not None and seen.shape.largest >= _HARDLY_ANY):
        return None
    return "it calls itself a website, nothing says that it is an article, and no text in it hangs together"


def _by_points(seen: SeenPage) -> str | None:
    """Take a page for what more speaks for."""
    shape, teasers = seen.shape, seen.teasers
    if shape is None or teasers.elsewhere > teasers.pages:
        return _ARTICLE
    if teasers.pages < 2 and not shape.boxes and _BY_ADDRESS in seen.says:
        return _ARTICLE
    signs = _seen(shape, teasers)
    all_signs = seen.says | signs
    speaking_for = sum(max(points, 0) for points in signs.values())
    if speaking_for < _FEWEST_POINTS or sum((*seen.says.values(), *signs.values())) < 0:
        return _ARTICLE
    speaking = [name for name, points in all_signs.items() if points > 0]
    return "more speaks for a listing than against it: " + ", ".join(speaking)


_VERDICTS: tuple[Callable[[SeenPage], str | None], ...] = (
    _as_article_by_type,
    _as_articles_with_pages,
    _as_lists_of_links,
    _as_many_teasers,
    _as_sure_article,
    _as_teasers,
    _as_article,
    _as_website,
    _by_points,
)
"""The first one that tells counts."""
