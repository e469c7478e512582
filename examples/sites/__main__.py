"""`python -m examples.sites NAME`: serve a site until Ctrl-C."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from threading import Event

from . import RunningSite
from .variations import KINDS, variations


def main(arguments: Sequence[str] | None = None) -> int:
    known = {one.name: one for kind in reversed(KINDS) for one in variations(kind)}
    parser = argparse.ArgumentParser(prog="python -m examples.sites", description="Serve a site on 127.0.0.1.")
    parser.add_argument("name", choices=sorted(known), metavar="NAME", help=", ".join(sorted(known)))
    parser.add_argument("--port", type=int, default=8766, help="port on 127.0.0.1 (default 8766; 0 takes any free one)")
    asked = parser.parse_args(arguments)
    with RunningSite(known[asked.name], asked.port) as site:
        sys.stdout.write(f"# {site.home} until Ctrl-C; its portal file:\n{site.portal_file()}")
        sys.stdout.flush()
        try:
            Event().wait()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
