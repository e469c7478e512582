"""The general model that ships: which blocks of any page are its main text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from webarticlecurator.labelling.labeller import Labeller, read
from webarticlecurator.labelling.text_blocks import TextBlock

FILE = Path(__file__).with_name("general.npz")


@cache
def labeller_in(file: Path = FILE) -> Labeller:
    """Read once a process. Raises UsageError for what is no labeller."""
    return read(file)


def content_shares(blocks: Sequence[TextBlock], file: Path = FILE) -> list[float] | None:
    """For each block how much of it is taken for main text, from 0 to 1; None for a page of too many blocks: callers fall back.

    `file`: a labeller of one's own.
    """
    return labeller_in(file).shares(blocks)
