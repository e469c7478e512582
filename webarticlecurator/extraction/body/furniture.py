"""Parts of a page that belong to the site and not to the article: share bars, related articles, newsletter
forms, advertisements, comments.

An element's names decide, but only together with its size: a `div.has-comments` around the whole article is
no list of comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.bylines import LONGEST_BYLINE, YEAR
from webarticlecurator.extraction.body.callouts import is_callout
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.signs import Sign, all_hold, any_holds, constantly, reason_by
from webarticlecurator.extraction.body.tag_rules import VOID_MEDIA
from webarticlecurator.labelling.element_names import PagePart, Role, part_of, role_of
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.text import HEADINGS, folded

_WORDS = {name: frozenset(words) for name, words in read_word_lists(__file__, "furniture_words.txt").items()}
_TO_OTHER_ARTICLES, _TO_READERS = tuple(_WORDS["others"]), tuple(_WORDS["readers"])
RELATED = str(PagePart.RELATED)

_KEPT = frozenset((PagePart.BODY, PagePart.LEAD, PagePart.CAPTION, PagePart.POST))
"""Parts of an article."""
_LARGEST = 0.5
"""Share of the running text that an element may hold and still be furniture."""
_LARGEST_OF = {PagePart.COMMENTS: 0.9}
"""Shares for some parts of a page: comments are often longer than what they comment on."""
_SITE_TAGS = frozenset(("aside", "button", "dialog", "footer", "nav", "select", "svg"))
_APART = ("dialog", "footer")
"""No article is in these, where something else says that it is one."""
_LISTS = frozenset(("article", "div", "li", "ol", "section", "table", "ul"))
_TEXT = frozenset(("blockquote", "ol", "p", "pre", "table", "ul"))
"""Elements in which an article's text is written, beside headings."""
_UNNAMED = frozenset(("pre", "th", "tr"))
"""Elements whose names say how they look: code, a row or a cell of a heading."""
_LINKS_IN_RUNNING_TEXT = {PagePart.SHARE: 1.0, PagePart.RELATED: 0.0, PagePart.ADVERTISEMENT: 0.0}
"""Share of links in a running text that is no such part, whatever its name: these parts are made of links or
buttons."""
_HOLDERS = frozenset(("article", "aside", "div", "figure", "header", "main", "section"))
"""Elements in which a line may stand that is no paragraph."""
_LINES = frozenset((PagePart.BYLINE, PagePart.CAPTION, PagePart.HIDDEN, PagePart.SHARE))
"""Parts of a page that may be lines."""
_NO_CAPTIONS = {*HEADINGS, "article", "caption", "li", "ol", "pre", "td", "th", "tr", "ul"}
_RUNNING_TEXT = 100
"""Characters that no row of buttons has."""
_LONGEST_CAPTION = 800
"""Characters of a caption."""
_LONGEST_HEADED_LIST = 5_000
"""Characters of a list below a sign of other articles."""
_MORE_THAN_A_SIGN = 81
"""Characters of a beginning that is no mere sign of other articles."""
_SHORTEST_LIST = 30
"""Characters of a list of links."""
_LONGEST_LABEL = 45
"""Characters of a line without links that is a label, such as "Advertisement"."""
_LONGEST_LINKED_LINE = 100
"""Characters of a line that is a link."""
_LONGEST_LINKED_BOX = 600
"""Characters of a box with links that is judged by how it begins."""
_LINKS_OF_DOUBTFUL = 0.5
"""Share of links in what a doubtful name says is none of the article's."""
_LINKS_OF_LIST = 0.7
"""Share of links in a list of links."""
_LINKS_OF_LINE = 0.2
"""Share of links in a box that is judged by how it begins."""
_TO_COMMENTS = linear(
    r"#(?:(?:[\w-]*-)?(?:comments?|kommentare?)(?:-\d+)?|disqus_thread|respond)$", re.IGNORECASE
)
_LETTER_BEFORE = linear(r"^[^\W_](?=[\W_])")
"""A letter before the words of an id."""
_TO_HOME = linear_at(r"/|(?:\.\./)+")
_HIDING = frozenset((
    "d-none", "element-invisible", "hidden", "hide", "invisible", "is-hidden", "ng-hide", "offscreen", "u-hidden", "uk-hidden",
    "w-condition-invisible",
))  # fmt: skip
"""Classes of what is hidden, and attributes of boxes that are."""
_HIDING_STYLE = linear(r"(?:display\s*:\s*none|visibility\s*:\s*hidden|\bclip\s*:\s*rect\()", re.IGNORECASE)
_BOXES = frozenset(("aside", "div", "ol", "section", "ul"))
"""Text in these is meant where they are hidden from programs that read aloud; a picture, its caption or a
mark is with any other."""
_FOLDS = linear(
    r"accordion|answer|collaps|details|drop-?down|expan|faq|fold|panel|read-?more|show-?more|slid|tab(?:s|$|[-_])|toggle|truncat",
    re.IGNORECASE,
)
"""Names of what a click unfolds."""
_OPENERS = ("a", "button", "div", "summary", "span", "label", "li", "h2", "h3", "h4")
_OPENED = ("aria-controls", "data-bs-target", "data-target", "data-toggle-target")
"""Attributes that name what a click opens."""
_OPENING = frozenset(("button", "summary", "aria-expanded", "for"))
"""Elements that open what stands behind them, and attributes of such ones: a label is `for` a box to tick."""
_INLINES = ("a", "em", "i", "small", "span", "strong", "time")
"""Elements meant for parts of a line."""


