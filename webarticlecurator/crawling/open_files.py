"""How many portals one process may crawl at the same time: each keeps files and connections open."""

from __future__ import annotations

import sys

OF_A_PORTAL = 16
"""Lock, ledger with its two companions, two WARC files, and connections: a portal on one host holds seven."""
OF_THE_PROGRAM = 64


def portals_at_a_time(wanted: int) -> int:
    """How many of so many portals there is room for; the limit of open files is raised as far as the system lets a program do that."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted * OF_A_PORTAL + OF_THE_PROGRAM
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        except (OSError, ValueError):  # some systems have a lower limit that they do not tell of
            soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    room = wanted if soft == resource.RLIM_INFINITY else (soft - OF_THE_PROGRAM) // OF_A_PORTAL
    return max(1, min(wanted, room))
