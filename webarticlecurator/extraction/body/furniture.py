"""What on a page belongs to the site and not to the article: share bars, related articles, newsletter forms, advertisements, comments.

An element's names decide, but only together with its size: a `div.has-comments` around the whole article is no list of comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.tag_rules import VOID_MEDIA
from webarticlecurator.labelling.element_names import PagePart, Role, role_of
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import HEADINGS, folded, short_text
from webarticlecurator.word_lists import read_word_lists

_WORDS = {name: frozenset(words) for name, words in read_word_lists(__file__, "furniture_words.txt").items()}
_TO_OTHER_ARTICLES, _TO_READERS = (tuple(_WORDS[name]) for name in ("others", "readers"))
RELATED = str(PagePart.RELATED)
LONGEST_BYLINE = 200

_KEPT = frozenset((PagePart.BODY, PagePart.LEAD, PagePart.CAPTION, PagePart.POST))
_LARGEST, _LARGEST_COMMENTS = 0.5, 0.9
"""Share of the running text that an element may hold and still be furniture: comments are often longer than what they comment on."""
_SITE_TAGS = frozenset(("aside", "button", "dialog", "footer", "nav", "select", "svg"))
_APART = ("dialog", "footer")
"""No article is in these, where something else says that it is one."""
_LISTS = frozenset(("article", "div", "li", "ol", "section", "table", "ul"))
_TEXT = frozenset(("blockquote", "ol", "p", "pre", "table", "ul"))
"""What an article's text is written in, beside headings."""
_UNNAMED = frozenset(("pre", "th", "tr"))
"""What code, a row or a cell of a heading is called says how it looks."""
_MADE_OF_LINKS = frozenset((PagePart.RELATED, PagePart.SHARE, PagePart.ADVERTISEMENT))
"""Parts that are made of links or buttons: running text without a link is something else."""
_HOLDERS = frozenset(("article", "aside", "div", "figure", "header", "main", "section"))
_LINES = frozenset((PagePart.BYLINE, PagePart.CAPTION, PagePart.HIDDEN, PagePart.SHARE))
_NO_CAPTIONS = {*HEADINGS, "article", "caption", "li", "ol", "pre", "td", "th", "tr", "ul"}
_RUNNING_TEXT = 100
"""Characters that no row of buttons has."""
_LINKS_OF_DOUBTFUL, _LINKS_OF_LIST, _LINKS_OF_LINE = 0.5, 0.7, 0.2
"""Shares of a text that are links."""


