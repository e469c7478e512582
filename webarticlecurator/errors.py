"""Errors that a person can act on, and no others; a page that fails is data (`model.outcome`), not an
exception.

CuratorError                 anything that ends a command with a sentence instead of a traceback
├── PortalFileError          the portal file has mistakes: all of them, each with its place
├── UsageError               a command was asked for something that cannot be
├── CorpusBusy               another crawl (or build) holds this corpus
├── CorpusError              the corpus folder or one of its files is not what it should be
│   └── DatabaseDamaged      the bytes of a database are not what was written
├── StoreUnreachable         an object store does not answer, or does not let us in: no page is to blame
└── PatternTimeout           the rules needed longer than their limit on one page
    └── ReadingTimeout       the program itself did
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


class CuratorError(Exception):
    """The message says what happened, where, and what to do next; `advice` names what the command line has
    for that."""

    def __init__(self, message: str, *, advice: str | None = None) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """A mistake in a portal file (or in what a warning warns of), placed so that an editor can jump to it."""

    file: Path
    """The file in which it stands."""
    line: int
    """The line, counted from 1."""
    column: int
    """The column, counted from 1."""
    message: str
    """The sentence on what is wrong and what was expected, with a suggestion where there is one."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class PortalFileError(CuratorError):
    """All mistakes of a portal file (and of the files it extends) together."""

    def __init__(self, mistakes: tuple[Mistake, ...], warnings: tuple[Mistake, ...] = ()) -> None:
        self.mistakes = tuple(sorted(mistakes))
        self.warnings = warnings
        super().__init__("\n".join(map(str, self.mistakes)))


class UsageError(CuratorError):
    """The command line (or the Python call) asks for something that cannot be done."""


class CorpusBusy(CuratorError):
    """Two writers of one corpus: the second is told who the first is."""


class CorpusError(CuratorError):
    """A file of the corpus is missing, damaged, or written by a newer program."""


class DatabaseDamaged(CorpusError):
    """The bytes of a database are not what was written."""


class StoreUnreachable(CuratorError):
    """An object store did not answer, however often it was asked, or does not let us in."""


class PatternTimeout(CuratorError):
    """A rule of the portal file ran out of time on one page."""


class ReadingTimeout(PatternTimeout):
    """Reading one page took longer than any page should."""

    def __init__(
        self, message: str = "reading the page took more than a minute of computing time, and was given up"
    ) -> None:
        super().__init__(message)


def told_by_system(error: OSError) -> str:
    """Return why something could not be read or written."""
    return error.strerror or str(error)


def refuse(*refusals: tuple[object, str]) -> None:
    """Raises UsageError with the first sentence whose condition holds."""
    for holds, sentence in refusals:
        if holds:
            raise UsageError(sentence)


def refuse_mistakes(mistakes: Iterable[Mistake]) -> None:
    """Raises PortalFileError with all mistakes, where there are some."""
    every = tuple(mistakes)
    if every:
        raise PortalFileError(every)
