"""Which parts of a page are its article's: its headline, what stands close to it and what belongs to others, by classes and links."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, takewhile

from webarticlecurator.extraction.metadata.headline import Heading, find_headline
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.labelling.names import ClassHint, LinkKind, hints_of, link_kind, link_target
from webarticlecurator.model.page import LINE, Outline
from webarticlecurator.text import SAMPLES, folded, short_text

_MOST_CANDIDATES = 40
LONGEST_NAME, LONGEST_TAG, LONGEST_LABEL = 60, 60, 60
_OF_WHOLE_PAGE = frozenset({"meta", "link", "title", "script"})
"""Whose class says nothing of what a reader sees."""
_OWN_TAGS, _ENTRY_TAGS = frozenset({"body", "main"}), frozenset({"article", "main"})
_OUTSIDE_TAGS = frozenset({"nav", "form", "noscript", "script", "style", "template", *SAMPLES})
_NEAR_BEHIND, _NEAR_BEFORE = 800, 300
"""Characters between the headline and what stands close to it, so that a lead and a caption may lie between."""
_MOST_NEAR = 300
_OTHER_LISTS = (LinkKind.SECTION, LinkKind.TOPIC)
_WORD = re.compile(r"[^\W\d_]{4}")


def samples_in(outline: Outline) -> frozenset[int]:
    """The rows of samples of code, and of all that stands in them: they say nothing of the page."""
    return frozenset(chain.from_iterable(range(row, outline.ends[row]) for row in outline.rows(*SAMPLES)))


class VisibleParts:
    """What a reader of a page sees of its article, by rows of the outline."""

    def __init__(
        self, outline: Outline, samples: frozenset[int], first: Sequence[Heading], titles: Sequence[str], outlets: Collection[str]
    ) -> None:
        """`first`: the headings of the first level; `titles`: those of the page, by which its headline is known."""
        self.outline = outline
        self.samples = samples
        self._outside: dict[int, bool] = {}
        self.first_level = first
        self.headline: Heading | None = find_headline(outline, first, lambda: self.hinted[ClassHint.HEADING], titles, outlets, samples)
        self.around = frozenset() if self.headline is None else frozenset(outline.around(self.headline.row))
        self._own_article = any(outline.tags[row] == "article" for row in self.around)
        """Whether the headline stands in one, so that others are of others."""

    # --- classes and links ---

    @cached_property
    def hinted(self) -> dict[ClassHint, list[int]]:
        """The elements whose classes say what they hold."""
        hinted: dict[ClassHint, list[int]] = {hint: [] for hint in ClassHint}
        for row, (tag, written) in enumerate(zip(self.outline.tags, self.outline.attribute("class"), strict=True)):
            if written and tag not in _OF_WHOLE_PAGE and row not in self.samples:
                for hint in hints_of(written):
                    hinted[hint].append(row)
        return hinted

    def classes(self, row: int) -> frozenset[ClassHint]:
        return hints_of(self.outline.attribute("class")[row] or "")

    @cached_property
    def linked(self) -> dict[str | LinkKind, list[int]]:
        """Links, by what their rel or their address says; of one that has both, the rel counts."""
        linked: dict[str | LinkKind, list[int]] = {"rel-author": [], "rel-category": [], "rel-tag": [], **{kind: [] for kind in LinkKind}}
        for row in self.outline.rows("a"):
            link = self.outline.elements[row]
            href, rel = link.get("href"), link.get("rel")
            address = link_kind(href) if href else None
            kind: str | LinkKind | None = address
            if rel:
                rels = rel.lower().split()
                if "category" in rels or ("tag" in rels and (address is LinkKind.SECTION or self._is_in_sections(row, address))):
                    kind = "rel-category"
                elif "tag" in rels:
                    kind = "rel-tag"
                elif "author" in rels:
                    kind = "rel-author"
            if kind is not None:
                linked[kind].append(row)
        return linked

    def _is_in_sections(self, row: int, kind: LinkKind | None) -> bool:
        above = islice(self.outline.around(row), 2)
        return kind is not LinkKind.TOPIC and any(ClassHint.SECTION in self.classes(outer) for outer in above)

    def label_before(self, row: int) -> str:
        """The text right before an element."""
        element = self.outline.elements[row]
        above, before = element.getparent(), element.getprevious()
        if before is not None:
            return (before.tail or "").strip() or short_text(before, LONGEST_LABEL) or ""
        return ((above.text if above is not None else None) or "").strip()

    def stands_alone(self, row: int) -> bool:
        """Not in the middle of a sentence: a label may stand before it."""
        return len(self.label_before(row)) <= LONGEST_LABEL and not _WORD.search(self.outline.elements[row].tail or "")

    def leads_to_its_words(self, row: int) -> bool:
        """Whether the address is made of the words of the link, as that of a person's page is: /author/ann-lee, /@ann."""
        last = folded(link_target(self.outline.elements[row].get("href") or ""))
        words = (self.outline.short_text(row, LONGEST_NAME) or "").split()
        return any(len(key) > 2 and key in last for word in words if (key := folded(word)))

    def leads_to_list(self, row: int) -> bool:
        """Whether it stands in a link to a section or a topic, whose name may be a word of bylines, as "Haber" is in Turkish."""
        links = (above for above in islice(self.up(row), 3) if self.outline.tags[above] == "a")
        return any(link_kind(self.outline.elements[link].get("href") or "") in _OTHER_LISTS for link in links)

    def texts(self, rows: Iterable[int]) -> list[Clue]:
        """Short ones, such as topics have."""
        texts = (self.outline.short_text(row, LONGEST_TAG) for row in rows)
        return [Clue(text) for text in texts if text and len(text) > 1]

    # --- where things stand ---

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
        behind = takewhile(lambda other: outline.begins_at(other) - end <= _NEAR_BEHIND, range(row, len(outline.elements)))
        before = takewhile(lambda other: begin - outline.begins_at(other) <= _NEAR_BEFORE, range(row - 1, -1, -1))
        near = chain(islice(behind, _MOST_NEAR), islice((other for other in before if other not in self.around), _MOST_NEAR))
        return {other: rank for rank, other in enumerate(near)}

    def nearest_first(self, rows: Iterable[int]) -> list[int]:
        return sorted(rows, key=lambda row: self.near.get(row, len(self.near)))

    def inside(self, rows: Iterable[int]) -> Iterator[int]:
        """Those of the article, what stands close to its headline first."""
        return (row for row in self.nearest_first(rows)[:_MOST_CANDIDATES] if not self.is_outside(row))

    def beside_first(self, rows: Sequence[int]) -> list[int]:
        """The first of them, and those that stand beside it, be it in elements of their own."""
        parents = self.outline.parents
        around = {parents[rows[0]], parents[parents[rows[0]]]} if rows else set()
        return [row for row in rows if parents[row] in around or parents[parents[row]] in around]

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
        if tag == "article" and self._own_article:
            return True
        if tag == "a" and self.outline.rows_in(row, "h2", "h3", "h4"):  # a teaser
            return True
        if tag in _OUTSIDE_TAGS and not (tag == "nav" and self._lists_topics(row)):
            return True
        hints = {hint for name in ("class", "id") if (written := element.get(name)) for hint in hints_of(written)}
        if tag == "footer" or ClassHint.FOOT in hints:
            above = self.outline.around(row)
            return not any(self.outline.tags[outer] in _ENTRY_TAGS or ClassHint.ENTRY in self.classes(outer) for outer in above)
        return ClassHint.OUTSIDE in hints

    def _lists_topics(self, row: int) -> bool:
        """The topics of an article may be marked up as a way to others: `<nav class="tags">`, in one for all that is told of the page."""
        inner = (nav for nav in self.outline.rows_in(row, "nav") if self.outline.parents[nav] == row)
        return any(ClassHint.TAGS in self.classes(nav) for nav in (row, *inner))

    # --- lines and titles ---

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

    def sources(self) -> Mapping[str, Callable[[], Iterable[Clue]]]:
        """Of titles."""
        return {"html:h1": self._first_level_titles, "html:heading": self._headline_title}

    def _first_level_titles(self) -> Iterator[Clue]:
        """The headings of the first level, the headline before others."""
        ordered = sorted(self.first_level, key=lambda heading: self.headline is None or heading.row != self.headline.row)
        return (Clue(heading.text) for heading in ordered)

    def _headline_title(self) -> Iterator[Clue]:
        """The headline where it is no heading of the first level, or hardly known by one."""
        if self.headline is not None and (self.headline.is_part or self.headline not in self.first_level):
            yield Clue(self.headline.text)
