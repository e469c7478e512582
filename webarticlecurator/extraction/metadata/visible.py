"""What a visitor of the page sees: byline, dates, tags, sections, by what marks them as such and how close to the headline they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise, takewhile

from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.dates import word_of_change
from webarticlecurator.extraction.metadata.headline import Heading, find_headline, first_level, leads_elsewhere, subtitle_below
from webarticlecurator.extraction.metadata.people import byline_start, connected, names_in, starts_with_by
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.labelling.names import (
    TOPIC_LABELS,
    ClassHint,
    LinkKind,
    hints_of,
    link_kind,
    link_target,
)
from webarticlecurator.model.outline import Outline
from webarticlecurator.text import BREAKS, SAMPLES, folded, short_text, squeeze
from webarticlecurator.urls import bare_host

_MOST_CANDIDATES, _MOST_LINKS = 40, 100
_LONGEST_NAME, _LONGEST_BYLINE, _LONGEST_DATE, _LONGEST_TAG, _LONGEST_CRUMB = 60, 200, 120, 60, 300
_MOST_TAGS = 12
"""More links than that are a menu."""
_AROUND_LABELS = " \t\n\r\xa0:–-…#"
_MOST_WORDS = 4
"""Of a topic that nothing else says to be one."""
_MOSTLY_LINKS = 3
"""A third of a list's text, at least, is its links'."""
_OF_WHOLE_PAGE = frozenset({"meta", "link", "title", "script"})
"""Whose class and property say nothing of what a reader sees."""
_PAGE_TAGS, _OWN_TAGS, _ENTRY_TAGS = frozenset({"main", "body", "html"}), frozenset({"body", "main"}), frozenset({"article", "main"})
_OUTSIDE_TAGS = frozenset({"nav", "form", "noscript", "script", "style", "template", *SAMPLES})
_HEADER_LEVELS = 2
"""How far above the headline the block may begin that holds its byline, too."""
_TEASER_LEVELS, _LONGEST_TEASER = 3, 500
_NEAR_BEHIND, _NEAR_BEFORE = 800, 300
"""Characters between the headline and what stands close to it, so that a lead and a caption may lie between."""
_MOST_NEAR = 300
_ABSOLUTE = ("http:", "https:", "//")
_TIMES = ("time", "relative-time", "time-ago", "local-time")
_MOMENT = re.compile(r"\s*(?:(?:19|20)\d\d-?\d\d-?\d\d|\d{10}(?:\d{3})?\s*$)")
_MOMENTS = ("datetime", "content", "title", "data-datetime", "data-time", "data-timestamp")
"""Attributes in which a date may stand for machines."""
_OF_NO_CHANGE = frozenset({"", "edited", "bearbeitet", "reviewed"})
"""Words before a date that say of no article when it changed: forums edit single posts, and reviewers change nothing."""
_DIGIT = re.compile(r"\d")
_LONGEST_LABEL = 60
_WORD = re.compile(r"[^\W\d_]{4}")
_STEP_DOWN = re.compile(r"\s*[>›»→▸]\s*")
_OTHER_HANDS = re.compile(
    r"review|fact.?check|verified by|edited|editor|translat|updated by|photo|illustrat|geprüft|lektor|bearbeitet|übersetz|aktualisiert von|"
    r"foto|bild\b|grafik|szerkeszt|fordít|relu\b|vérifié|traduit|revisad|editad|tradu[cz]|redakcja|zdjęci|tłumacz|gecontroleerd|vertaal",
    re.IGNORECASE,
)
_MOST_TEXTS = 12
_NEAR_BEGIN = 60
"""Characters at the beginning of a line in which a date must stand to be the article's and not a part of its story."""
_LONGEST_SENTENCE = 120
_YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|\d[./]\d\d?[./]\d\d(?!\d)")
_TWO_DIGITS = re.compile(r"\d\d")
_FOOT_LEVELS = 5
_BETWEEN_ITEMS = re.compile(r"\s*[,;·•|/]\s*")
"""Of a list; a path is known by its addresses, and mostly by arrows."""
_MOST_RUNS = 40
_OTHER_LISTS = (LinkKind.SECTION, LinkKind.TOPIC)
_BULLET = re.compile(r"[·•∙⋅]")
_LEAD = re.compile(r"^(?:\S+ ){5}.*[^\W\d_A-Z]{3}[.!?…][\"'”»“]?$")
"""A sentence, which may stand beside a byline and begin with a name."""
_CONNECTS = re.compile(r"(?:,|&|\+|/|\||[^\W\d_]{1,3})")


