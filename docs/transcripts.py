"""Writes what `curator tags` shows of the example portal into docs/reference/tag-inventory.md: `python docs/transcripts.py`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from webarticlecurator.example_portal import ExamplePortal

PAGE = Path(__file__).resolve().parent / "reference" / "tag-inventory.md"
ARTICLES = 200
COMMANDS = {"tags": ("tags", "portal.yaml"), "tree": ("tags", "portal.yaml", "--tree", "--depth", "4")}
"""Mark in the page -> what is typed."""
_MARKED = re.compile(r"(<!-- transcript: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def transcripts(folder: Path) -> dict[str, str]:
    """Mark -> what a terminal of 80 columns shows, after a crawl of the example portal."""
    with ExamplePortal(articles=ARTICLES) as portal:
        rules = portal.portal_file(folder, delay="0s")
        rules.write_text(without_tags(rules.read_text("utf-8")), "utf-8")
        _curator(folder, "crawl", "portal.yaml", "--corpus", "corpora/pelda", "--column", "belfold", "--column", "regi", "--quiet")
    return {mark: _curator(folder, *typed, "--corpus", "corpora/pelda") for mark, typed in COMMANDS.items()}


def without_tags(rules: str) -> str:
    """The portal file as it is before anybody decided what its tags mean."""
    return re.sub(r"(?m)^  tags:\n(?:    .*\n)+", "", rules)


def written(page: str, shown: dict[str, str]) -> str:
    """The page with these transcripts in it."""
    return _MARKED.sub(lambda mark: f"{mark[1]}```console\n$ curator {' '.join(COMMANDS[mark[2]])}\n{shown[mark[2]]}```\n{mark[3]}", page)


def _curator(folder: Path, *typed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "webarticlecurator", *typed],
        cwd=folder,
        env={"COLUMNS": "80", "PATH": "", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return done.stdout


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(written(PAGE.read_text("utf-8"), transcripts(Path(folder))), encoding="utf-8")
