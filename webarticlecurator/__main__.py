"""The process `curator`; `python -m webarticlecurator` is the same."""

import gc
import os
import sys
from collections.abc import Callable

from webarticlecurator.cli.process import guarded


def main() -> int:
    """Run the command that was typed; its exit code."""
    try:
        return guarded(_loaded)
    finally:
        gc.freeze()  # all goes with the process: to look for circles among it once more took a tenth of a short command


def _loaded() -> Callable[[], int]:
    # Threads that multiply small matrices wait for one another thirty times longer than they work, and in
    # training add in another order each time. numpy asks only when it is loaded; it is asked of no process
    # but our own, and those that it starts to work for it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Modules and pages are made of very many objects in no circles: to look for circles so often took an
    # eighth of the start of a command.
    gc.set_threshold(50_000, 20, 50)
    from webarticlecurator.cli import app

    return app.main


if __name__ == "__main__":
    sys.exit(main())