class Furniture:
    """Judges the blocks of a page by their names and by what they hold of it."""

    LINKS = "nothing but links"

    def __init__(self, blocks: PageBlocks, prose: list[float], marked: Sequence[int]) -> None:
        """`prose` says how much running text each row and all below it hold; `marked` are the rows that say
        that they are the article."""
        self.blocks = blocks
        self.prose = prose
        self.more_text_than_links: dict[int, bool] = {}
        """True for lists at least half of whose items are text."""
        most = max((prose[row] for row in marked), default=0)
        self.innermost = max((row for row in marked if prose[row] > 0.6 * most), default=0)
        """The smallest block that says that it is the article and holds most of it."""
        self.named = {row: role for row, role in blocks.roles.items() if role.part not in _KEPT}
        """The rows whose names say that they are none of the article's."""
        self.dialogs = set(blocks.with_attribute("role", "dialog"))
        lists = blocks.with_text.intersection(blocks.tagged(*_LISTS))
        self.headed = {row for row in lists if is_sign_of_others(blocks.openings[row][:_MORE_THAN_A_SIGN])}
        """The boxes that begin with a sign of other articles."""
        doubtful = self.dialogs.union(
            self.named,
            self.headed,
            blocks.tagged(*_SITE_TAGS),
            filter(self.is_links, lists),
        )
        self.doubtful = doubtful.intersection(blocks.with_text)
        """The rows of which anything says that they are furniture: few, and no others are looked at."""
        # `<html>`, `<body>`, and what stands before it on a broken page
        safe = blocks.above(self.innermost).union(blocks.tagged("body"))
        self.aside = blocks.flagged(blocks.outermost(sorted(self.doubtful - safe), self._reason_on_page))
        """For each block True if it stands outside the article, by itself or with a block around it."""

    def _reason_on_page(self, row: int) -> str | None:
        return self.reason(row, self.innermost if row in self.blocks.below(self.innermost) else 0)

    def reason(self, row: int, whole: int = 0) -> str | None:
        """Return why a block is no part of the article, which is somewhere in the row `whole`; None if it
        may be one."""
        return JudgedBlock(self, row, whole).reason_on_page()

    def reason_inside(self, row: int, whole: int) -> str | None:
        """Return why a block inside the article is no part of it; there hidden boxes and the words of lines
        count, too."""
        block = JudgedBlock(self, row, whole)
        by_words = BY_WORDS_OF_LINKS if block.links else BY_WORDS
        return block.reason_on_page() or reason_by(by_words.values(), block)

    def is_beside(self, row: int) -> bool:
        """Return True if names or style of a block, which may have no text, say that it is no part of
        the article."""
        return self.named.get(row, _NO_ROLE).certain or self.is_hidden(self.blocks.rows[row])

    def is_of_links(self, row: int, why: str) -> bool:
        """Return True if a block is furniture only as it holds links: lists of them, and cards."""
        return why == self.LINKS or (why == RELATED and not self.blocks.roles.get(row, _NO_ROLE).certain)

    def is_links(self, row: int) -> bool:
        """Return True if a block holds hardly anything but links."""
        return self.blocks.links[row] > _LINKS_OF_LIST * self.blocks.characters[row]

    # --- what readers do not see ---

    def is_hidden(self, row: int) -> bool:
        """Return True if class or style hide a row of the outline, and no click unfolds it."""
        element = self.blocks.outline.elements[row]
        return looks_hidden(element) and not self._unfolds(element)

    def _unfolds(self, element: Element) -> bool:
        return any_holds(_UNFOLDED_BY, element) or self.is_opened(element)

    def is_opened(self, element: Element) -> bool:
        """Return True if something on the page opens it by its id."""
        return element.get("id") in self._opened

    @cached_property
    def _opened(self) -> set[str]:
        """The ids of what something on the page opens."""
        ids: set[str] = set()
        for element in self.blocks.outline.named(*_OPENERS):
            written = [element.get(attribute, "") for attribute in _OPENED]
            href = element.get("href", "")
            if href.startswith("#"):
                written.append(href)
            ids.update(" ".join(written).replace("#", " ").split())
        return ids

    # --- lines ---

    def captions(self) -> Iterator[tuple[Element, str]]:
        """Yield what is a caption by its name, short and without more than text; with the picture in it, it
        is a figure."""
        blocks = self.blocks
        for row in blocks.by_part[PagePart.CAPTION]:
            is_more = blocks.tags[row] in _NO_CAPTIONS or blocks.inner(row, *HEADINGS, "table", "ul", "ol")
            if 0 < blocks.characters[row] <= _LONGEST_CAPTION and not is_more:
                yield (
                    blocks.elements[row],
                    "figure" if blocks.inner(row, *VOID_MEDIA, "picture") else "caption",
                )

    def lines(self, root: int) -> Iterator[tuple[Element, PagePart]]:
        """Yield captions, bylines, and what is hidden, that stand by themselves in elements meant for parts
        of a line."""
        outline = self.blocks.outline
        for row in outline.rows_in(self.blocks.rows[root], *_INLINES):
            part = self._part_of_line(row)
            if part is PagePart.HIDDEN or (part is not None and _stands_alone(outline.elements[row])):
                yield outline.elements[row], part

    def _part_of_line(self, row: int) -> PagePart | None:
        outline, names = self.blocks.outline, self.blocks.outline.attribute("class")[row]
        is_plain = (names, outline.elements[row].get("style")) == (None, None)
        if not is_plain and self.is_hidden(row):
            return PagePart.HIDDEN
        part = part_of(names, None)
        is_line = part in _LINES and outline.short_text(row, LONGEST_BYLINE) is not None
        if is_line:
            return part
        return PagePart.BYLINE if self._is_day(row) else None

    def _is_day(self, row: int) -> bool:
        """Return True for what holds a day and nothing that is not marked as a time.

        A time with a class may be that of a part of the text.
        """
        outline = self.blocks.outline
        times = outline.rows_in(row, "time")
        is_plain = outline.tags[row] == "time" and outline.attribute("class")[row] is None
        is_marked = is_plain or 0 < outline.length(row) == sum(map(outline.length, times))
        return is_marked and YEAR.search(outline.text(row)) is not None