class Furniture:
    """Judges the blocks of a page by their names and by what they hold of it."""

    LINKS = "nothing but links"

    def __init__(self, blocks: PageBlocks, prose: list[float], marked: Sequence[int]) -> None:
        """`prose` says how much running text each row and all below it hold; `marked` are the rows that say that they are the article."""
        self.blocks = blocks
        self.prose = prose
        self._more_text_than_links: dict[int, bool] = {}
        """Of lists, whether at least half of their items are text."""
        most = max((prose[row] for row in marked), default=0)
        self._innermost = max((row for row in marked if prose[row] > 0.6 * most), default=0)
        """The smallest block that says that it is the article and holds most of it."""
        rows = zip(blocks.tags, blocks.roles, blocks.characters, blocks.links, blocks.elements, strict=True)
        self._doubtful = {
            row
            for row, (tag, role, characters, links, element) in enumerate(rows)
            if characters
            and (
                (role is not None and role.part not in _KEPT)
                or tag in _SITE_TAGS
                or (tag in _LISTS and (links > _LINKS_OF_LIST * characters or is_sign_of_others(blocks.openings[row])))
                or element.get("role") == "dialog"
            )
        }
        """The rows of which anything says that they are furniture: few, and no others are looked at."""
        self.aside = [False] * len(blocks)
        """For each block whether it stands outside the article, by itself or with a block around it."""
        # `<html>`, `<body>`, and what stands before it on a broken page
        safe = blocks.above(self._innermost) | {row for row, tag in enumerate(blocks.tags[:3]) if tag == "body"}
        marked_rows, behind = blocks.below(self._innermost), 0
        for row in sorted(self._doubtful):
            whole = self._innermost if row in marked_rows else 0
            if row >= behind and row not in safe and self.reason(row, whole) is not None:
                behind = blocks.ends[row]
                self.aside[row:behind] = [True] * (behind - row)

    def reason(self, row: int, whole: int = 0) -> str | None:
        """Why a block is no part of the article, which is somewhere in the row `whole`; None if it may be one."""
        if row not in self._doubtful:
            return None
        characters, role, is_list = self.blocks.characters[row], self.blocks.roles[row], self.blocks.tags[row] in _LISTS
        # a longer text has a heading that says so
        if is_list and characters <= 5_000 and is_sign_of_others(self.blocks.openings[row]) and self._holds_others(row):
            return RELATED
        if self._is_closed_dialog(row):
            return str(PagePart.NOTICE)
        why = self._by_name(row, whole, role) if role is not None and role.part not in _KEPT else None
        return why or self._by_tag(row, whole) or (self.LINKS if is_list and self._is_list_of_links(row, whole) else None)

    def reason_inside(self, row: int, whole: int) -> str | None:
        """The same for what is inside the article, where hidden boxes and the words of lines count, too."""
        return self.reason(row, whole) or self._by_words(row) or self._by_style(row, whole)

    def is_beside(self, row: int) -> bool:
        """Whether names, tag or style of a block, which may have no text, say that it is no part of the article."""
        role = self.blocks.roles[row]
        named = role is not None and role.certain and role.part not in _KEPT
        return named or self.blocks.tags[row] in _SITE_TAGS or self._is_hidden(self.blocks.rows[row])

    def is_mostly_links(self, row: int) -> bool:
        """Whether more than half of the text in a row that is no item of a list of text is links."""
        return self.blocks.links[row] > _LINKS_OF_DOUBTFUL * self.blocks.characters[row] and not self._is_among_text(row)

    def is_of_links(self, row: int, why: str) -> bool:
        """Whether a block is furniture only as it holds links: lists of them, and cards."""
        role = self.blocks.roles[row]
        return why == self.LINKS or (why == RELATED and (role is None or not role.certain))

    def _holds_others(self, row: int) -> bool:
        """Whether what begins with a sign of other articles has that as its heading, and holds a linked one behind it."""
        blocks = self.blocks
        headings = [inner for inner in blocks.below(row) if blocks.tags[inner] in HEADINGS and blocks.characters[inner]]
        return bool(headings) and not blocks.links[headings[0]] and any(map(self._is_links, headings[1:]))

    def _by_name(self, row: int, whole: int, role: Role) -> str | None:
        if role.part is PagePart.BYLINE:
            holds = self.blocks.characters[row] <= LONGEST_BYLINE
        elif role.certain:
            holds = self._is_small(row, whole, _LARGEST_COMMENTS if role.part is PagePart.COMMENTS else _LARGEST)
        else:
            holds = self.blocks.links[row] > _LINKS_OF_DOUBTFUL * self.blocks.characters[row]
        return str(role.part) if holds and not self._is_text_whatever_its_name(row, whole, role) else None

    def _by_tag(self, row: int, whole: int) -> str | None:
        tag = "dialog" if self.blocks.elements[row].get("role") == "dialog" else self.blocks.tags[row]
        if tag not in _SITE_TAGS:
            return None
        if tag == "footer" and self.blocks.tags[self.blocks.parents[row]] == "blockquote":
            return None  # who is quoted
        # something says that it is the article, and this is neither in it nor around it
        innermost, ends = self._innermost, self.blocks.ends
        is_apart = tag in _APART and innermost > 0 and (row >= ends[innermost] or ends[row] <= innermost)
        return f"<{tag}>" if is_apart or self._is_small(row, whole) else None

    def _is_closed_dialog(self, row: int) -> bool:
        """Whether no reader sees it before a script opens it over the page, however much it holds."""
        element = self.blocks.elements[row]
        names = frozenset((element.get("class") or "").lower().split())
        if "modal" not in names and element.get("role") != "dialog":
            return False
        is_closed = element.get("aria-hidden") == "true" or ("fade" in names and names.isdisjoint(("in", "show")))
        return is_closed and not self._is_opened(element)

    def _is_list_of_links(self, row: int, whole: int) -> bool:
        is_long = self.blocks.characters[row] > 30
        return is_long and self._is_links(row) and self._is_small(row, whole) and not self._is_among_text(row)

    def _by_style(self, row: int, whole: int) -> str | None:
        blocks = self.blocks
        may_hide = blocks.characters[row] and blocks.tags[row] not in _UNNAMED
        return str(PagePart.HIDDEN) if may_hide and self._is_hidden(blocks.rows[row]) and self._is_small(row, whole) else None

    def _by_words(self, row: int) -> str | None:
        """By how its text begins."""
        characters, links = self.blocks.characters[row], self.blocks.links[row]
        if not 0 < characters <= (600 if links else 45):
            return None
        opening = self.blocks.openings[row]
        if not links:
            return "label" if characters == len(opening.strip()) and is_label(opening) else None
        link = next(self.blocks.elements[row].iter("a"), None) if characters <= 100 and self.is_mostly_links(row) else None
        if link is not None and characters <= 45 and _TO_COMMENTS.search(link.get("href") or ""):
            return str(PagePart.COMMENTS)
        if link is not None and self._is_links(row) and _TO_HOME.fullmatch(link.get("href") or ""):
            return str(PagePart.NAVIGATION)  # the way from there to here
        return leads_away(opening) if links > _LINKS_OF_LINE * characters else None

    def _is_small(self, row: int, whole: int, largest: float = _LARGEST) -> bool:
        return self.prose[row] < largest * self.prose[whole]

    def _is_links(self, row: int) -> bool:
        return self.blocks.links[row] > _LINKS_OF_LIST * self.blocks.characters[row]

    def _is_among_text(self, row: int) -> bool:
        """Whether it is an item of a list of which at least half is text: there a link is an item like the others."""
        blocks, parent = self.blocks, self.blocks.parents[row]
        if blocks.tags[row] != "li":
            return False
        if parent not in self._more_text_than_links:
            items = [item for item in blocks.inside(parent) if blocks.tags[item] == "li" and blocks.characters[item]]
            self._more_text_than_links[parent] = 2 * sum(map(self._is_links, items)) <= len(items)
        return self._more_text_than_links[parent]

    def _is_text_whatever_its_name(self, row: int, whole: int, role: Role) -> bool:
        """A heading in front of text; a section whose id is made of its own words; running text where a name allows none."""
        blocks, tag, element = self.blocks, self.blocks.tags[row], self.blocks.elements[row]
        prose, links, characters = self.prose[row], blocks.links[row], blocks.characters[row]
        if role.part in (PagePart.BYLINE, PagePart.HIDDEN):
            return False  # a heading may be one, too
        boxes = (element, *islice(element.iterancestors(), 4))  # `modal`, `modal-dialog`, `modal-content`, `modal-body`
        if role.part is PagePart.NOTICE and whole and any(map(self._is_opened, boxes)):
            return True  # a click in the text shows it
        runs = prose > max(characters / 2, _RUNNING_TEXT)
        if tag in _UNNAMED or (runs and role.part in _MADE_OF_LINKS and (role.part is PagePart.SHARE or not links)):
            return True
        if tag in HEADINGS:
            behind = next(blocks.behind(row), None)
            is_before_text = behind is not None and blocks.tags[behind] in _TEXT and self.reason(behind, whole) is None
            return is_before_text and links <= _LINKS_OF_DOUBTFUL * characters
        if prose <= links or (id := element.get("id")) is None or role_of(element.get("class"), None) is not None:
            return False
        # wikis and makers of static sites make ids of the first words of a text, perhaps behind a letter: `h-related-costs`
        opening = blocks.text(row).lstrip()[:_RUNNING_TEXT]
        words, letters = list(filter(None, map(folded, linear(r"[\W_]+").split(id)))), folded(opening)
        is_slug = sum(len(word) > 1 for word in words) > 1 and any("".join(words[begin : begin + 4]) in letters for begin in (0, 1))
        return is_slug and leads_away(opening) is None

    def _is_hidden(self, row: int) -> bool:
        """Whether class or style hide a row of the outline, and no click unfolds it."""
        element, names = self.blocks.outline.elements[row], self.blocks.outline.attribute("class")[row]
        is_not_aloud = element.get("aria-hidden") == "true" and element.tag in _BOXES
        if not is_not_aloud and (names is None or _HIDING.isdisjoint(names.split())):
            style = element.get("style")
            style = "".join(style.lower().split()) if style else ""
            if "display:none" not in style and "visibility:hidden" not in style:
                return False
        return not self._unfolds(element)

    def _unfolds(self, element: Element) -> bool:
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if element.get("role") in ("region", "tabpanel") or element.get("aria-labelledby") or _FOLDS.search(names[:300]):
            return True
        before = element.getprevious()
        parts = () if before is None else islice(before.iter(), 10)
        return self._is_opened(element) or any(part.tag in ("button", "summary") or "aria-expanded" in part.attrib for part in parts)

    def _is_opened(self, element: Element) -> bool:
        """Whether something on the page opens it by its id."""
        return element.get("id") in self._opened

    @cached_property
    def _opened(self) -> set[str]:
        """The ids of what something on the page opens."""
        ids: set[str] = set()
        outline = self.blocks.outline
        for row in outline.rows("a", "button", "div", "summary", "span", "label", "li", "h2", "h3", "h4"):
            for attribute in ("aria-controls", "data-bs-target", "data-target", "data-toggle-target", "href"):
                value = outline.elements[row].get(attribute)
                if value and (attribute != "href" or value.startswith("#")):
                    ids.update(value.replace("#", " ").split())
        return ids

    def captions(self) -> Iterator[tuple[Element, str]]:
        """What is a caption by its name, short and without more than text; with the picture in it, it is a figure."""
        blocks, outline = self.blocks, self.blocks.outline
        for row in blocks.by_part[PagePart.CAPTION]:
            outlined = blocks.rows[row]
            is_more = blocks.tags[row] in _NO_CAPTIONS or outline.rows_in(outlined, *HEADINGS, "table", "ul", "ol")
            if 0 < blocks.characters[row] <= 800 and not is_more:
                yield blocks.elements[row], "figure" if outline.rows_in(outlined, *VOID_MEDIA, "picture") else "caption"

    def lines(self, root: int) -> Iterator[tuple[Element, PagePart]]:
        """Captions, bylines, and what is hidden, that stand by themselves in elements meant for parts of a line."""
        outline = self.blocks.outline
        classes = outline.attribute("class")
        for row in outline.rows_in(self.blocks.rows[root], "a", "em", "i", "small", "span", "strong", "time"):
            if classes[row] is None and outline.elements[row].get("style") is None:
                if outline.tags[row] == "time" and _YEAR.search(outline.text(row)) and _stands_alone(outline.elements[row]):
                    yield outline.elements[row], PagePart.BYLINE
                continue
            role = role_of(names, None) if (names := classes[row]) else None
            is_line = role is not None and role.part in _LINES and outline.short_text(row, LONGEST_BYLINE) is not None
            part = PagePart.HIDDEN if self._is_hidden(row) else role.part if role is not None and is_line else None
            if part is not None and _stands_alone(outline.elements[row]):
                yield outline.elements[row], part


