"""A corpus in an object store answers every command as it does on this machine, however badly the store behaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from object_store import Faults, ObjectStore
from small_corpus import SmallCorpus, page

from webarticlecurator import pipeline
from webarticlecurator.cli.exit_codes import ExitCode

pytestmark = [pytest.mark.cloud, pytest.mark.slow]
Curator = Callable[..., Any]
URL = "s3://corpora/portal"


@pytest.fixture
def corpus(tmp_path: Path, store: ObjectStore) -> SmallCorpus:
    """On this machine and in the store."""
    made = SmallCorpus(tmp_path)
    made.store(*((f"/{number}", page(f"Number {number}", text=f"number {number} " * 400)) for number in range(40)))
    pipeline.push(made.portal, store.place(), corpus=made.folder)
    store.given.clear()
    store.requests = 0
    return made


def test_build_and_export_are_complete_though_the_store_fails(corpus: SmallCorpus, store: ObjectStore, curator: Curator) -> None:
    here, portal = corpus.folder, corpus.base / "portal.yaml"
    store.faults = Faults(unavailable=lambda number: number % 5 == 2, cut=lambda number: number % 5 == 4)
    built = curator("build", portal, "--corpus", URL, "--jobs", 2, "--json")
    assert built.code == ExitCode.OK, built.err
    assert json.loads(built.out)["outcomes"] == {"article": 40}
    assert curator("build", portal, "--corpus", here).code == ExitCode.OK
    for format in ("jsonl", "teicorpus"):
        files = [corpus.base / f"{where}.{format}" for where in ("there", "here")]
        for place, file in zip((URL, here), files, strict=True):
            assert curator("export", portal, "--corpus", place, "--to", format, "-o", file).code == ExitCode.OK
        assert files[0].read_bytes() == files[1].read_bytes()
    assert "secret-of-tests" not in built.out + built.err


def test_a_build_reads_hardly_more_than_the_files(corpus: SmallCorpus, store: ObjectStore, curator: Curator) -> None:
    portal, size = corpus.base / "portal.yaml", sum(path.stat().st_size for path in (corpus.folder / "warc").glob("*.gz"))
    assert curator("build", portal, "--corpus", URL).code == ExitCode.OK
    assert 0 < store.bytes_of(".warc.gz") <= 1.1 * size
    assert store.requests < 100  # some for the databases and the bundles; one more for each article would be 120
    store.given.clear()
    assert curator("build", portal, "--corpus", URL).code == ExitCode.OK
    assert curator("status", portal, "--corpus", URL).code == ExitCode.OK
    assert store.bytes_of(".warc.gz") == 0


def test_commands_say_the_same_of_both(corpus: SmallCorpus, curator: Curator) -> None:
    page, said = "https://pelda.example/3", []
    for place in (URL, corpus.folder):
        assert curator("build", corpus.base / "portal.yaml", "--corpus", place, "--jobs", 1).code == ExitCode.OK
        answers = {}
        for command in (
            "tags --json",
            "audit --json",
            "stats --json",
            "status --json",
            "watch --json",
            f"try {page} --json",
            f"open {page} -o -",
        ):
            name, *flags = command.split()
            ended = curator(name, corpus.base / "portal.yaml", *flags, "--corpus", place)
            assert ended.code in (ExitCode.OK, ExitCode.FAILURES), ended.err
            answers[name] = ended.out.replace(str(place), "PLACE")
        said.append(answers)
    assert said[0] == said[1]


def test_warc_commands_take_urls(corpus: SmallCorpus, curator: Curator) -> None:
    name = next((corpus.folder / "warc").glob("*.gz")).name
    for here, there in ((corpus.folder, URL), (corpus.folder / "warc" / name, f"{URL}/warc/{name}")):
        assert curator("warc", "list", there).out == curator("warc", "list", here).out
        shown = [curator("warc", "cat", place, "https://pelda.example/3", "--payload") for place in (here, there)]
        assert shown[0].out == shown[1].out != ""
        checked = curator("warc", "check", there)
        assert (checked.code, f"curator warc list {there}" in checked.err) == (ExitCode.OK, True)
    out = corpus.base / "sample.warc.gz"
    assert curator("warc", "sample", URL, "--per-year", 3, "--out", out).code == ExitCode.OK
    assert out.stat().st_size > 1_000


def test_push_tells_what_to_do_next(corpus: SmallCorpus, curator: Curator) -> None:
    portal = corpus.base / "portal.yaml"
    pushed = curator("warc", "push", portal, "--to", URL, "--corpus", corpus.folder, "--remove")
    assert pushed.code == ExitCode.OK
    assert "1 was before" in pushed.out
    assert f"curator build {portal} --corpus {URL}" in pushed.err
    assert json.loads(curator("warc", "push", portal, "--to", URL, "--corpus", corpus.folder, "--json").out)["removed"] == 0


def test_what_cannot_be_is_told_in_a_sentence(corpus: SmallCorpus, curator: Curator) -> None:
    portal = corpus.base / "portal.yaml"
    for arguments, code, words in (
        (
            ("warc", "import", portal, corpus.base / "in-1.warc.gz", "--corpus", URL),
            ExitCode.USAGE,
            "stores what it fetches in a folder on this machine",
        ),
        (("status", portal, "--corpus", "s3://corpora/elsewhere"), ExitCode.USAGE, "There is no corpus of pelda at s3://corpora/elsewhere"),
        (("status", portal, "--corpus", "s3://key:word@corpora/portal"), ExitCode.USAGE, "AWS_SECRET_ACCESS_KEY"),
        (("status", portal, "--corpus", "nosuchscheme://corpora/portal"), ExitCode.USAGE, "nosuchscheme"),
        (("warc", "index", portal, "--corpus", URL), ExitCode.USAGE, "on the machine that crawls"),
    ):
        ended = curator(*arguments)
        assert (ended.code, words in ended.err, "Traceback" in ended.err) == (code, True, False), ended.err
