"""Every portal that comes with the program makes of real pages what its tests.yaml says (skips where the pages are not at hand)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from real_pages import DATA, needs
from warc_records import write_warc

FOLDER = Path(__file__).resolve().parents[2] / "site_configs"
TESTS = {path.parent.name: path.with_name("tests.yaml") for path in sorted(FOLDER.glob("**/portal.yaml"))}
PORTALS = [*TESTS]
PAGES = DATA / "archive-pages" / "pages.warc.gz"
NEWS = DATA / "extraction" / "data" / "fundus"


def pages_of(portal: str, folder: Path) -> Path:
    """A WARC file with the pages of a portal; those of newspapers are kept one by one."""
    if "newspapers" not in TESTS[portal].parts:
        return PAGES
    urls = {page["url"] for page in yaml.safe_load(TESTS[portal].read_text("utf-8"))}
    told = map(json.loads, (NEWS / "meta.jsonl").read_text("utf-8").splitlines())
    kept = {page["url"]: gzip.decompress((NEWS / "pages" / f"{page['id']}.html.gz").read_bytes()) for page in told if page["url"] in urls}
    return write_warc(folder / "pages.warc.gz", kept)


@needs(PAGES)
@needs(NEWS)
@pytest.mark.parametrize(
    "portal", [pytest.param(name, marks=[pytest.mark.nightly] if number else []) for number, name in enumerate(PORTALS)]
)
def test_its_pages_give_what_is_expected_and_make_valid_documents(portal: str, curator: Callable[..., Any], tmp_path: Path) -> None:
    pages = pages_of(portal, tmp_path)
    ended = curator("test", portal, "--warc", pages)
    assert ended.code == 0, ended.out
    assert curator("warc", "import", portal, pages, "--corpus", tmp_path / "corpus").code == 0
    built = json.loads(curator("build", portal, "--corpus", tmp_path / "corpus", "--json").out)
    assert "invalid" not in built["outcomes"]


@pytest.mark.parametrize("portal", PORTALS)
def test_the_file_says_what_must_come_out_and_nothing_of_what_the_portal_wrote(portal: str) -> None:
    """Dates, sections and addresses are facts; titles, names and sentences stand as hashes."""
    pages = yaml.safe_load(TESTS[portal].read_text("utf-8"))
    assert pages
    for page in pages:
        expected = page["expect"]
        told = [
            expected.get("contains"),
            expected.get("lacks"),
            *(expected.get("metadata", {}).get(name) for name in ("headline", "author")),
        ]
        told += [(expected.get(post) or {}).get(name) for post in ("first_post", "last_post") for name in ("who", "title")]
        texts = [text for one in told if one for text in (one if isinstance(one, list) else [one])]
        assert page.get("as") == "archive" or all(text.startswith("sha256:") for text in texts), page["url"]
