"""A full disk, a folder that cannot be written, a corpus in use, damaged files: said in a sentence, and nothing is lost."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from crawling import Crawling, exit_code
from ledgers import changed_by_hand
from seams import ExitCode, connect, locked


@pytest.fixture
def site(crawled: Crawling) -> Crawling:
    return crawled


def run(command: list[str], *, before: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, preexec_fn=before)
    assert "Traceback" not in ended.stderr
    assert "bug of curator" not in ended.stderr
    return ended


@pytest.fixture
def as_anybody() -> list[str]:
    """Makes root obey the permissions of files."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and there is no setpriv to change that (Debian and Ubuntu: apt install util-linux)")
    return ["setpriv", "--bounding-set", "-dac_override,-dac_read_search,-fowner"]


@pytest.mark.parametrize("room", [0, 30_000])
def test_a_full_disk_ends_the_crawl_with_a_sentence_and_the_next_one_goes_on(uncrawled: Crawling, room: int) -> None:
    # A limit on the size of files stands in for the end of the disk: the write that goes beyond fails in the same place.
    ended = run(uncrawled.command(), before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    assert ended.returncode == ExitCode.USAGE
    assert str(uncrawled.corpus) in ended.stderr
    assert exit_code(uncrawled.crawl()) is ExitCode.OK
    assert uncrawled.fetched == uncrawled.expected
    assert set(uncrawled.stored_articles.values()) == {1}


def test_a_folder_that_may_not_be_written_is_named(uncrawled: Crawling, as_anybody: list[str]) -> None:
    uncrawled.corpus.mkdir()
    uncrawled.corpus.chmod(0o555)
    ended = run([*as_anybody, *uncrawled.command()])
    assert ended.returncode == ExitCode.USAGE
    assert str(uncrawled.corpus) in ended.stderr
    assert not uncrawled.portal.requests


@pytest.mark.parametrize("what", ["warc", "ledger.sqlite"])
def test_what_lies_in_a_corpus_that_may_only_be_read_is_left_as_it_is(uncrawled: Crawling, as_anybody: list[str], what: str) -> None:
    assert exit_code(uncrawled.crawl(limit=3)) is ExitCode.INCOMPLETE
    before, asked = uncrawled.warc_bytes, len(uncrawled.portal.requests)
    place = uncrawled.corpus / what
    place.chmod(0o555 if place.is_dir() else 0o444)
    ended = run([*as_anybody, *uncrawled.command()])
    assert ended.returncode == ExitCode.USAGE
    assert str(uncrawled.corpus) in ended.stderr
    # The first answer has to be stored somewhere: more than that is not asked for in vain.
    assert len(uncrawled.portal.requests) <= asked + 4
    place.chmod(0o755)
    assert before.items() <= uncrawled.warc_bytes.items()
    assert exit_code(uncrawled.crawl()) is ExitCode.OK
    assert uncrawled.fetched == uncrawled.expected


@pytest.mark.usefixtures("built")
def test_a_corpus_that_may_only_be_read_can_be_looked_into(site: Crawling, as_anybody: list[str], curator) -> None:
    url, file = min(site.fetched), str(site.file)
    folders = [site.corpus, *(path for path in site.corpus.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    curator_itself = [*as_anybody, sys.executable, "-m", "webarticlecurator"]
    of_it = ["--corpus", str(site.corpus)]
    try:
        status = run([*curator_itself, "status", file, *of_it])
        tried = run([*curator_itself, "try", file, url, "--json", *of_it])
        audited = run([*curator_itself, "audit", file, *of_it])
        checked = run([*curator_itself, "warc", "check", str(site.corpus)])
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert (status.returncode, tried.returncode, checked.returncode) == (ExitCode.OK,) * 3, status.stderr + tried.stderr + checked.stderr
    assert audited.returncode in (ExitCode.OK, ExitCode.FAILURES), audited.stderr
    assert f"article  {len(site.fetched)}" in status.stdout, "the build database was read, too"
    assert '"outcome":"article"' in tried.stdout


@pytest.mark.nightly
@pytest.mark.usefixtures("built")
def test_a_corpus_that_may_only_be_read_is_exported_and_reported_to_elsewhere(site: Crawling, as_anybody: list[str], curator) -> None:
    url, of_it, places = min(site.fetched), [str(site.file), "--corpus", str(site.corpus)], sorted(site.corpus.rglob("*"), reverse=True)
    modes = {place: place.stat().st_mode for place in (*places, site.corpus)}
    for place in modes:
        place.chmod(0o555 if place.is_dir() else 0o444)
    curator_itself = [*as_anybody, sys.executable, "-m", "webarticlecurator"]
    try:
        for words in (
            ["export", *of_it, "--to", "csv", "--jobs", "1", "-o", str(site.folder / "a.csv")],
            ["report", *of_it, "--jobs", "1", "-o", str(site.folder / "report.html")],
            ["open", of_it[0], url, *of_it[1:], "-o", str(site.folder / "page.html")],
            ["stats", *of_it, "--jobs", "1"],
        ):
            ended = run([*curator_itself, *words])
            assert ended.returncode == ExitCode.OK, ended.stderr
        inside = run([*curator_itself, "open", of_it[0], url, *of_it[1:], "--print"])
    finally:
        for place, mode in modes.items():
            place.chmod(mode)
    assert (inside.returncode, "-o FILE writes the page elsewhere" in inside.stderr) == (ExitCode.USAGE, True), inside.stderr


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"no database at all" * 1000,
        lambda content: content[: len(content) // 2],
        lambda content: content[:4096] + b"\xa5" * (len(content) - 8192) + content[-4096:],
    ],
    ids=["garbage", "cut", "overwritten"],
)
def test_a_damaged_ledger_is_said_and_can_be_made_again(uncrawled: Crawling, damage: Callable[[bytes], bytes], curator) -> None:
    uncrawled.crawl(limit=3)
    before, ledger = uncrawled.fetched, uncrawled.corpus / "ledger.sqlite"
    ledger.write_bytes(damage(ledger.read_bytes()))
    ended = run(uncrawled.command())
    assert ended.returncode == ExitCode.USAGE
    assert "curator warc index" in ended.stderr

    assert curator("warc", "index", uncrawled.file, "--corpus", uncrawled.corpus).code == ExitCode.OK
    assert uncrawled.fetched == before
    assert exit_code(uncrawled.crawl()) is ExitCode.OK
    assert uncrawled.fetched == uncrawled.expected
    assert set(uncrawled.stored_articles.values()) == {1}


@pytest.fixture
def reading(site: Crawling) -> dict[str, list[object]]:
    """Commands by the database that they read, more or less of it."""
    export = ["export", site.file, "--to", "jsonl", "-o", site.folder / "articles.jsonl"]
    report = ["report", site.file, "-o", site.folder / "report.html"]
    of_file = {name: [name, site.file] for name in ("status", "build", "tags", "audit", "stats", "watch")}
    return {**of_file, "build --all": ["build", site.file, "--all"], "export": export, "report": report}


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("ledger.sqlite", "made again from the WARC files"),
        ("build.sqlite", "Delete build.sqlite"),
        pytest.param("analysis.sqlite", "Delete analysis.sqlite", marks=pytest.mark.nightly),
    ],
)
def test_damaged_pages_of_a_database_are_told_with_the_remedy_and_never_as_a_bug(
    site: Crawling, curator, reading: dict[str, list[object]], name: str, remedy: str
) -> None:
    for command in ("build", "watch", "stats"):
        assert curator(command, site.file, "--corpus", site.corpus, "--quiet").code in (ExitCode.OK, ExitCode.FAILURES)
    whole = {path.name: path.read_bytes() for path in site.corpus.glob("*.sqlite")}
    assert all(not path.stat().st_size for path in site.corpus.glob("*-wal"))
    damaged, chance = bytearray(whole[name]), Random(1)
    for start in range(4096 * 2, len(damaged), 4096 * 2):
        damaged[start : start + 4096] = chance.randbytes(4096)

    told = set()
    for typed, command in reading.items():
        for other, content in {**whole, name: damaged}.items():
            (site.corpus / other).write_bytes(content)
        ended = curator(*command, "--corpus", site.corpus, "--quiet")
        assert ended.code in (ExitCode.OK, ExitCode.FAILURES, ExitCode.USAGE), ended.err
        if "is damaged" in ended.out + ended.err:
            assert remedy in ended.out + ended.err
            told.add(typed)
        assert ended.code != ExitCode.USAGE or typed in told
    assert told


