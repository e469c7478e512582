"""Reasons to take a page for a listing: of teasers, products, results, of things with a page of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.checks import Check, all_hold, fact
from webarticlecurator.extraction.listing_addresses import names_article, names_section, segments_of
from webarticlecurator.extraction.page_shape import NO_SHAPE, PageShape, Teasers, listed_articles
from webarticlecurator.extraction.site_entrances import metas_of
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
"""Names that makers of sites give the body of an article's page."""
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
    holding = (verdict for verdict in VERDICTS if all_hold(verdict.checks, seen))
    return next(holding, _ARTICLE).reason(seen)


def _is_dated_by_rule(metadata: Metadata) -> bool:
    """Say whether the archive or a rule tells when a page was published."""
    return any(not date.source.startswith(_GENERAL_SOURCES) for date in metadata.get("datePublished", ()))


@dataclass(eq=False)
class SeenPage:
    """A page with the statements that it makes of itself, and its make."""

    page: Page
    container: Container
    metadata: Metadata

    @fact
    def types(self) -> str:
        """Return the values of og:type."""
        return " ".join(metas_of(self.page, "property", "og:type")).lower()

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
        return "article" in self.types

    @property
    def is_named_listing(self) -> bool:
        """Say whether its address or a class calls it a listing."""
        return max(self.says.values(), default=0) >= _PLAIN

    @property
    def is_called_article(self) -> bool:
        return not self.says.keys().isdisjoint((*_SURE, _BY_ADDRESS))

    @property
    def is_judged(self) -> bool:
        """True if the general finder looked at it."""
        return self.container.judged is not None

    @fact
    def shape(self) -> PageShape:
        """Return the make of the page; a blank one where only rules look at it."""
        return PageShape(self.container.judged) if self.container.judged is not None else NO_SHAPE

    @fact
    def articles(self) -> int:
        """Return how many articles the text is, the headline of each a link to its page."""
        return listed_articles(self.page, self.blocks, self.container, self.metadata)

    @fact
    def sights(self) -> dict[str, int]:
        return _seen(self.shape, self.teasers)

    @fact
    def blocks(self) -> PageBlocks:
        furniture = self.container.judged
        return furniture.blocks if furniture is not None else PageBlocks(self.page.outline)

    @fact
    def teasers(self) -> Teasers:
        return Teasers(self.page, self.blocks, self.container)


def _is_in_text(values: Sequence[Found]) -> bool:
    """Say whether values may be those of any article on the page."""
    return values[0].source.startswith(_IN_TEXT)


# --- what a page says of itself ---


class _OfItself(NamedTuple):
    """The facts that statements are made of."""

    page: Page
    metadata: Metadata
    is_typed: bool
    segments: list[str]
    """The parts of the address."""
    is_named: bool
    """True if the address ends like that of an article."""


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
    _Statement(
        "the address of a section", 3, lambda page: not page.is_named and names_section(page.segments)
    ),
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


# --- verdicts ---


class Verdict(NamedTuple):
    """A reason to take a page for a listing, or for an article, which holds if all of its checks do."""

    reason: Callable[[SeenPage], str | None]
    """Returns None where it is an article."""
    checks: tuple[Check[SeenPage], ...] = ()


def _as_article(_: SeenPage) -> None:
    return None


_ARTICLE = Verdict(_as_article)


def _as_articles_with_pages(seen: SeenPage) -> str:
    count = amount(seen.articles, "article")
    return f"its text is {count}, and the headline of each leads to a page of its own"


def _as_lists_of_links(_: SeenPage) -> str:
    return "its text is lists of links, and hardly a sentence"


def _as_many_teasers(seen: SeenPage) -> str:
    return f"its text is {seen.teasers.pages} teasers with a link each, and nothing stands between them"


def _as_teasers(seen: SeenPage) -> str:
    return (
        f"its text is {seen.teasers.pages} teasers with a link each, and nothing says that it is an article"
    )


def _as_website(_: SeenPage) -> str:
    return "it calls itself a website, nothing says that it is an article, and no text in it hangs together"


def _by_points(seen: SeenPage) -> str:
    speaking = [name for name, points in (seen.says | seen.sights).items() if points > 0]
    return "more speaks for a listing than against it: " + ", ".join(speaking)


