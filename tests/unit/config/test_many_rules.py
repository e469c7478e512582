"""A tag dictionary of tens of thousands of rules, as programs write them: read in little memory, and still to the last rule."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from time import thread_time

import pytest
import yaml
from working_time import undisturbed

from webarticlecurator.config.load import load_portal
from webarticlecurator.errors import PortalFileError

RULES = 9_000
OPERATIONS = ("decompose", "unwrap", "box")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "portal.yaml", [f"div.class{number}" for number in range(RULES)])


def written(file: Path, selectors: list[str]) -> Path:
    lines = ["portal: pelda", "home: https://pelda.example/", "body:", "  tags:"]
    for start, operation in enumerate(OPERATIONS):
        lines += [f"    {operation}:", *(f"    - {selector}" for selector in selectors[start :: len(OPERATIONS)])]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.mark.slow
def test_reading_them_takes_no_longer_than_a_plain_yaml_reader_twice(file: Path) -> None:
    load_portal(file)

    def seconds(read: object) -> float:
        start = thread_time()
        assert callable(read) and read()
        return thread_time() - start

    with undisturbed():
        plain = min(seconds(lambda: yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)) for _ in range(2))
        ours = min(seconds(lambda: load_portal(file)) for _ in range(3))
    assert ours < 2 * plain


@pytest.mark.slow
def test_each_costs_little_memory(file: Path) -> None:
    load_portal(file)
    tracemalloc.start()
    portal = load_portal(file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(portal.body.tags[0].rules) == RULES
    assert peak / RULES < 1_700


def test_every_mistake_among_them_is_told(tmp_path: Path) -> None:
    selectors = [f"div.class{number}" for number in range(RULES)]
    selectors[0], selectors[RULES // 2], selectors[-1] = "div..a", "a::before", "p:visited"
    with pytest.raises(PortalFileError) as refused:
        load_portal(written(tmp_path / "portal.yaml", selectors))
    assert len(refused.value.mistakes) == 3


def test_yaml_that_is_none_is_explained_as_in_a_short_file(tmp_path: Path) -> None:
    file = written(tmp_path / "portal.yaml", [*(f"div.class{number}" for number in range(RULES)), "> p"])
    with pytest.raises(PortalFileError) as refused:
        load_portal(file)
    (mistake,) = refused.value.mistakes
    assert '"> p"' in mistake.message
