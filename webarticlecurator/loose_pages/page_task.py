"""A page that is in no corpus on its way to the bytes that are written of it: what is given to a process, and
what comes back."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.model.capture import Capture


class PageTask(NamedTuple):
    """A page to be read."""

    source: str
    """The name that messages call it by: its address, or that of a file."""
    path: Path | None = None
    """The file that is still to be read."""
    capture: Capture | None = None
    """The answer, where there is no such file."""
    name: str = ""
    """The path of the file below the folder that was named; an answer has none."""


class LeftOut(StrEnum):
    """The wish of a person by which an article is not given."""

    LANGUAGE = "--language"
    METADATA = "--with-metadata"
    REPEATED = "--dedup"


class Extracted(NamedTuple):
    """The result for one page."""

    source: str
    content: bytes = b""
    """The bytes to be written; none where nothing is."""
    reason: str = ""
    """The reason why it is no article; empty for one."""
    has_text: bool = False
    left_out: LeftOut | None = None
    name: str = ""
    """The name of its own file, without the ending; in folders, where the page was in some."""
    digest: bytes = b""
    """The digest of its text, where texts that were there before are not wanted."""