class MarkedElements:
    """Which elements of a page say what they hold, in page order."""

    def __init__(self, outline: Outline) -> None:
        self.samples: set[int] = set()
        """The rows of samples of code, and of all that stands in them."""
        for row in outline.rows(*SAMPLES):
            self.samples.update(range(row, outline.ends[row]))
        self.microdata: list[Element] = []
        self.rdfa: list[Element] = []
        self.hinted: dict[ClassHint, list[int]] = {hint: [] for hint in ClassHint}
        for row, element in enumerate(outline.elements):
            get, tag = element.get, outline.tags[row]
            if row in self.samples:
                continue
            if tag != "script" and get("itemprop") is not None:
                self.microdata.append(element)
            if tag in _OF_WHOLE_PAGE:
                continue
            if get("property") is not None:
                self.rdfa.append(element)
            if written := get("class"):
                for hint in hints_of(written):
                    self.hinted[hint].append(row)


class VisibleParts:
    """Which parts of a page are the article's: its headline, what stands close to it, and what belongs to other articles."""

    def __init__(self, outline: Outline, marked: MarkedElements, titles: Sequence[str], outlets: Collection[str], host: str) -> None:
        """`titles`: those of the page, by which its headline is known; `outlets`: the names of the portal, folded; `host`: its own."""
        self.outline = outline
        self.marked = marked
        self._host = host
        self._outside: dict[int, bool] = {}
        self.first_level = first_level(outline, marked.samples)
        called = marked.hinted[ClassHint.HEADING]
        self.headline: Heading | None = find_headline(outline, self.first_level, called, titles, outlets, marked.samples)
        self.around = frozenset() if self.headline is None else frozenset(outline.around(self.headline.row))

    def classes(self, row: int) -> frozenset[ClassHint]:
        return hints_of(self.outline.elements[row].get("class") or "")

    @cached_property
    def near(self) -> dict[int, int]:
        """What stands close to the headline, the closest first; what stands behind it before what stands above it."""
        if self.headline is None:
            return {}
        outline, row = self.outline, self.headline.row
        begin, end = outline.begins_at(row), outline.begins_at(row) + outline.length(row)
        behind = takewhile(lambda one: outline.begins_at(one) - end <= _NEAR_BEHIND, range(row, len(outline.elements)))
        before = takewhile(lambda one: begin - outline.begins_at(one) <= _NEAR_BEFORE, range(row - 1, -1, -1))
        near = chain(islice(behind, _MOST_NEAR), islice((one for one in before if one not in self.around), _MOST_NEAR))
        return {one: rank for rank, one in enumerate(near)}

    @cached_property
    def _begins(self) -> int:
        """The row in which the article begins: its own element, or the block around the headline."""
        if self.headline is None or self.outline.tags[self.headline.row] != "h1":
            return 0
        around = list(takewhile(lambda one: self.outline.tags[one] not in _PAGE_TAGS, self.outline.around(self.headline.row)))
        article = next((one for one in around if self.outline.tags[one] == "article"), None)
        return article if article is not None else [self.headline.row, *around[:_HEADER_LEVELS]][-1]

    def is_above(self, row: int) -> bool:
        """Whether it stands above the article, where many portals write what day it is."""
        return row < self._begins or any(ClassHint.CRUMBS in self.classes(one) for one in self.up(row) if one not in self.around)

    def up(self, row: int) -> Iterator[int]:
        yield row
        yield from self.outline.around(row)

    def is_outside(self, row: int) -> bool:
        """Whether an element stands in a part of the page that is not the article's; what is around the headline is the article's."""
        passed: list[int] = []
        outside = False
        for above in self.up(row):
            if (known := self._outside.get(above)) is not None:
                outside = known
                break
            passed.append(above)
            if above in self.around or self.outline.tags[above] in _OWN_TAGS:
                break
            if outside := self._is_others(above):
                break
        self._outside.update(dict.fromkeys(passed, outside))
        return outside

    def _is_others(self, row: int) -> bool:
        tag, element = self.outline.tags[row], self.outline.elements[row]
        if row in self._teasers or (tag in _OUTSIDE_TAGS and not (tag == "nav" and self._lists_topics(row))):
            return True
        hints = {hint for name in ("class", "id") if (written := element.get(name)) for hint in hints_of(written)}
        if tag == "footer" or ClassHint.FOOT in hints:
            above = self.outline.around(row)
            return not any(self.outline.tags[one] in _ENTRY_TAGS or ClassHint.ENTRY in self.classes(one) for one in above)
        return ClassHint.OUTSIDE in hints

    def _lists_topics(self, row: int) -> bool:
        """The topics of an article may be marked up as a way to others: `<nav class="tags">`, in one for all that is told of the page."""
        inner = (one for one in self.outline.rows_in(row, "nav") if self.outline.parents[one] == row)
        return any(ClassHint.TAGS in self.classes(one) for one in (row, *inner))

    @cached_property
    def _teasers(self) -> set[int]:
        """Articles, and other short boxes, with a heading that leads elsewhere; one that repeats the headline ("Re: ...") heads a post."""
        outline, teasers = self.outline, set[int]()
        own = folded(self.headline.text) if self.headline is not None else ""
        behind = (row for row in outline.rows("article") if self.headline is None or row > self.headline.row)
        article = None if any(outline.tags[row] == "article" for row in self.around) else next(behind, None)
        for row in outline.rows("h1", "h2", "h3", "h4"):
            is_own = self.headline is not None and (row == self.headline.row or own in folded(outline.short_text(row, 300) or ""))
            if is_own or not leads_elsewhere(outline.elements[row]):
                continue
            for level, box in enumerate(outline.around(row)):
                if box in self.around or outline.tags[box] in _PAGE_TAGS:
                    break
                if outline.tags[box] == "article" and box != article:
                    teasers.add(box)
                    break
                if level < _TEASER_LEVELS and outline.length(box) <= _LONGEST_TEASER:
                    teasers.add(box)
        return teasers

    def leads_out(self, row: int) -> bool:
        """Whether it stands in a link to another site: what is written there tells of that one."""
        links = (self.outline.elements[one].get("href") or "" for one in islice(self.up(row), 4) if self.outline.tags[one] == "a")
        return any(href.startswith(_ABSOLUTE) and not bare_host(href).endswith(self._host) for href in links)

    def inside(self, rows: Iterable[int], *, nearest_first: bool = True) -> Iterator[int]:
        """Those of the article, what stands close to its headline first."""
        ordered = list(rows)
        if nearest_first and len(ordered) > 1:
            ordered.sort(key=lambda row: self.near.get(row, len(self.near)))
        return (row for row in ordered[:_MOST_CANDIDATES] if not self.is_outside(row))


