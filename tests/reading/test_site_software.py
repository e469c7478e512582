"""What a site is made with is known by what its software writes, and by nothing that others write of it: `check --detect`."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from case_files import cases
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import webarticlecurator

URL = "https://pelda.example/2024/05/cim/"
HTML = ("Content-Type", "text/html")


@pytest.fixture
def detected(curator: Callable[..., Any], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """What is told of a WARC file with these pages."""

    def detect(*pages: str, url: str = URL, headers: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
        with (tmp_path / "pages.warc.gz").open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            for number, page in enumerate(pages):
                head = StatusAndHeaders("200 OK", [HTML, *headers], protocol="HTTP/1.1")
                address = url + str(number or "")
                writer.write_record(writer.create_warc_record(address, "response", payload=BytesIO(page.encode()), http_headers=head))
        return dict(json.loads(curator("check", "--detect", tmp_path / "pages.warc.gz", "--json").out))

    return detect


@cases("html, software", "reading/cases/each-system-is-known-by-its-signs")
def test_each_system_is_known_by_its_signs(detected: Callable[..., dict[str, Any]], html: str, software: str) -> None:
    assert detected(html)["system"] == software


@pytest.mark.parametrize(
    ("header", "url", "software"),
    [
        (("X-Generator", "Drupal 9 (https://www.drupal.org)"), URL, "Drupal"),
        (("Set-Cookie", "xf_csrf=abc; path=/"), URL, "XenForo"),
        (HTML, "https://naplo.blogspot.com/2024/05/cim.html", "Blogger"),
    ],
)
def test_headers_cookies_and_addresses_tell_too(
    detected: Callable[..., dict[str, Any]], header: tuple[str, str], url: str, software: str
) -> None:
    assert detected("<p>x", url=url, headers=(header,))["system"] == software


ELSEWHERE = "<p>WordPress, Drupal and phpBB <a href=https://masik.wordpress.com/>here</a> <a href=https://www.drupal.org>there</a>"


@pytest.mark.parametrize("html", ["<h1>x</h1><p>y", f"{ELSEWHERE}<img src=https://masik.example/wp-content/uploads/a.jpg>"])
def test_who_shows_nothing_or_writes_of_a_system_is_not_made_with_it(detected: Callable[..., dict[str, Any]], html: str) -> None:
    assert detected(html)["system"] is None


PRESETS = Path(webarticlecurator.__file__).parents[1] / "site_configs" / "presets"


def test_signs_add_up_and_each_is_shown_with_what_was_found(detected: Callable[..., dict[str, Any]]) -> None:
    (few, *_) = detected("<img src=/wp-content/uploads/a.jpg class=wp-image-7><p>x")["systems"]
    assert 0.7 < few["certainty"] < 0.9
    assert [(sign["found"], sign["page"]) for sign in few["evidence"]] == [
        ("https://pelda.example/wp-content/uploads/a.jpg", URL),
        ('<img src="/wp-content/uploads/a.jpg" class="wp-image-7">', URL),
    ]
    (more, *_) = detected("<img src=/wp-content/uploads/a.jpg>", "<div class=wp-site-blocks>x</div>")["systems"]
    assert (more["variant"], more["evidence"][0]["page"]) == ("block theme", f"{URL}1")


def test_each_system_has_a_preset_and_no_sign_stands_twice() -> None:
    lines = (Path(webarticlecurator.__file__).parent / "extraction" / "software_signs.txt").read_text("utf-8").splitlines()
    systems = [line.split(", ") for line in lines if line and line[0] not in " #"]
    assert {preset for _, preset, *_ in systems} <= {path.stem for path in PRESETS.iterdir()}
    assert len({name for name, *_ in systems}) == len(systems) > 5
    for system in "\n".join(lines).split("\n\n"):
        signs = [tuple(line.split(maxsplit=2)) for line in system.splitlines() if line.startswith(" ")]
        assert len({(place, what) for place, _, what in signs}) == len(signs)
        assert all(0 < float(weight) < 1 for _, weight, _ in signs)
