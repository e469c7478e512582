"""Which of several ways to the same articles is walked, and what is said of those that did not do?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Column
from webarticlecurator.corpus.events import EndKind
from webarticlecurator.corpus.ledger_walks import EarlierWalks, listed_besides
from webarticlecurator.corpus.ways import tells_no_more
from webarticlecurator.crawling.column_walks import ColumnWalks, weigh
from webarticlecurator.crawling.run import Run


class WayState(Enum):
    """The ends that a way to the articles may come to."""

    PROVED = auto()
    """All of it is proved, by this run or by those before."""
    SHORT = auto()
    """All of it is proved, and it does not name all articles that there are."""
    READ = auto()
    """It was read to its end, which proves no more: after one, no other of its format is walked."""
    LEFT_OUT = auto()
    """Another of its format was read to its end."""
    OPEN = auto()
    """Something of it is not proved."""


@dataclass(slots=True)
class Ways:
    """Several ways to the same articles in one run, each a column and the sections that it leads to.

    A later one is walked only where none before it came to a proved end, or where that one does not name all
    articles.
    """

    run: Run
    columns: Sequence[ColumnWalks]
    """All of the run, which may become more."""
    _ended: dict[str, WayState] = field(default_factory=dict)

    def is_due(self, walks: ColumnWalks) -> bool:
        """Say whether walks of this column are to be begun: those before it have ended, and none of them
        did."""
        column = walks.column
        for before in column.ways:
            if before == column.way:
                break
            if self._of(before) and not self._has_ended(before):
                return False
            if self._makes_needless(before, column):
                walks.done = True
                return False
        return True

    def _makes_needless(self, before: str, column: Column) -> bool:
        """Say whether a way is not needed after one before it."""
        state = self._ended.get(before)
        if state is WayState.READ and self._column(before).format is column.format:
            self._ended[column.way] = WayState.LEFT_OUT
        if state is WayState.PROVED and listed_besides(self.run.ledger, column.way, before)[0]:
            # an earlier crawl found articles by this way that the one before does not name
            self._ended[before] = WayState.SHORT
        return self._ended.get(before) is WayState.PROVED or self._ended.get(column.way) is WayState.LEFT_OUT

    def open_next(self) -> bool:
        """Have the ways behind the proved one walked; False: there are none."""
        used = next(self._in_state(WayState.PROVED), None)
        if used is None:
            return False
        self._ended[used] = WayState.SHORT
        following = [walks for walks in self.columns if walks.column.way in self._column(used).following_ways]
        for walks in following:
            walks.done = False
            self._ended.pop(walks.column.way, None)
        return bool(following)

    def report(self) -> None:
        """Say at the end of the crawl which way was walked; or, where none is proved, what each leaves
        open."""
        names = list(dict.fromkeys(walks.column.way for walks in self.columns if walks.column.ways))
        used = self._used(names)
        self.run.summary.ways.clear()  # where a way was opened later, this is said again
        if used is None:
            for name in names:
                self._report_open(name)
            return
        place = names.index(used)
        for name in names[:place]:
            self._report_besides(name, used)
        self.run.summary.ways.append(f"`{used}` came to a proved end{self._rest(used, names[place + 1 :])}")
        if not self.run.watches[self._of(used)[0].host].alarm:
            self.run.summary.blocked = None  # it was only another way that is walled off

    def _rest(self, used: str, after: Sequence[str]) -> str:
        """Return what is said of the ways behind the one that came to a proved end."""
        names = ", ".join(f"`{name}`" for name in after)
        if self._ended[used] is WayState.SHORT:
            return f", and does not name all; walked besides: {names}"
        return f"; not needed: {names}" if names else ""

    def _used(self, names: Sequence[str]) -> str | None:
        """Return the first way that came to a proved end: one that names all, if there is such a way."""
        for name in names:
            if self._has_ended(name) and self._ended[name] is WayState.PROVED:
                return name
        return next(self._in_state(WayState.SHORT), None)

    def _in_state(self, state: WayState) -> Iterator[str]:
        """Give the ways that came to such an end, in the order in which they did."""
        return (name for name, ended in self._ended.items() if ended is state)

    def _report_besides(self, name: str, used: str) -> None:
        """Say why a way did not do, and what it listed that should stand on the pages of the one that did,
        too."""
        besides = "instead" if self._left_open(name) else "besides"
        self.run.summary.ways.append(f"{self._why_not(name)}; `{used}` was walked {besides}")
        more, example = listed_besides(self.run.ledger, name, used)
        if more:
            number = amount(
                more, f"article that `{name}` lists stands", f"articles that `{name}` lists stand"
            )
            not_all = f"on no page of `{used}` (such as {example}), which may not list all that there is"
            self.run.summary.remarks.append(f"{number} {not_all}")

    def _report_open(self, name: str) -> None:
        """Report what a way leaves open, unless another of its format was read that tells no less."""
        state = self._ended.get(name)
        if state is WayState.READ:
            self.run.summary.ways.append(f"`{name}` was read to its end, which need not be the portal's")
        if state in (WayState.READ, WayState.LEFT_OUT):
            return
        left_open = self._left_open(name)
        kinds = [kind for kind, _, _ in left_open]
        column = self._column(name)
        read = self._read_of_format(column)
        if read is not None and tells_no_more(column, kinds, read, self.run.ledger):
            self.run.summary.ways.append(f"{self._why_not(name)}; `{read.name}` was read instead")
            return
        for kind, reason, host in left_open:
            self.run.report(kind, reason, host)

    def _read_of_format(self, column: Column) -> Column | None:
        """Return a way of the column's format that was read to its end; others that tell no more are no
        loss."""
        for other in map(self._column, self._in_state(WayState.READ)):
            if other.format is column.format:
                return other
        return None

    def _of(self, name: str) -> list[ColumnWalks]:
        return [walks for walks in self.columns if walks.column.way == name]

    def _column(self, name: str) -> Column:
        return self._of(name)[0].column

    def _has_ended(self, name: str) -> bool:
        """Say whether nothing of it is left to be walked; the first time, look for what speaks against its
        proof."""
        if name in self._ended:
            return True
        parts = self._of(name)
        if self.run.stopped or not all(map(self._is_done, parts)):
            return False
        weigh(self.run, [walks.column for walks in parts], parts[0].report)
        state = self._ended[name] = self._state_of(parts)
        following = self._following(parts[0].column, state)
        if state is not WayState.PROVED and following is not None:
            next_way = f"`{following}`, the next way to the same articles, is walked."
            self.run.say(f"{self._why_not(name)}; {next_way}")
        return True

    def _is_done(self, walks: ColumnWalks) -> bool:
        return not walks.running and (walks.done or self.run.watches[walks.host].closed is not None)

    def _state_of(self, parts: Sequence[ColumnWalks]) -> WayState:
        ledger = self.run.ledger
        # a way without a single date to walk is none that was walked
        is_proved = any(walks.column.rules in ledger.proved(walks.column.name) for walks in parts)
        is_walked = is_proved or self.run.is_partial
        if not is_walked or not all(walks.done and walks.proved for walks in parts):
            return WayState.OPEN
        only_read = any(EarlierWalks.of(ledger, walks.column).only_read() for walks in parts)
        return WayState.READ if only_read else WayState.PROVED

    def _following(self, column: Column, state: WayState) -> str | None:
        """Return the next way that is walked; after one that was read, none of its format is."""
        for walks in self.columns:
            is_needless = state is WayState.READ and walks.column.format is column.format
            if walks.column.way in column.following_ways and not is_needless:
                return walks.column.way
        return None

    def _left_open(self, name: str) -> list[tuple[EndKind, str, str]]:
        """Return what a way leaves open: the kind of end, why, and the host."""
        return [(kind, reason, walks.host) for walks in self._of(name) for kind, reason in walks.left_open]

    def _why_not(self, name: str) -> str:
        """Return why a way did not do."""
        for _, reason, _ in self._left_open(name):
            return reason
        first = self._of(name)[0]
        return f"{name}: {self.run.watches[first.host].closed or first.ended_by or 'nothing to walk'}"
