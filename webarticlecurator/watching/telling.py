"""A drift as people are told of it: its first article, the pages that show it, and a layout that could be
written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from threading import Event as Flag

from webarticlecurator.amounts import part, those_that_hold
from webarticlecurator.databases import Row
from webarticlecurator.dates import first_day
from webarticlecurator.document.still_page import still_page
from webarticlecurator.labelling.text_blocks import shares_in, text_blocks
from webarticlecurator.model.proposals import Plain
from webarticlecurator.watching.drift import section_of
from webarticlecurator.watching.page_facts import KEPT
from webarticlecurator.watching.portal_articles import PortalArticles, WatchedArticle

_SENTENCES = {
    "empty": "the rules find no text in {after}; before, in {before}",
    "metadata": "{after} have no {what}; before, {before} had none",
    "unknown-tags": "no rule decides {what}, which stands in {after}; before, in {before}",
    "repeated-text": "the same line is kept in {after}; before, in {before}",
    "lost-text": "text that looks like the article's is left out in {after}; before, in {before}",
    "foreign-text": "text that does not look like the article's is kept in {after}; before, in {before}",
    "new-structure": "{what} stands in the kept text of {after}; before, of {before}",
}


@dataclass(frozen=True, slots=True)
class DriftTeller:
    """Tells of the drifts in rows of articles of one layout."""

    articles: PortalArticles
    stop: Flag

    def tell(
        self, row: Sequence[WatchedArticle], drift: Row, *, briefly: bool = False, with_html: bool = False
    ) -> Row:
        """Return what there is to show; `briefly`: without pages and proposal.

        `layout`: of the portal file, whose pages they are; None: the base rules; `day`: of the first article,
        empty where it has no date; `signs`: sentences with their counts, the surest first; `kinds`: the same
        as words for programs. `pages`: the last before it, and two behind it, block by block, each with
        whether it is kept; `proposal`: an entry of `layouts`, None where none could be made; `proposed_for`:
        what it rests on, or why there is none.
        """
        first = self._first(row, drift)
        signs_told: list[tuple[str, str]] = []  # kind and sentence of each; of one kind not all
        for seen in drift.seen:
            kind = seen.kind
            if [shown for shown, _ in signs_told].count(kind) < 2 and len(signs_told) < 6:
                odd_after, odd_before = (
                    f"{odd:,} of {of:,} articles" for odd, of in (seen.after, seen.before)
                )
                signs_told.append(
                    (kind, _SENTENCES[kind].format(what=seen.what, after=odd_after, before=odd_before))
                )
        brief = Row(
            layout=first.layout,
            day=first.own_day,
            url=first.url,
            headline=first.headline,
            signs=tuple(sentence for _, sentence in signs_told),
            kinds=tuple(dict.fromkeys(kind for kind, _ in signs_told)),
        )
        if briefly:
            return brief
        run = [row[place] for place in drift.run]
        old = row[max(0, drift.before + 1 - len(run)) : drift.before + 1]
        is_old_broken = _empty(old) > len(old) // 2 and _empty(run) <= len(run) // 2
        no_text = f"the rules find no text in {_empty(old):,} of the {len(old):,} articles before it"
        signs = those_that_hold((is_old_broken, no_text))
        proposal, why = self._proposal(row, old if is_old_broken else run, brief, before=is_old_broken)
        shown = (("last before", row[drift.before]), ("first after", first), ("another after", run[-1]))
        return Row(
            brief,
            signs=(*brief.signs, *signs),
            pages=tuple(self._shown(role, article, with_html) for role, article in shown),
            proposal=proposal,
            proposed_for=why,
        )

    def _first(self, row: Sequence[WatchedArticle], drift: Row) -> WatchedArticle:
        """The first of all articles that is odd by the surest sign, not only of the sample: halved, and
        halved again."""
        judge = drift.seen[0].judge
        first: WatchedArticle = row[drift.place]
        left = self.articles.between(row[drift.before], first)
        while left and not self.stop.is_set():
            middle = len(left) // 2
            if judge(self.articles.read(left[middle])):
                first, left = left[middle], left[:middle]
            else:
                left = left[middle + 1 :]
        return first

    def _shown(self, role: str, article: WatchedArticle, with_html: bool) -> Row:
        """Return an article as it is shown: without blocks and `html` where the page cannot be read; its
        `html` is made harmless, and there only where somebody wants it."""
        page = self.articles.page(article)
        tree = page.tree if page is not None else None
        blocks = text_blocks(tree)[:480]
        shares = shares_in(blocks, self.articles.text(article))
        return Row(
            role=role,
            url=article.url,
            headline=article.headline,
            day=article.own_day,
            outcome="empty" if article.is_empty else "article",
            words=article.words,
            blocks=[
                Row(kept=share >= KEPT, text=block.text) for share, block in zip(shares, blocks, strict=True)
            ],
            html=still_page(tree).html if tree is not None and with_html else None,
        )

    def _proposal(
        self, row: Sequence[WatchedArticle], some: Sequence[WatchedArticle], drift: Row, *, before: bool
    ) -> tuple[dict[str, Plain] | None, str]:
        """An entry of `layouts` for the pages of which these are some: those since that day, or those before
        it."""
        day, first = drift.day[:10], first_day((drift.day,))
        if first is None:
            return None, "the first of these articles has no date, and a layout begins on a day"
        entry: dict[str, Plain] = {"name": f"before-{day}" if before else f"since-{day}"}
        entry |= {"until": (first - timedelta(days=1)).isoformat()} if before else {"from": day}
        sections = {section_of(article.url) for article in some}
        if len(sections) == 1 and any(section_of(article.url) not in sections for article in row):
            entry["url"] = f"^https?://{re.escape(*sections)}"
        why = "without rules of its own: it only says that the change is known, and mends nothing"
        if _empty(some) > len(some) // 2:
            entry["body"] = {"root": None}
            why = (
                "by which the general finder looks for the text, where the rules find none; better, let "
                "`root` name its place"
            )
        above = part("; it must stand above the entry {}, and repeat what that says beside", drift.layout)
        return entry, f"{why}{above}"


def _empty(articles: Sequence[WatchedArticle]) -> int:
    return sum(article.is_empty for article in articles)
