"""What the headline of an article is, what on its page stands close to that, and what belongs to others, by classes and links."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain, compress, islice
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import marks_in
from webarticlecurator.extraction.metadata.sources import WORDS, Clue, Offer, PageClues, plain_text
from webarticlecurator.labelling.element_names import ClassHint, LinkKind, hints_of, link_kind, link_target
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import LINE, Outline
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import SAMPLES, folded, short_text, squeeze
from webarticlecurator.urls import bare_host, join

LONGEST_NAME, LONGEST_TAG, LONGEST_LABEL = 60, 60, 60
_MOST_HEADINGS, _LONGEST_HEADING = 100, 300
_OUTSIDE_TAGS = frozenset({"nav", "form", "noscript", "script", "style", "template", *SAMPLES})
_NEAR_BEHIND, _NEAR_BEFORE = 800, 300
"""Characters between the headline and what stands close to it, so that a lead and a caption may lie between."""
_MOST_NEAR = 300
_HOME = linear_at(r"(?:(?:https?://[^/]+)?/?|(?:\.\./)+)(?:index\.\w+)?")


class Heading(NamedTuple):
    """One heading of a page."""

    row: int
    """In the outline."""
    text: str


class VisibleParts:
    """What a reader of a page sees of its article, by rows of the outline."""

    def __init__(self, outline: Outline, url: str) -> None:
        self.outline = outline
        self._own = (url, f"/{url.partition('://')[2].partition('/')[2]}")
        """How a page links to itself."""
        self.language: str | None = None
        self.samples = frozenset(chain.from_iterable(range(row, outline.ends[row]) for row in outline.rows(*SAMPLES)))
        """Samples of code, and all that stands in them: they say nothing of the page."""
        headings = self._headings(outline.rows("h1"))
        self.site_names = [heading for heading in headings if self._leads_home(heading.row)]
        self.first_level = [heading for heading in headings if heading not in self.site_names]
        self.headline: Heading | None = None
        self.is_part_of_title = False
        """Whether the titles of the page repeat the headline beside as much else."""
        self.around: frozenset[int] = frozenset()
        """What the headline stands in."""
        self._own_article = False
        """Whether it stands in an `article`, so that others are of others."""
        self._outside: dict[int, bool] = {}

    def find_headline(self, titles: Iterable[str], outlets: Collection[str]) -> None:
        """The heading that the titles of the page repeat most of, one of the first level before others; else the first of these."""
        keys = [key for key in map(folded, titles) if key]
        headline, key = self._repeated(self.first_level, keys, outlets)
        if 2 * len(key) <= max(map(len, keys), default=0):
            called = self.hinted[ClassHint.HEADING][:_MOST_HEADINGS]
            others = self._headings(sorted({*self.outline.rows("h2", "h3")[:_MOST_HEADINGS], *called}))
            other, other_key = self._repeated(others, keys, outlets)
            if other is not None and len(other_key) > len(key) and not (key and key in other_key):
                headline = other
            self.is_part_of_title = headline is not None
        self.headline = headline or next(iter(self.first_level), None)
        if self.headline is not None:
            self.around = frozenset(self.outline.around(self.headline.row))
            self._own_article = any(self.outline.tags[row] == "article" for row in self.around)

    def _headings(self, rows: Sequence[int]) -> list[Heading]:
        """Those of a text that is not too long, without the marks that lead to the heading itself."""
        headings = []
        for row in rows[: 2 * _MOST_HEADINGS]:
            if row not in self.samples:
                heading = self.outline.elements[row]
                unread = frozenset(_unread_in(heading)) if len(heading) else None
                text = short_text(heading, _LONGEST_HEADING, unread) if unread else self.outline.short_text(row, _LONGEST_HEADING)
                headings += [Heading(row, text)] if text else []
        return headings

    def _repeated(self, headings: Iterable[Heading], titles: Sequence[str], outlets: Collection[str]) -> tuple[Heading | None, str]:
        """The longest heading that a title repeats, or that holds one, with what it is when folded: outside of menus, and one that a title
        begins with, if there is one."""
        repeated = (
            (heading, key)
            for heading in headings
            if (key := folded(heading.text))
            and key not in outlets
            and any(key == title or (len(key) >= 8 and key in title) or (len(title) >= 12 and title in key) for title in titles)
        )

        def rank(repeated: tuple[Heading, str]) -> tuple[bool, bool, int]:
            heading, key = repeated
            is_outside = all(self.outline.tags[above] != "nav" for above in self.outline.around(heading.row))
            return is_outside, any(title.startswith(key) for title in titles), len(key)

        return max(repeated, key=rank, default=(None, ""))

    def _leads_home(self, row: int) -> bool:
        """A heading that links to the front page is the site's name; that of a site in a folder says so itself."""
        above = self.outline.parents[row]
        rows = [above] if above >= 0 and self.outline.tags[above] == "a" else self.outline.rows_in(row, "a")[:1]
        links = (self.outline.elements[link] for link in rows)
        return any("home" in (link.get("rel") or "").split() or _HOME.fullmatch(link.get("href") or "") is not None for link in links)

    @cached_property
    def hinted(self) -> dict[ClassHint, list[int]]:
        """The elements whose classes say what they hold."""
        written = self.outline.attribute("class")
        telling = {names: hints for names in set(written) if names and (hints := hints_of(names))}
        hinted: dict[ClassHint, list[int]] = {hint: [] for hint in ClassHint}
        for row in compress(range(len(written)), map(telling.__contains__, written)):
            if self.outline.tags[row] not in ("meta", "link", "title", "script") and row not in self.samples:
                for hint in telling[written[row] or ""]:
                    hinted[hint].append(row)
        return hinted

    def classes(self, row: int) -> frozenset[ClassHint]:
        return hints_of(self.outline.attribute("class")[row] or "")

    @cached_property
    def linked(self) -> dict[str | LinkKind, list[int]]:
        """Links, by what their rel or their address says; of one that has both, the rel counts."""
        linked: dict[str | LinkKind, list[int]] = {kind: [] for kind in ("own", "rel-author", "rel-category", "rel-tag", *LinkKind)}
        for row in self.outline.rows("a"):
            if (kind := self.kind_of(row)) is not None:
                linked[kind].append(row)
        return linked

    def kind_of(self, row: int) -> str | LinkKind | None:
        """The same of one link."""
        link = self.outline.elements[row]
        href = link.get("href") or ""
        if href in self._own:  # its words are the headline, whatever its address is like
            return "own"
        kind = link_kind(href)
        if not (rel := link.get("rel")):
            return kind
        rels = rel.lower().split()
        is_section = "category" in rels or ("tag" in rels and kind is LinkKind.SECTION)
        if not is_section and "tag" in rels and kind is not LinkKind.TOPIC:
            is_section = any(ClassHint.SECTION in self.classes(outer) for outer in islice(self.outline.around(row), 2))
        return "rel-category" if is_section else next((f"rel-{name}" for name in ("tag", "author") if name in rels), kind)

    def link_around(self, row: int) -> int | None:
        """The link that an element is, or stands in."""
        return next((above for above in islice(chain((row,), self.outline.around(row)), 3) if self.outline.tags[above] == "a"), None)

    def label_before(self, row: int) -> str:
        """The text right before an element."""
        element = self.outline.elements[row]
        above, before = element.getparent(), element.getprevious()
        if before is not None:
            return (before.tail or "").strip() or short_text(before, LONGEST_LABEL) or ""
        return ((above.text if above is not None else None) or "").strip()

    def stands_alone(self, row: int) -> bool:
        """Not in the middle of a sentence: a label may stand before it."""
        return len(self.label_before(row)) <= LONGEST_LABEL and not linear(r"[^\W\d_]{4}").search(self.outline.elements[row].tail or "")

    def leads_to_its_words(self, row: int) -> bool:
        """Whether the address is made of the words of the link, as that of a person's page is: /author/ann-lee, /@ann."""
        last = folded(link_target(self.outline.elements[row].get("href") or ""))
        words = (self.outline.short_text(row, LONGEST_NAME) or "").split()
        return any(len(key) > 2 and key in last for word in words if (key := folded(word)))

    def leads_above(self, row: int) -> str:
        """The last part of the address of a link, where that of the page goes on from it, "/" where it is the front page; else empty."""
        url, path = self._own
        href = self.outline.elements[row].get("href") or ""
        if href.startswith(".") or not href.isascii():
            href = join(url, href) or ""
        folder = href.removeprefix(url.removesuffix(path)).rstrip("/") + "/"
        is_above = path.startswith(folder) and path.rstrip("/") != folder[:-1]
        return folder[:-1].rpartition("/")[2] or "/" if is_above and href else ""

    def leads_to_list(self, row: int) -> bool:
        """Whether it stands in a link to a section or a topic, whose name may be a word of bylines, as "Haber" is in Turkish."""
        link = self.link_around(row)
        return link is not None and link_kind(self.outline.elements[link].get("href") or "") in (LinkKind.SECTION, LinkKind.TOPIC)

    def texts(self, rows: Iterable[int]) -> list[Clue]:
        """Short ones, such as topics have; where letters have no case, one may be a word."""
        texts = (self.outline.short_text(row, LONGEST_TAG) for row in rows)
        return [Clue(text) for text in texts if text and (len(text) > 1 or (text.isalpha() and text.upper() == text.lower()))]

    @cached_property
    def begin(self) -> int:
        """The place of the first string of the headline."""
        return self.outline.strings_in(self.headline.row).start if self.headline is not None else 0

    @cached_property
    def near(self) -> dict[int, int]:
        """What stands close to the headline, the closest first; what stands behind it before what stands above it."""
        if self.headline is None:
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
        return sorted(rows, key=lambda row: self.near.get(row, len(self.near)))

    def inside(self, rows: Iterable[int]) -> Iterator[int]:
        """Those of the article, what stands close to its headline first."""
        return (row for row in self.nearest_first(rows)[:40] if not self.is_outside(row))

    def beside_first(self, rows: Sequence[int]) -> list[int]:
        """The first of them, and those that stand beside it, be it in elements of their own, or in a box of little else."""
        parents, outline = self.outline.parents, self.outline
        around = {parents[rows[0]], parents[parents[rows[0]]]} if rows else set()
        together = [row for row in rows if parents[row] in around or parents[parents[row]] in around]
        for box in islice(outline.around(rows[0]), 2, 4) if rows else ():
            inside = [row for row in rows if box < row < outline.ends[box] and self._way(box, row) == self._way(box, rows[0])]
            if outline.length(box) <= 2 * sum(map(outline.length, inside)) and len(inside) > len(together):
                together = inside
        return together

    def _way(self, box: int, row: int) -> list[str]:
        """The tags of an element and of those around it, as far as the box that it stands in."""
        return [self.outline.tags[above] for above in (row, *self.outline.around(row)) if above > box]

    def holds_sample(self, row: int) -> bool:
        return not self.samples.isdisjoint(range(row, self.outline.ends[row]))

    def is_outside(self, row: int) -> bool:
        """Whether an element stands in a part of the page that is not the article's; what is around the headline is the article's."""
        passed: list[int] = []
        outside = False
        for above in chain((row,), self.outline.around(row)):
            if (known := self._outside.get(above)) is not None:
                outside = known
                break
            passed.append(above)
            if above in self.around or self.outline.tags[above] in {"body", "main"}:
                break
            if outside := self._is_others(above):
                break
        self._outside.update(dict.fromkeys(passed, outside))
        return outside

    def _is_others(self, row: int) -> bool:
        tag = self.outline.tags[row]
        if tag == "article" and self._own_article:
            return True
        if tag == "a" and self.outline.rows_in(row, "h2", "h3", "h4"):  # a teaser
            return True
        if tag in _OUTSIDE_TAGS:
            # the topics of an article may be marked up as a way to others: `<nav class="tags">`, in one for all that is told of the page
            inner = (nav for nav in self.outline.rows_in(row, "nav") if self.outline.parents[nav] == row) if tag == "nav" else ()
            if tag != "nav" or not any(ClassHint.TAGS in self.classes(nav) for nav in (row, *inner)):
                return True
        hints = self.classes(row) | hints_of(self.outline.elements[row].get("id") or "")
        if tag == "footer" or ClassHint.FOOT in hints:
            above = self.outline.around(row)
            return not any(self.outline.tags[outer] in {"article", "main"} or ClassHint.ENTRY in self.classes(outer) for outer in above)
        return ClassHint.OUTSIDE in hints

    @cached_property
    def lines(self) -> list[list[int]]:
        """Where the strings of each line of the page stand, those of white space left out."""
        lines: list[list[int]] = [[]]
        for place, text in enumerate(self.outline.strings):
            if text == LINE:
                lines.append([])
            elif text != " ":
                lines[-1].append(place)
        return lines


