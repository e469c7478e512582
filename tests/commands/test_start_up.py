"""What is imported for nothing is paid for by every command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from small_corpus import SmallCorpus, page

EXTRAS = {"dask", "distributed", "fsspec", "s3fs", "playwright", "pyarrow", "pandas"}
COMMANDS = (
    *("--help", "check FILE", "crawl PORTAL --offline", "build PORTAL --jobs 1", "build PORTAL --all --zip --jobs 1", "status PORTAL"),
    *("tags PORTAL --jobs 1", "audit PORTAL --jobs 1", "learn PORTAL", "watch PORTAL", "try PORTAL https://pelda.example/1"),
    *("export PORTAL --to vertical -o FOLDER/out.vert --jobs 1", "export PORTAL --to sqlite -o FOLDER/out.sqlite --jobs 1"),
    *("stats PORTAL --jobs 1", "report PORTAL --jobs 1", "warc list WARCS", "warc check WARCS", "warc index PORTAL"),
)
"""Everything that needs no extra; the corpus is a folder of this machine, and the portal shows its pages without a browser."""
CODE = """
import json, os, sys
before = dict(os.environ)
import webarticlecurator
from seams import main
codes = [int(main(one)) for one in json.loads(sys.argv[1])]
print(json.dumps([codes, list(sys.modules), dict(os.environ) == before]))
"""


@pytest.mark.nightly
def test_no_command_brings_along_an_extra_that_it_does_not_need_nor_changes_the_environment(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, rules="archive: {url: 'https://pelda.example/list', link: h2 a}\n")
    corpus.store(*((f"/{number}", page(f"Bridge {number}")) for number in range(1, 4)))
    warcs = " ".join(map(str, (corpus.folder / "warc").iterdir()))  # ours: for files of other programs, warcio imports what it likes
    file = str(tmp_path / "portal.yaml")
    places = {"WARCS": warcs, "PORTAL": f"{file} --corpus {corpus.folder}", "FILE": file, "FOLDER": str(tmp_path)}
    commands = [re.sub("[A-Z]{4,}", lambda word: places[word[0]], one).split() for one in COMMANDS]
    support = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1] / "support")}
    ended = subprocess.run([sys.executable, "-c", CODE, json.dumps(commands)], env=support, capture_output=True, text=True, check=True)
    codes, modules, is_as_before = json.loads(ended.stdout.splitlines()[-1])
    assert [one for one, code in zip(COMMANDS, codes, strict=True) if code == 2] == [], ended.stderr
    assert {name.partition(".")[0] for name in modules} & EXTRAS == set()
    assert is_as_before, "a program that imports us keeps its own threads"