class JudgedBlock:
    """A block in the place where the article is, with all that signs of furniture ask of it."""

    __slots__ = ("blocks", "characters", "furniture", "links", "row", "tag", "whole")

    def __init__(self, furniture: Furniture, row: int, whole: int) -> None:
        self.furniture, self.row, self.whole = furniture, row, whole
        self.blocks = blocks = furniture.blocks
        self.tag, self.characters, self.links = blocks.tags[row], blocks.characters[row], blocks.links[row]

    @property
    def element(self) -> Element:
        return self.blocks.elements[self.row]

    @property
    def prose(self) -> float:
        """Characters of running text in it."""
        return self.furniture.prose[self.row]

    @property
    def role(self) -> Role:
        """The part of a page that its names say it is, where that is none of the article's."""
        return self.furniture.named.get(self.row, _NO_ROLE)

    def reason_on_page(self) -> str | None:
        """Return why it is no part of the article, wherever it stands."""
        return reason_by(SIGNS.values(), self) if self.row in self.furniture.doubtful else None

    # --- how much it holds ---

    def has_text(self) -> bool:
        return self.characters > 0

    def is_small(self) -> bool:
        return self.prose < _LARGEST * self.furniture.prose[self.whole]

    def is_mostly_links(self) -> bool:
        return self.links > _LINKS_OF_DOUBTFUL * self.characters

    def is_hardly_linked(self) -> bool:
        return not self.is_mostly_links()

    def is_links(self) -> bool:
        return self.furniture.is_links(self.row)

    def has_no_links(self) -> bool:
        return not self.links

    def is_no_item_of_text(self) -> bool:
        """Return False for an item of a list of which at least half is text: there a link is an item like
        the others."""
        return self.tag != "li" or not self._is_in_list_of_text()

    def _is_in_list_of_text(self) -> bool:
        known, parent = self.furniture.more_text_than_links, self.blocks.parents[self.row]
        if parent not in known:
            items = list(self.blocks.inside(parent))
            known[parent] = 2 * sum(map(self.furniture.is_links, items)) <= len(items)
        return known[parent]

    def is_longer_than_a_line(self) -> bool:
        return self.characters > _SHORTEST_LIST

    def fits_label(self) -> bool:
        return 0 < self.characters <= _LONGEST_LABEL

    def fits_line(self) -> bool:
        return self.characters <= _LONGEST_LINKED_LINE

    def fits_box(self) -> bool:
        return self.characters <= _LONGEST_LINKED_BOX

    def has_some_links(self) -> bool:
        return self.links > _LINKS_OF_LINE * self.characters

    # --- how it begins ---

    @property
    def opening(self) -> str:
        """The first text in it."""
        return self.blocks.openings[self.row]

    def is_one_text(self) -> bool:
        return self.characters == len(self.opening.strip())

    def is_label(self) -> bool:
        return is_label(self.opening)

    def begins_with_sign_of_others(self) -> bool:
        return self.row in self.furniture.headed

    def fits_headed_list(self) -> bool:
        """Return True if it is as short as a list below a sign; a longer text has a heading that says so."""
        return self.characters <= _LONGEST_HEADED_LIST

    def headings(self) -> list[int]:
        """Return the rows of headings in it."""
        blocks = self.blocks
        return sorted(blocks.with_text.intersection(blocks.below(self.row), blocks.tagged(*HEADINGS)))

    def holds_linked_headings(self) -> bool:
        """Return True if a heading behind the first one is a link."""
        return any(map(self.furniture.is_links, self.headings()[1:]))

    def has_linked_headings_alone(self) -> bool:
        """Return True if it has headings, and all of them are links."""
        headings = self.headings()
        return headings != [] and all(map(self.furniture.is_links, headings))

    def is_named_related(self) -> bool:
        return self.role.part is PagePart.RELATED

    def has_heading_without_links(self) -> bool:
        return not self.blocks.links[self.headings()[0]]

    # --- what its tag says ---

    def is_dialog(self) -> bool:
        return self.row in self.furniture.dialogs or "modal" in _names_of(self.element)

    def is_closed(self) -> bool:
        """Return True if no reader sees it before a script opens it over the page, however much it holds."""
        return self.element.get("aria-hidden") == "true" or "fade" in _names_of(self.element)

    def is_unopened(self) -> bool:
        return not self.furniture.is_opened(self.element)

    @property
    def site_tag(self) -> str:
        return "dialog" if self.row in self.furniture.dialogs else self.tag

    def is_of_site_by_tag(self) -> bool:
        return self.site_tag in _SITE_TAGS

    def is_no_source(self) -> bool:
        """Return False for the foot of a quotation: who is quoted."""
        return (self.site_tag, self.blocks.tags[self.blocks.parents[self.row]]) != ("footer", "blockquote")

    def is_small_or_apart(self) -> bool:
        return self.is_small() or (self.site_tag in _APART and self._is_apart())

    def _is_apart(self) -> bool:
        """Return True if something says that it is the article, and this is neither in it nor around it."""
        innermost, ends = self.furniture.innermost, self.blocks.ends
        return self.row >= ends[innermost] or ends[self.row] <= innermost

    def is_no_box_of_text(self) -> bool:
        """Return False for an aside in the text of an article with a heading and sentences of its own, such
        as the facts behind a story, and for one with a picture and its caption."""
        return not (all_hold(_BOX_OF_TEXT, self) or all_hold(_CAPTIONED_PICTURE, self))

    def is_no_callout(self) -> bool:
        return not is_callout(self.element)

    def is_aside(self) -> bool:
        return self.tag == "aside"

    def is_list_of_terms(self) -> bool:
        """Return True for terms, each with what it means: more text than links."""
        return len(self.blocks.inner(self.row, "dd")) > 1 and 2 * self.links < self.characters

    def is_no_list_of_terms(self) -> bool:
        return not self.is_list_of_terms()

    def asks_nothing(self) -> bool:
        return len(self.blocks.inner(self.row, "button", "input", "select")) == 0

    def is_no_gallery(self) -> bool:
        return self._pictures() <= 1

    def has_picture(self) -> bool:
        return self._pictures() == 1

    def _pictures(self) -> int:
        return len(self.blocks.inner(self.row, "img", "amp-img"))

    def fits_caption(self) -> bool:
        return 0 < self.characters <= _LONGEST_CAPTION

    def has_heading(self) -> bool:
        return len(self.blocks.inner(self.row, *HEADINGS)) > 0

    def is_list_by_tag(self) -> bool:
        return self.tag in _LISTS

    # --- what its names say ---

    def is_of_size_of_part(self) -> bool:
        """Return True if it is as small as what its names say; a doubtful name counts where there are
        hardly any words but links."""
        part = self.role.part
        if part is PagePart.BYLINE:
            return self.characters <= LONGEST_BYLINE
        if self.role.certain:
            return self.prose < _LARGEST_OF.get(part, _LARGEST) * self.furniture.prose[self.whole]
        return self.is_mostly_links()

    def is_named(self) -> bool:
        return self.role is not _NO_ROLE

    def is_no_text_whatever_its_name(self) -> bool:
        return self.role.part in _LINES_BY_NAME or reason_by(TEXT_WHATEVER_ITS_NAME.values(), self) is None

    def is_opened_notice(self) -> bool:
        """Return True if a click in the text shows it."""
        boxes = (
            self.element,
            *islice(self.element.iterancestors(), 4),
        )  # `modal`, `modal-dialog`, `modal-content`, `modal-body`
        return any(map(self.furniture.is_opened, boxes))

    def is_notice(self) -> bool:
        return self.role.part is PagePart.NOTICE

    def is_in_text(self) -> bool:
        return self.whole > 0

    def is_named_by_looks(self) -> bool:
        return self.tag in _UNNAMED

    def is_foot(self) -> bool:
        """Return True for what is named a foot or a bar."""
        return self.role.part is PagePart.NAVIGATION

    def is_as_long_as_running_text(self) -> bool:
        return self.characters >= _RUNNING_TEXT

    def has_paragraphs(self) -> bool:
        return bool(self.blocks.inner(self.row, "p"))

    def has_few_links_for_its_part(self) -> bool:
        return self.links <= _LINKS_IN_RUNNING_TEXT.get(self.role.part, -1) * self.characters

    def is_running_text(self) -> bool:
        return self.prose > max(self.characters / 2, _RUNNING_TEXT)

    def is_heading(self) -> bool:
        return self.tag in HEADINGS

    def is_no_heading(self) -> bool:
        return self.tag not in HEADINGS

    @property
    def behind(self) -> int:
        """The row with text behind it; that of the whole page where it is the last."""
        return next(self.blocks.behind(self.row), 0)

    def is_before_block_of_text(self) -> bool:
        return self.blocks.tags[self.behind] in _TEXT

    def is_before_text_of_article(self) -> bool:
        return self.furniture.reason(self.behind, self.whole) is None

    def has_more_text_than_links(self) -> bool:
        return self.prose > self.links

    def is_named_by_its_id_alone(self) -> bool:
        return role_of(self.element.get("class"), None) is None

    def words_of_id(self) -> list[str]:
        """Return the words of its id, but for a letter before them: `h-related-costs`."""
        return linear(r"[^\W_]+").findall(_LETTER_BEFORE.sub("", self.element.get("id", "")))

    def beginning(self) -> str:
        """Return its first words."""
        return self.blocks.text(self.row).lstrip()[:_RUNNING_TEXT]

    def has_id_of_words(self) -> bool:
        return len(self.words_of_id()) > 1

    def is_named_by_its_words(self) -> bool:
        """Return True for a section whose id is made of its first words.

        Wikis and makers of static sites do that.
        """
        return folded("".join(self.words_of_id()[:4])) in folded(self.beginning())

    def does_not_lead_away(self) -> bool:
        return leads_away(self.beginning()) is None

    # --- where it leads, and whether it is seen ---

    @property
    def _href(self) -> str:
        """The address of the first link in it."""
        return next(self.element.iter("a"), self.element).get("href", "")

    def leads_to_comments(self) -> bool:
        return _TO_COMMENTS.search(self._href) is not None

    def leads_home(self) -> bool:
        return _TO_HOME.fullmatch(self._href) is not None

    def is_no_row_nor_code(self) -> bool:
        return self.tag not in _UNNAMED

    def is_hidden(self) -> bool:
        return self.furniture.is_hidden(self.blocks.rows[self.row])


