"""What holds for all commands: help that opens with examples, exit codes that scripts rely on, and a sentence in place of a traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import GONE, Reply, listing
from seams import a_command
from small_corpus import SmallCorpus, page

import webarticlecurator

BELOW = {"warc": "index import list cat sample check push", "label": "train apply eval", "tags": "apply"}
"""Groups, and their commands."""


def commands(curator: Callable[..., Any]) -> list[tuple[str, ...]]:
    """The words that name each command."""
    names = re.findall(r"^  (\w+) ", curator("--help").out.partition("\nCommands:\n")[2], re.MULTILINE)
    assert len(names) > 15
    return [*((name,) for name in names), *((name, one) for name, below in BELOW.items() for one in below.split())]


def test_the_help_of_every_command_opens_with_examples_and_says_of_every_option_what_it_is_for_on_one_screen(
    curator, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert curator("-h").out == curator("--help").out
    monkeypatch.setenv("COLUMNS", "100")
    for words in commands(curator):
        ended = curator(*words, "--help")
        opening = ended.out.split("\n\n")[1]
        assert ended.code == 0, words
        assert len(ended.out.splitlines()) <= 50, words
        assert opening.split()[0].startswith("Example") or words in {("warc",), ("label",)}, words
        assert {"--quiet", "--verbose"} <= set(re.findall(r"--[a-z]+", ended.out)) or words in {("warc",), ("label",)}, words
        assert not re.search(r"^  -\S+(?: [A-Z]\S*)?\n  -", ended.out, re.MULTILINE), "every option says what it is for"
        assert not re.search(r"^  \S+ +Example", ended.out, re.MULTILINE), "a group says of each of its commands what it does"


def test_help_is_instant_since_it_loads_nothing_heavy() -> None:
    script = (
        "import runpy, sys, atexit; sys.argv = ['curator', '--help']\n"
        "heavy = ('lxml', 'requests', 'yaml', 'sqlite3', 'regex', 'babel')\n"
        "atexit.register(lambda: print([name for name in heavy if name in sys.modules]))\n"
        "runpy.run_module('webarticlecurator', run_name='__main__')"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.rstrip().endswith("[]")


def test_the_version_is_data_and_python_m_is_the_same_command(curator) -> None:
    ended = curator("--version")
    assert (ended.code, ended.out, ended.err) == (0, f"webarticlecurator {webarticlecurator.__version__}\n", "")
    command = [sys.executable, "-m", "webarticlecurator", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ended.out


def test_without_a_command_help_is_shown_and_something_was_missing(curator) -> None:
    ended = curator()
    assert ended.code == 2
    assert "Commands:" in ended.out + ended.err


# --- exit codes ---

WAY = "url: 'https://pelda.example/{column}/{page}', item: li.t, link: h2 a"
FAILING = {"/news/1": listing(1, 2), "/c/1": Reply("broken", 500)}
DRIFTED = {"/sport/1": "<p>Something else"}
BLOCKED = {"/news/1": listing(*range(8)), **{f"/c/{number}": Reply("no", 403) for number in range(8)}}


@pytest.mark.parametrize(
    ("code", "script", "flags"),
    [
        pytest.param(0, {}, "", id="all well"),
        pytest.param(0, {"/news/1": listing(1), "/c/1": GONE}, "", id="an article that is gone is no failure"),
        pytest.param(1, FAILING, "", id="failures"),
        pytest.param(2, {}, "--column nowhere", id="nothing done"),
        pytest.param(3, BLOCKED, "", id="blocked"),
        pytest.param(4, {"/news/1": listing(1, 2)}, "--limit 1", id="incomplete"),
        pytest.param(5, DRIFTED, "", id="drift"),
        pytest.param(4, FAILING, "--limit 1", id="incomplete before failures"),
        pytest.param(5, {**FAILING, **DRIFTED}, "", id="drift before failures"),
        pytest.param(5, {**DRIFTED, "/news/1": listing(1, 2)}, "--limit 1", id="drift before incomplete"),
        pytest.param(3, {**BLOCKED, **DRIFTED}, "", id="blocked before drift"),
    ],
)
def test_a_crawl_ends_with_its_weightiest_reason(code: int, script: dict[str, Any], flags: str, desk: Any) -> None:
    desk.rules(f"archive: {{{WAY}}}\ncolumns: [sport, news]\n", _sport_1=listing(9), _news_1=listing(8))
    desk.site.script |= {"/sport/2": listing(), "/news/2": listing()}
    assert desk.types("crawl portal.yaml --column sport").code == 0
    desk.site.script |= script
    ended = desk.types(f"crawl portal.yaml --json {flags}")
    assert ended.code == code
    assert not ended.out or json.loads(ended.out)["exit_code"] == code


# --- a sentence, never a traceback ---


def raised(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "noun"),
    [
        (webarticlecurator.CorpusBusy("Process 12 has been crawling this corpus since 10:00."), "Process 12"),
        (OSError(28, "No space left on device", "corpora/pelda/warc/x.open"), "No space left on device: corpora/pelda/warc/x.open"),
        (PermissionError(13, "Permission denied", "corpora"), "Permission denied: corpora"),
    ],
    ids=["another crawl", "a full disk", "a folder of somebody else"],
)
def test_what_a_person_can_mend_is_a_sentence_and_exit_code_2(curator, error: Exception, noun: str) -> None:
    with a_command(raised(error)):
        ended = curator("fail")
    assert (ended.code, ended.out, "Traceback" in ended.err) == (2, "", False)
    assert noun in ended.err


@pytest.mark.parametrize("error", [RuntimeError("impossible"), UnicodeEncodeError("utf-8", "x\udce9" * 9_000, 1, 2, "impossible")])
def test_a_bug_is_called_a_bug_and_its_traceback_goes_to_a_file(curator, error: Exception) -> None:
    with a_command(raised(error)):
        ended = curator("fail")
    assert (ended.code, "bug of curator" in ended.err, "Traceback" in ended.err) == (70, True, False)
    log = Path(re.search(r"(/\S+\.log)", ended.err)[1])
    try:
        assert "impossible" in log.read_text() and "Traceback" in log.read_text()
    finally:
        log.unlink()


# --- what a shell offers while somebody types ---


@pytest.mark.parametrize(
    ("shell", "typed", "expected"),
    [
        ("bash", "curator cr", "crawl"),
        ("zsh", "curator cr", "crawl"),
        ("fish", "curator cr", "crawl"),
        ("bash", "curator export --s", "--sample --seed"),
        ("bash", "curator warc ch", "check"),
        ("bash", "curator status x", "file,x"),
    ],
)
def test_commands_options_and_files_are_offered_as_far_as_they_fit(shell: str, typed: str, expected: str, tmp_path: Path) -> None:
    words = typed.split(" ")
    asked = {"COMP_WORDS": typed, "COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1)}
    environment = {**os.environ, **asked, "_CURATOR_COMPLETE": f"{shell}_complete"}
    command = [sys.executable, "-m", "webarticlecurator"]
    offered = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False).stdout
    assert re.findall(r"^(?:plain[,\n])?(\S+)", offered, re.MULTILINE)[: len(expected.split())] == expected.split()


# --- what is imported for nothing is paid for by every command ---

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
