"""How nearer files, columns and layouts change what farther ones say, what ships with the program, and where portal files are found."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from case_files import cases
from written_portal import HOME, WrittenPortal

from webarticlecurator import Portal, PortalFileError, UsageError, load_portal

Load = Callable[[str], Portal]
Effective = Callable[..., dict[str, Any]]
ROOT = Path(__file__).resolve().parents[2]
PRESETS = sorted(path.stem for path in (ROOT / "site_configs" / "presets").glob("*.yaml"))
SITES = sorted(path.parent.name for path in (ROOT / "site_configs").glob("*/portal.yaml"))


@cases("far, near, result", "portal_file/cases/mappings-merge-key-by-key-and-the-nearer-file-wins")
def test_mappings_merge_key_by_key_and_the_nearer_file_wins(effective: Effective, far: str, near: str, result: str) -> None:
    assert effective(far, near) == yaml.safe_load(result)


@cases("far, near, result", "portal_file/cases/rules-of-an-archive-merge-as-far-as-they-fit-together")
def test_rules_of_an_archive_merge_as_far_as_they_fit_together(effective: Effective, far: str, near: str, result: str) -> None:
    plain = {"url": "https://pelda.example/{page}", "link": "a"}
    found = effective(f"archive: {{url: '{plain['url']}', link: a, {far}}}", f"archive: {{{near}}}")
    assert found == {"archive": {**plain, **yaml.safe_load(result)}}


WAYS = "archive: {item: li, ways: {api: '{home}api', pages: {url: '{home}', next: a.next}}}"
API, PAGES = {"api": "{home}api"}, {"pages": {"url": "{home}", "next": "a.next"}}


@pytest.mark.parametrize(
    ("near", "archive"),
    [
        ("url: 'http://x/'", {"url": "http://x/"}),
        ("ways: {api: null}", {"ways": PAGES}),
        ("link: a", {"link": "a", "ways": {**API, **PAGES}}),
        (
            "ways: {pages: {next: b}, months: '{home}lista'}",
            {"ways": {**API, "pages": {"url": "{home}", "next": "b"}, "months": "{home}lista"}},
        ),
    ],
)
def test_a_nearer_url_ends_farther_ways_which_else_merge_name_by_name(effective: Effective, near: str, archive: dict[str, Any]) -> None:
    assert effective(WAYS, f"archive: {{{near}}}")["archive"] == {"item": "li", **archive}


def test_a_column_adds_to_the_rules_of_the_archive(written: WrittenPortal) -> None:
    rules = (
        "archive: {url: 'https://pelda.example/{column}', link: a, urls: {exclude: [/1]}}\ncolumns: {x: {urls: {exclude+: [/2]}}, y: {}}\n"
    )
    links = "<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>"
    assert (written.links(rules, links, "/x"), written.links(rules, links, "/y")) == (["/3"], ["/2", "/3"])


def test_presets_are_merged_the_last_is_the_nearest_and_what_is_extended_may_extend(load: Load, tmp_path: Path) -> None:
    (tmp_path / "mappa").mkdir()
    (tmp_path / "mappa" / "a.yaml").write_text("extends: ../tavol.yaml\ntitle: A\nfetch: {delay: 5s, retries: 1}\n", encoding="utf-8")
    (tmp_path / "tavol.yaml").write_text("title: távol\nkind: blog\nlanguage: hu\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text("fetch: {delay: 7s}\nkind: forum\n", encoding="utf-8")
    told = yaml.safe_load(load("extends: [mappa/a.yaml, b.yaml]\nfetch: {retries: 2}\n").effective)
    assert told == {
        "portal": "pelda", "home": f"{HOME}/", "title": "A", "kind": "forum", "language": "hu", "fetch": {"delay": "7s", "retries": 2},
    }  # fmt: skip


def test_files_that_multiply_are_bounded(load: Load, tmp_path: Path) -> None:
    for level in range(12):
        (tmp_path / f"{level}.yaml").write_text(f"extends: [{', '.join([f'{level + 1}.yaml'] * 3)}]\n", encoding="utf-8")
    (tmp_path / "12.yaml").write_text("kind: blog\n", encoding="utf-8")
    with pytest.raises(PortalFileError, match=r"\d+ files"):
        load("extends: 0.yaml\n")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that nobody can read from its beginning")
def test_a_file_that_is_there_and_cannot_be_read_is_told_with_its_place_among_all_mistakes() -> None:
    content = b"portal: a\nhome: https://pelda.example/\nextends: [./mem]\nkind: newz\n"
    with pytest.raises(PortalFileError) as told:
        load_portal(Path("/proc/self/portal.yaml"), content=content)
    said = [(mistake.line, "mem cannot be read" in mistake.message) for mistake in told.value.mistakes]
    assert sorted(said) == [(3, True), (4, False)]


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """The folder of a portal file that came from somebody else; beside the folder lies what is none of his business."""
    (tmp_path / "secret.yaml").write_text("hush-hush: 1\n", encoding="utf-8")
    folder = tmp_path / "stranger"
    folder.mkdir()
    (folder / "link.yaml").symlink_to("../secret.yaml")
    (folder / "out").symlink_to("..")
    return folder


@pytest.mark.parametrize(
    "name",
    ["../secret.yaml", "{outside}/secret.yaml", "link.yaml", "out/secret.yaml", "sub/../../secret.yaml", "/etc/passwd", "../nowhere.yaml"],
)
def test_a_portal_file_extends_nothing_outside_its_folder_and_tells_nothing_of_it(stranger: Path, name: str) -> None:
    file, named = stranger / "portal.yaml", name.format(outside=stranger.parent)
    file.write_text(f"portal: a\nhome: {HOME}/\nextends: {named}\n", encoding="utf-8")
    with pytest.raises(PortalFileError) as told:
        load_portal(file)
    (mistake,) = told.value.mistakes
    assert (mistake.file, mistake.line) == (file, 3)
    assert mistake.message.startswith(f"{named} leads out of the folder of this file; copy the file there")


def test_what_is_extended_extends_nothing_outside_the_folder_of_the_portal_file_either(stranger: Path) -> None:
    (stranger / "below").mkdir()
    (stranger / "below" / "a.yaml").write_text("extends: [../b.yaml, ../../secret.yaml]\n", encoding="utf-8")
    (stranger / "b.yaml").write_text("kind: blog\n", encoding="utf-8")
    (stranger / "portal.yaml").write_text(f"portal: a\nhome: {HOME}/\nextends: below/a.yaml\n", encoding="utf-8")
    with pytest.raises(PortalFileError) as told:
        load_portal(stranger / "portal.yaml")
    (mistake,) = told.value.mistakes
    assert mistake.message.startswith("../../secret.yaml leads out")


def test_a_portal_file_that_is_a_link_extends_what_lies_beside_the_link(stranger: Path) -> None:
    (stranger / "rules.txt").write_text(f"portal: a\nhome: {HOME}/\nextends: near.yaml\n", encoding="utf-8")
    here = stranger.parent / "here"
    here.mkdir()
    (here / "portal.yaml").symlink_to("../stranger/rules.txt")
    (here / "near.yaml").write_text("kind: blog\n", encoding="utf-8")
    assert load_portal(here / "portal.yaml").kind == "blog"


def test_side_files_lie_beside_the_file_that_names_them(written: WrittenPortal) -> None:
    (written.folder / "kozos").mkdir()
    files = {"kozos/kozos.yaml": "archive: {urls: {map_file: nem.tsv}}\n", "kozos/nem.tsv": f"{HOME}/x\t{HOME}/z\n"}
    rules = "extends: kozos/kozos.yaml\narchive: {url: '{home}', link: a}\n"
    assert written.links(rules, "<a href=/x>x</a><a href=/y>y</a>", "/", files=files) == ["/z", "/y"]


@pytest.mark.parametrize("far", ["archive: {item: article, next: a.next}", "archive: null", "title: x"])
def test_an_archive_without_url_is_none_until_the_portal_gives_one(load: Load, tmp_path: Path, far: str) -> None:
    (tmp_path / "far.yaml").write_text(far + "\n", encoding="utf-8")
    assert load("extends: far.yaml\n").columns == ()
    (column,) = load("extends: far.yaml\narchive: {url: 'https://pelda.example/', link: a}\n").columns
    assert column.name == "archive"


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
  kulfold: {url: "https://pelda.example/kulfold/{page}", dates: null, stop: {after: 2001-01-01}}
  sport: {url: "https://pelda.example/{kat}/{page}", dates: null, vars: {kat: 007}}
metadata:
  author: [.szerzo, {css: "> b", match: "^(\\\\w+): ", map: {1: "~", no: true}}]
body: {tags: {decompose: null, split: {strong.b: [paragraph, bold]}}}
"""


