"""A drift as people are told of it: its first article, the pages that show it, and a layout that could be written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from threading import Event as Flag
from typing import Any

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.still_page import still_page
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.labelling.truth import shares_in
from webarticlecurator.model.drift import FoundDrift, ShownPage
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.watching import series
from webarticlecurator.watching.drift import Drift, Seen, section_of
from webarticlecurator.watching.page_facts import KEPT
from webarticlecurator.watching.pages import ArticlePages
from webarticlecurator.watching.series import SeriesArticle

_TO_LEARN_FROM = 8
"""Pages of the new layout that a proposal is made of."""
_MOST_BLOCKS = 480
"""Of a page that is shown."""
_WITHOUT = {
    True: "without rules of its own: it only says that the change is known",
    False: "without rules of its own, since none could be learned: as it is it ends the alarm, and mends nothing",
}


_SENTENCES = {
    "empty": "the rules find no text in {after}; before, in {before}",
    "metadata": "{after} have no {what}; before, {before} had none",
    "unknown-tags": "no rule decides {what}, which stands in {after}; before, in {before}",
    "repeated-text": "the same line is kept in {after}; before, in {before}",
    "names": "the classes and ids of the page are others than those of earlier pages in {after}; before, in {before}",
    "lost-text": "text that looks like the article's is left out in {after}; before, in {before}",
    "foreign-text": "text that does not look like the article's is kept in {after}; before, in {before}",
    "new-structure": "{what} stands in the kept text of {after}; before, of {before}",
}
_OF_A_KIND, _MOST_SIGNS = 2, 6


@dataclass(frozen=True, slots=True)
class DriftTeller:
    """Tells of the drifts in rows of articles of one layout."""

    portal: Portal
    built: BuiltArticles
    pages: ArticlePages
    stop: Flag

    def briefly(self, rows: Sequence[SeriesArticle], drift: Drift) -> FoundDrift:
        """Without pages and proposal."""
        return self._told(self._first(rows, drift), drift)

    def _told(self, first: SeriesArticle, drift: Drift) -> FoundDrift:
        signs = _signs(drift.seen)
        return FoundDrift(
            layout=first.article.layout,
            day=first.article.own_day,
            url=first.article.url,
            headline=first.article.headline,
            signs=tuple(sentence for _, sentence in signs),
            kinds=tuple(dict.fromkeys(kind for kind, _ in signs)),
        )

    def fully(self, rows: Sequence[SeriesArticle], drift: Drift, *, with_html: bool) -> FoundDrift:
        """With all that there is to show."""
        first = self._first(rows, drift)
        brief = self._told(first, drift)
        run = [rows[place] for place in drift.run]
        old = rows[max(0, drift.before + 1 - len(run)) : drift.before + 1]
        is_old_broken = _empty(old) > len(old) // 2 and _empty(run) <= len(run) // 2
        signs = (f"the rules find no text in {_empty(old):,} of the {len(old):,} articles before it",) if is_old_broken else ()
        proposal, why = self._proposal(rows, old if is_old_broken else run, brief, before=is_old_broken)
        shown = (("last before", rows[drift.before]), ("first after", first), ("another after", run[-1]))
        return replace(
            brief,
            signs=(*brief.signs, *signs),
            pages=tuple(self._shown(role, one, with_html) for role, one in shown),
            proposal=proposal,
            proposed_for=why,
        )

    def _first(self, rows: Sequence[SeriesArticle], drift: Drift) -> SeriesArticle:
        """The first of all articles that is odd by the surest sign, not only of the sample: halved, and halved again."""
        judge, first = drift.seen[0].sign.judge, rows[drift.place]
        left = series.between(self.built, rows[drift.before], first)
        while left and not self.stop.is_set():
            middle = len(left) // 2
            ((filled, text),) = series.with_texts(self.built, [left[middle]])
            if judge(replace(filled.article, page=self.pages.facts(filled, text))):
                first, left = left[middle], left[:middle]
            else:
                left = left[middle + 1 :]
        return first

    def _shown(self, role: str, one: SeriesArticle, with_html: bool) -> ShownPage:
        ((filled, text),) = series.with_texts(self.built, [one])
        article = filled.article
        shown = ShownPage(
            role=role,
            url=article.url,
            headline=article.headline,
            day=article.own_day,
            outcome="empty" if article.is_empty else "article",
            words=article.words,
        )
        page = self.pages.first(filled)
        if page is None or page.tree is None:
            return shown
        blocks = text_blocks(page.tree)[:_MOST_BLOCKS]
        kept = [(share >= KEPT, block.text) for share, block in zip(shares_in(blocks, text), blocks, strict=True)]
        return replace(shown, blocks=tuple(kept), html=still_page(page.tree).html if with_html else None)

    def _proposal(
        self, rows: Sequence[SeriesArticle], some: Sequence[SeriesArticle], drift: FoundDrift, *, before: bool
    ) -> tuple[dict[str, Plain] | None, str]:
        """An entry of `layouts` for the pages of which these are some: those since that day, or those before it."""
        day = drift.day[:10]
        try:
            first = date.fromisoformat(day)
        except ValueError:
            return None, "the first of these articles has no date, and a layout begins on a day"
        chosen = some[:: max(1, len(some) // _TO_LEARN_FROM)][:_TO_LEARN_FROM]
        pages = [page for one, _ in series.with_texts(self.built, chosen) if (page := self.pages.first(one)) is not None]
        if not pages:
            return None, "none of the pages can be read"
        known, portal = self._of_layout(drift.layout)
        body = _body(pages, portal, is_empty=_empty(some) > len(some) // 2, is_lost="lost-text" in drift.kinds)
        entry: dict[str, Plain] = {"name": f"before-{day}" if before else f"since-{day}"}
        entry |= {condition: known[condition] for condition in ("from", "until", "when", "url") if condition in known}
        entry |= {"until": (first - timedelta(days=1)).isoformat()} if before else {"from": day}
        for condition, value in self._conditions(rows, some, body):
            entry.setdefault(condition, value)
        entry |= {key: value for key, value in known.items() if key not in entry}
        if body:
            entry["body"] = {**(known.get("body") or {}), **body}
        above = f"; it must stand above the entry {drift.layout}" if known else ""
        return entry, f"{f'made of {len(pages)} pages' if body else _WITHOUT[drift.is_harmless]}{above}"

    def _conditions(
        self, rows: Sequence[SeriesArticle], some: Sequence[SeriesArticle], body: Mapping[str, Plain]
    ) -> Iterator[tuple[str, Plain]]:
        """Beside the date: a part of the pages may look as before."""
        sections = {section_of(one.article.url) for one in some}
        place = body.get("root") or body.get("within")
        if isinstance(place, str):
            yield "when", place
        elif len(sections) == 1 and any(section_of(one.article.url) not in sections for one in rows):
            yield "url", f"^https?://{re.escape(*sections)}"

    def _of_layout(self, name: str | None) -> tuple[dict[str, Any], Portal]:
        """What the portal file says of a layout, and the portal as if that were its base rules."""
        from webarticlecurator.learning.file_rules import plain_file

        entries = plain_file(self.portal.effective.encode("utf-8"), self.portal.sources[0].path).get("layouts") or ()
        for layout, entry in zip(self.portal.layouts, entries, strict=False):
            if layout.name == name:
                portal = replace(self.portal, metadata=layout.metadata, body=layout.body, posts=layout.posts, layouts=())
                return dict(entry), portal
        return {}, self.portal


def _body(pages: Sequence[Page], portal: Portal, *, is_empty: bool, is_lost: bool) -> dict[str, Plain]:
    """What would stand under `body`, if that is better than what does."""
    from webarticlecurator.learning.bodies import find_bodies
    from webarticlecurator.learning.bodies.drafts import without_place
    from webarticlecurator.learning.bodies.lost_layouts import is_better
    from webarticlecurator.learning.bodies.reading import Reader

    if portal.body.root is None:
        return {}
    for proposal in find_bodies(pages, portal=portal).proposals:
        if proposal.path == ("layouts",):
            entries: Any = proposal.choices[0].value
            return dict(entries[0]["body"])
    if is_lost:
        reader, finder = Reader(portal, {}), without_place(portal)
        better = sum(is_better(reader.read(page, finder), reader.read(page)) for page in pages)
        return {"root": None} if better > len(pages) // 2 else {}
    return {"root": None} if is_empty else {}  # the general finder finds what the rule does not


def _empty(articles: Sequence[SeriesArticle]) -> int:
    return sum(one.article.is_empty for one in articles)


def _signs(seen: Sequence[Seen]) -> tuple[tuple[str, str], ...]:
    """Kind and sentence of each; of one kind not all."""
    shown: list[tuple[str, str]] = []
    for one in seen:
        if sum(kind == one.sign.kind for kind, _ in shown) < _OF_A_KIND and len(shown) < _MOST_SIGNS:
            shown.append((one.sign.kind, _sentence(one)))
    return tuple(shown)


def _sentence(seen: Seen) -> str:
    after, before = (f"{odd:,} of {of:,} articles" for odd, of in (seen.after, seen.before))
    return _SENTENCES[seen.sign.kind].format(what=seen.sign.what, after=after, before=before)
