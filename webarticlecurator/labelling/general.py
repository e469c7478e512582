"""The general model that ships: which blocks of any page are its main text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from webarticlecurator.labelling.labeller import Labeller, read
from webarticlecurator.labelling.text_blocks import TextBlock

FILE = Path(__file__).with_name("general.npz")


@cache
def general_labeller() -> Labeller:
    """Read once a process."""
    return read(FILE)


def content_shares(blocks: Sequence[TextBlock]) -> list[float] | None:
    """For each block how much of it is taken for main text, from 0 to 1; None for a page of too many blocks: callers fall back."""
    return general_labeller().shares(blocks)