_BOX_OF_TEXT = (
    JudgedBlock.is_aside,
    JudgedBlock.is_in_text,
    JudgedBlock.is_hardly_linked,
    JudgedBlock.is_running_text,
    JudgedBlock.has_heading,
    JudgedBlock.is_no_gallery,
    JudgedBlock.asks_nothing,
)
"""Signs that an aside is a box with a text."""
_CAPTIONED_PICTURE = (
    JudgedBlock.is_aside,
    JudgedBlock.is_in_text,
    JudgedBlock.has_no_links,
    JudgedBlock.fits_caption,
    JudgedBlock.has_picture,
    JudgedBlock.asks_nothing,
)
"""Signs that an aside is a picture of the article with its caption."""
_NO_ROLE = Role(PagePart.BODY, False)
_LINES_BY_NAME = frozenset((PagePart.BYLINE, PagePart.HIDDEN))
"""Parts of a page that are no text, however little they look like such a part: a heading may be one, too."""

TEXT_WHATEVER_ITS_NAME: dict[str, Sign[JudgedBlock]] = {
    "opened": Sign(
        constantly("a click shows it"),
        (JudgedBlock.is_notice, JudgedBlock.is_in_text, JudgedBlock.is_opened_notice),
    ),
    "looks": Sign(constantly("its names say how it looks"), (JudgedBlock.is_named_by_looks,)),
    "running text": Sign(
        constantly("it is running text"),
        (JudgedBlock.has_few_links_for_its_part, JudgedBlock.is_running_text),
    ),
    "foot": Sign(
        constantly("it is running text at the foot of the article"),
        (
            JudgedBlock.is_foot,
            JudgedBlock.is_in_text,
            JudgedBlock.has_no_links,
            JudgedBlock.is_as_long_as_running_text,
            JudgedBlock.has_paragraphs,
        ),
    ),
    "heading": Sign(
        constantly("it is the heading of a text"),
        (
            JudgedBlock.is_heading,
            JudgedBlock.is_hardly_linked,
            JudgedBlock.is_before_block_of_text,
            JudgedBlock.is_before_text_of_article,
        ),
    ),
    "definitions": Sign(
        constantly("it is a list of terms with what they mean"),
        (JudgedBlock.is_in_text, JudgedBlock.is_list_of_terms),
    ),
    "words": Sign(
        constantly("its id is made of its words"),
        (
            JudgedBlock.is_no_heading,
            JudgedBlock.has_more_text_than_links,
            JudgedBlock.is_named_by_its_id_alone,
            JudgedBlock.has_id_of_words,
            JudgedBlock.is_named_by_its_words,
            JudgedBlock.does_not_lead_away,
        ),
    ),
}
"""Signs that a block is text of the article, whatever its name is."""
SIGNS: dict[str, Sign[JudgedBlock]] = {
    "heading": Sign(
        constantly(RELATED),
        (
            JudgedBlock.begins_with_sign_of_others,
            JudgedBlock.fits_headed_list,
            JudgedBlock.holds_linked_headings,
            JudgedBlock.has_heading_without_links,
        ),
    ),
    "dialog": Sign(
        constantly(str(PagePart.NOTICE)),
        (JudgedBlock.is_dialog, JudgedBlock.is_closed, JudgedBlock.is_unopened),
    ),
    "name": Sign(
        lambda block: str(block.role.part),
        (JudgedBlock.is_named, JudgedBlock.is_of_size_of_part, JudgedBlock.is_no_text_whatever_its_name),
    ),
    "tag": Sign(
        lambda block: f"<{block.site_tag}>",
        (
            JudgedBlock.is_of_site_by_tag,
            JudgedBlock.is_no_source,
            JudgedBlock.is_small_or_apart,
            JudgedBlock.is_no_box_of_text,
            JudgedBlock.is_no_callout,
        ),
    ),
    "links": Sign(
        constantly(Furniture.LINKS),
        (
            JudgedBlock.is_list_by_tag,
            JudgedBlock.is_longer_than_a_line,
            JudgedBlock.is_links,
            JudgedBlock.is_small,
            JudgedBlock.is_no_item_of_text,
        ),
    ),
}
"""Signs that a block is furniture, in the order in which they are asked."""
_BY_STYLE: Sign[JudgedBlock] = Sign(
    constantly(str(PagePart.HIDDEN)),
    (JudgedBlock.has_text, JudgedBlock.is_no_row_nor_code, JudgedBlock.is_hidden, JudgedBlock.is_small),
)
BY_WORDS: dict[str, Sign[JudgedBlock]] = {
    "label": Sign(
        constantly("label"),
        (JudgedBlock.fits_label, JudgedBlock.is_one_text, JudgedBlock.is_label),
    ),
    "style": _BY_STYLE,
}
"""Signs that a block without links is furniture by its words, or is not seen."""
BY_WORDS_OF_LINKS: dict[str, Sign[JudgedBlock]] = {
    "comments": Sign(
        constantly(str(PagePart.COMMENTS)),
        (
            JudgedBlock.fits_label,
            JudgedBlock.is_mostly_links,
            JudgedBlock.is_no_item_of_text,
            JudgedBlock.leads_to_comments,
        ),
    ),
    "front page": Sign(
        constantly(str(PagePart.NAVIGATION)),
        (
            JudgedBlock.fits_line,
            JudgedBlock.is_links,
            JudgedBlock.is_no_item_of_text,
            JudgedBlock.leads_home,
        ),
    ),
    "beginning": Sign(
        lambda block: leads_away(block.opening),
        (JudgedBlock.fits_box, JudgedBlock.has_some_links, JudgedBlock.is_no_list_of_terms),
    ),
    "style": _BY_STYLE,
}
"""Signs by how the text of a block begins, and where its link leads: to the comments, or to the front page,
which is the way from there to here."""


