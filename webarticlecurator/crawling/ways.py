"""Several ways to the same articles: a later one is walked only where none before it came to a proved end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat
from webarticlecurator.corpus.events import EndKind
from webarticlecurator.corpus.ways import listed_besides, only_read, tells_no_more
from webarticlecurator.crawling.column_walks import ColumnWalks
from webarticlecurator.crawling.contradictions import column_contradictions
from webarticlecurator.crawling.run import Run


@dataclass(slots=True)
class Ways:
    """Those of one run; each is a column, and the sections that it leads to."""

    run: Run
    columns: Sequence[ColumnWalks]
    """All of the run, which may become more."""
    _proved: dict[str, bool] = field(default_factory=dict)
    """Of each way that has ended: whether all of it is proved, by this run or by those before."""
    _read: list[str] = field(default_factory=list)
    """Those that were read to their end, which proves no more: after one, no other of its format is walked."""
    _left_out: set[str] = field(default_factory=set)
    """Those others."""

    def is_due(self, one: ColumnWalks) -> bool:
        """Whether walks of this column are to be begun: those before it have ended, and none of them did."""
        for before in one.column.ways:
            if before == one.column.way:
                break
            if self._of(before) and not self._has_ended(before):
                return False
            if before in self._read and self._format(before) is one.column.format:
                self._left_out.add(one.column.way)
                self._proved[one.column.way] = False
            if self._proved.get(before) or one.column.way in self._left_out:
                one.done = True
                return False
        return True

    def report(self) -> None:
        """At the end of the crawl: which way was walked; or, where none is proved, what each leaves open."""
        names = list(dict.fromkeys(one.column.way for one in self.columns if one.column.ways))
        used = next((name for name in names if self._has_ended(name) and self._proved[name]), None)
        for name in names:
            left_open = [found for one in self._of(name) for found in one.left_open]
            if name == used:
                rest = ", ".join(f"`{after}`" for after in names[names.index(name) + 1 :])
                self.run.ways.append(f"`{name}` came to a proved end" + (f"; not needed: {rest}" if rest else ""))
                if not self.run.alarmed(self._of(name)[0].host):
                    self.run.blocked = None  # it was only another way that is walled off
                return
            if used is None:
                self._report_open(name, left_open)
            else:
                self.run.ways.append(f"{self._why_not(name)}; `{used}` was walked {'instead' if left_open else 'besides'}")
                self._compare(name, used)

    def _compare(self, name: str, used: str) -> None:
        """What a way listed that did not do should stand on the pages of the one that did, too."""
        more, example = listed_besides(name, used, self.run.ledger)
        if more:
            told = (
                f"{amount(more, f'article that `{name}` lists stands', f'articles that `{name}` lists stand')}"
                f" on no page of `{used}` (such as {example})"
            )
            self.run.remarks.append(f"{told}; they are collected, but `{used}` may not list all that there is")

    def _report_open(self, name: str, left_open: Sequence[tuple[EndKind, str]]) -> None:
        """Of a way that is not proved, nor any other; where one was read, others of its format that tell nothing more are no loss."""
        column = self._of(name)[0].column
        read = next((self._of(one)[0].column for one in self._read if self._format(one) is column.format), None)
        if name in self._left_out:
            return
        if name in self._read:
            self.run.ways.append(f"`{name}` was read to its end, which need not be the portal's")
        elif read is not None and tells_no_more(column, [kind.value for kind, _ in left_open], read, self.run.ledger):
            self.run.ways.append(f"{self._why_not(name)}; `{read.name}` was read instead")
        else:
            for kind, reason in left_open:
                self.run.report(kind, reason)

    def _format(self, name: str) -> ArchiveFormat:
        return self._of(name)[0].column.format

    def _of(self, name: str) -> list[ColumnWalks]:
        return [one for one in self.columns if one.column.way == name]

    def _has_ended(self, name: str) -> bool:
        """Whether nothing of it is left to be walked in this run; the first time, what speaks against its proof is looked for."""
        if name not in self._proved:
            parts = self._of(name)
            if self.run.stopped or any(one.running or not (one.done or self.run.closed(one.host)) for one in parts):
                return False
            self._settle(name, parts)
        return True

    def _settle(self, name: str, parts: Sequence[ColumnWalks]) -> None:
        for found in column_contradictions(self.run.ledger, [one.column for one in parts], self.run.number, limited=self.run.is_partial):
            if found.columns:
                ended_by = "" if found.tells_end else parts[0].ended_by
                reason = f"{found.reason}; its walk ended by {ended_by}" if ended_by else found.reason
                self.run.unprove(found.columns, reason)
                parts[0].report(EndKind.UNPROVED, reason)
            else:
                self.run.remarks.append(found.reason)
        # a way without a single date to walk is none that was walked
        was_walked = self.run.is_partial or any(one.column.rules in self.run.ledger.proved(one.column.name) for one in parts)
        whole = was_walked and all(one.done and one.proved for one in parts)
        self._proved[name] = whole and not any(only_read(one.column, self.run.ledger) for one in parts)
        if whole and not self._proved[name]:
            self._read.append(name)
        format = self._format(name) if name in self._read else None
        after = (one.column for one in self.columns if one.column.way in parts[0].column.following_ways)
        following = next((column.way for column in after if column.format is not format), None)
        if not self._proved[name] and following is not None:
            self.run.say(f"{self._why_not(name)}; `{following}`, the next way to the same articles, is walked.")

    def _why_not(self, name: str) -> str:
        """Why a way did not do."""
        parts = self._of(name)
        reasons = [reason for one in parts for _, reason in one.left_open] or [
            self.run.closed(parts[0].host) or parts[0].ended_by or "nothing to walk"
        ]
        return reasons[0] if reasons[0].startswith((name, f"column {name}")) else f"{name}: {reasons[0]}"
