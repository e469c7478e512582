"""Several processes: every article once, the documents of one process, and a page that is deadly costs nothing but itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from deadly import children, kill, run, with_deadly_pages
from pushed_corpus import SITE, TEXT, PushedCorpus
from warc_records import foreign


@pytest.fixture
def corpus(curator: Any, tmp_path: Path) -> PushedCorpus:
    return PushedCorpus(curator, tmp_path / "own")


def store(corpus: PushedCorpus, *pages: tuple[str, str]) -> None:
    """Paths, and what the pages are about."""
    path = foreign(corpus.base / "in.warc.gz", [(f"{SITE}{path}", "200 OK", TEXT.format(about)) for path, about in pages])
    corpus.run("warc", "import", path)


def build(corpus: PushedCorpus, *flags: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return run("build", corpus.file, "--corpus", corpus.folder, *flags, env=env)


def documents(corpus: PushedCorpus) -> dict[str, bytes]:
    top = corpus.folder / "tei"
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*")) if path.is_file()}


def test_pages_that_end_their_process_cost_only_themselves_and_are_tried_again(corpus: PushedCorpus, tmp_path: Path) -> None:
    store(corpus, ("/a", "a bridge"), ("/b", "one that ends its process"), ("/c", "a school"), ("/d", "one that exits with 3"))
    ended = build(corpus, "--jobs", 2, "--json", env=with_deadly_pages(tmp_path / "first"))
    assert ended.returncode == 1, ended.stderr
    assert json.loads(ended.stdout)["outcomes"] == {"article": 2, "unreadable": 2}
    problems = map(json.loads, (corpus.folder / "problems.jsonl").read_text("utf-8").splitlines())
    reasons = {problem["url"]: problem["reason"] for problem in problems}
    assert reasons.keys() == {f"{SITE}/b", f"{SITE}/d"}
    assert ("SIGKILL" in reasons[f"{SITE}/b"], "code 3" in reasons[f"{SITE}/d"]) == (True, True)
    assert corpus.built()["outcomes"] == {"article": 4}, "the next build tries them again"


def test_a_library_that_prints_does_not_speak_into_the_answers(corpus: PushedCorpus, tmp_path: Path) -> None:
    store(corpus, ("/a", "one that talks"), ("/b", "a bridge"))
    ended = build(corpus, "--jobs", 2, "--json", env=with_deadly_pages(tmp_path / "first"))
    assert (ended.returncode, json.loads(ended.stdout)["outcomes"]) == (0, {"article": 2})


def test_processes_end_without_a_word_when_who_gave_them_work_is_gone(corpus: PushedCorpus, tmp_path: Path) -> None:
    store(corpus, ("/a", "one that ends who gave it"), ("/b", "a bridge"))
    ended = build(corpus, "--jobs", 2, "--quiet", env=with_deadly_pages(tmp_path / "first"))
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGKILL, "", ""), "the process that outlives it holds its stderr"
    assert corpus.built()["outcomes"] == {"article": 2}


@pytest.fixture
def many(corpus: PushedCorpus) -> PushedCorpus:
    store(corpus, *((f"/{number}", f"bridge {number}") for number in range(150)))
    return corpus


def test_several_processes_make_the_same_as_one_in_the_same_order(many: PushedCorpus) -> None:
    ended = build(many, "--jobs", 2, "--quiet")
    assert ended.returncode == 0, ended.stderr
    together, lines = documents(many), many.run("export", "--to", "jsonl").out
    again = build(many, "--jobs", 1, "--all", "--json")
    assert json.loads(again.stdout)["confirmed"] == 150
    assert (documents(many), many.run("export", "--to", "jsonl").out) == (together, lines)


def test_a_pass_counts_all_but_a_page_that_ends_its_process_and_tries_that_again(many: PushedCorpus, tmp_path: Path) -> None:
    store(many, ("/b", "one that ends its process"))
    asked = ("tags", many.file, "--corpus", many.folder, "--all", "--jobs", 2, "--json")
    first, again, whole = run(*asked, env=with_deadly_pages(tmp_path / "first")), run(*asked), run(*asked, "--again")
    told = json.loads(first.stdout)
    assert (told["pages"], told["passed_over"]) == (150, {"unreadable": 1})
    assert (again.stdout, json.loads(again.stdout)["pages"]) == (whole.stdout, 151)
    assert "no rule changed; 23 of 151 pages are read again" in again.stderr, "those that its process had been given with it"


def test_processes_killed_at_random_cost_no_article(many: PushedCorpus) -> None:
    """Those that lose theirs too often are told and tried again."""
    command = [sys.executable, "-m", "webarticlecurator", "build", str(many.file), "--corpus", str(many.folder), "--jobs", "2", "--quiet"]
    building = subprocess.Popen(command)
    kills = 0
    while building.poll() is None and kills < 3:
        for process in children(building.pid):
            kills += kill(process)
        threading.Event().wait(0.3)
    assert building.wait(120) in (0, 1)
    assert kills
    assert many.built()["articles"] == 150
    ids = [json.loads(line)["id"] for line in many.run("export", "--to", "jsonl").out.splitlines()]
    assert len(ids) == len(set(ids)) == 150


def test_what_is_wrong_with_the_machine_ends_the_build_with_its_reason(corpus: PushedCorpus) -> None:
    store(corpus, ("/a", "a bridge"))
    (corpus.folder / "tei").write_text("in the way")
    ended = build(corpus, "--jobs", 2)
    assert (ended.returncode, "tei" in ended.stderr, "Traceback" in ended.stderr) == (2, True, False), ended.stderr


def test_a_process_that_cannot_start_is_no_pages_fault(corpus: PushedCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    store(corpus, ("/a", "a bridge"))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    ended = corpus.run("build", "--jobs", 2)
    assert (ended.code, "--jobs 1" in ended.err) == (2, True)
    monkeypatch.undo()
    assert corpus.built()["outcomes"] == {"article": 1}


def test_a_script_without_a_guard_can_build_with_several_processes(corpus: PushedCorpus) -> None:
    store(corpus, ("/a", "a bridge"))
    script = corpus.base / "script.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom webarticlecurator import BuildOptions, build, load_portal\n"
        f"print(build(load_portal({str(corpus.file)!r}), corpus=Path({str(corpus.folder)!r}), options=BuildOptions(jobs=2)).written)\n"
    )
    path = os.pathsep.join(filter(None, sys.path))
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False, env={"PYTHONPATH": path})
    assert (ended.stdout, ended.stderr) == ("1\n", "")
