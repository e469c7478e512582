"""A drift as people are told of it: its first article, the pages that show it, and a layout that could be written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from threading import Event as Flag

from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.still_page import still_page
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.labelling.truth import shares_in
from webarticlecurator.model.drift import FoundDrift, ShownPage
from webarticlecurator.model.proposals import Plain
from webarticlecurator.watching import series
from webarticlecurator.watching.drift import Drift
from webarticlecurator.watching.page_facts import KEPT
from webarticlecurator.watching.pages import ArticlePages
from webarticlecurator.watching.series import SeriesArticle
from webarticlecurator.watching.words import told

_TO_LEARN_FROM = 8
"""Pages of the new layout that a proposal is made of."""
_MOST_BLOCKS = 480
"""Of a page that is shown."""


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
        signs = told(drift.seen)
        return FoundDrift(
            layout=first.article.layout,
            day=first.article.day,
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
        proposal, why = self._proposal(old if is_old_broken else run, brief.day[:10], before=is_old_broken)
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
            day=article.day,
            outcome="empty" if article.is_empty else "article",
            words=article.words,
        )
        page = self.pages.first(filled)
        if page is None or page.tree is None:
            return shown
        blocks = text_blocks(page.tree)[:_MOST_BLOCKS]
        kept = [(share >= KEPT, block.text) for share, block in zip(shares_in(blocks, text), blocks, strict=True)]
        return replace(shown, blocks=tuple(kept), html=still_page(page.tree).html if with_html else None)

    def _proposal(self, some: Sequence[SeriesArticle], day: str, *, before: bool) -> tuple[dict[str, Plain] | None, str]:
        """An entry of `layouts` for the pages of which these are some: those since that day, or those before it."""
        from webarticlecurator.learning.bodies import find_bodies

        try:
            first = date.fromisoformat(day)
        except ValueError:
            return None, "the articles have no date"
        chosen = some[:: max(1, len(some) // _TO_LEARN_FROM)][:_TO_LEARN_FROM]
        pages = [page for one, _ in series.with_texts(self.built, chosen) if (page := self.pages.first(one)) is not None]
        if not pages:
            return None, "none of the pages can be read"
        found = find_bodies(pages, portal=self.portal)
        body: dict[str, Plain] = dict(found.layouts[0].body) if found.layouts else {}
        if not body and self.portal.body.root is not None and _empty(some) > len(some) // 2:
            body = {"root": None}  # the general finder finds what the rule does not
        when: dict[str, Plain] = {"until": (first - timedelta(days=1)).isoformat()} if before else {"from": day}
        name = f"before-{day}" if before else f"since-{day}"
        why = f"made of {len(pages)} pages" if body else "without rules of its own: it only says that the change is known"
        return {"name": name, **when, **({"body": body} if body else {})}, why


def _empty(articles: Sequence[SeriesArticle]) -> int:
    return sum(one.article.is_empty for one in articles)
