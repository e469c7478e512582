"""`python -m webarticlecurator` is the same as `curator`."""

import sys

from webarticlecurator.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
