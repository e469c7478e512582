"""The lists of a site that are needed: those that together name most articles, the list that goes on before
its own excerpt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from webarticlecurator.amounts import amount
from webarticlecurator.learning.site.archive_columns import (
    COVERS,
    FEWEST_LINKS,
    ArchiveColumn,
    articles_of,
    forms_of,
)
from webarticlecurator.urls import normalise


@dataclass(slots=True)
class ChosenLists:
    """The lists that are needed, in the order in which they were met."""

    columns: list[ArchiveColumn] = field(default_factory=list)
    general: ArchiveColumn | None = None
    """The list of all articles, or of all that the home page lists: categories add nothing to it."""
    why_general: str = ""
    """Why it is taken for that."""

    def without(self, left_out: Iterable[ArchiveColumn]) -> ChosenLists:
        """Return the same lists but some."""
        names = {column.name for column in left_out}
        kept = [column for column in self.columns if column.name not in names]
        if self.general is not None and self.general.name in names:
            return ChosenLists(kept)
        return ChosenLists(kept, self.general, self.why_general)


def choose_lists(columns: Sequence[ArchiveColumn], fed: Sequence[str]) -> ChosenLists:
    """Take the list of all where there is one; then, as long as one adds articles, the list that adds most.

    A home page that does not go on shows the newest of other lists: it is taken if there is none. `fed`: the
    articles that a feed of the site names, in its order.
    """
    general, why = _whole_list(columns, fed) or _general_list(columns) or (None, "")
    taken = [general] if general is not None else []
    waiting = [column for column in columns if column is not general and not column.is_home]
    while waiting:
        added = {column.name: _added(column, taken, general, fed) for column in waiting}
        best = max(waiting, key=lambda column: (column.goes_on, len(added[column.name])))
        waiting.remove(best)
        if _is_enough(added[best.name], best, fed):
            taken.append(best)
    in_order = [column for column in columns if column in taken]
    return ChosenLists(in_order or list(columns), general, why)


def _added(
    column: ArchiveColumn, taken: Sequence[ArchiveColumn], general: ArchiveColumn | None, fed: Sequence[str]
) -> frozenset[str]:
    """Return the articles of a list that no taken list names, nor will name on a further page: one of all has
    all of its form there."""
    listed = frozenset[str]().union(*(links for other in taken for links in other.listed))
    reaching = [other for other in taken if other is general or other.is_edition]
    forms = forms_of(articles_of(reaching))
    passed_over = _passed_over(general, fed) if general is not None else frozenset()
    return frozenset(
        url for url in column.articles - listed if url in passed_over or not forms_of([url]) <= forms
    )


def _passed_over(general: ArchiveColumn, fed: Sequence[str]) -> frozenset[str]:
    """Return the articles of a feed that stand in it before others which a list names, and which that list
    does not name."""
    urls = list(map(normalise, fed))
    listed = [number for number, url in enumerate(urls) if url in general.articles]
    return frozenset(urls[: max(listed, default=0)]) - general.articles


def _is_enough(added: frozenset[str], column: ArchiveColumn, fed: Sequence[str]) -> bool:
    """Say whether a list adds so much that it is no chance: a page may link to a tag or two, too."""
    if len(added) >= FEWEST_LINKS or not added.isdisjoint(map(normalise, fed)):
        return True
    return 2 * len(added) > len(column.articles)


def _whole_list(columns: Sequence[ArchiveColumn], fed: Sequence[str]) -> tuple[ArchiveColumn, str] | None:
    """Return the page that lists all on itself, and why it is taken for that; a page of the newest of a list
    that goes on is none."""
    every = articles_of(columns)
    whole = [column for column in columns if len(column.articles) >= COVERS * len(every)]
    if not whole or len(columns) == 1:
        return None
    best = max(whole, key=lambda column: (len(column.links[0]), -columns.index(column)))
    is_called_all = best.lists_all or not any(column.goes_on for column in columns)
    if best.goes_on or not is_called_all or not best.articles >= every.intersection(map(normalise, fed)):
        return None
    without = sorted(every - best.articles)
    but = f", but {amount(len(without), 'link')}, of lists perhaps, such as {without[0]}" if without else ""
    return best, f"it lists every article that any page lists which was looked at{but}"


def _general_list(columns: Sequence[ArchiveColumn]) -> tuple[ArchiveColumn, str] | None:
    """Return the list that goes on to all articles, and why it is taken for that: the home page, or what is
    called an archive.

    An archive that has nothing of what other pages list is one of other things; one that has most of the home
    page's is the better list.
    """
    listings = Counter(url for column in columns for url in column.articles)
    going_on = [column for column in columns if column.goes_on]
    home = [column for column in going_on if column.is_home][:1]
    for archive in going_on:
        shares = len(columns) == 1 or any(listings[url] > 1 for url in archive.articles)
        if archive.lists_all and shares and not (home and _is_of_others(home[0], archive)):
            return archive, "it is called so, and goes on to older articles"
    return (home[0], "the home page goes on to older articles") if home else None


def _is_of_others(home: ArchiveColumn, archive: ArchiveColumn) -> bool:
    """Say whether most of the home page's articles are not in an archive."""
    return 2 * len(home.links[0] & archive.articles) < len(home.links[0])
