"""The visible parts of a page: its headline, what stands close to that, and what is of others,
by classes and links."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, compress, filterfalse, islice
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.alike import by_make
from webarticlecurator.extraction.body.tag_rules import marks_in
from webarticlecurator.extraction.metadata.sources import Clue, has_no_case
from webarticlecurator.labelling.element_names import ClassHint, LinkKind, hints_of, link_kind, link_target
from webarticlecurator.model.page import LINE, Outline, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import SAMPLES, folded, label_of, text_behind, text_inside
from webarticlecurator.urls import join

LONGEST_NAME = 60
"""Characters of the text of an element that is a name."""
LONGEST_TAG = 60
"""Characters of the text of an element that is a topic or a section."""
LONGEST_LABEL = 60
"""Characters of what stands before a value and says what it is."""
_MOST_HEADINGS = 100
_LONGEST_HEADING = 300
_LEAST_IN_TITLE = 8
"""Folded characters of a heading that a title holds not by chance."""
_LEAST_AROUND_TITLE = 12
"""Folded characters of a title that a heading holds not by chance."""
_OUTSIDE_TAGS = frozenset({"nav", "form", "noscript", "script", "style", "template", "blockquote", *SAMPLES})
"""Tags of what is not the article's, unless the headline stands in it; what is quoted is another's."""
_OF_NO_CONTENT = frozenset({"meta", "link", "title", "script"})
"""Elements whose classes say nothing of what a reader sees."""
_NEAR_BEHIND = 800
"""Characters between the headline and what stands close behind it, so that a lead and a caption may lie
between."""
_NEAR_BEFORE = 300
"""Characters between the headline and what stands close before it."""
_MOST_NEAR = 300
_FEW_AROUND = 3
"""Elements around one that are close to it."""
_MOST_INSIDE = 40
_OF_PEOPLE = (LinkKind.AUTHOR, LinkKind.PERSON, "rel-author")
"""Links in the headings of boxes about who wrote the article."""
_HOME = linear_at(r"(?:(?:https?://[^/]+)?/?|(?:\.\./)+)(?:index\.\w+)?")
_WORD = linear(r"[^\W\d_]{4}")
"""Letters with which a sentence goes on."""


class Heading(NamedTuple):
    """One heading of a page."""

    row: int
    """In the outline."""
    text: str

    @property
    def key(self) -> str:
        """The text, folded."""
        return folded(self.text)


_NO_HEADING = Heading(-1, "")
"""Stands for the headline where there is none."""


class VisibleParts:
    """The parts of a page that its readers see, by rows of the outline."""

    def __init__(self, outline: Outline, url: str) -> None:
        self.outline = outline
        self._own = (url, f"/{url.partition('://')[2].partition('/')[2]}")
        """Addresses by which a page links to itself."""
        self.language: str | None = None
        samples = (range(row, outline.ends[row]) for row in outline.rows(*SAMPLES))
        self.samples = frozenset(chain.from_iterable(samples))
        """Samples of code, and all that stands in them: they say nothing of the page."""
        headings = by_make(self._headings(outline.rows("h1")), self._leads_home)
        self.site_names = headings.get(True, [])
        self.first_level = list(filterfalse(self._is_on_way_here, headings.get(False, [])))
        self.headline = _NO_HEADING
        self.begin = 0
        """The place of the first string of the headline."""
        self.is_part_of_title = False
        """True if the titles of the page repeat the headline beside as much else."""
        self.around: frozenset[int] = frozenset()
        """Rows of the elements around the headline."""
        self._own_article = False
        """True if the headline stands in an `article`, so that others are of others."""
        self._outside = dict.fromkeys(outline.rows("body", "main"), False)
        """Elements of which it is known whether they are others'."""

    # --- the headline ---

    def find_headline(self, titles: Iterable[str], outlets: Container[str]) -> None:
        """Find the heading that the titles of the page repeat most of, one of the first level before others;
        else the first of these."""
        keys = list(filter(None, map(folded, titles)))
        best = self._repeated(self.first_level, keys, outlets)
        longest = max(map(len, keys), default=0)
        if 2 * len(best.key) <= longest:
            other = self._repeated(self._other_headings(), keys, outlets)
            best = other if _says_more(other.key, best.key) else best
            self.is_part_of_title = best is not _NO_HEADING
        self.headline = best if best.text else next(iter(self.first_level), _NO_HEADING)
        if self.headline.text:
            self.begin = self.outline.strings_in(self.headline.row).start
            self.around = frozenset(self.outline.around(self.headline.row))
            self._outside.update(dict.fromkeys(self.around, False))
            self._own_article = "article" in self.tags_around(self.headline.row)

    def _other_headings(self) -> list[Heading]:
        """Return what may be the headline beside the headings of the first level."""
        called = self.hinted[ClassHint.HEADING][:_MOST_HEADINGS]
        return self._headings(sorted({*self.outline.rows("h2", "h3")[:_MOST_HEADINGS], *called}))

    def _headings(self, rows: Sequence[int]) -> list[Heading]:
        """Return the headings of a text that is not too long."""
        headings = (Heading(row, self._heading_text(row)) for row in rows[: 2 * _MOST_HEADINGS])
        return [heading for heading in headings if heading.text]

    def _heading_text(self, row: int) -> str:
        """Return the text of a heading, without the marks that lead to the heading itself."""
        heading = self.outline.elements[row]
        return label_of(heading, _LONGEST_HEADING, frozenset(_unread_in(heading)))

    def _repeated(
        self,
        headings: Iterable[Heading],
        titles: Sequence[str],
        outlets: Container[str],
    ) -> Heading:
        """Return the longest heading that a title repeats, or that holds one; one without text where there is
        none.

        One outside of menus goes before others, and then one that a title begins with.
        """

        def rank(heading: Heading) -> tuple[bool, bool, int]:
            is_outside = "nav" not in self.tags_around(heading.row)
            return is_outside, any(title.startswith(heading.key) for title in titles), len(heading.key)

        repeated = [heading for heading in headings if _is_in_titles(heading.key, titles)]
        own = [heading for heading in repeated if heading.key not in outlets]
        return max(own, key=rank, default=_NO_HEADING)

    def _leads_home(self, heading: Heading) -> bool:
        """Return True for a heading that links to the front page, and so is the site's name."""
        above = self.outline.parents[heading.row]
        links = [above] if self.outline.tags[above] == "a" else self.outline.rows_in(heading.row, "a")[:1]
        return any(map(self._is_home, links))

    def _is_on_way_here(self, heading: Heading) -> bool:
        """Return True for a heading in a list whose first link leads to the front page: it is the last step
        of the way to the page, in as few words as go there."""
        item = self.outline.parents[heading.row]
        first = self.outline.rows_in(self.outline.parents[item], "a")[:1]
        return self.outline.tags[item] == "li" and any(map(self._is_home, first))

    def _is_home(self, link: int) -> bool:
        """Return True for a link to the front page; one of a site in a folder says so itself."""
        is_called_so = "home" in relations(self.outline.elements[link])
        return is_called_so or _HOME.fullmatch(self.href(link)) is not None

    # --- elements by their classes, links by their addresses ---

    @cached_property
    def hinted(self) -> dict[ClassHint, list[int]]:
        """The elements whose classes say what they hold."""
        written = self.outline.attribute("class")
        telling: dict[str | None, frozenset[ClassHint]]
        telling = {names: hints_of(names) for names in {*filter(None, written)} if hints_of(names)}
        hinted = defaultdict[ClassHint, list[int]](list)
        for row in compress(range(len(written)), map(telling.__contains__, written)):
            if self.outline.tags[row] not in _OF_NO_CONTENT and row not in self.samples:
                for hint in telling[written[row]]:
                    hinted[hint].append(row)
        return hinted

    def classes(self, row: int) -> frozenset[ClassHint]:
        """Return what the classes of an element say."""
        return hints_of(self.outline.elements[row].get("class", ""))

    @cached_property
    def linked(self) -> dict[str | LinkKind | None, list[int]]:
        """The links of the page, by what their rel or their address says."""
        linked = defaultdict[str | LinkKind | None, list[int]](list)
        for row in self.outline.rows("a"):
            linked[self.kind_of(row)].append(row)
        return linked

    @cached_property
    def sections_linked(self) -> frozenset[str]:
        """The names of the sections that the page links to, folded."""
        links = (*self.linked[LinkKind.SECTION], *self.linked["rel-category"])
        return frozenset(folded(self.text(row, LONGEST_TAG)) for row in links)

    def kind_of(self, row: int) -> str | LinkKind | None:
        """Return what the rel or the address of a link says; of one that has both, the rel counts."""
        href = self.href(row)
        if href in self._own:  # its words are the headline, whatever its address is like
            return "own"
        kind, rels = link_kind(href), relations(self.outline.elements[row])
        if "category" in rels:
            return "rel-category"
        if "tag" in rels:
            return "rel-category" if self._is_section_called_tag(row, kind) else "rel-tag"
        return "rel-author" if "author" in rels else kind

    def _is_section_called_tag(self, row: int, kind: LinkKind | None) -> bool:
        """Return True for a link whose rel is `tag`, but whose address or place is that of a section."""
        if kind in (LinkKind.SECTION, LinkKind.TOPIC):
            return kind is LinkKind.SECTION
        return any(ClassHint.SECTION in self.classes(outer) for outer in islice(self.outline.around(row), 2))

    def link_around(self, row: int) -> int | None:
        """Return the link that an element is, or stands in."""
        near = islice(chain((row,), self.outline.around(row)), 3)
        return next((above for above in near if self.outline.tags[above] == "a"), None)

    def leads_to_its_words(self, row: int) -> bool:
        """Return True if the address is made of the words of the link, as that of a person's page is:
        /author/ann-lee, /@ann."""
        last = folded(link_target(self.href(row)))
        keys = map(folded, self.text(row, LONGEST_NAME).split())
        return any(len(key) > 2 and key in last for key in keys)

    def leads_above(self, row: int) -> str:
        """Return the last part of the address of a link, where that of the page goes on from it, "/" where it
        is the front page; else empty."""
        url, path = self._own
        folder = self._joined(self.href(row)).removeprefix(url.removesuffix(path)).rstrip("/")
        if not path.rstrip("/").startswith(f"{folder}/"):
            return ""
        return folder.rpartition("/")[2] or "/"

    def lies_in(self, folder: str) -> bool:
        """Return True if the page lies in a folder, written as links of the page write it."""
        return f"{self._own[0]}/".startswith(self._joined(f"{folder}/"))

    def _joined(self, address: str) -> str:
        """Return the whole address of one that is written on the page; empty where it is none."""
        return join(self._own[0], address) or ""

    def leads_to_list(self, row: int) -> bool:
        """Return True if an element stands in a link to a section or a topic, whose name may be a word of
        bylines, as "Haber" is in Turkish."""
        link = self.link_around(row)
        return link is not None and link_kind(self.href(link)) in (LinkKind.SECTION, LinkKind.TOPIC)

    # --- texts ---

    def href(self, row: int) -> str:
        """Return the address of a link, as it stands there; empty where it has none."""
        return self.outline.elements[row].get("href", "")

    def text(self, row: int, longest: int) -> str:
        """Return the text of an element; empty where it is longer."""
        return self.outline.label(row, longest)

    def label_before(self, row: int) -> str:
        """Return the text right before an element."""
        before = self.outline.elements[row].getprevious()
        if before is None:
            return text_inside(self.outline.elements[self.outline.parents[row]]).strip()
        return text_behind(before).strip() or label_of(before, LONGEST_LABEL)

    def label_of(self, row: int) -> str:
        """Return the text right before an element, or before the one around it."""
        return self.label_before(row) or self.label_before(self.outline.parents[row])

    def says_something(self, row: int) -> bool:
        """Return True if the text of an element says something of the article: it is in no link, no sample,
        no part that is others'."""
        return self.link_around(row) is None and self.is_of_article(row)

    def is_of_article(self, row: int) -> bool:
        """Return True if an element stands in no sample of code, and in no part that is others'."""
        return row not in self.samples and not self.is_outside(row)

    def stands_alone(self, row: int) -> bool:
        """Return True if an element is not in the middle of a sentence: a label may stand before it."""
        behind = text_behind(self.outline.elements[row])
        return len(self.label_before(row)) <= LONGEST_LABEL and not _WORD.search(behind)

    def texts(self, rows: Iterable[int]) -> list[Clue]:
        """Return short texts, such as topics have."""
        texts = (self.text(row, LONGEST_TAG) for row in rows)
        return [Clue(text) for text in texts if _is_word(text)]

    @cached_property
    def lines(self) -> list[list[int]]:
        """Places of the strings of each line of the page, those of white space left out."""
        lines: list[list[int]] = [[]]
        for place, text in enumerate(self.outline.strings):
            if text == LINE:
                lines.append([])
            elif text != " ":
                lines[-1].append(place)
        return lines

    # --- places ---

    @cached_property
    def near(self) -> dict[int, int]:
        """Elements close to the headline, the closest first; those behind it before those above it."""
        if not self.headline.text:
            return {}
        outline, row = self.outline, self.headline.row
        begin, end = outline.begins_at(row), outline.begins_at(row) + outline.length(row)
        rows = range(len(outline.elements))
        first = bisect_left(rows, begin - _NEAR_BEFORE, 0, row, key=outline.begins_at)
        behind = rows[row : bisect_right(rows, end + _NEAR_BEHIND, row, key=outline.begins_at)]
        before = (other for other in rows[first:row][::-1] if other not in self.around)
        near = chain(behind[:_MOST_NEAR], islice(before, _MOST_NEAR))
        return {other: rank for rank, other in enumerate(near)}

    def nearest_first(self, rows: Iterable[int]) -> list[int]:
        """Return the elements, what stands close to the headline first."""
        return sorted(rows, key=lambda row: self.near.get(row, len(self.near)))

    def inside(self, rows: Iterable[int]) -> list[int]:
        """Return those elements that are of the article, what stands close to its headline first."""
        return [row for row in self.nearest_first(rows)[:_MOST_INSIDE] if not self.is_outside(row)]

    def is_in_teaser(self, row: int) -> bool:
        """Return True if an element stands close below one with a single heading, that leads to another page,
        as what is told of the article there."""
        return any(self._has_linked_heading(above) for above in islice(self.outline.around(row), _FEW_AROUND))

    def _has_linked_heading(self, item: int) -> bool:
        headings = self.outline.rows_in(item, "h2", "h3", "h4")
        if len(headings) != 1 or item in self.around:
            return False
        links = self.outline.rows_in(headings[0], "a")
        signs = {self.href(link)[:1] for link in links if self.kind_of(link) not in _OF_PEOPLE}
        return not signs <= {"", "#"}

    def tags_around(self, row: int) -> list[str]:
        """Return the tags of the elements around one, the nearest first."""
        return [self.outline.tags[above] for above in self.outline.around(row)]

    def beside_first(self, rows: Sequence[int]) -> list[int]:
        """Return the first element, and those that stand beside it, be it in elements of their own."""
        around = set[int]().union(*map(self._holders, rows[:1]))
        return [row for row in rows if not around.isdisjoint(self._holders(row))]

    def _holders(self, row: int) -> set[int]:
        """Return the two elements right around one."""
        above = self.outline.parents[row]
        return {above, self.outline.parents[above]}

    def holds_sample(self, row: int) -> bool:
        """Return True if a sample of code stands in an element."""
        return not self.samples.isdisjoint(range(row, self.outline.ends[row]))

    # --- what belongs to others ---

    def is_outside(self, row: int) -> bool:
        """Return True if an element stands in a part of the page that is not the article's; what is around
        the headline is."""
        passed: list[int] = []
        verdict = False
        for above in chain((row,), self.outline.around(row)):
            passed.append(above)
            is_known = above in self._outside
            verdict = self._outside[above] if is_known else self._is_others(above)
            if is_known or verdict:
                break
        self._outside.update(dict.fromkeys(passed, verdict))
        return verdict

    def _is_others(self, row: int) -> bool:
        """Return True for a part of the page that is others' by itself, whatever is around it."""
        tag = self.outline.tags[row]
        if _OTHERS_BY_TAG.get(tag, _never)(self, row):
            return True
        hints = self.classes(row) | hints_of(self.outline.elements[row].get("id", ""))
        if tag == "footer" or ClassHint.FOOT in hints:
            return not self._is_in_article(row)
        return ClassHint.OUTSIDE in hints

    def _is_teaser(self, link: int) -> bool:
        """Return True for a link with a headline in it."""
        return bool(self.outline.rows_in(link, "h2", "h3", "h4"))

    def _is_menu_of_topics(self, row: int) -> bool:
        """Return True for topics of the article that are marked up as a way to others.

        They are `<nav class="tags">`, or stand with that in a `nav` for all that is told of the page.
        """
        menus = (row, *self.outline.rows_in(row, "nav"))
        return any(ClassHint.TAGS in self.classes(menu) for menu in menus)

    def _is_in_article(self, row: int) -> bool:
        """Return True if an element stands in one that holds a whole article."""
        around = list(self.outline.around(row))
        if not {"article", "main"}.isdisjoint(self.tags_around(row)):
            return True
        return any(ClassHint.ENTRY in self.classes(outer) for outer in around)


