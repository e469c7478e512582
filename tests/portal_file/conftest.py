"""Portal files written in a test: what loading them gives, what is wrong with them and where, what they make of a page and ask for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml
from scripted_portal import Crawler, ScriptedPortal, listing

from webarticlecurator import Portal, PortalFileError, load_portal

HEAD = "portal: pelda\nhome: https://pelda.example/\n"


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], Portal]:
    """Load a portal file of which only what comes after `portal` and `home` is given; files that it names may lie in `tmp_path`."""

    def load_text(text: str) -> Portal:
        file = tmp_path / "portal.yaml"
        file.write_text(HEAD + text, encoding="utf-8")
        return load_portal(file)

    return load_text


@pytest.fixture
def mistakes_of(load: Callable[[str], Portal]) -> Callable[[str], list[str]]:
    """`line:column: message` of each mistake; lines are counted after `portal` and `home`."""

    def mistakes(text: str) -> list[str]:
        try:
            load(text)
        except PortalFileError as error:
            return [f"{mistake.line - 2}:{mistake.column}: {mistake.message}" for mistake in error.mistakes]
        return []

    return mistakes


@pytest.fixture
def warnings_of(load: Callable[[str], Portal]) -> Callable[[str], list[str]]:
    """The same of each warning."""

    def warnings(text: str) -> list[str]:
        return [f"{warning.line - 2}:{warning.column}: {warning.message}" for warning in load(text).warnings]

    return warnings


@pytest.fixture
def effective(load: Callable[[str], Portal], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The file as it takes effect, without `portal` and `home`; the files that are given first lie farther away, the farthest first."""

    def merged(*files: str) -> dict[str, Any]:
        names = [f"{number}.yaml" for number in range(len(files) - 1)]
        for name, text in zip(names, files, strict=False):
            (tmp_path / name).write_text(text, encoding="utf-8")
        extends = f"extends: [{', '.join(names)}]\n" if names else ""
        told = yaml.safe_load(load(extends + files[-1] + "\n").effective)
        return {key: value for key, value in told.items() if key not in ("portal", "home")}

    return merged


@pytest.fixture
def walked(curator: Callable[..., Any], tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Column -> the first addresses that a crawl would walk it from, in one line; those of home without scheme and host."""

    def dry_run(rules: str, head: str = HEAD) -> dict[str, str]:
        file = tmp_path / "portal.yaml"
        file.write_text(head + dedent(rules), encoding="utf-8")
        ended = curator("crawl", file, "--dry-run", "--contact", "anna@pelda.example")
        assert ended.code == 0, ended.err
        return dict(re.findall(r"column (\S+) would be walked from (.*)", ended.err.replace("https://pelda.example/", "/")))

    return dry_run


@pytest.fixture
def asked(curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal) -> Callable[..., list[str]]:
    """What a crawl by these rules asks a portal for, articles left out; `pages` are its archive pages, each with an article of its own."""

    def crawl(rules: str, *pages: str) -> list[str]:
        site.script |= {page: listing(number) for number, page in enumerate(pages)}
        Crawler(curator, tmp_path, site, rules).crawl("--archive-only")
        return site.archive_asked

    return crawl


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The JSON schema of a portal file, as editors read it."""
    shown = subprocess.run([sys.executable, "-m", "webarticlecurator", "check", "--schema"], capture_output=True, text=True, check=True)
    return dict(json.loads(Path(shown.stdout.strip()).read_text("utf-8")))
