"""What a site is made with is known by what its software writes, and by nothing that others write of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from case_files import cases
from scripted_portal import Reply, scripted_portal
from seams import without_waiting

import webarticlecurator

Detected = Callable[..., str | None]


@pytest.fixture
def detected(curator: Callable[..., Any], tmp_path: Path) -> Detected:
    """What is told of a saved page: the software that it is likely to be made with."""

    def detect(html: str) -> str | None:
        file = tmp_path / "page.html"
        file.write_text(html, encoding="utf-8")
        systems = json.loads(curator("check", "--detect", file, "--json").out)["systems"]
        return str(systems[0]["software"]) if systems and systems[0]["certainty"] >= 0.5 else None

    return detect


@cases("html, software", "reading/cases/each-system-is-known-by-its-signs")
def test_each_system_is_known_by_its_signs(detected: Detected, html: str, software: str) -> None:
    assert detected(html) == software


def test_its_address_tells_too(detected: Detected) -> None:
    assert detected("<link rel=canonical href=https://naplo.blogspot.com/2024/05/cim.html><p>x") == "Blogger"


@pytest.mark.parametrize(
    ("headers", "software"),
    [({"X-Generator": "Drupal 9 (https://www.drupal.org)"}, "Drupal"), ({"Set-Cookie": "xf_csrf=abc; path=/"}, "XenForo")],
)
def test_headers_and_cookies_tell_too(curator: Callable[..., Any], headers: dict[str, str], software: str) -> None:
    with without_waiting(), scripted_portal() as portal:
        portal.script["/"] = Reply("<p>x", headers=headers)
        assert software in curator("check", "--detect", f"{portal.home}/").out


ELSEWHERE = "<p>WordPress, Drupal and phpBB <a href=https://masik.wordpress.com/>here</a> <a href=https://www.drupal.org>there</a>"


@pytest.mark.parametrize("html", ["<h1>x</h1><p>y", f"{ELSEWHERE}<img src=https://masik.example/wp-content/uploads/a.jpg>"])
def test_who_shows_nothing_or_writes_of_a_system_is_not_made_with_it(detected: Detected, html: str) -> None:
    assert detected(html) is None


@pytest.mark.parametrize(
    ("maker", "software"), [("HTMLy 3.1", None), ("Drupal 10", "Drupal"), ("", "Drupal")], ids=["another", "the same", "none"]
)
def test_a_page_that_names_another_software_is_not_made_with_what_has_the_same_classes(
    detected: Detected, maker: str, software: str | None
) -> None:
    html = "<article><div class=field--name-body><p>Szöveg.</p></div></article>"
    assert detected((f"<meta name=generator content='{maker}'>" if maker else "") + html) == software


def test_a_plugin_that_names_itself_hides_no_software(detected: Detected) -> None:
    plugin = "<meta name=generator content='Elementor 3.21'><link rel=stylesheet href=/wp-content/themes/x/style.css>"
    assert detected(plugin) == "WordPress"


PRESETS = Path(webarticlecurator.__file__).parents[1] / "site_configs" / "presets"


def test_each_system_has_a_preset() -> None:
    lines = (Path(webarticlecurator.__file__).parent / "learning" / "site" / "software_signs.txt").read_text("utf-8").splitlines()
    presets = {line.split(", ")[1] for line in lines if line and line[0] not in " #"}
    assert len(presets) > 5
    assert presets <= {path.stem for path in PRESETS.iterdir()}
