"""Finding portal files, what they extend, and the effective file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from webarticlecurator import resources
from webarticlecurator.config.load import MOST_FILES, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import PortalFileError, UsageError

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]

FULL = """
title: "no"
language: hu
publisher: {name: "# Kft.", place: "1e3"}
fetch: {delay: 0, retries: 007, headers: {X-A: "null", Cookie: {env: CURATOR_SUTI}}}
archive:
  url: https://pelda.example/{year}/{month}/?oldal={page}
  dates: {from: 2001-01-01, until: 2011-03-31}
  pages: {first: "", start: 2}
  stop: null
  item: "#hirek > div"
columns:
  belfold: https://pelda.example/belfold/{date}/{page}
  kulfold: {url: "https://pelda.example/kulfold/{page}", dates: null, stop: {known_pages: 5}}
  sport: {url: "https://pelda.example/{kat}/{page}", dates: null, vars: {kat: 007}}
metadata:
  author: [.szerzo, {css: "> b", match: "^(\\\\w+): ", map: {1: "~", no: true}}]
body: {tags: {decompose: null, split: {strong.b: [paragraph, bold]}}}
"""


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of site configs of our own."""
    folder = tmp_path / "site_configs"
    (folder / "presets").mkdir(parents=True)
    monkeypatch.setattr(resources, "site_configs", lambda: folder)
    return folder


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_a_portal_is_found_by_path_by_folder_and_by_name(shipped: Path) -> None:
    file = write(shipped / "pelda" / "portal.yaml", "portal: pelda\nhome: https://pelda.example/\n")
    assert [load_portal(where).name for where in (file, str(file), file.parent, "pelda")] == ["pelda"] * 4


@pytest.mark.parametrize("name", ["peldaa", "../presets", "nincs.yaml", "", "/", "a\0b", "x" * 5000], ids=lambda name: ascii(name[:20]))
def test_a_portal_that_is_not_there_is_a_usage_error(shipped: Path, name: str) -> None:
    write(shipped / "pelda" / "portal.yaml", "")
    with pytest.raises(UsageError):
        load_portal(name)


def test_a_similar_name_is_suggested(shipped: Path) -> None:
    write(shipped / "pelda" / "portal.yaml", "")
    with pytest.raises(UsageError, match="did you mean pelda"):
        load_portal("pelad")


def test_a_pipe_is_no_portal_file(tmp_path: Path) -> None:
    pipe = tmp_path / "portal.yaml"
    os.mkfifo(pipe)
    with pytest.raises(UsageError):
        load_portal(pipe)


def test_presets_are_merged_the_last_is_the_nearest(load: Load, shipped: Path) -> None:
    write(shipped / "presets" / "a.yaml", "title: A\nfetch: {delay: 5s, retries: 1}\nkind: blog\n")
    write(shipped / "presets" / "b.yaml", "fetch: {delay: 7s}\nkind: forum\n")
    portal = load("extends: [a, b]\nfetch: {retries: 2}\n")
    assert (portal.title, portal.kind, portal.fetch.delay.seconds, portal.fetch.retries) == ("A", "forum", 7, 2)
    assert [source.path.name for source in portal.sources] == ["portal.yaml", "b.yaml", "a.yaml"]
    assert portal.sources[2].content.startswith(b"title: A")


def test_what_is_extended_may_extend(load: Load, tmp_path: Path) -> None:
    write(tmp_path / "mappa" / "kozel.yaml", "extends: ../tavol.yaml\ntitle: közel\n")
    write(tmp_path / "tavol.yaml", "title: távol\nkind: blog\n")
    portal = load("extends: mappa/kozel.yaml\n")
    assert (portal.title, portal.kind) == ("közel", "blog")


def test_files_that_multiply_are_bounded(load: Load, tmp_path: Path) -> None:
    for level in range(12):
        write(tmp_path / f"{level}.yaml", f"extends: [{level + 1}.yaml, {level + 1}.yaml, {level + 1}.yaml]\n")
    write(tmp_path / "12.yaml", "kind: blog\n")
    with pytest.raises(PortalFileError, match=f"{MOST_FILES} files"):
        load("extends: 0.yaml\n")


def test_a_circle_is_told_where_it_closes(load: Load, tmp_path: Path) -> None:
    write(tmp_path / "a.yaml", "extends: b.yaml\n")
    write(tmp_path / "b.yaml", "\nextends: a.yaml\n")
    with pytest.raises(PortalFileError) as refused:
        load("extends: a.yaml\n")
    (mistake,) = refused.value.mistakes
    assert (mistake.file.name, mistake.line, mistake.column) == ("b.yaml", 2, 10)


