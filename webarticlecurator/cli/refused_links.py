"""How links that were not followed are told, with the line that would let them in."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.model.links import OTHER_HOST
from webarticlecurator.report.status import Refused

_SHOWN = 6


def refused_links(refused: Sequence[Refused]) -> list[str]:
    """Where links led that were not followed, and what lets in those of other hosts."""
    shown = refused[:_SHOWN]
    lines = [f"  {one.links:,} links to {one.host or 'no host'}: {one.reason}" for one in shown]
    more = len(refused) - len(shown)
    hosts = [one.host for one in shown if one.reason == OTHER_HOST]
    return [
        *(["Links that were not followed", *lines] if lines else []),
        *([f"  and {more:,} more hosts and reasons (--json shows all)"] if more > 0 else []),
        *([f"  To follow them, write under `archive`: urls: {{hosts: [{', '.join(hosts)}]}}"] if hosts else []),
    ]
