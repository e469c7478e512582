"""Where a corpus lies: one portal file has one corpus, from whichever folder a command is called."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from warc_records import foreign

from webarticlecurator.example_portal import ExamplePortal

PELDA = """\
portal: pelda
home: http://127.0.0.1:9/
archive: {url: "http://127.0.0.1:9/lista/{page}", pages: infinite, item: article, link: a}
"""


@pytest.fixture
def pelda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A portal file in a folder of its own; the working directory is another one."""
    (tmp_path / "portals").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    file = tmp_path / "portals" / "pelda.yaml"
    file.write_text(PELDA, encoding="utf-8")
    return file


def stored(folder: Path, name: str = "pelda") -> Path:
    """A folder that looks like the corpus of a portal."""
    (folder / "warc").mkdir(parents=True)
    (folder / "warc" / f"{name}-articles-20240501T120000Z-00001.warc.gz").touch()
    return folder


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The corpus beside a portal file, since the person began to keep all corpora on a disk of their own."""
    monkeypatch.setenv("CURATOR_CORPORA", str(tmp_path / "portals" / "disk"))
    return stored(tmp_path / "portals" / "corpora" / "pelda")


def test_a_corpus_lies_beside_its_portal_file_and_is_found_from_every_folder(curator, tmp_path: Path, monkeypatch) -> None:
    for name in ("portals", "cron", "desk"):
        (tmp_path / name).mkdir()
    with ExamplePortal(articles=22) as served:
        file = served.portal_file(tmp_path / "portals", delay="0s")
        monkeypatch.chdir(tmp_path / "cron")
        crawled = curator("crawl", file, "--column", "francais", "--json")
    summary = json.loads(crawled.out)
    assert Path(summary["corpus"]) == tmp_path / "portals" / "corpora" / "kilenchid"

    monkeypatch.chdir(tmp_path / "desk")
    status = json.loads(curator("status", "../portals/portal.yaml", "--json").out)
    assert status["outcomes"] == {"fetched": summary["fetched"]}
    assert list((tmp_path / "cron").iterdir()) == list((tmp_path / "desk").iterdir()) == []


def place_of(curator, portal: object, *flags: object) -> str:
    """Where a command looks for the corpus that is not there."""
    ended = curator("status", portal, *flags)
    assert ended.code == 2
    return str(re.findall(r"no corpus of \S+ at (\S+?)[.,;:]?\s", ended.err)[0])


def test_the_flag_comes_before_the_person_s_setting_and_that_before_the_portal_file(
    curator, pelda: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert place_of(curator, pelda) == str(tmp_path / "portals" / "corpora" / "pelda")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "curator").mkdir(parents=True)
    (tmp_path / "config" / "curator" / "settings.yaml").write_text(f"corpora: {tmp_path / 'disk'}\n")
    assert place_of(curator, pelda) == str(tmp_path / "disk" / "pelda")
    monkeypatch.setenv("CURATOR_CORPORA", "~/corpora")
    assert place_of(curator, pelda) == str(Path.home() / "corpora" / "pelda")
    assert place_of(curator, pelda, "--corpus", "here") == str(Path("here").absolute())


def test_a_setting_that_means_another_folder_wherever_one_stands_is_refused(curator, pelda: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_CORPORA", "corpora")
    ended = curator("status", pelda)
    assert (ended.code, "CURATOR_CORPORA" in ended.err, "absolute" in ended.err) == (2, True, True)


def test_the_corpus_of_a_portal_that_came_with_curator_lies_in_the_working_directory(curator, pelda: Path, repo_root: Path) -> None:
    name = next((repo_root / "site_configs").glob("*/portal.yaml")).parent.name
    assert place_of(curator, name) == str(Path("corpora").absolute() / name)


@pytest.mark.parametrize("command", [("status",), ("build",), ("tags",), ("audit",), ("stats",), ("report",), ("warc", "index")])
def test_a_missing_corpus_is_told_with_the_place_that_was_looked_at(curator, pelda: Path, command: tuple[str, ...]) -> None:
    ended = curator(*command, "../portals/pelda.yaml")
    assert ended.code == 2
    assert f"no corpus of pelda at {pelda.parent / 'corpora' / 'pelda'}" in ended.err
    assert "--corpus" in ended.err


@pytest.mark.parametrize("command", [("status",), ("try", "http://127.0.0.1:9/a")])
def test_what_there_is_of_the_portal_elsewhere_is_named_and_nobody_is_told_to_crawl_again(
    curator, pelda: Path, elsewhere: Path, command: tuple[str, ...]
) -> None:
    stored(elsewhere.with_name("other"), "other")
    ended = curator(command[0], pelda, *command[1:])
    assert (ended.code, f"--corpus {elsewhere}" in ended.err) == (2, True)
    assert "other" not in ended.err
    assert "crawl" not in ended.err.casefold()


def test_a_corpus_that_was_named_wrongly_is_told_where_the_portal_s_own_lies(curator, pelda: Path) -> None:
    own = stored(pelda.parent / "corpora" / "pelda")
    ended = curator("status", pelda, "--corpus", "corpora/peldda")
    assert f"no corpus of pelda at {Path('corpora/peldda').absolute()}" in ended.err
    assert f"--corpus {own}" in ended.err


def test_a_corpus_without_its_ledger_is_no_missing_one(curator, pelda: Path) -> None:
    stored(pelda.parent / "corpora" / "pelda")
    ended = curator("status", pelda)
    assert ended.code == 2
    assert "curator warc index" in ended.err


@pytest.mark.parametrize("flags", [(), ("--dry-run",), ("--offline",)])
def test_a_crawl_does_not_begin_a_second_corpus_unasked(curator, pelda: Path, elsewhere: Path, flags: tuple[str, ...]) -> None:
    ended = curator("crawl", pelda, *flags)
    told = f"The corpus of pelda would begin anew at {pelda.parent / 'disk' / 'pelda'}, but there is one already."
    assert (ended.code, told in ended.err, f"--corpus {elsewhere}" in ended.err) == (2, True, True)
    assert f"--corpus {pelda.parent / 'disk' / 'pelda'}" in ended.err
    assert not (pelda.parent / "disk").exists()


@pytest.mark.parametrize("chosen", ["old", "new"])
def test_whoever_names_a_corpus_has_chosen(curator, pelda: Path, elsewhere: Path, chosen: str) -> None:
    named = elsewhere if chosen == "old" else "new"
    assert "would be walked" in curator("crawl", pelda, "--dry-run", "--corpus", named).err


@pytest.mark.parametrize(
    ("first", "home", "is_refused"),
    [
        ("www.a.co.uk", "http://b.co.uk", True),
        ("www.a.co.uk", "http://news.a.co.uk", False),
        ("www.a.co.uk", "http://a.co.uk:81", False),
        ("hir.hu", "http://tudas.hir.hu", False),
        ("localhost:8001", "http://localhost:8002", True),
        ("127.0.0.1:8001", "http://127.0.0.1:8002", True),
    ],
)
def test_a_corpus_is_filled_by_portals_of_the_same_site_alone(
    first: str, home: str, is_refused: bool, curator, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    portal = tmp_path / "portal.yaml"
    portal.write_text(PELDA.replace("http://127.0.0.1:9", f"http://{first}"), encoding="utf-8")
    archive = foreign(tmp_path / "archive.warc.gz", [(f"http://{first}/lista/1", "200 OK", "<article><a href='/c/1'>1</a></article>")])
    assert curator("warc", "import", "portal.yaml", archive).code == 0

    portal.write_text(PELDA.replace("http://127.0.0.1:9", home), encoding="utf-8")
    again = curator("warc", "import", "portal.yaml", archive)
    assert (f"holds the corpus of a portal at {first}" in " ".join(again.err.split())) is is_refused
    assert (again.code == 2) is is_refused