@pytest.mark.parametrize(
    ("far", "near"),
    [
        ("title: x\n", FULL),
        (
            "body: {tags: {lead: [p.a]}}\nmetadata: {author: .a, headline: h1}\ncolumns: {x: {urls: {exclude+: [b]}}}\n",
            "body: {tags: {lead: [p.b]}}\nmetadata: {author+: [.b]}\n"
            "archive: {url: 'https://pelda.example/{column}', link: a, urls: {exclude: [a]}}\n",
        ),
        ("extends: wordpress\n", "archive: {ways: {months: {dates: {from: 1998-01-01}}}}\n"),
    ],
)
def test_the_effective_file_gives_the_same_portal(load: Load, tmp_path: Path, far: str, near: str) -> None:
    (tmp_path / "far.yaml").write_text(far, encoding="utf-8")
    first = load("extends: far.yaml\n" + near)
    again = load_portal("again.yaml", content=first.effective.encode())
    assert "extends" not in again.effective
    assert again.effective.splitlines()[1:] == first.effective.splitlines()[1:]
    assert [vars_of(column) for column in again.columns] == [vars_of(column) for column in first.columns]


def vars_of(column: Any) -> tuple[Any, ...]:
    return column.name, column.dates, column.paging, column.stop, column.urls, column.rules


