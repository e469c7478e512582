"""What a portal file says of the portal as a whole: its name, home, language, time zone, hosts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Kind, Portal, Publisher
from webarticlecurator.errors import PortalFileError

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]


def test_a_portal_needs_only_a_name_and_a_home(load: Load) -> None:
    portal = load("")
    assert (portal.name, portal.title, portal.home, portal.language) == ("pelda", "pelda", "https://pelda.example/", None)
    assert (portal.timezone.key, portal.kind, portal.fetch, portal.hosts) == ("UTC", Kind.NEWS, FetchRules(), {"pelda.example"})


def test_what_is_said_of_the_portal_is_kept(load: Load) -> None:
    portal = load(
        "title: Példa Hírek\nlanguage: hu\ntimezone: Europe/Budapest\nkind: blog\n"
        "publisher: {name: Példa Kft., place: Budapest, rights: {licence: 'https://a.example/', statement: ©}}\n"
    )
    assert (portal.title, portal.language, portal.timezone.key, portal.kind) == ("Példa Hírek", "hu", "Europe/Budapest", Kind.BLOG)
    assert portal.publisher == Publisher(name="Példa Kft.", place="Budapest", licence="https://a.example/", statement="©")


def test_hosts_are_those_of_home_archive_and_columns(load: Load) -> None:
    portal = load(
        "archive: {item: a}\n"
        "columns:\n"
        "  a: http://www.A.example:8080/x\n"
        "  b: {dates: [{from: 2001-01-01, until: 2001-02-01, url: 'https://b.example/{date}'}, {from: 2002-01-01, url: 'https://c.example/{date}'}]}\n"
    )
    assert portal.hosts == {"pelda.example", "a.example", "b.example", "c.example"}


@pytest.mark.parametrize("name", ["pelda", "444", "index.hu", "kremmania_forum", "a-b", "x" * 64, "a", "con1", "nulla"])
def test_names_that_are_safe_on_every_file_system_are_taken(tmp_path: Path, name: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(f'portal: "{name}"\nhome: https://pelda.example/\n', encoding="utf-8")
    assert load_portal(file).name == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "a/b",
        "a\\\\b",
        "a:b",
        "A",
        "é",
        "con",
        "nul.txt",
        "com1",
        "lpt9.x",
        "a.",
        "a b",
        "-a",
        ".a",
        "x" * 65,
        "a\\n",
        "a*",
        "aux",
    ],
)
def test_names_that_are_not_safe_are_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(f'portal: "{name}"\nhome: https://pelda.example/\n', encoding="utf-8")
    with pytest.raises(PortalFileError):
        load_portal(file)


@pytest.mark.parametrize(
    "home", ["pelda.example", "//pelda.example", "ftp://pelda.example", "https://", "https:///x", "https://a b/", "file:///etc/passwd"]
)
def test_home_is_a_web_address(tmp_path: Path, home: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(f'portal: pelda\nhome: "{home}"\n', encoding="utf-8")
    with pytest.raises(PortalFileError):
        load_portal(file)


@pytest.mark.parametrize("language", ["hu", "en-GB", "sr-Latn", "sr-Latn-RS", "de-CH-1996", "yue", "en-x-web"])
def test_languages_are_bcp_47_tags(load: Load, language: str) -> None:
    assert load(f"language: {language}\n").language == language


@pytest.mark.parametrize("language", ["hungarian", "en_US", "hn", "h", "hu-", "en--GB", "1", "no no"])
def test_what_is_no_language_is_refused(mistakes_of: MistakesOf, language: str) -> None:
    assert len(mistakes_of(f"language: {language}\n")) == 1


def test_norwegian_is_a_language_not_a_truth_value(load: Load) -> None:
    assert load("language: no\n").language == "no"


@pytest.mark.parametrize("zone", ["Budapest", "europe/budapest", "CEST+1", "../etc/passwd", "Europe/", "UTC+1"])
def test_what_is_no_time_zone_is_refused(mistakes_of: MistakesOf, zone: str) -> None:
    assert len(mistakes_of(f"timezone: {zone}\n")) == 1