def _unread_in(heading: Element) -> Iterator[Element]:
    """The marks in a heading that lead to it, its buttons, and what is hidden."""
    yield from marks_in(heading)
    yield from (part for part in heading.iterdescendants(etree.Element) if part.tag == "button" or part.get("hidden") is not None)


VISIBLE_TITLES = {
    "html:h1": lambda parts: [  # the headline before others
        Clue(heading.text)
        for heading in sorted(parts.first_level, key=lambda heading: parts.headline is None or heading.row != parts.headline.row)
    ],
    # the headline where it is no heading of the first level, or hardly known by one
    "html:heading": lambda parts: [
        Clue(headline.text)
        for headline in (parts.headline,)
        if headline is not None and (parts.is_part_of_title or headline not in parts.first_level)
    ],
    "html:site-name": lambda parts: [Clue(heading.text) for heading in parts.site_names],
}


# --- the headline: what most of the titles of a page agree on, without the name of the site ---

_SEPARATOR = linear(r"(?<!\s)(?:\s+(?:[|–—·•»«/\\-]+|::?|›)\s+|\s*[|｜]\s*|\s*::\s*|\s+:\s*)|:\s+|,\s+")
_WEAK = linear_at(r"\s*[:,]\s*")
"""A headline has these itself: only the site's name goes behind them."""
_MOST_PARTS = 20
_SHORTEST_NAME, _MIN_TITLE = 4, 12
"""Folded characters of a name that a host holds not by chance, and of a text that another one must hold to repeat it."""
_LABELS = frozenset(map(folded, WORDS["no headline"]))
"""What programs write where nobody wrote a headline; folded."""

