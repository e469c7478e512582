"""What is imported for nothing is paid for by every command and every worker."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "not_needed"),
    [
        ("webarticlecurator.cli.app", {"webarticlecurator.config.portal", "webarticlecurator.corpus_build", "lxml", "rich.console"}),
        ("webarticlecurator.corpus_build", {"webarticlecurator.pipeline", "webarticlecurator.fetch", "webarticlecurator.extraction.body"}),
        ("webarticlecurator.workers.process", {"webarticlecurator.config.load", "webarticlecurator.crawling", "jsonschema", "typer"}),
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
