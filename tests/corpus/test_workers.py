"""Several processes: every article once, in order, and one that is deadly costs nothing but itself."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from odd_documents import OddDocuments
from simulated_job import SimulatedJob
from small_corpus import SmallCorpus, page

from webarticlecurator.building.builder import BuildJob
from webarticlecurator.building.results import BuildResult, BuildTask
from webarticlecurator.corpus.stored_articles import StoredArticles
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.workers.asked_process import Limits, ProcessDied, ProcessKeeper
from webarticlecurator.workers.job import BATCH
from webarticlecurator.workers.pool import ProcessPool

pytestmark = pytest.mark.slow


def _tasks(corpus: SmallCorpus) -> Iterator[BuildTask]:
    with StoredArticles(corpus.folder / "ledger.sqlite", corpus.portal) as sources:
        for source in sources:
            yield BuildTask(source=source, captures=source.digest())


def _pool(corpus: SmallCorpus, size: int = 2, limits: Limits | None = None) -> ProcessPool:
    job = BuildJob(corpus=corpus.folder, portal=corpus.portal, document_format=OddDocuments(), rules="0")
    return ProcessPool(job, size, limits=limits)


def _results(pool: ProcessPool, corpus: SmallCorpus) -> dict[str, BuildResult]:
    with pool:
        return {one.url.removeprefix("https://pelda.example"): one for batch in pool.make(_tasks(corpus)) for one in batch}


def test_the_results_come_in_the_order_of_the_tasks(corpus: SmallCorpus) -> None:
    paths = [f"/{number}" for number in range(3 * BATCH + 1)]
    corpus.store(*((path, page(path)) for path in paths))

    results = _results(_pool(corpus), corpus)

    assert list(results) == paths
    assert {one.outcome for one in results.values()} == {PageOutcome.ARTICLE}


@pytest.mark.parametrize(("name", "reason"), [("kill", "killed (SIGKILL)"), ("exit", "ended with code 3")])
def test_a_page_that_ends_its_process_costs_only_itself(corpus: SmallCorpus, name: str, reason: str) -> None:
    corpus.store(("/a", page("A")), (f"/{name}", page("B")), ("/c", page("C")))

    results = _results(_pool(corpus, 1), corpus)

    assert {path: one.outcome.value for path, one in results.items()} == {"/a": "article", f"/{name}": "unreadable", "/c": "article"}
    assert reason in results[f"/{name}"].reason
    assert results[f"/{name}"].unfinished


def test_a_task_that_takes_too_long_is_given_up() -> None:
    with ProcessPool(SimulatedJob(), 1, limits=Limits(batch_seconds=0.5, task_seconds=2.0)) as pool:
        assert list(pool.make(["a", "hangs"])) == [["a", "hangs: it was not done after 2 seconds"]]


def test_a_library_that_prints_does_not_speak_into_the_answers(corpus: SmallCorpus, capfd: pytest.CaptureFixture[str]) -> None:
    corpus.store(("/print", page("A")))

    assert _results(_pool(corpus, 1), corpus)["/print"].outcome is PageOutcome.ARTICLE
    assert capfd.readouterr().out == ""


def test_signals_to_all_processes_of_a_terminal_are_for_the_one_that_hands_out_the_tasks(corpus: SmallCorpus) -> None:
    corpus.store(("/signals", page("A")))

    assert _results(_pool(corpus, 1), corpus)["/signals"].outcome is PageOutcome.ARTICLE


def test_a_process_whose_tasks_came_from_one_that_is_gone_ends_without_a_word(corpus: SmallCorpus) -> None:
    corpus.store(("/orphan", page("A")))
    file = corpus.portal.sources[0].path
    script = (
        "import sys\nfrom pathlib import Path\nfrom odd_documents import OddDocuments\nfrom webarticlecurator import load_portal\n"
        "from webarticlecurator.workers.pool import ProcessPool\nfrom webarticlecurator.building.results import BuildTask\n"
        "from webarticlecurator.building.builder import BuildJob\nfrom webarticlecurator.corpus.stored_articles import StoredArticles\n"
        f"portal, folder = load_portal({str(file)!r}), Path({str(corpus.folder)!r})\n"
        "with StoredArticles(folder / 'ledger.sqlite', portal) as sources:\n"
        "    tasks = [BuildTask(source=source, captures=source.digest()) for source in sources]\n"
        "list(ProcessPool(BuildJob(corpus=folder, portal=portal, document_format=OddDocuments(), rules='0'), 1).make(tasks))\n"
    )
    path = ":".join(one for one in sys.path if one)
    # The process that outlives it holds its stderr: what it says there is waited for.
    ended = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": path}, capture_output=True, text=True, timeout=60, check=False
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGKILL, "", "")


def test_what_is_wrong_with_the_machine_ends_the_build_with_its_reason(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    (corpus.folder / "tei").write_text("in the way")

    with pytest.raises(OSError), _pool(corpus, 1) as pool:
        list(pool.make(_tasks(corpus)))


def test_a_process_that_cannot_start_is_no_pages_fault(corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.store(("/a", page("A")))
    monkeypatch.setattr(sys, "executable", "/bin/false")

    with pytest.raises(CorpusError, match="--jobs 1"):
        _results(_pool(corpus, 1), corpus)


def test_an_article_whose_process_died_is_tried_again_by_the_next_build(corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.store(("/a", page("A")))
    monkeypatch.setattr("webarticlecurator.workers.asked_process.ProcessKeeper._living", _dead)
    corpus.build(jobs=2)
    assert corpus.built["/a"][0] == "unreadable"
    monkeypatch.undo()

    assert corpus.build().written == 1


def _dead(self: ProcessKeeper) -> None:
    raise ProcessDied("the machine had no memory left")


def test_two_processes_make_the_same_documents_as_one(corpus: SmallCorpus) -> None:
    corpus.store(*((f"/{number}", page(f"Title {number}")) for number in range(BATCH + 3)))
    corpus.build(jobs=1)
    alone = corpus.documents
    for file in corpus.folder.glob("build.sqlite*"):
        file.unlink()
    for path in alone:
        (corpus.folder / "tei" / path).unlink()

    corpus.build(jobs=2)

    assert corpus.documents == alone


def test_a_script_without_a_guard_can_build_with_several_processes(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    file = corpus.portal.sources[0].path
    script = corpus.base / "script.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom webarticlecurator import BuildOptions, build, load_portal\n"
        f"print(build(load_portal({str(file)!r}), corpus=Path({str(corpus.folder)!r}), options=BuildOptions(jobs=2)).written)\n"
    )
    path = [one for one in sys.path if one]
    ended = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False, env={"PYTHONPATH": ":".join(path)}
    )

    assert (ended.stdout, ended.stderr) == ("1\n", "")
