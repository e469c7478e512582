"""`curator check` as a person and as a program see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GOOD = "portal: pelda\ntitle: Példa Hírek\nhome: https://pelda.example/\nextends: blogger\narchive: {url: 'https://pelda.example/'}\n"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    file = tmp_path / "jo.yaml"
    file.write_text(GOOD, encoding="utf-8")
    return file


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    file = tmp_path / "rossz.yaml"
    file.write_text("portal: pelda\nhome: https://pelda.example/\ntitel: x\nlanguage: hn\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(("typed", "meant"), [("portl.yaml", "portal.yaml"), ("portal.yml", "portal.yaml"), ("portl", "portal.yaml")])
def test_a_misspelt_file_is_told_with_the_one_that_lies_there(
    curator, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, meant: str
) -> None:
    (tmp_path / "portal.yaml").write_bytes(good.read_bytes())
    assert f"did you mean {tmp_path / meant}?" in curator("check", tmp_path / typed).err
    monkeypatch.chdir(tmp_path)
    assert f"did you mean {meant}?" in curator("check", typed).err


def test_a_folder_stands_for_the_portal_file_in_it_and_otherwise_the_files_there_are_named(curator, tmp_path: Path) -> None:
    assert f"{tmp_path} is a folder without a portal.yaml; give the path" in curator("check", tmp_path).err
    (tmp_path / "tests.yaml").touch()
    (tmp_path / "pelda.yaml").touch()
    ended = curator("check", tmp_path)
    assert (ended.code, f"name the file itself, such as {tmp_path / 'pelda.yaml'}" in ended.err) == (2, True)


def test_show_prints_the_file_with_presets_merged(curator, good: Path) -> None:
    ended = curator("check", "--show", str(good))
    assert ended.code == 0
    assert "blog-pager-older-link" in ended.out
    assert "extends" not in ended.out


def test_json_is_one_object_a_portal(curator, good: Path, bad: Path) -> None:
    ended = curator("check", "--json", "nincs.yaml", str(good), str(bad))
    assert ended.code == 2
    found = [json.loads(line) for line in ended.out.splitlines()]
    assert [(one["ok"], len(one["mistakes"])) for one in found] == [(False, 0), (True, 0), (False, 2)]
    assert found[2]["mistakes"][0] == {
        "file": str(bad),
        "line": 3,
        "column": 1,
        "message": "unknown key `titel` here; did you mean `title`?",
    }


@pytest.fixture
def demanding(tmp_path: Path) -> Path:
    file = tmp_path / "idegen.yaml"
    file.write_text(
        GOOD.replace("/'}", "/', item: teaser}") + "fetch:\n"
        "  headers: {Authorization: {env: CURATOR_KULCS}, Accept: text/html}\n"
        "  proxy: {env: CURATOR_PROXY}\n"
        "  private_hosts: [10.0.0.7]\n",
        encoding="utf-8",
    )
    return file


def test_secrets_and_private_hosts_that_a_file_wants_are_listed(curator, demanding: Path) -> None:
    ended = curator("check", "--quiet", str(demanding))
    assert ended.out.splitlines()[1:] == [
        "secret: CURATOR_KULCS, sent as header Authorization to the portal's hosts (pelda.example)",
        "secret: CURATOR_PROXY, the proxy that every request goes through",
        "private host: 10.0.0.7 (no mistake: the file names it, so its address may be one of your own network)",
    ]
    (found,) = [json.loads(line) for line in curator("check", "--json", str(demanding)).out.splitlines()]
    assert [one["name"] for one in found["secrets"]] == ["CURATOR_KULCS", "CURATOR_PROXY"]
    assert found["private_hosts"] == ["10.0.0.7"]
    assert [one["line"] for one in found["warnings"]] == [5]


def test_programs_are_told_all_mistakes_of_each_portal_and_people_those_of_a_file_that_two_extend_once(curator, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("archive: {link: 'h2 a[', item: artcle}\n", encoding="utf-8")
    files = [tmp_path / "one.yaml", tmp_path / "two.yaml"]
    for file, own in zip(files, ("", "titel: x\n"), strict=True):
        text = f"portal: {file.stem}\nhome: https://{file.stem}.example/\nextends: base.yaml\narchive: {{url: 'https://{file.stem}.example/'}}\n"
        file.write_text(text + own, encoding="utf-8")
    told = [json.loads(line) for line in curator("check", *files, "--json").out.splitlines()]
    assert [len(one["mistakes"]) for one in told] == [1, 2]
    assert curator("crawl", *files, "--contact", "a@b.example").err.count("h2 a[") == 1
