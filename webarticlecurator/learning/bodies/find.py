"""From pages of articles to rules for their bodies: where the general finder does as well, no rule is proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.learning.bodies.clusters import clusters_of, layouts_of
from webarticlecurator.learning.bodies.drafts import Draft, without_place
from webarticlecurator.learning.bodies.findings import BodyFindings, FoundLayout, Truth
from webarticlecurator.learning.bodies.known_texts import known_text, layouts_of_one_page, without_layouts
from webarticlecurator.learning.bodies.page_words import MOST_ELEMENTS, MOST_WORDS, PageWords, page_words
from webarticlecurator.learning.bodies.places import lost_layouts, place_of_strays
from webarticlecurator.learning.bodies.proposing import Learnt, proposals_of
from webarticlecurator.learning.bodies.reading import MOST_PAGES, Reader, Reading
from webarticlecurator.learning.bodies.repeated import Repeated, repeated_elements
from webarticlecurator.learning.bodies.teaching import MOST_TAUGHT, Lesson, Taught, Teacher, taught
from webarticlecurator.learning.bodies.undecided import undecided_rows
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned


def find_bodies(
    pages: Sequence[Page], truths: Sequence[Truth] = (), *, portal: Portal, listings: Mapping[str, Fields] | None = None
) -> BodyFindings:
    """The layouts of some first pages of articles, and the rules for their bodies that are better than none.

    `truths`: what a person said of some of these pages; a layout of the portal for one page alone says it, too. `listings`: what
    archive pages said of them, by URL.
    """
    return _Finder(pages, truths, portal, listings or {}).findings()


class _Finder:
    """The steps, and what they hand on."""

    def __init__(self, pages: Sequence[Page], truths: Sequence[Truth], portal: Portal, listings: Mapping[str, Fields]) -> None:
        alone = layouts_of_one_page(portal, pages)
        told = {*(truth.url for truth in truths), *alone}
        self._pages = sorted(pages, key=lambda page: page.requested_url not in told)[:MOST_PAGES]
        self._left = len(pages) - len(self._pages)
        self._alone = alone
        self._truths = {truth.url: truth for truth in truths}
        self._portal = without_layouts(portal, list(alone.values()))
        self._ruled = portal
        self._listings = listings
        self._reader = Reader(self._portal, listings)

    def findings(self) -> BodyFindings:
        read = [self._read(page) for page in self._pages]
        base = [one for one in read if one.layout is None]
        articles = [one for one in base if one.is_article and not one.is_lost]
        lost = [one for one in base if one.is_article and one.is_lost]
        clusters, lost_clusters = clusters_of(articles), clusters_of(lost)
        words = [page_words(one, Lookup(self._portal.body.tags)) for one in articles]
        repeated = repeated_elements(words, self._portal.language)
        known = self._known(base)
        lesson = self._lesson(known, articles, repeated)
        strays = place_of_strays(clusters, self._reader) if not lesson.draft.has_place and self._portal.body.root is None else None
        entries = lost_layouts(lost_clusters, articles, self._reader)
        learnt = Learnt(
            pages=len(articles) + len(lost),
            known=len(known),
            lesson=lesson,
            repeated=repeated,
            strays=strays,
            entries=entries,
            everywhere=all(self._has_place(lesson.draft, one) for one in articles),
        )
        size = sum(len(one.article.text.split()) for one in articles)
        asked = undecided_rows([one.page for one in articles], learnt.draft.applied(self._portal), self._listings, size)
        unfit = [replace(one, body=entry) for one, entry in zip(layouts_of(lost_clusters), entries, strict=True)]
        layouts = [*layouts_of(clusters), *unfit]
        remarks = (*map(_told, layouts), *self._remarks(read, words, known, learnt.draft))
        return BodyFindings(layouts=tuple(layouts), learned=Learned(proposals=(*proposals_of(learnt, layouts), *asked), remarks=remarks))

    def _read(self, page: Page) -> Reading:
        """By the rules; where these find no place of the text, as if none said where it is."""
        read = self._reader.read(page)
        if self._portal.body.root is None or read.container is not None or read.layout is not None:
            return read
        return replace(self._reader.read(page, without_place(self._portal)), is_lost=True)

    def _known(self, read: Sequence[Reading]) -> list[Taught]:
        """The pages of which the text is known."""
        known = []
        for one in read:
            text = None
            if one.url in self._truths:
                text = known_text(self._truths[one.url], one)
            elif one.url in self._alone:
                text = self._reader.read(one.page, self._ruled).article.text
            if text:
                known.append(taught(one, text))
        return known

    def _lesson(self, known: Sequence[Taught], articles: Sequence[Reading], repeated: Sequence[Repeated]) -> Lesson:
        start = Draft(tags=tuple(("decompose", one.selector) for one in repeated if one.sure))
        if not known:
            return Lesson(draft=start)
        urls = {one.reading.url for one in known}
        teacher = Teacher(self._reader, known, [one for one in articles if one.url not in urls], start)
        return teacher.lesson([Draft.of(layout) for url, layout in sorted(self._alone.items()) if url in urls])

    def _has_place(self, draft: Draft, reading: Reading) -> bool:
        return not (draft.root or draft.parts) or self._reader.read(reading.page, draft.applied(self._portal)).container is not None

    def _remarks(self, read: Sequence[Reading], words: Sequence[PageWords], known: Sequence[Taught], draft: Draft) -> list[str]:
        other = sum(one.layout is not None for one in read)
        as_good = not draft.has_place and self._portal.body.root is None and len(words) > 0
        told = {
            "The general finder finds the text as well as a rule would: none is proposed for where it stands.": as_good,
            f"{amount(self._left, 'more page was', 'more pages were')} not looked at: {MOST_PAGES} are enough to learn from.": self._left
            > 0,
            f"{amount(other, 'page falls', 'pages fall')} under layouts that the portal file has; nothing is learned of them.": other > 0,
            f"On some pages only the first {MOST_WORDS:,} words or {MOST_ELEMENTS:,} elements were read.": any(one.is_cut for one in words),
            f"Of {len(known):,} corrected pages only {MOST_TAUGHT} were learned from.": len(known) > MOST_TAUGHT,
            "Nothing of what the file of expectations says could be found on its pages.": bool(self._truths) and not known,
        }
        return [sentence for sentence, holds in told.items() if holds]


def _told(layout: FoundLayout) -> str:
    place = f"in {layout.root}" if layout.root else "in elements without a name that they have in common"
    days = f", of {layout.first} to {layout.last}" if layout.first and layout.last else ""
    pages = amount(len(layout.urls), "page") if len(layout.urls) > 1 else "one page"
    return f"Layout {layout.name}: on {pages}{days}, the text stands {place}."
