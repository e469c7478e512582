"""What is imported for nothing is paid for by every command and every worker."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator.corpus.folder import Corpus

EXTRAS = {"dask", "distributed", "fsspec", "s3fs", "playwright", "pyarrow", "pandas", "spacy"}
COMMANDS = (
    *("--help", "check FILE", "crawl PORTAL --offline", "build PORTAL --jobs 1", "build PORTAL --all --shards --jobs 1", "status PORTAL"),
    *("tags PORTAL --jobs 1", "audit PORTAL --jobs 1", "learn PORTAL", "watch PORTAL", "try PORTAL https://pelda.example/1"),
    *("export PORTAL --to vertical -o FOLDER/out.vert --jobs 1", "export PORTAL --to sqlite -o FOLDER/out.sqlite --jobs 1"),
    *("stats PORTAL --jobs 1", "report PORTAL --jobs 1", "warc list WARCS", "warc check WARCS", "warc index PORTAL"),
)
"""Everything that needs no extra; the corpus is a folder of this machine, and the portal shows its pages without a browser."""


@pytest.mark.parametrize(
    ("module", "not_needed"),
    [
        (
            "webarticlecurator.cli.app",
            {"webarticlecurator.config.portal", "webarticlecurator.corpus_build", "lxml", "rich.console", *EXTRAS},
        ),
        ("webarticlecurator.corpus_build", {"webarticlecurator.pipeline", "webarticlecurator.fetch", "webarticlecurator.extraction.body"}),
        (
            "webarticlecurator.workers.process",
            {"webarticlecurator.config.load", "webarticlecurator.crawling", "jsonschema", "typer", *EXTRAS},
        ),
        (
            "webarticlecurator.building.article_builder",
            {"webarticlecurator.config.load", "webarticlecurator.fetch", "dateutil", "bs4", "yaml", "extruct"},
        ),
    ],
)
@pytest.mark.slow
def test_a_module_brings_along_only_what_it_needs(module: str, not_needed: set[str]) -> None:
    code = f"import json, sys; import {module}; print(json.dumps(list(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not_needed & set(json.loads(ended.stdout)) == set()


@pytest.mark.slow
def test_a_program_that_imports_us_keeps_its_own_threads() -> None:
    code = "import os; before = dict(os.environ); import webarticlecurator.labelling.labeller; assert dict(os.environ) == before"
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


@pytest.mark.slow
def test_no_command_brings_along_an_extra_that_it_does_not_need(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, rules="archive: {url: 'https://pelda.example/list', link: h2 a}\n")
    corpus.store(*((f"/{number}", page(f"Bridge {number}")) for number in range(1, 4)))
    file = str(tmp_path / "portal.yaml")
    warcs = " ".join(map(str, Corpus(corpus.folder).warc_files()))  # ours: for files of other programs, warcio imports what it likes
    places = {"WARCS": warcs, "PORTAL": f"{file} --corpus {corpus.folder}", "FILE": file, "FOLDER": str(tmp_path)}
    commands = [re.sub("[A-Z]{4,}", lambda word: places[word[0]], one).split() for one in COMMANDS]
    code = (
        "import json, sys; from webarticlecurator.cli.app import main; codes = [int(main(one)) for one in json.loads(sys.argv[1])]; "
        "print(json.dumps([codes, list(sys.modules)]))"
    )

    ended = subprocess.run([sys.executable, "-c", code, json.dumps(commands)], capture_output=True, text=True, check=True)

    codes, modules = json.loads(ended.stdout.splitlines()[-1])
    assert [one for one, code in zip(COMMANDS, codes, strict=True) if code == 2] == [], ended.stderr
    assert {name.partition(".")[0] for name in modules} & EXTRAS == set()