def _names_of(element: Element) -> list[str]:
    return element.get("class", "").lower().split()


def looks_hidden(element: Element) -> bool:
    """Return True if class or style hide an element, or if it is a box that is not read aloud."""
    if not _HIDING.isdisjoint((*element.get("class", "").split(), *element.keys())):
        return True
    is_unread = element.tag in _BOXES and element.get("aria-hidden") == "true"
    return is_unread or _HIDING_STYLE.search(element.get("style", "")) is not None


def _is_region(element: Element) -> bool:
    return element.get("role") in ("region", "tabpanel")


def _is_labelled(element: Element) -> bool:
    return element.get("aria-labelledby", "") != ""


def _is_named_as_folded(element: Element) -> bool:
    return _FOLDS.search(f"{element.get('class', '')} {element.get('id', '')}"[:300]) is not None


def _is_behind_opener(element: Element) -> bool:
    before = islice(element.itersiblings(preceding=True), 1)
    parts = chain.from_iterable(islice(sibling.iter(), 10) for sibling in before)
    return any(map(_opens_something, parts))


_UNFOLDED_BY: list[Callable[[Element], bool]] = [
    _is_region,
    _is_labelled,
    _is_named_as_folded,
    _is_behind_opener,
]
"""Signs that a click unfolds an element."""


