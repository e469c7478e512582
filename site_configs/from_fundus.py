"""Writes newspapers/ anew: a portal file for each publisher of the fundus that is installed, in a folder for its country.

Run by hand: python site_configs/from_fundus.py DAY [FOLDER]. What is written is committed. A file whose `known` names another
source than fundus is somebody's own by now, as is a folder with a portal.yaml: both stay as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path

from webarticlecurator.config.load import load_portal
from webarticlecurator.converting.fundus import PROGRAM, installed_fundus, read_all
from webarticlecurator.resources import newspapers


def write_all(folder: Path, day: str) -> int:
    """Return how many files were written."""
    collection, source = installed_fundus()
    publishers = read_all(collection, source, day)
    own = {path.parent.name for path in folder.glob("*/*/portal.yaml")}
    for path in folder.glob("*/*.yaml"):
        if _is_of_fundus(path):
            path.unlink()
        else:
            own.add(path.stem)
    wanted = [each for each in publishers if each.conversion.name not in own]
    for country, conversion in wanted:
        conversion.write(folder / country.folder / f"{conversion.name}.yaml")
    return len(wanted)


def _is_of_fundus(path: Path) -> bool:
    return (load_portal(path).known.source or "").startswith(PROGRAM)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    count = write_all(Path(arguments[1]) if len(arguments) > 1 else newspapers(), arguments[0])
    sys.stdout.write(f"{count} portal files\n")