def test_a_file_that_is_extended_needs_no_name_but_must_be_right(load: Load, tmp_path: Path) -> None:
    write(tmp_path / "a.yaml", "titel: x\n")
    with pytest.raises(PortalFileError) as refused:
        load("extends: a.yaml\nhoem: x\n")
    assert [(mistake.file.name, mistake.line) for mistake in refused.value.mistakes] == [("a.yaml", 1), ("portal.yaml", 4)]


def test_side_files_lie_beside_the_file_that_names_them(load: Load, tmp_path: Path) -> None:
    write(tmp_path / "kozos" / "kozos.yaml", "archive: {urls: {exclude_file: kihagyni.txt}}\n")
    write(tmp_path / "kozos" / "kihagyni.txt", "https://pelda.example/x\n")
    portal = load("extends: kozos/kozos.yaml\narchive: {url: 'https://pelda.example/', link: a}\n")
    assert portal.columns[0].urls.exclude_urls == {"https://pelda.example/x"}


def test_an_archive_without_url_is_none_until_the_portal_gives_one(load: Load, tmp_path: Path) -> None:
    write(tmp_path / "kozos.yaml", "archive: {item: article, next: a.next}\n")
    assert load("extends: kozos.yaml\n").columns == ()
    assert [column.name for column in load("extends: kozos.yaml\narchive: {url: 'https://pelda.example/'}\n").columns] == ["archive"]


@pytest.mark.parametrize("preset", ["blog", "blogger", "drupal", "ghost", "typo3-news", "wordpress"])
def test_the_preset_of_a_software_is_whole_until_the_portal_gives_an_archive(load: Load, preset: str) -> None:
    whole = load(f"extends: {preset}\n")
    assert whole.warnings == ()
    assert len(whole.columns) > 1
    assert [column.name for column in load(f"extends: {preset}\narchive: {{url: 'https://pelda.example/'}}\n").columns] == ["archive"]


def test_the_effective_file_gives_the_same_portal(load: Load, tmp_path: Path) -> None:
    first = load(FULL)
    again = load_portal(write(tmp_path / "again.yaml", first.effective))
    assert again.effective == first.effective
    assert without_sources(again) == without_sources(first)


def test_the_effective_file_has_everything_that_was_extended(load: Load, shipped: Path, tmp_path: Path) -> None:
    write(
        shipped / "presets" / "a.yaml",
        "body: {tags: {lead: [p.a]}}\nmetadata: {author: .a, headline: h1}\ncolumns: {x: {urls: {exclude+: [b]}}}\n",
    )
    first = load(
        "extends: a\nbody: {tags: {lead: [p.b]}}\nmetadata: {author+: [.b]}\n"
        "archive: {url: 'https://pelda.example/{column}', link: a, urls: {exclude: [a]}}\n"
    )
    again = load_portal(write(tmp_path / "again.yaml", first.effective))
    assert "extends" not in first.effective
    assert [[rule.css.text for rule in layer.rules] for layer in again.body.tags] == [["p.b"], ["p.a"]]
    assert [pattern.text for pattern in again.columns[0].urls.exclude] == ["a", "b"]
    assert again.metadata == first.metadata


def without_sources(portal: Portal) -> Portal:
    """What a portal is, apart from the names of the files that say so."""
    tags = tuple(replace(layer, rules=tuple(replace(rule, source="") for rule in layer.rules)) for layer in portal.body.tags)
    return replace(portal, sources=(), body=replace(portal.body, tags=tags))


MIXINS = {"live-blog", "schema-org-article"}
"""Presets of article pages alone."""


@pytest.mark.parametrize("preset", sorted({path.stem for path in resources.presets().glob("*.yaml")} - MIXINS))
def test_every_preset_makes_a_portal_whose_archive_can_be_walked(load: Load, preset: str) -> None:
    portal = load(f"extends: {preset}\narchive: {{url: 'https://pelda.example/', format: html, link: a}}\n")
    assert portal.columns[0].next is not None or load(f"extends: {preset}\n").columns[0].format.tells_links


@pytest.mark.parametrize("preset", ["discourse", "mybb", "phpbb", "smf", "xenforo"])
def test_a_forum_needs_no_more_than_its_address_and_its_preset(load: Load, preset: str) -> None:
    portal = load(f"extends: {preset}\n")
    assert portal.columns and portal.posts and portal.articles.identity
    assert all(column.sections or column.way for column in portal.columns)


@pytest.mark.parametrize("file", sorted(resources.site_configs().glob("*/portal.yaml")), ids=lambda file: file.parent.name)
def test_every_portal_that_comes_with_the_project_is_right(file: Path) -> None:
    assert load_portal(file.parent.name).name == file.parent.name
