"""One suite for folders on this machine and in an object store."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from object_store import Faults, ObjectStore, object_store

from webarticlecurator.errors import StoreUnreachable, UsageError
from webarticlecurator.storage import object_folder, s3
from webarticlecurator.storage.folders import Changed, Folder, State, folder_at
from webarticlecurator.storage.places import exists, file_size, files_in, is_file, is_folder, open_file

cloud = pytest.param("cloud", marks=pytest.mark.cloud)


@pytest.fixture(params=["local", pytest.param("memory", marks=pytest.mark.cloud), cloud])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Folder]:
    if request.param == "local":
        yield folder_at(tmp_path / "folder")
    elif request.param == "memory":
        yield folder_at(Path(f"memory://{tmp_path.name}/folder"))
    else:
        with object_store(tmp_path / "cache") as running:
            yield folder_at(running.place())


def test_what_was_put_is_read(folder: Folder) -> None:
    folder.put("warc/a.warc.gz", b"0123456789")
    folder.put("ledger.sqlite", b"rows")
    assert folder.names() == ["ledger.sqlite", "warc"]
    assert [(file.name, file.size) for file in folder.files()] == [("ledger.sqlite", 4), ("warc/a.warc.gz", 10)]
    assert [file.name for file in folder.files("warc")] == ["warc/a.warc.gz"]
    assert folder.read("ledger.sqlite") == b"rows"
    with folder.open("warc/a.warc.gz") as file:
        file.seek(3)
        assert file.read(4) == b"3456"
        assert file.read() == b"789"


def test_what_is_not_there_is_told(folder: Folder) -> None:
    assert (folder.names(), folder.files(), folder.facts("nothing")) == ([], [], None)
    folder.delete("nothing")
    with pytest.raises(FileNotFoundError):
        folder.read("nothing")
    with pytest.raises(FileNotFoundError):
        folder.open("nothing").read(1)


def test_places_ask_the_folder(folder: Folder) -> None:
    folder.put("warc/a.warc.gz", b"0123456789")
    file = folder.place / "warc" / "a.warc.gz"
    assert (is_file(file), is_folder(folder.place / "warc"), is_file(folder.place / "warc"), exists(folder.place / "b")) == (
        True, True, False, False,
    )  # fmt: skip
    assert files_in(folder.place / "warc") == [file]
    assert file_size(file) == 10
    with open_file(file) as opened:
        assert opened.read(3) == b"012"


def test_a_file_is_replaced_only_if_it_is_what_it_was(folder: Folder, tmp_path: Path) -> None:
    first = folder.put("build.sqlite", b"first", replaces=State.ABSENT)
    with pytest.raises(Changed, match="somebody else"):
        folder.put("build.sqlite", b"third", replaces=State.ABSENT)
    (tmp_path / "second").write_bytes(b"second")
    second = folder.put("build.sqlite", tmp_path / "second", replaces=first.version)
    assert second.version != first.version
    with pytest.raises(Changed):
        folder.put("build.sqlite", b"third", replaces=first.version)
    assert folder.read("build.sqlite") == b"second"
    folder.delete("build.sqlite")
    with pytest.raises(Changed):
        folder.put("build.sqlite", b"third", replaces=second.version)


def test_a_folder_travels_to_other_processes(folder: Folder) -> None:
    folder.put("a", b"1")
    assert pickle.loads(pickle.dumps(folder)).read("a") == b"1"


@pytest.mark.cloud
def test_large_files_go_in_parts_and_keep_the_condition(store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(s3, "_ONE_REQUEST", 1 << 20)
    monkeypatch.setattr(s3, "_PART", 5 << 20)  # no store takes smaller ones
    large = tmp_path / "large"
    large.write_bytes(bytes(range(256)) * (12 << 12))
    folder = folder_at(store.place())
    first = folder.put("large", large, replaces=State.ABSENT)
    with pytest.raises(Changed):
        folder.put("large", large, replaces=State.ABSENT)
    folder.put("large", large, replaces=first.version)
    assert folder.open("large").read() == large.read_bytes()


@pytest.mark.cloud
@pytest.mark.parametrize("size", [100, 12 << 20], ids=["one request", "parts"])
def test_what_was_written_though_nobody_heard_it_is_ours(store: ObjectStore, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(s3, "_ONE_REQUEST", 1 << 20)
    monkeypatch.setattr(s3, "_PART", 5 << 20)
    monkeypatch.setattr(object_folder, "_FIRST_WAIT", 0.01)
    folder = folder_at(store.place())
    before = folder.put("build.sqlite", b"old")
    last = "PUT" if size < s3._ONE_REQUEST else "POST"
    for name, replaces in (("build.sqlite", before.version), ("new", State.ABSENT)):
        unheard = iter(range(2 if last == "PUT" else 0))
        begun = iter(range(1))

        def lost(method: str, path: str, unheard: Iterator[int] = unheard, begun: Iterator[int] = begun) -> bool:
            if method == "POST" and next(begun, None) is not None:  # what asks for an upload
                return False
            return method == last and (method == "POST" or next(unheard, None) is not None)

        store.unheard = lost
        put = folder.put(name, bytes(size), replaces=replaces)
        store.unheard = ObjectStore().unheard
        assert put == folder.facts(name)
        assert folder.read(name) == bytes(size)


@pytest.mark.cloud
@pytest.mark.parametrize(
    "faults",
    [
        Faults(unavailable=lambda number: number % 3 == 1),
        Faults(cut=lambda number: number % 3 == 1),
        Faults(slow=lambda n: n == 1, seconds=2),
    ],
    ids=["503", "cut", "timeout"],
)
def test_what_fails_is_asked_for_again(store: ObjectStore, faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(s3.OPTIONS, "config_kwargs", {"read_timeout": 1, "retries": {"total_max_attempts": 1}})
    content = bytes(range(256)) * 4_000
    folder = folder_at(store.place())
    folder.put("a", content)
    store.faults = faults
    file = folder.open("a", [(start, start + 100) for start in range(0, len(content), 100_000)])
    for start in range(0, len(content), 100_000):
        file.seek(start)
        assert file.read(100) == content[start : start + 100]
    assert folder.open("a").read() == content


@pytest.mark.cloud
def test_a_store_that_never_answers_is_told_with_its_url(store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_folder, "_FIRST_WAIT", 0.01)
    monkeypatch.setitem(s3.OPTIONS, "config_kwargs", {"retries": {"total_max_attempts": 1}})
    folder = folder_at(store.place())
    folder.put("a", b"1")
    store.faults = Faults(unavailable=lambda _: True)
    with pytest.raises(StoreUnreachable, match=r"s3://corpora/portal/a could not be .*, 5 times in a row: .*run") as told:
        folder.read("a")
    assert "secret-of-tests" not in str(told.value)


@pytest.mark.cloud
def test_a_bucket_that_is_not_there_holds_nothing_and_cannot_be_written(store: ObjectStore) -> None:
    elsewhere = folder_at(Path("s3://no-such-bucket/portal"))
    assert (elsewhere.names(), elsewhere.facts("a")) == ([], None)
    with pytest.raises(StoreUnreachable, match="is there such a bucket"):
        elsewhere.put("a", b"1")


@pytest.mark.cloud
def test_a_scheme_that_nobody_knows_is_told() -> None:
    with pytest.raises(UsageError, match="nosuchscheme"):
        folder_at(Path("nosuchscheme://bucket/portal")).names()


@pytest.mark.cloud
def test_a_folder_is_named_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name the folder by its path"):
        folder_at(Path(f"file://{tmp_path}")).names()


@pytest.mark.cloud
def test_a_host_that_does_not_answer_is_told() -> None:
    with pytest.raises(StoreUnreachable, match=r"ftp://127.0.0.1:9/portal could not be reached: "):
        folder_at(Path("ftp://127.0.0.1:9/portal")).names()


@pytest.mark.cloud
def test_a_store_that_cannot_say_what_changed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_at(Path("memory://unsaid/folder"))
    folder.put("a", b"1")
    monkeypatch.setattr(object_folder, "_VERSIONS", ())
    with pytest.raises(UsageError, match="does not tell when a file changes"):
        folder.facts("a")


def test_without_the_extra_a_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(UsageError, match=r'object stores need an extra: `pip install "webarticlecurator\[cloud\]"`'):
        folder_at(Path("s3://bucket/without-the-extra")).names()
