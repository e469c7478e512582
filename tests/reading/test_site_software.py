"""What a site is made with is known by what its software writes, and by nothing that others write of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from case_files import cases

import webarticlecurator
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.extraction.site_software import detect_software
from webarticlecurator.learning.site.seen import SURE_ENOUGH
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page

URL = "https://pelda.example/2024/05/cim/"
HTML = ("Content-Type", "text/html")


def detected(html: str, *, url: str = URL, headers: tuple[tuple[str, str], ...] = ()) -> str | None:
    """What a page at that address is surely made with."""
    capture = Capture(url=url, requested_url=url, status=200, headers=(HTML, *headers), entity=html.encode(), date=datetime.now(UTC))
    page = read_page(capture, classified=True)
    assert isinstance(page, Page)
    systems = detect_software(page)
    return systems[0].software if systems and systems[0].certainty >= SURE_ENOUGH else None


@cases("html, software", "reading/cases/each-system-is-known-by-its-signs")
def test_each_system_is_known_by_its_signs(html: str, software: str) -> None:
    assert detected(html) == software


@pytest.mark.parametrize(
    ("header", "url", "software"),
    [
        (("X-Generator", "Drupal 9 (https://www.drupal.org)"), URL, "Drupal"),
        (("Set-Cookie", "xf_csrf=abc; path=/"), URL, "XenForo"),
        (HTML, "https://naplo.blogspot.com/2024/05/cim.html", "Blogger"),
    ],
)
def test_headers_cookies_and_addresses_tell_too(header: tuple[str, str], url: str, software: str) -> None:
    assert detected("<p>x", url=url, headers=(header,)) == software


ELSEWHERE = "<p>WordPress, Drupal and phpBB <a href=https://masik.wordpress.com/>here</a> <a href=https://www.drupal.org>there</a>"


@pytest.mark.parametrize("html", ["<h1>x</h1><p>y", f"{ELSEWHERE}<img src=https://masik.example/wp-content/uploads/a.jpg>"])
def test_who_shows_nothing_or_writes_of_a_system_is_not_made_with_it(html: str) -> None:
    assert detected(html) is None


PRESETS = Path(webarticlecurator.__file__).parents[1] / "site_configs" / "presets"


def test_each_system_has_a_preset_and_no_sign_stands_twice() -> None:
    lines = (Path(webarticlecurator.__file__).parent / "extraction" / "software_signs.txt").read_text("utf-8").splitlines()
    systems = [line.split(", ") for line in lines if line and line[0] not in " #"]
    assert {preset for _, preset, *_ in systems} <= {path.stem for path in PRESETS.iterdir()}
    assert len({name for name, *_ in systems}) == len(systems) > 5
    for system in "\n".join(lines).split("\n\n"):
        signs = [tuple(line.split(maxsplit=2)) for line in system.splitlines() if line.startswith(" ")]
        assert len({(place, what) for place, _, what in signs}) == len(signs)
        assert all(0 < float(weight) < 1 for _, weight, _ in signs)