_WEIGHTS = {
    **dict.fromkeys(("json-ld:headline", "html:h1"), 3.0),
    "meta:og:title": 2.5,
    **dict.fromkeys(("microdata:headline", "html:heading", "meta:citation_title"), 2.0),
    **dict.fromkeys(("meta:parsely-title", "meta:dc.title", "meta:dcterms.title", "html:title"), 1.0),
}
"""How much a source's word counts; all others count 0.5."""
_DISPLAYED = ("meta:og:title", "json-ld:headline", "html:h1")
"""Whose spelling is taken of those that agree: the first of these, since in the heading words of two lines may have grown together."""


def choose_headline(known: PageClues) -> list[Offer]:
    """What most of the titles say, and all of them, each without the name of the site."""
    written = [
        (source, clue.text, text)
        for source in known.sources_of("headline")
        for clue in known.get(source)[:1]
        if source != "html:h1" or clue in known.get("html:heading") or not known.get("html:heading")
        if (text := plain_text(clue.text))
    ]
    sites = known.outlets.union(_names_of_site(known))
    titles = [Found(value=without_site(text, sites), raw=raw, source=source) for source, raw, text in written]
    titles = [title for title in titles if (key := folded(title.value)) and key not in known.outlets and key not in _LABELS]
    if not titles:
        return []
    keys = {folded(text) for _, _, text in written}
    if known.parts is not None and not known.parts.first_level:  # the page may link to itself by its headline
        keys.update(folded(clue.text) for clue in known.parts.texts(known.parts.linked["own"]))
    bare = [replace(title, value=_without_more(title.value, keys)) for title in titles]
    said = list(dict.fromkeys(folded(title.value) for title in bare))  # in the order of trust
    told = max(said, key=lambda key: _support(key, bare)) if len(said) > 1 else said[0]
    agreeing = [title for title in bare if folded(title.value) == told]
    best = min(agreeing, key=lambda title: _DISPLAYED.index(title.source) if title.source in _DISPLAYED else len(_DISPLAYED))
    # some software takes what stands between words for markup, or what is said of markup: "The <table> element"
    words, signs = linear(r"\w+").findall(best.value), "".join(best.value.split())
    firsts = [title for title in agreeing if title.source == "html:h1"]
    spoken = (replace(title, value=squeeze(title.raw)) for title in firsts if "<" in title.raw and "</" not in title.raw)
    headings = (title for title in chain(spoken, firsts) if linear(r"\w+").findall(plain_text(title.value)) == words)
    best = next((title for title in headings if len("".join(title.value.split())) > len(signs) and title.value[-1] == signs[-1]), best)
    is_news = any(name.endswith("NewsArticle") for name in known.types[:1])
    return [[title] for title in (best if is_news else _as_seen(best, known), *titles)]


