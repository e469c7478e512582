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

What stands before "; but" is the end that the way of paging found (`paging.py`), and is believed where
nothing follows. Ends that prove nothing by themselves (a page that failed, a bound that was reached, a page
without links where there must be some) are told by `walk.py` and `paging.py`, and stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from webarticlecurator.amounts import amount, if_any
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.corpus.events import ArchivePlace, EndKind, ProofGround
from webarticlecurator.crawling.walk_end import WalkEnd
from webarticlecurator.extraction.checks import Check, first_reason

if TYPE_CHECKING:
    from webarticlecurator.crawling.sitemap_tree import SitemapTree
    from webarticlecurator.crawling.walk import Walk

_NOT_MEANT_TO_GO_ON = (ProofGround.STOP_RULE, ProofGround.KNOWN)
"""Grounds of ends that pages cannot contradict."""
_GROWN = (ProofGround.GROWN, ProofGround.GROWN_TO_TOTAL)
"""Grounds of ends of a page that grew."""

Reason = Callable[["Walk", WalkEnd], str | None]
"""Return why something speaks against an end; None where nothing does."""


class Ended(NamedTuple):
    """A walk with its end."""

    walk: Walk
    end: WalkEnd


class Fault(NamedTuple):
    """One question whose answer tells that a walk did not come to its end."""

    reason: Reason
    end: EndKind
    """The end that the walk came to instead."""


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
    if against is None and end.ground not in _NOT_MEANT_TO_GO_ON:
        against = _first(DOUBTS_OF_PAGES, walk, end)
    if against is None:
        return replace(end, proves=walk.span, whole=True)
    if walk.by_word and _gap(walk, end) is None:
        reason = f"proved by your word, `pages: none`; but {against}"
        return replace(end, proves=walk.span, whole=True, reason=reason, ground=ProofGround.BY_WORD)
    return replace(end, end=EndKind.UNPROVED, reason=f"{end.reason}; but {against}")


def may_be_of_another(walk: Walk) -> bool:
    """Say whether what speaks against an end is a link that another column may follow yet."""
    end = walk.ended
    assert end is not None  # only ends are asked about
    if first_reason(NOT_OF_ANOTHER, Ended(walk, end)):
        return False
    return walk.beside is not None or walk.signs.links.reason_against(walk.was_read) is not None


NOT_OF_ANOTHER: tuple[Check[Ended], ...] = (
    Check("a date is walked whole", lambda ended: ended.walk.interval is not None),
    Check("it has not come to its end", lambda ended: not ended.end.complete),
    Check("it was not meant to go on", lambda ended: ended.end.ground in _NOT_MEANT_TO_GO_ON),
)
"""Why links speak against no end of a walk."""


def may_be_of_whole_column(walk: Walk) -> bool:
    """Say whether what speaks against an end is a count that the pages of other dates may have, too."""
    end = walk.ended
    if walk.interval is None or end is None or end.ground in _NOT_MEANT_TO_GO_ON:
        return False
    return walk.signs.counts.reason_against() is not None


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
    if first_reason(EXPLANATIONS, Ended(walk, end)):
        return None
    return f"{end.reason}, but no page on the way had a link that earlier walks knew"


EXPLANATIONS: tuple[Check[Ended], ...] = (
    Check("it ended before its proof", lambda ended: ended.end.end is not EndKind.PROVED),
    Check("a rule ended it", lambda ended: ended.end.ground is ProofGround.STOP_RULE),
    Check("a date is walked whole", lambda ended: ended.walk.interval is not None),
    Check("what is proved is walked again", lambda ended: ended.walk.full),
    Check("there is one page", lambda ended: ended.walk.mode is PagingMode.NONE),
    Check("no page could be read", lambda ended: bool(ended.walk.unread) and not ended.walk.covered),
    Check("a link lay in what earlier walks knew", lambda ended: ended.walk.met),
    Check("nothing was proved before", lambda ended: not ended.walk.earlier.have_proved_spans()),
)
"""Why a walk need not meet what earlier ones proved."""


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
    others = if_any(more, f", nor {amount(more, 'more archive page')} on the way")
    return f"{page} could not be read ({why}){others}"


