"""WARC files in an object store: brought there verified, read by ranges, and never worse for a store that behaves badly."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from object_store import Faults, ObjectStore
from pushed_corpus import SITE, PushedCorpus

cloud, nightly = pytest.mark.cloud, pytest.mark.nightly
URL = "s3://corpora/portal"
BAD = {
    "unavailable": Faults(unavailable=lambda number: number % 3 == 1),
    "cut": Faults(cut=lambda number: number % 3 == 1),
    "both": Faults(unavailable=lambda number: number % 5 == 2, cut=lambda number: number % 5 == 4),
}


@pytest.fixture
def stored(curator: Any, tmp_path: Path) -> PushedCorpus:
    """Two files of articles that are no small ones."""
    corpus = PushedCorpus(curator, tmp_path / "own", URL)
    corpus.store(*(str(number) for number in range(20)))
    corpus.store(*(str(number) for number in range(20, 40)))
    return corpus


def exported(corpus: PushedCorpus) -> str:
    assert corpus.run("build", "--all", "--jobs", 1, "--quiet").code == 0
    return str(corpus.run("export", "--to", "jsonl").out)


@cloud
def test_what_lies_in_a_store_alone_is_built_exported_and_shown_as_from_a_disk(
    stored: PushedCorpus, store: ObjectStore, curator: Any
) -> None:
    before, listed = exported(stored), curator("warc", "list", stored.folder).out
    shown = curator("warc", "cat", stored.folder, f"{SITE}/7", "--payload").out
    size = sum(path.stat().st_size for path in (stored.folder / "warc").glob("*.gz"))
    pushed = stored.push("--remove")
    assert (pushed["sent"], pushed["removed"], stored.names) == (2, 2, [])
    store.given.clear()
    store.requests = 0
    assert exported(stored) == before
    assert 0 < store.bytes_of(".warc.gz") <= 2.2 * size, "stretches are read, to build them and to look at some"
    assert store.requests < 40, "not one for each article"
    assert json.loads(stored.run("audit", "--json", "--jobs", 1).out)["pages"] == 40
    assert curator("warc", "list", URL).out == listed
    assert curator("warc", "cat", URL, f"{SITE}/7", "--payload").out == shown != ""
    assert curator("warc", "check", URL).code == 0
    assert stored.run("status").code == 0


@cloud
@pytest.mark.parametrize("faults", [pytest.param(faults, id=name, marks=[nightly] * (name != "both")) for name, faults in BAD.items()])
def test_a_store_that_answers_badly_gives_the_same(stored: PushedCorpus, store: ObjectStore, faults: Faults) -> None:
    before = exported(stored)
    stored.push("--remove")
    store.faults = faults
    assert exported(stored) == before


@cloud
@nightly
def test_a_store_that_fails_in_the_middle_of_a_push_loses_nothing(stored: PushedCorpus, store: ObjectStore) -> None:
    refused = iter(range(1_000))
    store.refused = lambda method, _: method in ("PUT", "GET") and next(refused) % 3 == 0
    pushed = stored.push("--remove")
    assert (pushed["sent"], pushed["removed"]) == (2, 2)
    store.refused = ObjectStore().refused
    assert stored.status()["lost"] == []
    assert stored.built("--all")["articles"] == 40


@cloud
@nightly
def test_what_was_written_though_nobody_heard_it_is_ours(stored: PushedCorpus, store: ObjectStore) -> None:
    unheard = iter(range(2))
    store.unheard = lambda method, _: method == "PUT" and next(unheard, None) is not None
    assert stored.push("--remove")["removed"] == 2
    store.unheard = ObjectStore().unheard
    assert stored.built("--all")["articles"] == 40


@cloud
@nightly
def test_a_file_that_is_missing_or_changed_there_is_told(stored: PushedCorpus, store: ObjectStore) -> None:
    import boto3

    stored.push("--remove")
    objects = boto3.client("s3")
    first, last = (entry["Key"] for entry in objects.list_objects_v2(Bucket="corpora", Prefix="portal/warc/")["Contents"])
    whole = objects.get_object(Bucket="corpora", Key=first)["Body"].read()
    middle = len(whole) // 2
    objects.put_object(Bucket="corpora", Key=first, Body=whole[:middle] + bytes(40) + whole[middle + 40 :])
    ended = stored.run("build", "--all", "--jobs", 1)
    problems = (stored.folder / "problems.jsonl").read_text("utf-8")
    assert (ended.code, first.rpartition("/")[2] in problems) == (1, True)
    objects.delete_object(Bucket="corpora", Key=last)
    ended = stored.run("build", "--all", "--jobs", 1)
    assert (ended.code, last.rpartition("/")[2] in ended.err) in ((1, True), (2, True)), ended.err


@cloud
@nightly
def test_a_store_that_never_answers_ends_the_build_and_blames_no_page(
    stored: PushedCorpus, store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    stored.push("--remove")
    store.refused = lambda method, path: method == "GET" and path.endswith(".warc.gz")
    ended = stored.run("build", "--all", "--jobs", 1)
    assert (ended.code, "s3://" in ended.err, "secret-of-tests" in ended.err) == (2, True, False)
    store.refused = ObjectStore().refused
    assert stored.built("--all")["outcomes"] == {"article": 40}


NO_STORES = {
    "a password": ("s3://key:sesame@bucket/portal", "AWS_SECRET_ACCESS_KEY"),
    "a password with a slash": ("s3://key:ses/sesame@bucket/portal", "AWS_SECRET_ACCESS_KEY"),
    "capitals": ("S3://key:sesame@bucket/a", "no URL of an object store"),
    "a web page": ("https://bucket/a", "no URL of an object store"),
    "half a URL": ("s3:bucket/a", "no URL of an object store"),
    "a chain": ("simplecache::s3://sesame@bucket/a", "no URL of an object store"),
}


@pytest.mark.parametrize(("url", "noun"), NO_STORES.values(), ids=NO_STORES)
def test_what_is_no_store_is_refused_without_repeating_a_password(stored: PushedCorpus, url: str, noun: str) -> None:
    said = stored.refused(to=url)
    assert (noun in said, "sesame" in said, list(stored.base.glob("*:*"))) == (True, False, [])
    ended = stored.run("status", at=url)
    assert (ended.code, noun in ended.err, "sesame" in ended.err) == (2, True, False)


@cloud
@pytest.mark.parametrize(
    ("url", "noun"),
    [
        ("nosuchscheme://bucket/portal", "nosuchscheme"),
        ("file:///tmp/portal", "path"),
        pytest.param("s3://no-such-bucket/portal", "bucket", marks=nightly),
        ("ftp://127.0.0.1:9/portal", "could not be reached"),
    ],
)
def test_a_store_that_cannot_be_had_is_told_in_a_sentence(
    request: pytest.FixtureRequest, stored: PushedCorpus, url: str, noun: str
) -> None:
    if url.startswith("s3"):
        request.getfixturevalue("store")
    said = stored.refused(to=url)
    assert (noun in said, "Traceback" in said) == (True, False), said


def test_without_the_extra_a_sentence_names_it(stored: PushedCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    assert "webarticlecurator[cloud]" in stored.refused(to="s3://bucket/without-the-extra")
