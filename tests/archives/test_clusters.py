"""`--cluster` on the command line: what is said of a cluster, and of what is wrong with one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

pytestmark = [pytest.mark.cluster, pytest.mark.slow]

Curator = Callable[..., Any]
CLUSTER = ("--cluster", "local:2")
PAGES = 150
"""Several bundles of every command."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallCorpus]:
    """Built by one process."""
    with pytest.MonkeyPatch.context() as session:
        session.setenv("SOURCE_DATE_EPOCH", "1717200000")
        corpus = SmallCorpus(tmp_path_factory.mktemp("cluster"), rules="body: {root: div.text}\n")
        extra = b'<div class="ad">Buy a boat</div>'
        pages = {number: page(f"Bridge {number}", published=f"20{number % 20:02}-05-01T10:00:00+02:00") for number in range(PAGES)}
        corpus.store(*((f"/{number}", html.replace(b"</article>", extra + b"</article>")) for number, html in pages.items()))
        corpus.build()
        yield corpus


@pytest.fixture(scope="module", autouse=True)
def one_cluster() -> Iterator[None]:
    """For all tests; a command ends its own with its process."""
    yield
    from webarticlecurator.workers.dask_cluster import disconnect

    disconnect()


def answers(curator: Curator, small: SmallCorpus, command: str, *flags: str) -> tuple[Any, dict[str, bytes]]:
    """How it ended, and the files that it wrote; nothing of an earlier call is there."""
    for name in ("analysis.sqlite", "reports/report.html", "out.vert"):
        (small.folder / name).unlink(missing_ok=True)
    words = command.replace("OUT", str(small.folder / "out.vert")).split()
    ended = curator(words[0], small.base / "portal.yaml", *words[1:], "--corpus", small.folder, *flags)
    files = [path for path in (small.folder / "out.vert", small.folder / "reports" / "report.html") if path.is_file()]
    written = {path.name: path.read_bytes() for path in files} | small.documents
    return ended, written


def test_where_its_work_is_shown_is_told(curator: Curator, small: SmallCorpus) -> None:
    from webarticlecurator.workers.dask_cluster import disconnect

    disconnect()
    ended, _ = answers(curator, small, "tags --json", *CLUSTER)
    assert "pelda: What local:2 does is shown at http://127.0.0.1:" in ended.err


@pytest.mark.parametrize("command", ["learn --json", "build --compare --json", "report"])
def test_a_cluster_gives_what_one_process_gives(curator: Curator, small: SmallCorpus, command: str) -> None:
    alone, files = answers(curator, small, command, "--jobs", "1")
    by_cluster, same = answers(curator, small, command, *CLUSTER)

    assert (by_cluster.code, by_cluster.out) == (alone.code, alone.out)
    assert alone.code in (0, 1)
    assert same == files


WRONG = {
    "nobody there": (("--cluster", "tcp://127.0.0.1:1"), "No Dask scheduler answers at tcp://127.0.0.1:1"),
    "no address": (
        ("--cluster", "ten"),
        "'ten' is no cluster; write tcp://HOST:8786 for a Dask scheduler, or local:4 for four workers here.",
    ),
    "twice": ((*CLUSTER, "--jobs", "2"), "--jobs starts processes here, and --cluster has others do the work"),
}
COMMANDS = ("build --all", "tags", "audit", "learn", "export --to vertical -o OUT", "stats", "report")


@pytest.mark.parametrize(
    ("command", "wrong"),
    [*((one, wrong) for one in COMMANDS for wrong in ("no address", "twice")), ("tags", "nobody there"), ("stats", "nobody there")],
)
def test_what_is_wrong_with_a_cluster_is_a_sentence(
    curator: Curator, small: SmallCorpus, monkeypatch: pytest.MonkeyPatch, command: str, wrong: str
) -> None:
    from webarticlecurator.workers import dask_cluster

    monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 0.2)
    flags, told = WRONG[wrong]

    ended, files = answers(curator, small, command, *flags)

    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert files.keys() == small.documents.keys(), "nothing is written"


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "local:1"])
def test_without_dask_it_is_said_what_to_install(
    curator: Curator, small: SmallCorpus, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    for name in ("dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    ended = curator("tags", small.base / "portal.yaml", "--json", "--corpus", small.folder, "--cluster", address)

    assert (ended.code, ended.out) == (2, "")
    assert 'pip install "webarticlecurator[cluster]"' in ended.err
