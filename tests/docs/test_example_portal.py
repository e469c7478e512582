"""The example portal shows what its truth says, the same to everybody, and its page of the manual tells all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from lxml import html

from webarticlecurator import load_portal
from webarticlecurator.example_portal import SWITCHES, ExamplePortal

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "example-portal.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def portal() -> Iterator[ExamplePortal]:
    with ExamplePortal(articles=60, page_size=3) as running:
        yield running


def test_two_portals_have_the_same_pages_and_another_seed_has_others(portal: ExamplePortal) -> None:
    path = portal.articles["belfold"][0].removeprefix(portal.home)
    with ExamplePortal(articles=60, page_size=3) as twin, ExamplePortal(articles=60, page_size=3, seed=2) as other:
        assert urlopen(twin.home + path).read().replace(twin.home.encode(), b"") == urlopen(portal.home + path).read().replace(
            portal.home.encode(), b""
        )
        assert other.truth(path).text != portal.truth(path).text
    with pytest.raises(ValueError, match="at least 11"):
        ExamplePortal(articles=5)


def test_what_is_published_edited_and_removed_is_seen_at_once() -> None:
    with ExamplePortal(articles=22) as portal:
        (new,) = portal.publish(1, "english")
        links = html.fromstring(urlopen(f"{portal.home}/en/latest?page=1").read()).xpath('//article[@class="teaser"]/h2/a/@href')
        assert re.sub(r"[?#].*", "", links[0]) in new
        portal.edit(new)
        assert "Update:" in urlopen(new).read().decode()
        portal.remove(new, status=410)
        with pytest.raises(HTTPError, match="410"):
            urlopen(new)
        other = portal.articles["belfold"][0]
        portal.switch_on("403", other)
        with pytest.raises(HTTPError, match="403"):
            urlopen(other)
        portal.switch_off("403")
        assert urlopen(other).status == 200


def test_its_portal_files_have_every_column_and_its_page_tells_of_each_and_of_every_switch(portal: ExamplePortal, tmp_path: Path) -> None:
    for articles, scripted in ((portal.articles, False), (portal.scripted_articles, True)):
        file = portal.portal_file(tmp_path, scripted=scripted)
        load_portal(file)
        written = file.read_text(encoding="utf-8")
        assert [name for name in articles if not re.search(rf"(?m)^  {name}:", written)] == []
        assert [name for name in articles if f"`{name}`" not in PAGE] == []
    assert [name for name in SWITCHES if f"`{name}`" not in PAGE] == []