def test_a_damaged_build_database_is_made_again_by_a_build_of_all(built: Crawling, curator) -> None:
    build, database = ("build", built.file, "--corpus", built.corpus, "--quiet"), built.corpus / "build.sqlite"
    code, documents = curator(*build).code, sorted((built.corpus / "tei").rglob("*.xml"))
    database.write_bytes(b"no database at all" * 1000)
    ended = curator(*build)
    assert (ended.code, "--all` makes it again" in ended.err) == (ExitCode.USAGE, True)
    assert curator(*build, "--all").code == code
    assert sorted((built.corpus / "tei").rglob("*.xml")) == documents != []


def change_a_byte(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def take_for_another_version(file: Path) -> None:
    with closing(connect(file)) as database:
        database.execute("PRAGMA user_version = 99")


def leave_open(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[68:72] = bytes(4)
    file.write_bytes(content)


@pytest.mark.parametrize(
    "damage", [Path.unlink, change_a_byte, take_for_another_version, leave_open, lambda file: file.write_bytes(b"no database" * 999)]
)
def test_what_a_pass_has_counted_is_made_again_where_it_is_damaged(built: Crawling, curator, damage: Callable[[Path], object]) -> None:
    audit = ["audit", built.file, "--corpus", built.corpus, "--json", "--jobs", 1]
    first, kept = curator(*audit), curator(*audit)
    assert "no rule changed; 0 of" in kept.err
    damage(built.corpus / "survey.sqlite")
    again, known = curator(*audit), curator(*audit)
    assert {each.out for each in (kept, again, known)} == {first.out}
    assert ("read again" in again.err, "no rule changed; 0 of" in known.err) == (False, True)
    with locked(built.corpus / "survey.lock", "audit"):
        beside = curator(*audit)
    assert (beside.out, "read again" in beside.err) == (first.out, False)


def test_what_a_pass_counts_while_a_file_is_away_is_not_kept(built: Crawling, curator) -> None:
    audit = ["audit", built.file, "--corpus", built.corpus, "--json", "--jobs", 1, "--again"]
    whole = curator(*audit)
    for file in (built.corpus / "warc").glob("*articles*"):
        file.rename(file.with_name(f"away-{file.name}.bak"))
    assert curator(*audit).out != whole.out
    for file in (built.corpus / "warc").glob("away-*"):
        file.rename(file.with_name(file.name.removeprefix("away-").removesuffix(".bak")))
    assert curator(*audit[:-1]).out == whole.out


@pytest.mark.parametrize("damage", [Path.unlink, lambda ledger: ledger.write_bytes(b"")], ids=["deleted", "empty"])
def test_without_a_ledger_a_crawl_takes_in_what_the_warc_files_hold(site: Crawling, damage: Callable[[Path], None]) -> None:
    damage(site.corpus / "ledger.sqlite")
    site.portal.forget_requests()
    assert exit_code(site.crawl()) is ExitCode.OK
    assert site.fetched == site.expected
    assert set(site.stored_articles.values()) == {1}


# --- bytes that a disk gives back wrongly ---


def documents(site: Crawling) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (site.corpus / "tei").rglob("*.xml")}


def flipped(content: bytes, chance: Random) -> bytes:
    """One to fifty bytes have other values."""
    damaged = bytearray(content)
    for _ in range(chance.randint(1, 50)):
        damaged[chance.randrange(len(damaged))] ^= chance.randint(1, 255)
    return bytes(damaged)


@pytest.mark.parametrize("times", [12, pytest.param(200, marks=pytest.mark.nightly)])
def test_whatever_bytes_of_a_ledger_are_flipped_it_is_told_and_nothing_is_lost(built: Crawling, curator, times: int) -> None:
    ledger, before, chance = built.corpus / "ledger.sqlite", documents(built), Random(1)
    whole, fetched = ledger.read_bytes(), built.fetched
    for number in range(times):
        ledger.write_bytes(flipped(whole, chance))
        command = ("status", "build", "stats")[number % 3]
        ended = curator(command, built.file, "--corpus", built.corpus, "--quiet")
        assert ended.code == ExitCode.USAGE, ended.out + ended.err
        assert "ledger.sqlite is damaged" in ended.err and "curator warc index" in ended.err
    assert documents(built) == before
    assert curator("warc", "index", built.file, "--corpus", built.corpus).code == ExitCode.OK
    assert curator("build", built.file, "--corpus", built.corpus, "--jobs", 1).code == ExitCode.OK
    assert (built.fetched, documents(built)) == (fetched, before)


@pytest.mark.parametrize("times", [6, pytest.param(100, marks=pytest.mark.nightly)])
def test_whatever_bytes_of_the_build_database_are_flipped_it_is_told_and_made_again(built: Crawling, curator, times: int) -> None:
    database, before, chance = built.corpus / "build.sqlite", documents(built), Random(1)
    whole, output = database.read_bytes(), built.folder / "articles.jsonl"
    for number in range(times):
        database.write_bytes(flipped(whole, chance))
        command = [["build", "--jobs", "1"], ["export", "--to", "jsonl", "-o", str(output)]][number % 2]
        ended = curator(command[0], built.file, "--corpus", built.corpus, "--quiet", *command[1:])
        assert ended.code == ExitCode.USAGE, ended.out + ended.err
        assert "Delete build.sqlite, and build again" in ended.err
    assert not output.exists()
    database.unlink()
    assert curator("build", built.file, "--corpus", built.corpus, "--jobs", 1).code == ExitCode.OK
    assert documents(built) == before


@pytest.mark.parametrize("times", [12, pytest.param(200, marks=pytest.mark.nightly)])
def test_flipped_bytes_after_a_crash_are_harmless_or_told(built: Crawling, curator, times: int) -> None:
    with changed_by_hand(built.corpus / "ledger.sqlite"):
        """As after a crash, it has no seal."""
    ledger, chance = built.corpus / "ledger.sqlite", Random(2)
    whole = ledger.read_bytes()
    for number in range(times):
        ledger.write_bytes(flipped(whole, chance))
        ended = curator(("status", "stats")[number % 2], built.file, "--corpus", built.corpus, "--quiet")
        assert ended.code in (ExitCode.OK, ExitCode.FAILURES, ExitCode.USAGE, ExitCode.INCOMPLETE), ended.err
        assert ended.code != ExitCode.USAGE or "curator warc index" in ended.err


def test_a_value_that_cannot_be_is_told_as_damage_where_a_crash_left_no_checksum(built: Crawling, curator) -> None:
    with changed_by_hand(built.corpus / "ledger.sqlite") as ledger:
        ledger.execute("UPDATE walks SET started = 't' || substr(started, 2), ended = 't' || substr(ended, 2)")
    ended = curator("status", built.file, "--corpus", built.corpus)
    assert ended.code == ExitCode.USAGE, ended.err
    assert "ledger.sqlite is damaged (or the program has a mistake: ValueError" in ended.err and "curator warc index" in ended.err


def test_a_ledger_whose_tables_are_described_by_nonsense_is_damaged(built: Crawling, curator) -> None:
    ledger = built.corpus / "ledger.sqlite"
    with changed_by_hand(ledger):
        """As after a crash, it has no seal."""
    content = ledger.read_bytes()
    renamed = content.replace(b"    again TEXT,", b"    agaim TEXT,").replace(b"told_reason TEXT AS", b"again       TEXT AS")
    assert renamed != content
    ledger.write_bytes(renamed)
    ended = curator("status", built.file, "--corpus", built.corpus)
    assert ended.code == ExitCode.USAGE, ended.err
    assert "ledger.sqlite is damaged" in ended.err and "curator warc index" in ended.err


def test_the_damage_of_a_corpus_that_somebody_else_has_open_explains_nothing(built: Crawling, curator) -> None:
    ledger, other = built.corpus / "ledger.sqlite", built.folder / "ledger.sqlite"
    with changed_by_hand(ledger) as opened:
        opened.execute("UPDATE walks SET started = 't' || substr(started, 2), ended = 't' || substr(ended, 2)")
    shutil.copy(ledger, other)
    with closing(connect(other, read_only=True)):
        other.write_bytes(bytes(len(other.read_bytes())))
        ended = curator("status", built.file, "--corpus", built.corpus)
    assert f"{ledger} is damaged (or the program has a mistake" in ended.err and str(other) not in ended.err


def test_a_database_that_lies_in_place_of_the_ledger_is_told_by_every_export(built: Crawling, curator) -> None:
    shutil.copy(built.corpus / "build.sqlite", built.corpus / "ledger.sqlite")
    ended = curator("export", built.file, "--corpus", built.corpus, "--to", "csv", "-o", built.folder / "a.csv")
    assert (ended.code, "ledger.sqlite was written by another version" in ended.err) == (ExitCode.USAGE, True), ended.err


def test_a_database_is_whole_however_often_it_is_closed_copied_or_put_back(built: Crawling, curator) -> None:
    older = built.folder / "older.sqlite"
    shutil.copy(built.corpus / "ledger.sqlite", older)
    site_again = curator("crawl", built.file, "--corpus", built.corpus, "--recheck", "1d", "--limit", "1")
    assert site_again.code in (ExitCode.OK, ExitCode.INCOMPLETE), site_again.err
    moved = shutil.copytree(built.corpus, built.folder / "moved")
    assert curator("status", built.file, "--corpus", moved).code in (ExitCode.OK, ExitCode.INCOMPLETE)
    shutil.copy(older, moved / "ledger.sqlite")
    assert "is damaged" not in curator("status", built.file, "--corpus", moved).err


@pytest.mark.parametrize("content", [b"\xff\xfe\n{", b'["http:/\xa5/", 1]\n', b"null\n"], ids=["no text", "other values", "nothing"])
def test_no_command_fails_over_a_file_that_is_written_anew(built: Crawling, curator, content: bytes) -> None:
    for name in ("problems.jsonl", "watch.json", "remarks.json", "audit/unlisted.txt", "crawl.lock", "build.lock"):
        (built.corpus / name).parent.mkdir(exist_ok=True)
        (built.corpus / name).write_bytes(content)
    told = curator("status", built.file, "--corpus", built.corpus)
    assert told.code in (ExitCode.OK, ExitCode.FAILURES, ExitCode.INCOMPLETE), told.err
    assert "problems.jsonl is damaged, and the next crawl or build writes it anew" in told.out
    assert curator("build", built.file, "--corpus", built.corpus, "--jobs", 1).code == ExitCode.OK
    assert "is damaged" not in curator("status", built.file, "--corpus", built.corpus).out


@pytest.mark.parametrize("level", ["full", "texts"])
def test_a_release_of_a_damaged_warc_file_names_it_and_writes_nothing(built: Crawling, curator, level: str) -> None:
    pytest.importorskip("cdxj_indexer")
    pytest.importorskip("bagit")
    file = next(path for path in built.warcs if "-articles-" in path.name)
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 512] = bytes(512)
    file.write_bytes(content)
    ended = curator("release", built.file, "--corpus", built.corpus, "-o", built.folder / "release", "--level", level, "--creator", "Anna")
    assert (built.folder / "release").exists() == (level == "texts")
    if level == "full":
        assert ended.code == ExitCode.USAGE
        assert file.name in ended.err and "curator warc check" in ended.err


def test_a_release_holds_no_document_that_is_not_what_was_built(built: Crawling, curator) -> None:
    pytest.importorskip("bagit")
    document, before = next((built.corpus / "tei").rglob("*.xml")), documents(built)
    document.write_bytes(document.read_bytes().replace(b"a", b"e"))
    release = ("release", built.file, "--corpus", built.corpus, "-o", built.folder / "release", "--level", "texts", "--creator", "Anna")
    ended = curator(*release)
    assert ended.code == ExitCode.USAGE, ended.err
    assert document.name in ended.err and "--all` makes it again" in ended.err
    assert not (built.folder / "release").exists()
    assert curator("build", built.file, "--corpus", built.corpus, "--all", "--jobs", 1).code == ExitCode.OK
    assert documents(built) == before
    assert curator(*release).code == ExitCode.OK
