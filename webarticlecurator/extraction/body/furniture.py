"""What on a page belongs to the site and not to the article: share bars, related articles, newsletter forms, advertisements, comments.

An element's names decide, but only together with its size: a `div.has-comments` around the whole article is no list of comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.bylines import LONGEST_BYLINE, YEAR
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.tag_rules import VOID_MEDIA
from webarticlecurator.labelling.element_names import PagePart, Role, role_of
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import HEADINGS, folded
from webarticlecurator.word_lists import read_word_lists

_WORDS = {name: frozenset(words) for name, words in read_word_lists(__file__, "furniture_words.txt").items()}
_TO_OTHER_ARTICLES, _TO_READERS = (tuple(_WORDS[name]) for name in ("others", "readers"))
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
_TO_COMMENTS = linear(r"#(?:(?:[\w-]*-)?(?:comments?|kommentare?)(?:-\d+)?|disqus_thread|respond)$", re.IGNORECASE)
_TO_HOME = linear_at(r"/|(?:\.\./)+")
_HIDING = frozenset((
    "d-none", "element-invisible", "hidden", "hide", "invisible", "is-hidden", "ng-hide", "offscreen", "u-hidden", "uk-hidden",
    "w-condition-invisible",
))  # fmt: skip
"""Classes of what is hidden."""
_HIDING_STYLE = linear(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
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
        self._more_text_than_links: dict[int, bool] = {}
        """True for lists at least half of whose items are text."""
        most = max((prose[row] for row in marked), default=0)
        self._innermost = max((row for row in marked if prose[row] > 0.6 * most), default=0)
        """The smallest block that says that it is the article and holds most of it."""
        self._named = {row: role for row, role in blocks.roles.items() if role.part not in _KEPT}
        """The rows whose names say that they are none of the article's."""
        self._dialogs = {row for row, element in enumerate(blocks.elements) if element.get("role") == "dialog"}
        lists, openings = blocks.tagged(*_LISTS), blocks.openings
        self._headed = {row for row in lists if is_sign_of_others(openings.get(row, ""))}
        """The boxes that begin with a sign of other articles."""
        site = blocks.tagged(*_SITE_TAGS)
        doubtful = self._dialogs.union(self._named, self._headed, site, filter(self._is_links, lists))
        self._doubtful = {row for row in doubtful if blocks.characters[row]}
        """The rows of which anything says that they are furniture: few, and no others are looked at."""
        # `<html>`, `<body>`, and what stands before it on a broken page
        safe = blocks.above(self._innermost).union(blocks.tagged("body"))
        of_site = blocks.outermost(sorted(self._doubtful - safe), self._reason_on_page)
        self.aside = blocks.flagged(of_site)
        """For each block True if it stands outside the article, by itself or with a block around it."""

    def _reason_on_page(self, row: int) -> str | None:
        return self.reason(row, self._innermost if row in self.blocks.below(self._innermost) else 0)

    def reason(self, row: int, whole: int = 0) -> str | None:
        """Return why a block is no part of the article, which is somewhere in the row `whole`; None if it
        may be one."""
        if row not in self._doubtful:
            return None
        for sign in (self._by_heading, self._by_dialog, self._by_name, self._by_tag, self._by_links):
            why = sign(row, whole)
            if why is not None:
                return why
        return None

    def reason_inside(self, row: int, whole: int) -> str | None:
        """Return why a block inside the article is no part of it; there hidden boxes and the words of lines
        count, too."""
        return self.reason(row, whole) or self._by_words(row) or self._by_style(row, whole)

    def is_beside(self, row: int) -> bool:
        """Return True if names or style of a block, which may have no text, say that it is no part of
        the article."""
        return self._named.get(row, _NO_ROLE).certain or self._is_hidden(self.blocks.rows[row])

    def is_mostly_links(self, row: int) -> bool:
        """Return True if more than half of the text in a row that is no item of a list of text is links."""
        return self.blocks.links[row] > _LINKS_OF_DOUBTFUL * self.blocks.characters[row] and not self._is_among_text(row)

    def is_of_links(self, row: int, why: str) -> bool:
        """Return True if a block is furniture only as it holds links: lists of them, and cards."""
        return why == self.LINKS or (why == RELATED and not self.blocks.roles.get(row, _NO_ROLE).certain)

    # --- the signs, in the order in which they are asked ---

    def _by_heading(self, row: int, _whole: int) -> str | None:
        """Judge by a sign of other articles at the beginning; a longer text has a heading that says so."""
        is_list = row in self._headed and self.blocks.characters[row] <= _LONGEST_HEADED_LIST
        return RELATED if is_list and self._holds_others(row) else None

    def _by_dialog(self, row: int, _whole: int) -> str | None:
        """Judge by whether no reader sees it before a script opens it over the page, however much it holds."""
        element = self.blocks.elements[row]
        names = element.get("class", "").lower().split()
        if row not in self._dialogs and "modal" not in names:
            return None
        is_closed = element.get("aria-hidden") == "true" or "fade" in names
        return str(PagePart.NOTICE) if is_closed and not self._is_opened(element) else None

    def _by_name(self, row: int, whole: int) -> str | None:
        """Judge by its names, which count together with its size."""
        role = self._named.get(row)
        if role is None:
            return None
        if role.part is PagePart.BYLINE:
            holds = self.blocks.characters[row] <= LONGEST_BYLINE
        elif role.certain:
            holds = self._is_small(row, whole, _LARGEST_OF.get(role.part, _LARGEST))
        else:
            holds = self.blocks.links[row] > _LINKS_OF_DOUBTFUL * self.blocks.characters[row]
        return str(role.part) if holds and not self._is_text_whatever_its_name(row, whole, role) else None

    def _by_tag(self, row: int, whole: int) -> str | None:
        tag = "dialog" if row in self._dialogs else self.blocks.tags[row]
        is_source = tag == "footer" and self.blocks.tags[self.blocks.parents[row]] == "blockquote"  # who is quoted
        if tag not in _SITE_TAGS or is_source:
            return None
        # something says that it is the article, and this is neither in it nor around it
        innermost, ends = self._innermost, self.blocks.ends
        is_apart = tag in _APART and (row >= ends[innermost] or ends[row] <= innermost)
        return f"<{tag}>" if is_apart or self._is_small(row, whole) else None

    def _by_links(self, row: int, whole: int) -> str | None:
        return self.LINKS if self.blocks.tags[row] in _LISTS and self._is_list_of_links(row, whole) else None

    def _by_style(self, row: int, whole: int) -> str | None:
        blocks = self.blocks
        may_hide = blocks.characters[row] and blocks.tags[row] not in _UNNAMED
        return str(PagePart.HIDDEN) if may_hide and self._is_hidden(blocks.rows[row]) and self._is_small(row, whole) else None

    def _by_words(self, row: int) -> str | None:
        """Judge by how its text begins, and where its link leads."""
        characters, links = self.blocks.characters[row], self.blocks.links[row]
        if not 0 < characters <= (_LONGEST_LINKED_BOX if links else _LONGEST_LABEL):
            return None
        opening = self.blocks.openings[row]
        if not links:
            return "label" if characters == len(opening.strip()) and is_label(opening) else None
        return self._by_link(row) or (leads_away(opening) if links > _LINKS_OF_LINE * characters else None)

    def _by_link(self, row: int) -> str | None:
        """Judge a line that is a link to the comments, or to the front page: the way from there to here."""
        blocks, element = self.blocks, self.blocks.elements[row]
        if blocks.characters[row] > _LONGEST_LINKED_LINE or not self.is_mostly_links(row):
            return None
        href = next(element.iter("a"), element).get("href", "")
        if blocks.characters[row] <= _LONGEST_LABEL and _TO_COMMENTS.search(href):
            return str(PagePart.COMMENTS)
        return str(PagePart.NAVIGATION) if self._is_links(row) and _TO_HOME.fullmatch(href) else None

    # --- what the signs look at ---

    def _holds_others(self, row: int) -> bool:
        """Return True if the sign of other articles with which it begins is its heading, and it holds a
        linked one behind it."""
        blocks = self.blocks
        headings = [inner for inner in blocks.below(row) if blocks.tags[inner] in HEADINGS and blocks.characters[inner]]
        return any(map(self._is_links, headings[1:])) and not blocks.links[headings[0]]

    def _is_list_of_links(self, row: int, whole: int) -> bool:
        is_long = self.blocks.characters[row] > _SHORTEST_LIST
        return is_long and self._is_links(row) and self._is_small(row, whole) and not self._is_among_text(row)

    def _is_small(self, row: int, whole: int, largest: float = _LARGEST) -> bool:
        return self.prose[row] < largest * self.prose[whole]

    def _is_links(self, row: int) -> bool:
        return self.blocks.links[row] > _LINKS_OF_LIST * self.blocks.characters[row]

    def _is_among_text(self, row: int) -> bool:
        """Return True for an item of a list of which at least half is text: there a link is an item like the
        others."""
        blocks, parent = self.blocks, self.blocks.parents[row]
        if blocks.tags[row] != "li":
            return False
        if parent not in self._more_text_than_links:
            items = [item for item in blocks.inside(parent) if blocks.tags[item] == "li"]
            self._more_text_than_links[parent] = 2 * sum(map(self._is_links, items)) <= len(items)
        return self._more_text_than_links[parent]

    # --- text, whatever its name is ---

    def _is_text_whatever_its_name(self, row: int, whole: int, role: Role) -> bool:
        if role.part in _LINES_BY_NAME:
            return False  # a heading may be one, too
        if self._is_opened_notice(row, whole, role) or self._is_running_text(row, role):
            return True
        if self.blocks.tags[row] in HEADINGS:
            return self._is_heading_of_text(row, whole)
        return self._is_named_by_its_words(row)

    def _is_opened_notice(self, row: int, whole: int, role: Role) -> bool:
        """Return True if a click in the text shows it."""
        element = self.blocks.elements[row]
        boxes = (element, *islice(element.iterancestors(), 4))  # `modal`, `modal-dialog`, `modal-content`, `modal-body`
        return role.part is PagePart.NOTICE and whole > 0 and any(map(self._is_opened, boxes))

    def _is_running_text(self, row: int, role: Role) -> bool:
        """Return True for running text where a name allows none, and where names say how something looks."""
        characters = self.blocks.characters[row]
        has_few_links = self.blocks.links[row] <= _LINKS_IN_RUNNING_TEXT.get(role.part, -1) * characters
        return self.blocks.tags[row] in _UNNAMED or (has_few_links and self.prose[row] > max(characters / 2, _RUNNING_TEXT))

    def _is_heading_of_text(self, row: int, whole: int) -> bool:
        behind = next(self.blocks.behind(row), None)
        is_before_text = behind is not None and self.blocks.tags[behind] in _TEXT and self.reason(behind, whole) is None
        return is_before_text and self.blocks.links[row] <= _LINKS_OF_DOUBTFUL * self.blocks.characters[row]

    def _is_named_by_its_words(self, row: int) -> bool:
        """Return True for a section whose id is made of its first words, perhaps behind a letter: `h-related-costs`.

        Wikis and makers of static sites do that.
        """
        element = self.blocks.elements[row]
        if self.prose[row] <= self.blocks.links[row] or role_of(element.get("class"), None) is not None:
            return False
        opening = self.blocks.text(row).lstrip()[:_RUNNING_TEXT]
        letters, words = folded(opening), list(map(folded, linear(r"[^\W_]+").findall(element.get("id", ""))))
        is_name = sum(len(word) > 1 for word in words) > 1
        is_slug = "".join(words[:4]) in letters or "".join(words[1:5]) in letters
        return is_name and is_slug and leads_away(opening) is None

    # --- what readers do not see ---

    def _is_hidden(self, row: int) -> bool:
        """Return True if class or style hide a row of the outline, and no click unfolds it."""
        element, names = self.blocks.outline.elements[row], self.blocks.outline.attribute("class")[row]
        is_named_so = names is not None and not _HIDING.isdisjoint(names.split())
        is_not_aloud = element.tag in _BOXES and element.get("aria-hidden") == "true"
        is_hidden = is_named_so or is_not_aloud or _HIDING_STYLE.search(element.get("style", "")) is not None
        return is_hidden and not self._unfolds(element)

    def _unfolds(self, element: Element) -> bool:
        names = f"{element.get('class', '')} {element.get('id', '')}"
        if element.get("role") in ("region", "tabpanel") or element.get("aria-labelledby") or _FOLDS.search(names[:300]):
            return True
        before = islice(element.itersiblings(preceding=True), 1)
        parts = chain.from_iterable(islice(sibling.iter(), 10) for sibling in before)
        return self._is_opened(element) or any(map(_opens_something, parts))

    def _is_opened(self, element: Element) -> bool:
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
                yield blocks.elements[row], "figure" if blocks.inner(row, *VOID_MEDIA, "picture") else "caption"

    def lines(self, root: int) -> Iterator[tuple[Element, PagePart]]:
        """Yield captions, bylines, and what is hidden, that stand by themselves in elements meant for parts
        of a line."""
        outline = self.blocks.outline
        classes = outline.attribute("class")
        for row in outline.rows_in(self.blocks.rows[root], *_INLINES):
            if classes[row] is not None or outline.elements[row].get("style") is not None:
                part = self._part_of_line(row, classes[row])
            else:
                is_day = outline.tags[row] == "time" and YEAR.search(outline.text(row)) is not None
                part = PagePart.BYLINE if is_day else None
            if part is not None and _stands_alone(outline.elements[row]):
                yield outline.elements[row], part

    def _part_of_line(self, row: int, names: str | None) -> PagePart | None:
        if self._is_hidden(row):
            return PagePart.HIDDEN
        role = role_of(names, None)
        if role is None or role.part not in _LINES:
            return None
        return role.part if self.blocks.outline.short_text(row, LONGEST_BYLINE) is not None else None


_NO_ROLE = Role(PagePart.BODY, False)
_LINES_BY_NAME = frozenset((PagePart.BYLINE, PagePart.HIDDEN))
"""Parts of a page that are no text, however little they look like such a part."""


def _opens_something(part: Element) -> bool:
    return part.tag in ("button", "summary") or "aria-expanded" in part.attrib


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


def is_sign_of_others(text: str) -> bool:
    """Return True if a heading says that other articles follow, and nothing else."""
    return 0 < len(text) <= 80 and " ".join(text.casefold().split()).rstrip(":") in _WORDS["headings"]


def is_label(text: str) -> bool:
    """Return True if a line is nothing but a sign such as "Advertisement"."""
    return " ".join(text.casefold().split()).strip(" :·.-–—[]()") in _WORDS["labels"]
