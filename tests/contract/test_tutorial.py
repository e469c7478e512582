"""The tutorial, typed as it is written, in an empty folder: all it needs is `curator`."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from webarticlecurator.example_portal import ExamplePortal

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
FINDS = ("audit", "tags", "test")
"""Commands whose findings are no failure of the tutorial; so is what `build --compare` finds."""

WORD_LIST = next(line[2:] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("$ grep "))
"""Counts the words of an export."""


@pytest.fixture(scope="module")
def served() -> Iterator[ExamplePortal]:
    with ExamplePortal(articles=150) as portal:
        yield portal


def typed(port: str) -> list[list[str]]:
    """Every command of the page, with the port of this portal."""
    text = PAGE.read_text(encoding="utf-8").replace("8765", port)
    return [shlex.split(line, comments=True) for line in re.findall(r"(?m)^\$ (.*)$", text)]


def at_once(rules: str) -> str:
    """A portal file without the pause between two requests."""
    return rules.replace("delay: 0.01s", "delay: 0s")


def test_every_step_does_what_it_says(curator, served: ExamplePortal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    port = served.home.rpartition(":")[2]
    rules = PAGE.read_text(encoding="utf-8").partition("```yaml\n")[2].partition("```")[0]
    Path("portal.yaml").write_text(at_once(rules.replace("8765", port)), encoding="utf-8")
    for name, *arguments in typed(port):
        if name == "grep":
            counted = subprocess.run(["bash", "-c", WORD_LIST], check=True, capture_output=True, text=True).stdout
            assert len(counted.splitlines()) == 20
            continue
        assert name == "curator", name
        expected = {0}
        match arguments:
            case ["demo", "--serve", "--switch", switch]:
                served.switch_on(switch)
                continue
            case ["demo", "--serve"]:
                continue
            case ["demo", "--portal-file", ">", file]:
                Path(file).write_text(at_once(curator("demo", "--portal-file", "--port", port).out), encoding="utf-8")
                continue
            case ["tags", "apply", table, file]:  # the browser's download
                curator("tags", file, "--tsv", table)
                expected = {0, 1}
            case ["crawl", *_] if "second" in arguments:
                expected = {3}
            case [command, *_] if command in FINDS or "--compare" in arguments:
                expected = {0, 1}
        ended = curator(*arguments)
        assert ended.code in expected, (arguments, ended)
    assert Path("corpora/kilenchid/warc").is_dir()
    assert Path("second/problems.jsonl").is_file()
    served.switch_off()
    assert curator("crawl", "portal.yaml", "--corpus", "second").code == 0