@pytest.mark.parametrize(
    ("layout", "values"),
    [
        ("{until: 2011-03-31, metadata: {author: null, headline: h2}}", (["h2"], [])),
        ("{when: [p.nincs, b.z], metadata: {headline: h2}}", (["h2"], ["Anna"])),
        ("{when: p.nincs, metadata: {headline: h2}}", (["h1"], ["Anna"])),
    ],
)
def test_a_layout_overrides_what_it_sets_and_keeps_the_rest(
    written: WrittenPortal, layout: str, values: tuple[list[str], list[str]]
) -> None:
    rules = f"metadata: {{author: .z, headline: h1, datePublished: {{css: time, date: iso}}}}\nlayouts:\n  - {layout}\n"
    page = "<h1>h1</h1><h2>h2</h2><b class=z>Anna</b><time>2010-05-01</time><article><p>Szöveg.</article>"
    found = written.metadata(rules, page, "/cikk/1")
    assert (found["headline"], found.get("author", [])) == values


# --- what ships, and where it is found ---


@pytest.mark.parametrize("name", SITES)
def test_every_portal_that_comes_with_the_project_is_right_and_found_by_its_name(curator: Callable[..., Any], name: str) -> None:
    told = json.loads(curator("check", name, "--json").out)
    assert (told["portal"], told["ok"], told["mistakes"]) == (name, True, [])


@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in ("live-blog", "schema-org-article")])
def test_every_preset_makes_a_portal_whose_archive_can_be_walked(load: Load, preset: str) -> None:
    whole = load(f"extends: {preset}\n")
    assert (whole.warnings, bool(whole.columns)) == ((), True)
    (column,) = load(f"extends: {preset}\narchive: {{url: 'https://pelda.example/', format: html, link: a}}\n").columns
    assert column.name == "archive"
    assert column.next is not None or whole.columns[0].format in ("sitemap", "feed")


@pytest.mark.parametrize("name", ["../presets", "nincs.yaml", "", "/", "a\0b", "x" * 5000], ids=lambda name: ascii(name[:20]))
def test_a_portal_that_is_not_there_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError):
        load_portal(name)


def test_a_similar_name_is_suggested() -> None:
    with pytest.raises(UsageError, match=f"did you mean {SITES[0]}"):
        load_portal(SITES[0] + "x")


def test_a_pipe_is_no_portal_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "portal.yaml")
    with pytest.raises(UsageError):
        load_portal(tmp_path / "portal.yaml")
