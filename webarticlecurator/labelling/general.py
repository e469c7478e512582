"""The general model that ships: which blocks of any page are its main text."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.labelling.text_blocks import TextBlock


def content_shares(blocks: Sequence[TextBlock]) -> list[float] | None:
    """For each block how much of it is taken for main text, from 0 to 1; None where no model is there: callers fall back."""
    return None if blocks else []
