"""Articles are analysed by several processes: what each is told, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson

from webarticlecurator.analysis.fingerprints import fingerprint
from webarticlecurator.databases import unpack
from webarticlecurator.faults import reason_of

if TYPE_CHECKING:
    from webarticlecurator.analysis.languages import LanguageModel

UNDATED = "9"
"""Behind every date."""


@dataclass(frozen=True, slots=True)
class Task:
    """A built article."""

    id: str
    published: str | None
    headline: str | None
    digest: bytes
    """Of `line`."""
    line: bytes
    """What the build keeps of it, compressed."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """What one article gave: a row."""

    id: str
    digest: bytes
    """Empty: its analysis failed, and is tried again the next time."""
    published: str
    language: str | None = None
    certainty: float = 0.0
    parts: str = "[]"
    exact: bytes | None = None
    signature: bytes | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class AnalysisJob:
    """There is nothing to be told but the tasks."""

    def worker(self) -> AnalysisWorker:
        """Whoever analyses, in one process."""
        from webarticlecurator.analysis.languages import LanguageModel

        return AnalysisWorker(LanguageModel())

    def must_agree(self) -> Mapping[str, str]:
        """All that is read comes with the tasks."""
        return {}


@dataclass(frozen=True, slots=True)
class AnalysisWorker:
    """Analyses, in one process."""

    model: LanguageModel

    def make(self, tasks: list[Task]) -> list[Analysed]:
        return [self._make(task) for task in tasks]

    def give_up(self, task: Task, reason: str) -> Analysed:
        """What is known of an article on which its process died."""
        return Analysed(task.id, b"", instant(task.published), problem=reason)

    def _make(self, task: Task) -> Analysed:
        try:
            record = orjson.loads(unpack(task.line, "build.sqlite"))
            found = self.model.languages(record.get("blocks", ()))
            print_ = fingerprint(record.get("text", ""), task.headline)
        except (MemoryError, OSError):
            raise
        except Exception as error:  # a text may be anything, and one of them must never end an analysis
            return self.give_up(task, reason_of(error))
        parts = orjson.dumps(found.parts).decode()
        return Analysed(
            task.id, task.digest, instant(task.published), found.language, found.certainty, parts, print_.exact, print_.signature
        )


def instant(published: str | None) -> str:
    """What sorts articles of any time zone by when they were published; a day without a time comes before all times in it."""
    try:
        when = datetime.fromisoformat(published or "")
        if "T" not in (published or ""):
            return when.date().isoformat()
        return when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC).isoformat()
    except (ValueError, OverflowError):  # in UTC, it may lie before the first year, or behind the last
        return UNDATED
