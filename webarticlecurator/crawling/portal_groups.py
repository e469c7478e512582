"""Which portals may ask the same hosts: these belong into one process, which alone can keep a pace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webarticlecurator.config.portal import Portal


def groups_by_host(portals: Sequence[Portal]) -> list[list[int]]:
    """The portals by their places in the list: those that share a host, directly or by way of others, in one group; the largest first."""
    group_of = list(range(len(portals)))

    def first(place: int) -> int:
        while group_of[place] != place:
            group_of[place] = place = group_of[group_of[place]]
        return place

    def join(places: Iterable[int]) -> None:
        one, *others = map(first, places)
        for other in others:
            group_of[first(other)] = first(one)

    by_host: dict[str, list[int]] = {}
    for place, portal in enumerate(portals):
        for host in portal.asked_hosts:
            by_host.setdefault(host, []).append(place)
    for places in by_host.values():
        join(places)
    for pattern in (host for host in by_host if host.startswith("*.")):
        # The name is not among those that it stands for, but what ends like it may be, be it a name or another pattern.
        join(place for host in (pattern, *_under(pattern, by_host)) for place in by_host[host])
    groups: dict[int, list[int]] = {}
    for place in range(len(portals)):
        groups.setdefault(first(place), []).append(place)
    return sorted(groups.values(), key=len, reverse=True)


def _under(pattern: str, hosts: Iterable[str]) -> list[str]:
    return [host for host in hosts if host.endswith(pattern[1:])]
