"""Writes newspapers/ anew: a portal file for each publisher of the fundus that is installed, in a folder for its country.

Run by hand: python site_configs/from_fundus.py DAY [FOLDER]. What is written is committed. A file whose `known` names another
source than fundus is somebody's own by now, as is one with keys that no file of fundus has (`body`, `metadata`), and a folder with a
portal.yaml: all of these stay as they are, and are named at the end, since addresses in them may be older.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from webarticlecurator.converting.fundus import PROGRAM, installed_fundus, read_all
from webarticlecurator.resources import newspapers


def write_all(folder: Path, day: str) -> tuple[int, list[str]]:
    """Return how many files were written, and the names of those that stayed as they are."""
    collection, source = installed_fundus()
    publishers = read_all(collection, source, day)
    keys = {"portal", "home", *(rule.path[0] for _, conversion in publishers for rule in conversion.rules)}
    own = {path.parent.name for path in folder.glob("*/*/portal.yaml")}
    for path in folder.glob("*/*.yaml"):
        if _is_of_fundus(path, keys):
            path.unlink()
        else:
            own.add(path.stem)
    wanted = [each for each in publishers if each.conversion.name not in own]
    for country, conversion in wanted:
        conversion.write(folder / country.folder / f"{conversion.name}.yaml")
    return len(wanted), sorted(own)


def _is_of_fundus(path: Path, keys: set[str]) -> bool:
    """Say whether nothing in a file is anybody else's."""
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    return said.get("known", {}).get("source", "").startswith(PROGRAM) and said.keys() <= keys


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    count, names = write_all(Path(arguments[1]) if len(arguments) > 1 else newspapers(), arguments[0])
    sys.stdout.write(f"{count} portal files; as they were: {', '.join(names) or 'none'}\n")
