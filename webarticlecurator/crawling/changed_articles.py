"""Articles that were changed after their last capture, by the `lastmod` of the archive page that lists them: they are asked for again."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

from webarticlecurator.amounts import amount
from webarticlecurator.corpus.ledger import QueuedPage
from webarticlecurator.crawling.articles import ArticleCrawl
from webarticlecurator.crawling.asked_again import AskedAgain
from webarticlecurator.crawling.run import Run

MOST = 10_000
"""That are asked for in one crawl; the others wait for the next."""
FEW = 20
"""So many may be all there are. Where there are more, they are most of the articles, and most of them changed in one minute or just now,
`lastmod` says when the list was made: then no more than these are asked for in one crawl."""


def ask_for_changed(run: Run) -> None:
    """Ask for them as --recheck does, but whole: a new version is kept beside the old one."""
    changed, alike, dated = run.ledger.count_changed(run.number)
    if not changed:
        return
    doubtful = changed > FEW and 2 * changed > dated and 2 * alike > changed
    pages = run.ledger.changed(run.number, FEW if doubtful else MOST)
    by_host: dict[str, list[QueuedPage]] = defaultdict(list)
    for page in pages:
        by_host[page.host].append(page)
    asked, again = run.asked, ArticleCrawl(run, again=True, whole=True)
    again.crawl({host: partial(_after, found) for host, found in by_host.items()})
    run.asked_again_counts.update(again.answered.counts)
    run.asked_again.append(_in_words(changed, run.asked - asked, again.answered, dated=dated, doubtful=doubtful))


def _after(pages: list[QueuedPage], last: int, limit: int) -> list[QueuedPage]:
    """Those after the one with that id; in the order of ids, as the queue wants them."""
    return sorted((page for page in pages if page.id > last), key=lambda page: page.id)[:limit]


def _in_words(changed: int, asked: int, answered: AskedAgain, *, dated: int, doubtful: bool) -> str:
    by = "changed by the `lastmod` of"
    articles = amount(changed, f"article has {by} its listing", f"articles have {by} their listing")
    said = f"{articles}: {asked:,} asked for again, {answered}"
    if doubtful:
        return (
            f"{said}. These are most of the {amount(dated, 'article')} with a `lastmod`, and all at one time, so it may be the list's;"
            f" each crawl asks for {FEW}, `curator crawl --recheck 36500d` for all"
        )
    return f"{said}; the other {changed - asked:,} wait for the next crawl" if changed > asked else said
