"""`python -m webarticlecurator.example_portal`: serve the portal until Ctrl-C."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .portal import ExamplePortal
from .switches import SWITCHES

_EXAMPLES = """examples:
  python -m webarticlecurator.example_portal
  python -m webarticlecurator.example_portal --switch captcha --switch robots-delay
  python -m webarticlecurator.example_portal --articles 100000 --filling 60000

switches:
"""


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    try:
        portal = ExamplePortal(port=asked.port, articles=asked.articles, filling=asked.filling, switches=asked.switch)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"The example portal cannot be served: {error}. Try another --port or another number of --articles.\n")
        return 2
    portal.serve(sys.stderr.write)
    return 0


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, SWITCHES))
    table = "\n".join(f"  {switch.name:{width}}  {switch.meaning} ({switch.scope})" for switch in SWITCHES.values())
    parser = argparse.ArgumentParser(
        prog="python -m webarticlecurator.example_portal",
        description="Serve a small multilingual news portal on 127.0.0.1. It listens nowhere else and asks nothing of the network.",
        epilog=_EXAMPLES + table,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8765, help="port on 127.0.0.1 (default 8765; 0 takes any free one)")
    parser.add_argument("--articles", type=int, default=600, help="how many articles the portal has (default 600)")
    parser.add_argument(
        "--filling", type=int, default=0, metavar="BYTES", help="script added to each page, for pages as heavy as real ones"
    )
    parser.add_argument(
        "--switch", action="append", default=[], choices=sorted(SWITCHES), metavar="NAME", help="a way to misbehave; repeat for more"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