def _stands_alone(element: Element) -> bool:
    """Whether an element meant for a part of a line is a line: neither in a paragraph nor beside text."""
    parent, before = element.getparent(), element.getprevious()
    beside = parent.text if before is None and parent is not None else before.tail if before is not None else None
    return parent is not None and parent.tag in _HOLDERS and not (beside or "").strip() and not (element.tail or "").strip()


def leads_away(beginning: str) -> str | None:
    """What a box or a linked line is that begins so; None if that says nothing."""
    text = " ".join(beginning.casefold().split()).lstrip("»>▶►●•+-–—→↳👉*[( ")
    if text.startswith(_TO_OTHER_ARTICLES):
        return RELATED
    return "request to the reader" if text.startswith(_TO_READERS) else None


def is_sign_of_others(text: str) -> bool:
    """Whether a heading says that other articles follow, and nothing else."""
    return len(text) <= 80 and " ".join(text.casefold().split()).rstrip(":") in _WORDS["headings"]


def is_label(text: str) -> bool:
    """Whether a line is nothing but a sign such as "Advertisement"."""
    return " ".join(text.casefold().split()).strip(" :·.-–—[]()") in _WORDS["labels"]


_TO_COMMENTS = linear(r"#(?:(?:[\w-]*-)?(?:comments?|kommentare?)(?:-\d+)?|disqus_thread|respond)$", re.IGNORECASE)
_TO_HOME = linear_at(r"/|(?:\.\./)+")
_MOST_OTHER_WORDS = 6
"""Words in small letters that stand in a byline beside name and date: `Posted on April 4 by ... in ...`."""
_WORD = linear(r"[^\W_]+")
_SENTENCE_END = linear(r"""[?!…？！]["'”’»“]?$|\b[^\W\d_]{3,}\.["'”’»“]?$""")
_YEAR = linear(r"(?:19|20)\d\d|(?![0-9])\d{4}")
"""In the digits of any script."""


