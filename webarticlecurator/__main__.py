"""The process `curator`; `python -m webarticlecurator` is the same."""

import sys
from collections.abc import Callable

from webarticlecurator.cli.interrupt import guarded


def main() -> int:
    """Run the command line of this process."""
    return guarded(_loaded)


def _loaded() -> Callable[[], int]:
    from webarticlecurator.cli import app

    return app.main


if __name__ == "__main__":
    sys.exit(main())