# --- there is more than it has seen ---


def _gap(walk: Walk, _: WalkEnd) -> str | None:
    return walk.gap or walk.signs.gap


def _lists_more_beside(walk: Walk, _: WalkEnd) -> str | None:
    """Return that a page beside the list lists more; what other columns list is no more."""
    if walk.beside is None:
        return None
    reason, unknown = walk.beside
    listed_besides = walk.earlier.ledger.is_listed_besides
    return None if all(listed_besides(walk.column.name, url) for url in unknown) else reason


def _unasked_link(walk: Walk, end: WalkEnd) -> str | None:
    # links of a pager on a page that grew are for who has no scripts
    if walk.grown and end.ground in _GROWN:
        return None
    return walk.signs.links.reason_against(walk.was_read, by_word=walk.by_word)


def _count(walk: Walk, _: WalkEnd) -> str | None:
    return walk.signs.counts.reason_against()


def _script(walk: Walk, _: WalkEnd) -> str | None:
    return walk.signs.scripts.reason_against()


def _years(walk: Walk, _: WalkEnd) -> str | None:
    # what a person does not want need not be there
    if walk.interval is not None or walk.column.stop.after is not None:
        return None
    return walk.signs.years.reason_against()


def _size(walk: Walk, _: WalkEnd) -> str | None:
    # a feed has the newest by its nature
    if walk.column.format.tells_links or walk.grown:
        return None
    return walk.signs.sizes.reason_against()


DOUBTS: tuple[Reason, ...] = (_gap, _lists_more_beside)
DOUBTS_OF_PAGES: tuple[Reason, ...] = (_unasked_link, _count, _script, _years, _size)
"""Doubts by what pages show of more: they count only where the walk was meant to go on."""


# --- sitemaps ---


def judge_sitemaps(tree: SitemapTree, span: int, last: ArchivePlace, links: int) -> WalkEnd:
    """Return what it proves that no file of the tree is left: that all were read, and no more.

    `links`: those of the last file.
    """
    unread, limits = tree.unread, tree.limits
    if unread:
        more = if_any(len(unread) - 1, f", nor {len(unread) - 1:,} more sitemaps")
        left_out = if_any(last.index, "; `urls.exclude` leaves out a file that is gone for good")
        reason = f"{unread[0]} could not be read{more}{left_out}"
        return WalkEnd(end=EndKind.FAILED, reason=reason, last=last.url)
    if limits:
        more = if_any(len(limits) - 1, f"; and {len(limits) - 1:,} more limits")
        return WalkEnd(end=EndKind.LIMIT, reason=f"{limits[0]}{more}", last=last.url)
    if not (tree.links or tree.unchanged) and tree.interval is None:
        end = EndKind.DRIFT if tree.earlier.gave_links() else EndKind.UNPROVED
        return WalkEnd(end=end, reason=_nothing_listed(tree, last), last=last.url)
    return WalkEnd(
        end=EndKind.PROVED,
        reason=f"{ProofGround.SITEMAP}{_unasked_sitemaps(tree)}",
        proves=span,
        ground=ProofGround.SITEMAP,
        last=last.url,
        last_links=links,
        whole=True,
    )


def _nothing_listed(tree: SitemapTree, last: ArchivePlace) -> str:
    """Return why a tree of sitemaps gave no article: rules refuse all of it, or there is nothing."""
    if tree.refused:
        rules = ", ".join(f"{number:,} by `{rule}`" for rule, number in tree.refused.most_common())
        count = tree.refused.total()
        return f"all {count:,} addresses that the sitemaps list are refused: {rules}; look at `urls`"
    if last.index:
        return "no sitemap lists an article"
    return f"{last.url} leads to no sitemap and lists no article"


def _unasked_sitemaps(tree: SitemapTree) -> str:
    """Return in words what was not asked for, and what lists nothing."""
    unchanged = "sitemaps were not asked for: they have not changed since they were read"
    known = if_any(tree.unchanged, f"; {tree.unchanged:,} {unchanged}")
    such_as = "".join(tree.empty[:1])
    empty = if_any(len(tree.empty), f"; {len(tree.empty):,} sitemaps list nothing (such as {such_as})")
    return known + empty