def is_byline(element: Element, authors: Sequence[str], dates: Sequence[str]) -> bool:
    """Whether a line holds an author's name or a day, and hardly another word; a sentence is none. `dates`: as the page writes those of
    the article; others count where they are marked as times."""
    if element.tag in {*HEADINGS, "li", "td", "th", "tr"}:
        return False
    text = short_text(element, LONGEST_BYLINE) or ""
    end = _SENTENCE_END.search(text)
    if end is not None and end[0] == end[0].lower():
        return False
    words, names = _WORD.findall(text), [" ".join(_WORD.findall(author.casefold())) for author in authors]
    said = f" {' '.join(words).casefold()} "
    name = next((name for name in names if name and f" {name} " in said), "")
    days = [*(day for day in dates if day in text), *(short_text(time, LONGEST_BYLINE) or "" for time in element.iter("time"))]
    expected = {*name.split(), *_WORD.findall(" ".join(days))}
    is_dated = bool(days) and _YEAR.search(text) is not None
    return bool(name or is_dated) and sum(word.islower() and word not in expected for word in words) <= _MOST_OTHER_WORDS


_HIDING = frozenset((
    "d-none", "element-invisible", "hidden", "hide", "invisible", "is-hidden", "ng-hide", "offscreen", "u-hidden", "uk-hidden",
    "w-condition-invisible",
))  # fmt: skip
_BOXES = frozenset(("aside", "div", "ol", "section", "ul"))
"""Text in these is meant where they are hidden from programs that read aloud; a picture, its caption or a mark is with any other."""
_FOLDS = linear(
    r"accordion|answer|collaps|details|drop-?down|expan|faq|fold|panel|read-?more|show-?more|slid|tab(?:s|$|[-_])|toggle|truncat",
    re.IGNORECASE,
)
