"""Where building finds what it reads, and puts what it makes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one portal's corpus that building looks at."""

    folder: Path

    @property
    def warc(self) -> Path:
        return self.folder / "warc"

    @property
    def ledger(self) -> Path:
        return self.folder / "ledger.sqlite"

    @property
    def database(self) -> Path:
        return self.folder / "build.sqlite"

    @property
    def lock(self) -> Path:
        return self.folder / "build.lock"