def _never(*_: object) -> bool:
    return False


_OTHERS_BY_TAG: dict[str, Callable[[VisibleParts, int], bool]] = {
    **dict.fromkeys(_OUTSIDE_TAGS, lambda *_: True),
    "nav": lambda parts, row: not parts._is_menu_of_topics(row),
    "article": lambda parts, _: parts._own_article,
    "a": VisibleParts._is_teaser,
}
"""Tags of elements that may be others', each with the question whether one is."""


def _says_more(key: str, than: str) -> bool:
    """Return True for a folded heading that is longer than another one, and does not hold it."""
    return len(key) > len(than) and (not than or than not in key)


def _is_in_titles(key: str, titles: Iterable[str]) -> bool:
    """Return True for a folded heading that one of the folded titles repeats, or that holds one."""
    return any(_repeats(title, key) for title in titles)


def _repeats(title: str, key: str) -> bool:
    if title == key:
        return True
    return _holds(title, key, _LEAST_IN_TITLE) or _holds(key, title, _LEAST_AROUND_TITLE)


def _holds(text: str, part: str, least: int) -> bool:
    return len(part) >= least and part in text


def _is_word(text: str) -> bool:
    """Return True for texts that may be a topic: where letters have no case, one may be a word."""
    return len(text) > 1 or (text.isalpha() and has_no_case(text))


def _unread_in(heading: Element) -> Iterator[Element]:
    """Yield the marks in a heading that lead to it, its buttons, and what is hidden."""
    yield from marks_in(heading)
    for part in heading.iterdescendants(etree.Element):
        if part.tag == "button" or part.get("hidden") is not None:
            yield part


def _first_level(parts: VisibleParts) -> list[Clue]:
    """Return the headings of the first level, the headline before others."""
    headings = sorted(parts.first_level, key=lambda heading: heading != parts.headline)
    return [Clue(heading.text) for heading in headings]


def _other_headline(parts: VisibleParts) -> list[Clue]:
    """Return the headline where it is no heading of the first level, or hardly known by one."""
    is_known = parts.headline in parts.first_level and not parts.is_part_of_title
    return [] if is_known else [Clue(parts.headline.text)]


VISIBLE_TITLES = {
    "html:h1": _first_level,
    "html:heading": _other_headline,
    "html:site-name": lambda parts: [Clue(heading.text) for heading in parts.site_names],
}
"""Places where the page shows its titles, with how they are read there."""
