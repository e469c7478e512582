"""The pages of docs/ that a reader follows command by command, each done as it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from arc_files import arc_file, arc_record
from small_corpus import page as article_page
from written_pages import DOCS, Demo, Typed, Written, changed, is_as_shown, made_demo, reading, steps

PAGES: dict[str, dict[str, Any]] = {
    "recipes/archives.md": {},
    "recipes/find-a-selector.md": {},
    "recipes/json-api.md": {},
    "recipes/changed-layout.md": {},
    "recipes/metadata-rules.md": {},
    "recipes/deciding-tags.md": {},
    "recipes/collect-a-blog.md": {},
    "recipes/collect-a-forum.md": {},
    "recipes/highlight.md": {},
    "recipes/sitemaps.md": {},
    "recipes/testing-portals.md": {},
    "explanation/data-flow.md": {},
    "explanation/why-warc.md": {},
    "tutorials/tutorial.md": {},
    "recipes/from-fundus.md": {},
    "reference/export.md": {},
    "recipes/many-portals.md": {},
    "recipes/move-a-corpus.md": {},
    "recipes/sketch-engine.md": {},
    "recipes/txm.md": {},
    "recipes/voyant.md": {},
    "recipes/pandas.md": {},
    "recipes/datasette.md": {},
    "recipes/publish.md": {},
}
"""Page -> what `reading` is told; a page that needs more has a test of its own."""


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """`curator demo`, made once for all pages that begin with it."""
    return made_demo(tmp_path_factory.mktemp("demo"))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_step_does_what_the_page_says(page: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    path = DOCS / page
    made = request.getfixturevalue("demo") if "$ curator demo\n" in path.read_text(encoding="utf-8") else None
    with reading(tmp_path, demo=made, **PAGES[page]) as reader:
        reader.follow(path)


@pytest.mark.browser
@pytest.mark.slow
def test_a_portal_that_needs_a_browser_is_collected_as_the_page_says(tmp_path: Path) -> None:
    with reading(tmp_path) as reader:
        reader.follow(DOCS / "recipes/browser.md")


@pytest.mark.slow
def test_the_portal_that_is_gone_is_read_from_warc_and_arc_files(tmp_path: Path) -> None:
    article = article_page("A bridge")
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b" % (len(article), article)
    with reading(tmp_path) as reader:
        record = arc_record(f"http://127.0.0.1:{reader.port}/kultura/hid.html", answer)
        Path("2008.arc.gz").write_bytes(arc_file([record], packed="members"))
        reader.follow(DOCS / "recipes/gone-portal.md")


# --- what a page may say ---


def test_files_and_commands_come_in_the_order_of_the_page() -> None:
    text = """
```yaml
# portal.yaml
portal: pelda
```

- In a list:

  ```console
  $ curator check portal.yaml   # as often as you like
  $ curator crawl portal.yaml \\
      --limit 3                 # exit code 4
  incomplete
  ```

```yaml
articles: {}
```

```tsv
# in tags.tsv
tag\toperation
```
"""
    assert list(steps(Path("page.md"), text)) == [
        Written("portal.yaml", "# portal.yaml\nportal: pelda\n", is_part=False),
        Typed("page.md:10", "curator check portal.yaml", 0, ""),
        Typed("page.md:11", "curator crawl portal.yaml     --limit 3", 4, "incomplete\n"),
        Written("tags.tsv", "tag\toperation\n", is_part=True),
    ]


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("Corpus: a\n", "Corpus: a\n"),
        ("one\ntwo\nthree\n", "one\n...\nthree\n"),
        ("one\n", "one\n...\n"),
        ("Corpus: /tmp/x/corpora\n", "Corpus: .../corpora\n"),
        ("60 pages in 3.1 s, 2026-11-21T06:32:54+00:00\n", "60 pages in 12 s, 2025-01-01T00:00:00Z\n"),
        ("name      5\n", "name    5\n"),
    ],
)
def test_what_may_differ_is_not_compared(printed: str, shown: str) -> None:
    assert is_as_shown(printed, shown)


@pytest.mark.parametrize(("printed", "shown"), [("60 pages\n", "61 pages\n"), ("one\ntwo\n", "one\n"), ("one\n", "one\n...\ntwo\n")])
def test_everything_else_is(printed: str, shown: str) -> None:
    assert not is_as_shown(printed, shown)


def test_a_part_takes_the_place_of_the_same_key() -> None:
    file = "# Mine\nportal: pelda\narchive:\n  url: old\nbody:\n  root: div\n"
    part = "# in portal.yaml\narchive:\n  url: new\nlayouts: []\n"
    assert changed(file, part) == "# Mine\nportal: pelda\narchive:\n  url: new\nbody:\n  root: div\nlayouts: []\n"