class VisibleSources:
    """What they say, as the sources `html:...`."""

    def __init__(self, parts: VisibleParts, language: str | None) -> None:
        self._parts = parts
        self._outline = parts.outline
        self._hinted = parts.marked.hinted
        self._samples = parts.marked.samples
        self._language = language

    def readers(self) -> dict[str, Callable[[], Iterable[Clue]]]:
        linked = self._linked
        return {
            "html:h1": lambda: (Clue(heading.text) for heading in self._first_level()),
            "html:heading": self._headline,
            "html:subtitle": self._subtitle,
            "html:date": self._dates,
            "html:updated": self._updates,
            "html:text-date": self._text_dates,
            "html:rel-author": lambda: self._names(linked("rel-author")),
            "html:author-link": lambda: self._names(
                row for row in linked(LinkKind.AUTHOR) if row in self._parts.near or self._leads_to_its_words(row)
            ),
            "html:author": lambda: self._names(self._hinted[ClassHint.AUTHOR]),
            "html:byline": self._bylines,
            "html:person-link": lambda: self._names(
                row
                for row in linked(LinkKind.PERSON)
                if row in self._parts.near and self._leads_to_its_words(row) and self._stands_alone(row)
            ),
            "html:near-by": lambda: [Clue(text) for text, is_near in self._text_bylines[:1] if is_near and not text.islower()],
            "html:by": lambda: [Clue(text) for text, _ in self._text_bylines[:1]],
            "html:author-pages": self._author_pages,
            "html:rel-tag": lambda: self._texts(self._parts.inside(linked("rel-tag"))),
            "html:tags": self._tags,
            "html:topic-links": self._topic_links,
            "html:labelled-topics": self._labelled_topics,
            "html:section": self._sections,
            "html:breadcrumb": self._crumbs,
        }

    # --- links ---

    def _linked(self, kind: str | LinkKind) -> list[int]:
        return self._links.get(kind, [])

    @cached_property
    def _links(self) -> dict[str | LinkKind, list[int]]:
        """Links, by what their rel or their address says; of one that has both, the rel counts."""
        linked: dict[str | LinkKind, list[int]] = {}
        for row in self._outline.rows("a"):
            link = self._outline.elements[row]
            href, rel = link.get("href"), link.get("rel")
            kind: str | LinkKind | None = link_kind(href) if href else None
            if rel:
                rels = rel.lower().split()
                above = islice(self._outline.around(row), 2)
                of_section = kind is LinkKind.SECTION or (
                    kind is not LinkKind.TOPIC and any(ClassHint.SECTION in self._parts.classes(one) for one in above)
                )
                if "category" in rels or ("tag" in rels and of_section):
                    kind = "rel-category"
                elif "tag" in rels:
                    kind = "rel-tag"
                elif "author" in rels:
                    kind = "rel-author"
            if kind is not None:
                linked.setdefault(kind, []).append(row)
        return linked

    def _label_before(self, row: int) -> str:
        """The text right before an element."""
        element = self._outline.elements[row]
        above, before = element.getparent(), element.getprevious()
        if before is not None:
            return (before.tail or "").strip() or short_text(before, _LONGEST_LABEL) or ""
        return ((above.text if above is not None else None) or "").strip()

    def _stands_alone(self, row: int) -> bool:
        """Not in the middle of a sentence: a label may stand before it."""
        return len(self._label_before(row)) <= _LONGEST_LABEL and not _WORD.search(self._outline.elements[row].tail or "")

    def _leads_to_its_words(self, row: int) -> bool:
        """Whether the address is made of the words of the link, as that of a person's page is: /author/ann-lee, /@ann."""
        last = folded(link_target(self._outline.elements[row].get("href") or ""))
        words = (self._outline.short_text(row, _LONGEST_NAME) or "").split()
        return any(len(key) > 2 and key in last for word in words if (key := folded(word)))

    # --- headline ---

    def _first_level(self) -> list[Heading]:
        """The headline before others."""
        headline = self._parts.headline
        return sorted(self._parts.first_level, key=lambda heading: headline is None or heading.row != headline.row)

    def _headline(self) -> Iterator[Clue]:
        """Where it is no heading of the first level, or hardly known by one."""
        headline = self._parts.headline
        if headline is not None and (headline.is_part or headline not in self._parts.first_level):
            yield Clue(headline.text)

    def _subtitle(self) -> Iterator[Clue]:
        headline = self._parts.headline
        below = subtitle_below(self._outline.elements[headline.row]) if headline is not None else None
        if below is not None and not self._parts.is_outside(self._outline.row_of[below]):
            yield Clue(squeeze(self._outline.text(self._outline.row_of[below])))

    # --- dates ---

    @cached_property
    def _dated(self) -> list[int]:
        """Elements that hold a date: those that say it is of the publication, what stands close to the headline, then all others."""
        outline, near = self._outline, self._parts.near
        published = [next(iter(outline.rows_in(row, "time")), row) for row in self._hinted[ClassHint.PUBLISHED]]
        published += [row for row in outline.rows("time") if outline.elements[row].get("pubdate") is not None]
        others = {*outline.rows(*_TIMES), *(row for row in self._hinted[ClassHint.DATE] if row in near)}
        titled = (row for row in near if _MOMENT.match(outline.elements[row].get("title") or ""))
        by_nearness = sorted((*others, *titled), key=lambda row: (near.get(row, len(near)), row))
        ordered = dict.fromkeys((*self._parts.inside(published), *by_nearness))
        return [row for row in islice(ordered, 1_000) if not (self._parts.is_outside(row) or self._parts.is_above(row))]

    def _dates(self) -> Iterator[Clue]:
        return (Clue(self._moment(row)) for row in self._dated if not (self._is_update(row) or self._parts.leads_out(row)))

    def _updates(self) -> Iterator[Clue]:
        rows = dict.fromkeys((*self._parts.inside(self._hinted[ClassHint.UPDATED]), *self._dated))
        for row in rows:
            if self._is_update(row):
                yield Clue(self._moment(row))
            elif word_of_change(_DIGIT.split(text := self._moment(row), maxsplit=1)[0]).casefold() not in _OF_NO_CHANGE:
                yield Clue(text)

    def _is_update(self, row: int) -> bool:
        hints = [self._parts.classes(one) for one in islice(self._parts.up(row), 2)]
        return any(ClassHint.UPDATED in one for one in hints) and ClassHint.PUBLISHED not in hints[0]

    def _moment(self, row: int) -> str:
        """As it stands there for machines, behind the word that says it to be that of a change; else as it stands there for readers."""
        element = self._outline.elements[row]
        samples = [self._outline.elements[one] for one in self._outline.rows_in(row, *SAMPLES)]
        shown = (short_text(element, _LONGEST_DATE, samples) if samples else self._outline.short_text(row, _LONGEST_DATE)) or ""
        written = next((value for name in _MOMENTS if (value := element.get(name)) and _MOMENT.match(value)), None)
        if not (written := written or element.get("datetime")):
            return shown
        labels = (text for text in (shown, self._label_before(row)) if len(text) <= _LONGEST_LABEL)
        return f"{next(filter(None, map(word_of_change, labels)), '')} {written}".strip()

    # --- names ---

    def _names(self, rows: Iterable[int]) -> Iterator[Clue]:
        for row in self._together(rows):
            if (text := self._outline.short_text(row, _LONGEST_NAME)) and not self._outline.rows_in(row, *SAMPLES):
                runs = self._runs(row) if len(self._outline.elements[row]) else ()
                yield Clue((name_in_line(runs, None) if len(runs) > 1 else None) or text)

    def _bylines(self) -> Iterator[Clue]:
        for row in self._together((*self._hinted[ClassHint.BYLINE], *self._outline.rows("address"))):
            short = row not in self._parts.around and self._outline.short_text(row, _LONGEST_BYLINE)
            if short and not self._outline.rows_in(row, *SAMPLES) and (text := name_in_line(self._runs(row), self._language)):
                yield Clue(text)

    def _author_pages(self) -> Iterator[Clue]:
        """Names with the pages that they lead to, whether they sign this article or another one."""
        for row in (*self._linked("rel-author"), *self._linked(LinkKind.AUTHOR), *self._linked(LinkKind.PERSON)):
            if row not in self._samples and (text := self._outline.short_text(row, _LONGEST_NAME)):
                yield Clue(text, url=self._outline.elements[row].get("href") or "")

    def _together(self, rows: Iterable[int]) -> Iterator[int]:
        """The first, and those that stand beside it: others sign other articles. Who checked or illustrated an article is no author."""
        parents = self._outline.parents
        inside = [row for row in self._parts.inside(rows) if not self._is_other_hand(row) and not self._is_in_figure(row)]
        beside = {parents[inside[0]], parents[parents[inside[0]]]} if inside else set()
        return (row for row in inside if parents[row] in beside or parents[parents[row]] in beside)

    def _is_in_figure(self, row: int) -> bool:
        return any(self._outline.tags[one] == "figure" for one in self._outline.around(row))

    def _is_other_hand(self, row: int) -> bool:
        """Whether the words before a name say that its bearer did something else than write."""
        label = self._label_before(row) or self._label_before(self._outline.parents[row])
        return len(label) <= _LONGEST_LABEL and _OTHER_HANDS.search(label) is not None

    def _runs(self, row: int) -> list[str]:
        """The stretches of text in an element, each as far as the next tag or point between."""
        return self._stretches(self._outline.strings_in(row))

    def _stretches(self, places: Iterable[int]) -> list[str]:
        """Not those that lead to a section or to a topic: its name may be a word of bylines, such as "Haber", of news in Turkish."""
        outline = self._outline
        runs = (outline.strings[place] for place in islice(places, _MOST_RUNS) if not self._leads_to_list(outline.owners[place]))
        return [text for run in runs for piece in _BULLET.split(run) if (text := squeeze(piece))]

    def _leads_to_list(self, row: int) -> bool:
        links = (one for one in islice(self._parts.up(row), 3) if self._outline.tags[one] == "a")
        return any(link_kind(self._outline.elements[one].get("href") or "") in _OTHER_LISTS for one in links)

    # --- topics and sections ---

    def _texts(self, rows: Iterable[int]) -> list[Clue]:
        texts = (self._outline.short_text(row, _LONGEST_TAG) for row in rows)
        return [Clue(text) for text in texts if text and len(text) > 1]

    def _tags(self) -> Iterator[Clue]:
        """The texts of links (and buttons) in lists of such; what holds more than that is no list."""
        for box in self._parts.inside(self._hinted[ClassHint.TAGS]):
            links = [row for row in (box, *self._outline.rows_in(box, "a", "button")) if self._outline.tags[row] in ("a", "button")]
            texts = self._texts(row for row in links[:_MOST_LINKS] if row not in self._linked("rel-category"))
            if self._outline.length(box) <= _MOSTLY_LINKS * sum(len(clue.text) for clue in texts):
                yield from texts

    def _topic_links(self) -> list[Clue]:
        """The first short list of links to topics."""
        groups: dict[int, list[int]] = {}
        for row in self._parts.inside(self._linked(LinkKind.TOPIC)):
            if self._stands_alone(row) and self._outline.short_text(row, _LONGEST_TAG):
                around = list(islice(self._outline.around(row), 3))
                groups.setdefault(next((one for one in around if len(self._outline.rows_in(one, "a")) > 1), around[0]), []).append(row)
        return self._texts(next((rows for rows in groups.values() if len(rows) <= _MOST_TAGS), ()))

    def _labelled_topics(self) -> list[Clue]:
        """A short list of short links behind a label, such as "More about"."""
        outline, begin = self._outline, self._parts.headline.row if self._parts.headline is not None else 0
        for text, row in zip(outline.strings, outline.owners, strict=True):
            if len(text) > _LONGEST_LABEL or text.strip(_AROUND_LABELS).casefold() not in TOPIC_LABELS:
                continue
            in_link = any(outline.tags[one] == "a" for one in islice(self._parts.up(row), 3))
            if in_link or row < begin or row in self._samples or self._parts.is_outside(row):
                continue
            boxes = ((box, [link for link in outline.rows_in(box, "a") if link > row]) for box in islice(self._parts.up(row), 3))
            box, links = next(((box, links) for box, links in boxes if links), (0, []))
            topics = self._texts(links)
            mostly = outline.length(box) <= _MOSTLY_LINKS * sum(len(clue.text) for clue in topics)
            if 0 < len(topics) <= _MOST_TAGS and mostly and all(len(clue.text.split()) <= _MOST_WORDS for clue in topics):
                return topics
        return []

    def _sections(self) -> list[Clue]:
        """What links say to be its categories; else links to sections near the headline or in the foot of the article."""
        if called := self._texts(self._together(self._linked("rel-category"))):
            return called
        boxes = (row for box in self._parts.inside(self._hinted[ClassHint.SECTION]) for row in self._links_of(box)[:_MOST_TAGS])
        links = dict.fromkeys((*self._linked(LinkKind.SECTION), *boxes))
        tags = {*self._linked("rel-tag"), *self._linked(LinkKind.TOPIC)}
        usable = [row for row in links if row not in tags and (row in self._parts.near or self._is_in_foot(row))]
        inside = list(self._parts.inside(usable))
        if not inside:
            return []
        rows = sorted(row for row in inside if self._list_of(row) == self._list_of(inside[0]))
        together = rows[: 1 + sum(1 for _ in takewhile(lambda pair: self._stand_together(*pair), pairwise(rows)))]
        return self._texts(together if len(together) > 1 else inside[:1])

    def _links_of(self, box: int) -> list[int]:
        return [box] if self._outline.tags[box] == "a" else self._outline.rows_in(box, "a")

    def _is_in_foot(self, row: int) -> bool:
        above = islice(self._outline.around(row), _FOOT_LEVELS)
        return any(self._outline.tags[one] == "footer" or ClassHint.FOOT in self._parts.classes(one) for one in above)

    def _list_of(self, row: int) -> int:
        """What holds a link and others like it."""
        parent = self._outline.parents[row]
        return self._outline.parents[parent] if len(self._outline.elements[parent]) == 1 else parent

    def _stand_together(self, row: int, behind: int) -> bool:
        """Whether both are sections: steps down in items, or parted by arrows, are a path, unless both are called sections."""
        outline = self._outline
        if all(ClassHint.SECTION in self._parts.classes(one) for one in (row, behind)):
            return True
        if outline.tags[outline.parents[row]] == "li":
            above, below = ((outline.elements[one].get("href") or "").rstrip("/") + "/" for one in (row, behind))
            return not below.startswith(above)
        between = outline.strings[outline.strings_in(row).stop : outline.strings_in(behind).start]
        return _BETWEEN_ITEMS.fullmatch("".join(between)) is not None

    def _crumbs(self) -> Iterator[Clue]:
        """Of the links in the breadcrumbs all but one to the article itself."""
        outline, headline = self._outline, self._parts.headline
        labelled = (row for row in outline.rows("nav", "ol", "ul") if "crumb" in (outline.elements[row].get("aria-label") or "").lower())
        boxes = chain(self._hinted[ClassHint.CRUMBS], labelled, self._paths())
        for box in islice((row for row in boxes if row not in self._samples), 1):
            links = outline.rows_in(box, "a")[:_MOST_LINKS]
            crumbs = [(text, outline.elements[row].get("href") or "") for row in links if (text := outline.short_text(row, _LONGEST_CRUMB))]
            if crumbs and headline is not None and folded(crumbs[-1][0]) in folded(headline.text):
                crumbs.pop()
            yield from (Clue(text, url=url) for text, url in crumbs)

    def _paths(self) -> Iterator[int]:
        """Lines before the headline that begin with links of which each leads further down: Home > Culture > Music."""
        end = self._parts.headline.row if self._parts.headline is not None else 0
        for row in takewhile(lambda one: one < end, self._outline.rows("a")):
            link, above = self._outline.elements[row], self._outline.elements[self._outline.parents[row]]
            if above[0] is link and not (above.text or "").strip() and _STEP_DOWN.fullmatch(link.tail or ""):
                yield self._outline.parents[row]

    # --- where nothing marks them ---

    @cached_property
    def _lines(self) -> list[list[int]]:
        """Where the strings of each line of the page stand, those of white space left out."""
        outline = self._outline
        strings, owners = outline.strings, [-1, *outline.owners, -1]
        lines: list[list[int]] = [[]]
        for place, (text, before, row, behind) in enumerate(zip(strings, owners, owners[1:], owners[2:], strict=False)):
            if not text.isspace():
                lines[-1].append(place)
            elif text == " " and outline.tags[row] in BREAKS and lines[-1] and not row <= before < outline.ends[row] > behind >= row:
                lines.append([])
        return lines

    def _text_dates(self) -> list[Clue]:
        """Lines that begin with a date: behind the headline first, then before it, then outside of the article."""
        behind: list[str] = []
        before: list[str] = []
        outside: list[str] = []
        outline = self._outline
        begin = outline.strings_in(self._parts.headline.row).start if self._parts.headline is not None else 0
        for line in self._lines:
            length = 0
            for place in line:
                text = outline.strings[place]
                if _TWO_DIGITS.search(text) and not text.strip().isdigit():  # by far most texts have no date
                    beginning = " ".join(text.split(None, _NEAR_BEGIN // 2)[: _NEAR_BEGIN // 2])[:_NEAR_BEGIN]
                    row = outline.owners[place]
                    if _YEAR.search(beginning) and not self._parts.leads_out(row) and row not in self._samples:
                        (outside if self._parts.is_outside(row) else behind if place >= begin else before).append(beginning)
                length += len(text.strip())
                if length > _NEAR_BEGIN:
                    break
            if len(behind) >= _MOST_TEXTS:
                break
        return list(map(Clue, (*behind, *reversed(before), *outside)))[:_MOST_TEXTS]

    @cached_property
    def _text_bylines(self) -> list[tuple[str, bool]]:
        """The first short texts of the article that begin with "By ..." and a name, each with whether it stands close to the headline."""
        may_be, outline = byline_start(self._language).match, self._outline
        begin = outline.strings_in(self._parts.headline.row).start if self._parts.headline is not None else 0
        behind: list[tuple[str, bool]] = []
        before: list[tuple[str, bool]] = []
        for number, line in enumerate(self._lines):
            for at, place in enumerate(line):
                if not may_be(outline.strings[place]) or not self._may_sign(outline.owners[place]):
                    continue
                following = self._lines[number + 1] if at + 1 == len(line) and number + 1 < len(self._lines) else []
                if name := self._name_behind(line[at:], following):
                    is_near = outline.owners[place] in self._parts.near
                    (behind if place >= begin else before).append((name, is_near))
            if behind:
                break
        return [*behind, *reversed(before)]

    def _may_sign(self, row: int) -> bool:
        return not (self._leads_to_list(row) or self._parts.leads_out(row) or row in self._samples or self._parts.is_outside(row))

    def _name_behind(self, places: Sequence[int], following: Sequence[int]) -> str:
        """The byline that begins at the first of these places of a line; a "By" alone may stand before the name in the line behind it."""
        outline, language = self._outline, self._language
        first, row = squeeze(outline.strings[places[0]]), outline.owners[places[0]]
        is_near = row in self._parts.near
        count = 1
        if not starts_with_by(first, language):
            if not starts_with_by(f"{first} x", language) or not (first[0].isupper() or is_near):
                return ""
            places, count = (*places, *following), 2
            if len(places) < count:
                return ""
        elif len(first) > _LONGEST_SENTENCE:
            return ""
        texts = [squeeze(outline.strings[place]) for place in places]
        if sum(map(len, texts)) > _LONGEST_SENTENCE:
            texts = texts[:count]
        is_all = len(places) <= count or outline.tags[outline.owners[places[count]]] == "time"
        if names_in([Clue(" ".join(texts[:count]))], language, visible=True, alone=is_near and is_all):
            return " ".join(texts[: _end_of_names(texts, count - 1, language)])
        return ""


def name_in_line(runs: Sequence[str], language: str | None) -> str | None:
    """The first stretches that are a name, with the words before it and the names that it is connected with."""
    for start, run in enumerate(runs):
        if _LEAD.search(run) and not starts_with_by(run, language):
            continue
        end = start + 2 if starts_with_by(f"{run} x", language) and not starts_with_by(run, language) else start + 1
        if names_in([Clue(" ".join(runs[start:end]))], language, visible=True):
            return " ".join(runs[start : _end_of_names(runs, end - 1, language)])
    return None


def _end_of_names(runs: Sequence[str], last: int, language: str | None) -> int:
    """Behind the last of the stretches that are connected with one that is a name."""
    end = last + 1
    while end < len(runs):
        following = "".join(runs[end + 1 : end + 2])
        if following and _CONNECTS.fullmatch(runs[end]):
            end += 2
        elif _go_together(runs[end - 1], runs[end], following, language) and names_in([Clue(runs[end])], language, visible=True):
            end += 1
        else:
            break
    return end


def _go_together(text: str, behind: str, following: str, language: str | None) -> bool:
    """A comma may part a name from a place, but not where a word behind it connects what it parts with others."""
    if connected(text, behind, language):
        return True
    return (text.endswith(",") or behind.startswith(",")) and connected(behind, following, language)