def _support(key: str, titles: Sequence[Found]) -> float:
    """The weight of those that say the same; cut-off ones, and document titles that hold it among other things, agree."""
    total = 0.0
    for title in titles:
        other = folded(title.value)
        begins = _is_cut_off(title) and len(other) >= _MIN_TITLE and key.startswith(other)
        if other == key or begins or (title.source == "html:title" and len(key) >= _MIN_TITLE and key in other):
            total += _WEIGHTS.get(title.source, 0.5)
    return total - any(_is_cut_off(title) for title in titles if folded(title.value) == key)


def _is_cut_off(title: Found) -> bool:
    return title.value.endswith(("…", "..."))


def _as_seen(title: Found, known: PageClues) -> Found:
    """The heading that readers see, where it words otherwise what search engines are told; newspapers write their data with care."""
    headings = known.get("html:h1")
    text = without_site(plain_text(headings[0].text), known.outlets) if len(headings) == 1 else ""
    key, other = folded(text), folded(title.value)
    if key in other or other in key or key in known.outlets or len(text) > 200:
        return title
    if any(key in folded(whole) for whole in known.texts("html:title")):
        return title  # it stands in the title of the page beside the headline: the site's name
    shown = parts.headline if (parts := known.parts) is not None else None
    if parts is not None and shown is not None and shown.row < parts.first_level[0].row and folded(shown.text) == other:
        return title  # the first level is of headings in the text
    words, others = ({folded(word) for word in said.split()} - {""} for said in (text, title.value))
    is_the_same = len(words) >= 4 and len(words & others) >= 0.3 * min(len(words), len(others))
    return Found(value=text, raw=text, source="html:h1") if is_the_same else title


