"""Whatever a shell does to a command: no traceback, no work lost, and an exit code that is true."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import ROOT, Crawling, crawling
from seams import ExitCode

from webarticlecurator import BuildOptions, build, load_portal

NOTHING_WRONG = ("Traceback", "Exception ignored", "bug of curator")
COMMANDS = {
    "status": ("status", ExitCode.OK),
    "crawl": ("crawl --offline --json", ExitCode.OK),
    "build": ("build --all --jobs 2", ExitCode.OK),
    "tags": ("tags --jobs 1", ExitCode.OK),
    "list": ("warc list", ExitCode.OK),
    "mistake": ("crawl --column nowhere", ExitCode.USAGE),
    "help": ("--help", ExitCode.OK),
}
"""Data, messages, threads and processes: what a command can be made of."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("terminal"), articles=24, page_size=4, columns=("belfold", "english")) as site:
        site.crawl()
        build(load_portal(site.file), corpus=site.corpus, options=BuildOptions(jobs=1))
        yield site


def _line(site: Crawling, words: str) -> str:
    """A command as a person types it."""
    command, *flags = words.split()
    where = [str(site.corpus)] if command == "warc" else [str(site.file), "--corpus", str(site.corpus)]
    given = [] if command.startswith("-") else [*flags, *where]
    columns = [word for name in site.columns for word in ("--column", name)] if "--offline" in flags else []
    return " ".join([sys.executable, "-m", "webarticlecurator", command, *given, *columns])


def _shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


NIGHTLY = [pytest.param(name, marks=[pytest.mark.nightly] * (name not in ("status", "build", "mistake"))) for name in COMMANDS]


@pytest.mark.parametrize("name", NIGHTLY)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-", "2>&1 | true"])
def test_with_closed_streams_or_without_a_reader_a_command_ends_as_it_would_have(site: Crawling, name: str, closed: str) -> None:
    words, code = COMMANDS[name]
    ended = _shell(f"{_line(site, words)} {closed}")
    assert not [sign for sign in NOTHING_WRONG if sign in ended.stdout + ended.stderr], ended.stderr
    assert ended.returncode == code


def test_a_crawl_whose_messages_nobody_reads_any_more_crawls_on_and_says_how_it_ended(tmp_path: Path) -> None:
    with crawling(tmp_path, columns=("belfold",)) as site:
        line = " ".join(site.command("--verbose", "--limit", 7))
        ended = _shell(f"{line} 2>&1 | head -1")
        assert ended.returncode == ExitCode.INCOMPLETE
        assert len(site.fetched) == 7


@pytest.mark.parametrize("module", ["click", "lxml.etree"])
def test_ctrl_c_while_modules_load_is_130_without_a_word(site: Crawling, module: str) -> None:
    script = (
        "import os, signal, sys\n"
        "class Loading:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Loading())\n"
        "from webarticlecurator.__main__ import main\n"
        "sys.exit(main())\n"
    )
    command = [sys.executable, "-c", script, *_line(site, "tags --jobs 1").split()[3:]]
    ended = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (ExitCode.INTERRUPTED, "", "")