def _opens_something(part: Element) -> bool:
    return not _OPENING.isdisjoint((part.tag, *part.keys()))


def _stands_alone(element: Element) -> bool:
    """Return True if an element meant for a part of a line is a line: neither in a paragraph nor beside
    text."""
    parent, before = next(element.iterancestors(), element), element.getprevious()
    text_before = parent.text if before is None else before.tail
    return parent.tag in _HOLDERS and not "".join(filter(None, (text_before, element.tail))).strip()


def leads_away(beginning: str) -> str | None:
    """Return what a box or a linked line is that begins so; None if that says nothing."""
    text = " ".join(beginning.casefold().split()).lstrip("»>▶►●•+-–—→↳👉*[( ")
    if text.startswith(_TO_OTHER_ARTICLES):
        return RELATED
    return "request to the reader" if text.startswith(_TO_READERS) else None


@lru_cache(maxsize=4_096)
def is_sign_of_others(text: str) -> bool:
    """Return True if a heading says that other articles follow, and nothing else; the blocks of a page begin
    with the same texts again and again."""
    is_short = 0 < len(text) < _MORE_THAN_A_SIGN
    return is_short and " ".join(text.casefold().split()).rstrip(":") in _WORDS["headings"]


def is_label(text: str) -> bool:
    """Return True if a line is nothing but a sign such as "Advertisement"."""
    return " ".join(text.casefold().split()).strip(" :·.-–—[]()") in _WORDS["labels"]
