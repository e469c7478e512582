"""What an article becomes in a file, made by whichever process: formats for which that costs much share it out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from webarticlecurator.errors import CuratorError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.formats import format_of
from webarticlecurator.exporting.options import ExportOptions, Part
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.faults import reason_of
from webarticlecurator.workers import pool
from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.collector import no_collector

BATCH = 64
"""Articles in one message to a worker."""
FEWEST = 2_000
"""Articles for which another process is started."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Maker(Protocol[T_co]):
    """Makes what is written of an article; it is made anew in every process, so it knows nothing of other articles."""

    def make(self, article: ExportArticle) -> T_co:
        """What can be pickled."""
        ...


class MakingWriter(ABC, Generic[T]):
    """A format whose articles are made by several processes, and put into the file by one."""

    def __init__(self, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        self.maker = self.maker_of(options, corpora)

    @staticmethod
    @abstractmethod
    def maker_of(options: ExportOptions, corpora: Sequence[PortalInfo]) -> Maker[T]:
        """What makes them, the same in every process."""

    @abstractmethod
    def put(self, article: ExportArticle, made: T) -> None:
        """Write what was made of the article."""

    def write(self, article: ExportArticle) -> None:
        """Both, where only one process works."""
        self.put(article, self.maker.make(article))


@dataclass(frozen=True, slots=True)
class Made:
    """What came of an article."""

    what: Any = None
    left_out: Mapping[Part, int] = field(default_factory=dict)
    """Parts of it that are not shown -> how many."""
    failed: str | None = None
    """Why there is nothing."""


@dataclass(frozen=True, slots=True)
class MakingJob:
    """What every process is told."""

    options: ExportOptions
    corpora: tuple[PortalInfo, ...]

    def worker(self) -> _Worker:
        """Where one process works."""
        writer: Any = format_of(self.options.format).writer()
        return _Worker(writer.maker_of(self.options, self.corpora))

    def must_agree(self) -> Mapping[str, str]:
        """Nothing beside the program: all else comes with the articles."""
        return {}


@dataclass(frozen=True, slots=True)
class _Worker:
    maker: Maker[Any]

    def make(self, tasks: list[ExportArticle]) -> list[Made]:
        with no_collector():
            return [made_of(one, self.maker) for one in tasks]

    def give_up(self, task: ExportArticle, reason: str) -> Made:  # noqa: ARG002
        return Made(failed=reason)


def made_of(article: ExportArticle, maker: Maker[Any]) -> Made:
    """What one article gives; it may be anything, and must not end an export of all others."""
    try:
        return Made(maker.make(article), article.left_out)
    except (CuratorError, MemoryError, OSError):
        raise
    except Exception as error:
        return Made(failed=reason_of(error))


def all_made(articles: Iterable[ExportArticle], job: MakingJob, workers: Workers) -> Iterator[tuple[ExportArticle, Made]]:
    """The articles in their order, each with what these workers made of it."""
    waiting: deque[ExportArticle] = deque()

    def handed_out() -> Iterator[ExportArticle]:
        for article in articles:
            waiting.append(article)
            yield _for_others(article)

    for batch in pool.run(job, handed_out(), workers=workers, batch=BATCH):
        for made in batch:
            yield waiting.popleft(), made


def _for_others(article: ExportArticle) -> ExportArticle:
    """Without what is read again there in no time, and with what can be asked only here."""
    return replace(article, built=replace(article.built), listed_by=_Known(article.columns))


@dataclass(frozen=True, slots=True)
class _Known:
    """An answer that is there."""

    columns: tuple[str, ...]

    def __call__(self) -> tuple[str, ...]:
        return self.columns