def _is_sure_article(seen: SeenPage) -> bool:
    """Say whether it makes a statement that only articles make, and has a sentence outside of boxes."""
    is_sure = not seen.says_of_page.keys().isdisjoint(_SURE) and not seen.is_named_listing
    return is_sure and seen.shape.own > 0


def _says_article(seen: SeenPage) -> bool:
    return min(seen.says.values(), default=0) < 0


def _is_website(seen: SeenPage) -> bool:
    return "website" in seen.types


def _has_address_of_article(seen: SeenPage) -> bool:
    """Say whether its address is an article's, and nothing on it repeats."""
    return seen.teasers.pages < 2 and not seen.shape.boxes and _BY_ADDRESS in seen.says


def _points(seen: SeenPage) -> int:
    """Return how much more speaks for a listing than against it."""
    return sum((*seen.says.values(), *seen.sights.values()))


def _points_of_sights(seen: SeenPage) -> int:
    return sum(max(points, 0) for points in seen.sights.values())


VERDICTS = (
    # whole articles are a listing, the headline of each a link to its page
    Verdict(
        _as_articles_with_pages,
        (
            Check("it leaves doubt", lambda seen: not _is_beyond_doubt(seen.says_of_page)),
            Check("it is articles with pages of their own", lambda seen: seen.articles > 0),
            Check("nothing says surely that it is an article", lambda seen: not _is_sure_article(seen)),
        ),
    ),
    Verdict(
        _as_lists_of_links,
        (
            Check("it has many lines of links", lambda seen: seen.shape.lines_of_links >= _FEWEST_LINES),
            Check("most of it is links", lambda seen: seen.shape.linked >= 0.5 * seen.shape.text),
            Check("it has hardly a sentence", lambda seen: seen.shape.own <= _HARDLY_OWN * seen.shape.text),
        ),
    ),
    Verdict(
        _as_many_teasers,
        (
            Check("the general finder looked at it", lambda seen: seen.is_judged),
            Check(
                "it has few paragraphs in one place", lambda seen: seen.shape.largest < _MANY_PARAGRAPHS / 2
            ),
            Check("it has very many teasers", lambda seen: seen.teasers.pages >= _MANY),
            Check(
                "no text stands between them", lambda seen: seen.teasers.longest <= 0.1 * seen.teasers.text
            ),
        ),
    ),
    Verdict(
        _as_article, (Check("it says beyond doubt that it is one", lambda seen: _is_beyond_doubt(seen.says)),)
    ),
    # however many links stand in an article, its own text hangs together; whole posts are no teasers
    Verdict(
        _as_teasers,
        (
            Check("it is not called an article", lambda seen: not seen.is_called_article),
            Check(
                "not very many paragraphs are in one place",
                lambda seen: seen.shape.largest < _MANY_PARAGRAPHS,
            ),
            Check("it has many teasers", lambda seen: seen.teasers.pages >= _SEVERAL),
            Check("they are short", lambda seen: seen.teasers.text <= 500 * seen.teasers.pages),
            Check("none of them is most of it", lambda seen: seen.teasers.longest <= seen.teasers.text / 3),
        ),
    ),
    Verdict(_as_article, (Check("only rules look at it", lambda seen: not seen.is_judged),)),
    # what says that it is an article, and has sentences, is one
    Verdict(
        _as_article,
        (
            Check("it is called an article", lambda seen: seen.is_called_article),
            Check("it has sentences of its own", lambda seen: seen.shape.own > 0),
            Check("it is not named a listing", lambda seen: not seen.is_named_listing),
        ),
    ),
    Verdict(
        _as_website,
        (
            Check("it calls itself a website", _is_website),
            Check("nothing says that it is an article", lambda seen: not _says_article(seen)),
            Check("no text in it hangs together", lambda seen: seen.shape.largest < _HARDLY_ANY),
        ),
    ),
    Verdict(
        _by_points,
        (
            Check(
                "half of the links or more lead to pages of the site",
                lambda seen: seen.teasers.elsewhere <= seen.teasers.pages,
            ),
            Check(
                "its address is no article's, or something repeats",
                lambda seen: not _has_address_of_article(seen),
            ),
            Check("enough is seen", lambda seen: _points_of_sights(seen) >= _FEWEST_POINTS),
            Check("no less speaks for a listing than against it", lambda seen: _points(seen) >= 0),
        ),
    ),
)
"""Reasons in the order in which they are looked for; the first of which all checks hold counts."""
