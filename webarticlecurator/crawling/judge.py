"""Is the end of a walk believed? It is where no question finds anything against it.

The questions, in their order, and where their facts are made:

    "the feed lists nothing that ..."        `_feed_may_have_gap`       spans of earlier walks: `ledger_walks.py`
    "no page on the way had a link ..."      `_ends_above_known_ground` the same
    "... more article links than ..."        `_limit_of_page`           bounds of pages: `page_contents.py`
    "of ... a part could not be read"        `_fault_of_page`           the same; what breaks off: `signs_of_sizes.py`
    "... could not be read, nor ..."         `_unread`                  pages that `walk.py` has stepped over
    "...; but URL has N of what `item` ..."  `_gap`                     pages on which `link` takes nothing: `walk.py`
    "...; but URL, which comes before ..."   `_gap`                     the place above the first: `walk.py` asks for it
    "...; but ... between was not ..."       `_gap`                     places that pages say: `signs_of_counts.py`
    "...; but the stored copy of ..."        `_gap`                     pages that may not adjoin: `signs_of_copies.py`
    "...; but the link ... has N ..."        `_lists_more_beside`       pages beside the list: `walk.py` asks for them
                                            the same                    pages that numbers skip: `signs_of_skips.py`
    "...; but the link '3' on ..."           `_unasked_link`            links of pagers: `signs_of_links.py`
    "...; but the first page says ..."       `_count`                   counts: `signs_of_counts.py`
    "...; but it has 'Load more': ..."       `_script`                  what scripts bring: `signs_of_scripts.py`
    "...; but it names 2019 for a script"    `_years`                   named years: `signs_of_years.py`
    "...; but it lists 50, and its ..."      `_size`                    sizes of pages: `signs_of_sizes.py`
    what is said of sitemaps                 `judge_sitemaps`           files and bounds: `sitemap_tree.py`
    what is said of whole columns            `contradictions.py`        all walks of a column: `ledger_walks.py`

What stands before "; but" is the end that the way of paging found (`paging.py`), and is believed where nothing follows.
Ends that prove nothing by themselves (a page that failed, a bound that was reached, a page without links where there
must be some) are told by `walk.py` and `paging.py`, and stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.corpus.events import ArchivePlace, EndKind, ProofGround
from webarticlecurator.crawling.walk_end import WalkEnd

if TYPE_CHECKING:
    from webarticlecurator.crawling.sitemap_tree import SitemapTree
    from webarticlecurator.crawling.walk import Walk

_NOT_MEANT_TO_GO_ON = (ProofGround.STOP_RULE, ProofGround.KNOWN)
"""Grounds of ends that pages cannot contradict."""
_GROWN = (ProofGround.GROWN, ProofGround.GROWN_TO_TOTAL)
"""Grounds of ends of a page that grew."""

Reason = Callable[["Walk", WalkEnd], str | None]
"""Return why something speaks against an end; None where nothing does."""


class Fault(NamedTuple):
    """One question whose answer tells that a walk did not come to its end."""

    reason: Reason
    end: EndKind
    """What the walk came to instead."""


def judge(walk: Walk, end: WalkEnd) -> WalkEnd:
    """Return what the end proves, with all that the walk has seen."""
    if not end.complete:
        return end
    for fault in FAULTS:
        reason = fault.reason(walk, end)
        if reason is not None:
            return replace(end, end=fault.end, reason=reason)
    unread = _unread(walk)
    if unread is not None:
        return replace(end, end=EndKind.FAILED, reason=unread, proves=walk.span)
    against = _first(DOUBTS, walk, end)
    if against is None:
        return replace(end, proves=walk.span, whole=True)
    if walk.by_word and _gap(walk, end) is None:
        reason = f"proved by your word, `pages: none`; but {against}"
        return replace(end, proves=walk.span, whole=True, reason=reason, ground=ProofGround.BY_WORD)
    return replace(end, end=EndKind.UNPROVED, reason=f"{end.reason}; but {against}")


def may_be_of_another(walk: Walk) -> bool:
    """Say whether what speaks against an end is a link that another column may follow yet."""
    end = walk.ended
    if end is None or walk.interval or not end.complete or end.ground in _NOT_MEANT_TO_GO_ON:
        return False
    return walk.beside is not None or walk.signs.links.reason_against(walk.was_read) is not None


def may_be_of_whole_column(walk: Walk) -> bool:
    """Say whether what speaks against an end is a count that the pages of other dates may have, too."""
    return walk.interval is not None and walk.ended is not None and _count(walk, walk.ended) is not None


def _first(reasons: tuple[Reason, ...], walk: Walk, end: WalkEnd) -> str | None:
    for reason_of in reasons:
        reason = reason_of(walk, end)
        if reason is not None:
            return reason
    return None


# --- it did not come to its end ---


def _feed_may_have_gap(walk: Walk, end: WalkEnd) -> str | None:
    if end.ground is not ProofGround.FEED_ALONE or _ends_above_known_ground(walk, end) is None:
        return None
    missed = "between the two there may be articles that it lists no more; crawl more often"
    return f"the feed lists nothing that the crawl before knew: {missed}"


def _ends_above_known_ground(walk: Walk, end: WalkEnd) -> str | None:
    """The archive seems to end before anything that earlier walks proved, and nothing explains that."""
    is_meant = end.end is not EndKind.PROVED or end.ground is ProofGround.STOP_RULE
    is_alone = walk.interval or walk.full or walk.mode is PagingMode.NONE
    is_unread = walk.unread and not walk.covered
    if is_meant or is_alone or is_unread or walk.met or not walk.earlier.have_proved_spans():
        return None
    return f"{end.reason}, but no page on the way had a link that earlier walks knew"


def _limit_of_page(walk: Walk, _: WalkEnd) -> str | None:
    return walk.contents.limit


def _fault_of_page(walk: Walk, _: WalkEnd) -> str | None:
    return walk.contents.fault or walk.signs.sizes.fault()


FAULTS = (
    Fault(_feed_may_have_gap, EndKind.LIMIT),
    Fault(_ends_above_known_ground, EndKind.DRIFT),
    Fault(_limit_of_page, EndKind.LIMIT),
    Fault(_fault_of_page, EndKind.FAILED),
)


def _unread(walk: Walk) -> str | None:
    """Pages were stepped over: then what lies below them is proved, and they are missing."""
    if not walk.unread:
        return None
    (page, why), more = walk.unread[0], len(walk.unread) - 1
    others = f", nor {more:,} more archive page{'' if more == 1 else 's'} on the way" if more else ""
    return f"{page} could not be read ({why}){others}"


# --- there is more than it has seen ---


def _gap(walk: Walk, _: WalkEnd) -> str | None:
    return walk.gap or walk.signs.gap


def _lists_more_beside(walk: Walk, _: WalkEnd) -> str | None:
    """What other columns list is no more."""
    if walk.beside is None:
        return None
    reason, unknown = walk.beside
    listed_besides = walk.earlier.ledger.is_listed_besides
    return None if all(listed_besides(walk.column.name, url) for url in unknown) else reason


def _unasked_link(walk: Walk, end: WalkEnd) -> str | None:
    # links of a pager on a page that grew are for who has no scripts
    if end.ground in _NOT_MEANT_TO_GO_ON or (walk.grown and end.ground in _GROWN):
        return None
    return walk.signs.links.reason_against(walk.was_read, by_word=walk.by_word)


def _count(walk: Walk, end: WalkEnd) -> str | None:
    return None if end.ground in _NOT_MEANT_TO_GO_ON else walk.signs.counts.reason_against()


def _script(walk: Walk, end: WalkEnd) -> str | None:
    return None if end.ground in _NOT_MEANT_TO_GO_ON else walk.signs.scripts.reason_against()


def _years(walk: Walk, end: WalkEnd) -> str | None:
    # what a person does not want need not be there
    if walk.interval is not None or walk.column.stop.after is not None:
        return None
    return None if end.ground in _NOT_MEANT_TO_GO_ON else walk.signs.years.reason_against()


def _size(walk: Walk, end: WalkEnd) -> str | None:
    # a feed has the newest by its nature
    if end.ground in _NOT_MEANT_TO_GO_ON or walk.column.format.tells_links or walk.grown:
        return None
    return walk.signs.sizes.reason_against()


DOUBTS: tuple[Reason, ...] = (_gap, _lists_more_beside, _unasked_link, _count, _script, _years, _size)


# --- sitemaps ---


def judge_sitemaps(tree: SitemapTree, span: int, last: ArchivePlace, links: int) -> WalkEnd:
    """Return what it proves that no file of the tree is left: that all were read, and no more.

    `links`: those of the last file.
    """
    unread, limits = tree.unread, tree.limits
    if unread:
        more = f", nor {len(unread) - 1:,} more sitemaps" if len(unread) > 1 else ""
        left_out = "; `urls.exclude` leaves out a file that is gone for good" if last.index else ""
        reason = f"{unread[0]} could not be read{more}{left_out}"
        return WalkEnd(end=EndKind.FAILED, reason=reason, last=last.url)
    if limits:
        more = f"; and {len(limits) - 1:,} more limits" if len(limits) > 1 else ""
        return WalkEnd(end=EndKind.LIMIT, reason=f"{limits[0]}{more}", last=last.url)
    if not (tree.links or tree.unchanged) and tree.interval is None:
        end = EndKind.DRIFT if tree.earlier.gave_links() else EndKind.UNPROVED
        alone = f"{last.url} leads to no sitemap and lists no article"
        nothing = "no sitemap lists an article" if last.index else alone
        return WalkEnd(end=end, reason=nothing, last=last.url)
    return WalkEnd(
        end=EndKind.PROVED,
        reason=f"{ProofGround.SITEMAP}{_unasked_sitemaps(tree)}",
        proves=span,
        ground=ProofGround.SITEMAP,
        last=last.url,
        last_links=links,
        whole=True,
    )


def _unasked_sitemaps(tree: SitemapTree) -> str:
    """Return in words what was not asked for, and what lists nothing."""
    unchanged = "sitemaps were not asked for: they have not changed since they were read"
    known = f"; {tree.unchanged:,} {unchanged}" if tree.unchanged else ""
    empty = f"; {len(tree.empty):,} sitemaps list nothing (such as {tree.empty[0]})" if tree.empty else ""
    return known + empty
