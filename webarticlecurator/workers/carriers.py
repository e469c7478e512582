"""Who does the work: this process alone, several processes of this machine, or a Dask cluster."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from typing import Self

from webarticlecurator.errors import UsageError
from webarticlecurator.model.progress import Work

MOST_PROCESSES = 4
"""Processes that are started unasked; more of them share one disk."""

LOCAL = re.compile(r"local:([1-9]\d?)")
"""A cluster of our own, with so many workers."""
_CLUSTER = re.compile(rf"{LOCAL.pattern}|(?:tcp|tls|ws|wss)://(?:[^\s/:\[\]]+|\[[^\s/\[\]]+\]):\d{{1,5}}/?")


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work; what comes of it is the same, whoever it is."""

    processes: int = 1
    """Of this machine. With one that is this process: a page that crashes it ends the work."""
    cluster: str = ""
    """A Dask scheduler (`tcp://HOST:8786`), or `local:N` for one of our own with N workers; then nothing is done by processes of ours."""
    work: Work = field(default_factory=Work)
    """Told, in sentences for a person, what is amiss with the workers of a cluster; and whether a person wants to wait no longer."""

    @classmethod
    def asked_for(cls, processes: int | None = None, cluster: str | None = None) -> Self:
        """What a person asked for; where that is nothing, a process a processor, at most four. Raises UsageError where it cannot be."""
        if processes is not None and cluster is not None:
            raise UsageError("--jobs starts processes here, and --cluster has others do the work: leave one of them out.")
        if cluster is not None and not _CLUSTER.fullmatch(cluster):
            raise UsageError(f"{cluster!r} is no cluster; write tcp://HOST:8786 for a Dask scheduler, or local:4 for four workers here.")
        return cls(processes or min(MOST_PROCESSES, os.cpu_count() or 1), cluster or "")

    @property
    def is_here(self) -> bool:
        """This process alone."""
        return not self.cluster and self.processes == 1

    def for_tasks(self, tasks: int, batch: int) -> Self:
        """No more processes than so few tasks keep busy; whoever asked for a cluster gets it."""
        return replace(self, processes=min(self.processes, 1 + tasks // batch))

    def telling(self, work: Work) -> Self:
        """The same, with somebody to be told, who may end it."""
        return replace(self, work=work)
