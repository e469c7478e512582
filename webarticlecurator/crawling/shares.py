"""Which portals may ask the same hosts: these belong into one process, which alone can keep a pace; and shares of many such groups."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import UsageError

_SHARE = re.compile(r"([0-9]{1,4})/([0-9]{1,4})")


def groups_by_host(portals: Sequence[Portal]) -> list[list[int]]:
    """The portals by their places in the list: those that share a host, directly or by way of others, in one group; the largest first."""
    groups: list[tuple[set[str], list[int]]] = []
    for place, portal in enumerate(portals):
        meeting = [group for group in groups if any(_meet(host, other) for host in portal.asked_hosts for other in group[0])]
        hosts = set(portal.asked_hosts).union(*(hosts for hosts, _ in meeting))
        places = [place, *(known for _, of_group in meeting for known in of_group)]
        groups = [*(group for group in groups if group not in meeting), (hosts, places)]
    return sorted((sorted(places) for _, places in groups), key=lambda places: (-len(places), places))


def share(portals: Sequence[Portal], wanted: str) -> list[int]:
    """The third of ten shares (`3/10`), by places: the same wherever the same portals are named, in whatever order. Raises UsageError."""
    number, of = map(int, parts.groups()) if (parts := _SHARE.fullmatch(wanted)) else (0, 0)
    if not 1 <= number <= of:
        raise UsageError(f"--share {wanted}: write the third of ten shares as 3/10.")
    shares: list[list[int]] = [[] for _ in range(of)]
    for group in sorted(groups_by_host(portals), key=lambda group: (-len(group), min(portals[place].name for place in group))):
        min(shares, key=len).extend(group)
    return sorted(shares[number - 1])


def _meet(host: str, other: str) -> bool:
    """Whether both may stand for one host: a pattern stands for what ends like it, be it a name or a pattern, not for its own name."""
    return host == other or (host[:2] == "*." and other.endswith(host[1:])) or (other[:2] == "*." and host.endswith(other[1:]))
