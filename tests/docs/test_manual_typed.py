"""The pages of docs/ that a reader follows command by command, each done as it is written: by day one of them, all of them at night."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from seams import known_urls
from written_pages import DOCS, Demo, Typed, made_demo, reading, steps

BY_DAY = "how-to/archives.md"
PAGES = (
    *("start/first-portal.md", "how-to/article-rules.md", "how-to/tags.md", "how-to/keep-collecting.md", "how-to/hand-it-on.md"),
    *("how-to/compare-publish-come-over.md", "reference/corpus.md"),
    *("explanation/completeness.md", "explanation/how-it-reads.md", "explanation/why-warc.md"),
)
MINUTES = DOCS / "start" / "your-portal.md"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """`curator demo`, made once for all pages that begin with it."""
    return made_demo(tmp_path_factory.mktemp("demo"))


@pytest.mark.parametrize("page", [BY_DAY, *(pytest.param(page, marks=pytest.mark.nightly) for page in PAGES)])
def test_every_step_does_what_the_page_says(page: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    path = DOCS / page
    made = request.getfixturevalue("demo") if "$ curator demo\n" in path.read_text(encoding="utf-8") else None
    with reading(tmp_path, demo=made) as reader:
        reader.follow(path)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "kind",
    [
        "A blog",
        "A forum",
        pytest.param("A portal that needs a browser", marks=pytest.mark.browser),
        "A portal that is gone",
        "A portal that changed its layout",
    ],
)
def test_each_kind_of_portal_is_collected_as_the_page_says(kind: str, tmp_path: Path) -> None:
    with reading(tmp_path) as reader:
        reader.follow(DOCS / "how-to" / "kinds-of-portals.md", kind)


@pytest.mark.nightly
def test_a_portal_is_described_in_fifteen_minutes_and_nothing_is_missing(tmp_path: Path) -> None:
    with reading(tmp_path) as reader:
        for step in steps(MINUTES):
            reader.do(step)
            if isinstance(step, Typed) and step.command.startswith("curator new"):
                edit(Path("portal.yaml"), MINUTES.read_text(encoding="utf-8"))
                for told in ("`archive.link` is not sure", "archivum: `dates.from` (2024-05-14) is the oldest"):
                    assert told in reader.outputs[-1]
        (ledger,) = tmp_path.rglob("ledger.sqlite")
        fetched = {url for url, outcome in known_urls(ledger.parent).items() if outcome == "fetched"}
        assert reader.portal is not None
        unseen = reader.portal.article_urls - fetched
        assert all("/gyorshirek/" in url or "/podcast/" in url for url in unseen), "what only scripts ask for"
        assert Path("tests.yaml").exists()


def edit(file: Path, text: str) -> None:
    """Type what the page says in its step 2."""
    said = yaml.safe_load(text.partition("```yaml\n")[2].partition("```")[0])
    lines = file.read_text(encoding="utf-8")
    for name, column in said["columns"].items():
        dates = f"{{from: {column['dates']['from']}, until: {column['dates']['until']}}}"
        lines, count = re.subn(rf"(?ms)(^  {name}:.*?^    dates: )\{{[^}}]*\}}", rf"\g<1>{dates}", lines)
        assert count == 1, f"{name} has a line `dates`"
    file.write_text(f"{lines}\nfetch:\n  delay: 0s\n", encoding="utf-8")
