"""Brings the cache of an inventory up to date: reads what came since, or all pages again where the rules ask for something new of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from threading import Event as Flag

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.counting.asking import Above, all_asked, unanswered
from webarticlecurator.survey.counting.observations import EVERYTHING, Observations
from webarticlecurator.survey.counting.reading_rules import reading_digest
from webarticlecurator.survey.counting.store import Notes, SurveyStore
from webarticlecurator.survey.stored_page_sample import Stored, StoredPage, StoredPageSample

Read = Callable[[Iterable[StoredPage], int, Observations], int]
"""Has pages looked at, so many, adds what they give, and says how many were gone through."""
_AGAIN = "so all pages were read again."
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPages:
    """The pages of a corpus, as far as this inventory goes."""

    state: str
    """Of the ledger: as long as it is the same, so are the pages."""
    warc: Path
    find: Callable[[], Iterator[Stored]]
    """Asks the ledger, which takes a while."""
    stop: Flag
    """Ends the search as well as the reading."""
    sample: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed:
    """What was done to the cache."""

    read: int
    """Pages."""
    why: str = ""
    """A sentence, where pages had to be read that had been read before."""
    complete: bool = True
    """False: interrupted."""


def renewed(store: SurveyStore, portal: Portal, pages: StoredPages, read: Read) -> Renewed:
    """Afterwards the store's observations are those of these pages (or, after an interruption, of some), good for these rules."""
    notes = store.notes
    same_pages = notes.complete and (notes.ledger, notes.sample) == (pages.state, pages.sample)
    why = _why_again(store, portal)
    if same_pages and why is None:
        return Renewed(read=0)
    with StoredPageSample(_read_before(store, pages.warc) if same_pages else pages.find(), None if same_pages else pages.sample) as supply:
        if pages.stop.is_set():
            return Renewed(read=0, complete=False)
        known = sum(map(store.has_read, supply)) if store.captures else 0
        if why is None and known < store.captures:
            why = f"Pages that were counted before do not belong to these any more, {_AGAIN}"
        changed = known < max(supply.total, store.captures)
        told = Notes(
            rules=reading_digest(portal),
            answered=tuple(all_asked(portal)),
            ledger=pages.state,
            sample=pages.sample,
            of_pages=notes.of_pages if same_pages else supply.of_pages,
            run=notes.run + (changed and notes.complete) if notes.run else 1,
        )
        return _read_into(store, supply, known if why is None else None, told, why or "", read)


def _read_into(store: SurveyStore, supply: StoredPageSample, known: int | None, told: Notes, why: str, read: Read) -> Renewed:
    """`known`: how many pages need not be read; None: the counts begin anew."""

    def unread() -> Iterator[StoredPage]:
        return iter(supply) if known is None else (one for one in supply if not store.has_read(one))

    observations, total = (Observations(), supply.total) if known is None else (store.observations, supply.total - known)
    store.observations = observations  # what it held before is in nobody's way any more
    done = read(unread(), total, observations)
    store.save(replace(told, complete=done == total), observations, islice(unread(), done), afresh=known is None)
    return Renewed(read=done, why=why, complete=done == total)


def _why_again(store: SurveyStore, portal: Portal) -> str | None:
    """Why what was counted is of no use to these rules; "" where nothing was counted yet."""
    notes = store.notes
    if not notes.run:
        return ""
    if notes.rules != reading_digest(portal):
        return f"The rules that say what an article's text is are not those of the inventory before, {_AGAIN}"
    above = store.observations.above
    new = unanswered(portal, frozenset(notes.answered), Above(frozenset(above), full=EVERYTHING in above))
    if not new:
        return None
    named = ", ".join(new[:_MOST_NAMED]) + (f" and {len(new) - _MOST_NAMED} more" if len(new) > _MOST_NAMED else "")
    return f"New selectors look at more than tags and what they stand in ({named}), {_AGAIN}"


def _read_before(store: SurveyStore, warc: Path) -> Iterator[Stored]:
    return ((one, f"{one.path}:{one.offset}:{one.skip}", "") for one in store.pages(warc))