def _names_of_site(known: PageClues) -> Iterator[str]:
    """What stands behind the titles of the page, in no heading, and is made of the host's letters: `| Jane's Pies` on getjanespies.com."""
    letters = folded(bare_host(known.page.url))
    headings = [folded(heading.text) for heading in known.parts.first_level] if known.parts is not None else []
    for title in known.texts("html:title", "meta:og:title"):
        for start, end in _cuts(title):
            words = list(map(folded, title[end:].split()))
            name = "".join(words)
            is_of_host = len(name) >= _SHORTEST_NAME and all(word in letters for word in words)
            if is_of_host and not _WEAK.fullmatch(title[start:end]) and not any(name in heading for heading in headings):
                yield name


def without_site(title: str, sites: Collection[str]) -> str:
    """The title without the names of the site around it, which are folded."""
    for _ in range(_MOST_PARTS):
        shorter = _without_name(title, sites)
        if shorter is None:
            break
        title = shorter
    return title


def _without_more(title: str, others: Collection[str]) -> str:
    """The title without what stands behind another title, as the name of a section does; `others` are folded."""
    for start, end in _cuts(title):
        kept = title[:start].strip()
        if _MIN_TITLE <= len(folded(kept)) < len(folded(title)) and folded(kept) in others and not _WEAK.fullmatch(title[start:end]):
            return kept
    return title


def _without_name(title: str, sites: Collection[str]) -> str | None:
    """Without the site's name behind or before it; None where there is none."""
    cuts = [(title[:start].strip(), title[start:end], title[end:].strip()) for start, end in _cuts(title)]
    before = (head for head, _, tail in cuts if head and folded(tail) in sites)  # the longest tail first
    behind = (tail for head, cut, tail in reversed(cuts) if tail and folded(head) in sites and not _WEAK.fullmatch(cut))
    return next(chain(before, behind), None)


@lru_cache(maxsize=256)
def _cuts(title: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in islice(_SEPARATOR.finditer(title), _MOST_PARTS))
