"""`curator report`: one page of a corpus, an overview of several; what cannot be shown is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from webarticlecurator.cli.app import main

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    assert main(["demo", str(folder), "--port", "0", "--quiet"]) == 0
    return folder


def test_the_report_lies_in_the_corpus_and_the_command_says_where(demo: Path, curator) -> None:
    ran = curator("report", str(demo / "portal.yaml"))
    place = demo / "corpora" / "kilenchid" / "reports" / "report.html"
    assert (ran.code, ran.out.strip()) == (0, str(place))
    assert f"curator open {demo / 'portal.yaml'}" in ran.err
    page = html.fromstring(place.read_bytes())
    assert page.findtext(".//h1//bdi") == "Kilenchíd"
    assert page.cssselect(".cards .figure")[0].text_content() == "600"
    assert page.cssselect("figure") and not page.cssselect("script, img, link")


def test_the_same_corpus_gives_the_same_bytes(demo: Path, curator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    made = [demo / name for name in ("one.html", "two.html")]
    for path in made:
        assert curator("report", str(demo / "portal.yaml"), "-o", str(path)).code == 0
    assert made[0].read_bytes() == made[1].read_bytes()
    assert b"made on 2023-11-14" in made[0].read_bytes()


def test_an_overview_leads_to_each_report_and_says_which_portal_has_none(demo: Path, curator) -> None:
    output = demo / "all.html"
    ran = curator("report", str(demo / "portal.yaml"), str(demo / "missing.yaml"), "-o", str(output))
    assert ran.code == 1
    assert "missing.yaml" in ran.err
    page = html.fromstring(output.read_bytes())
    (address,) = [one.get("href") for one in page.cssselect("table a")]
    assert (demo / address).exists()
    assert "there is no portal file" in page.cssselect("table")[0].text_content()


def test_a_portal_without_a_corpus_is_told_what_to_do(tmp_path: Path, curator) -> None:
    (tmp_path / "portal.yaml").write_text("portal: empty\nhome: https://empty.example/\n", encoding="utf-8")
    ran = curator("report", str(tmp_path / "portal.yaml"))
    assert ran.code == 2
    assert "curator crawl" in ran.err
    assert not list(tmp_path.rglob("*.html"))
