"""A small library that is collected and built once, and exports of portals."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling, crawling
from published import Published, PublishedPortal, article, post, published
from seams import faults_of, main

LONG = "The new bridge over the river was opened on Monday by the mayor of the town, and a thousand people walked over it together. "
HOSTILE = '=1+1 <script>alert("1")</script>; DROP TABLE articles; --'
PAGES = {
    "bridge": article(
        1,
        LONG * 4,
        "<ul><li>one<ul><li>in it</li></ul></li><li>two</li></ul>",
        "<h3>Why</h3>",
        "<table><caption>Costs</caption><tr><td>a</td><td>b</td></tr></table>",
        "<p>It <b>was</b> old.</p>",
        '<div class="x-box"><p>Aside.</p></div>',
        '<figure><img src="https://pelda.example/a.jpg"><figcaption>A boat.</figcaption></figure>',
        "<blockquote><p>Said the mayor.</p></blockquote>",
        '<p lang="hu">Magyarul szól ez a mondat.</p>',
        title="The bridge is open",
        author=["Kiss Anna", "Nagy Béla"],
        articleSection="Belföld",
        keywords=["híd", "Duna"],
        description="What it cost.",
        isAccessibleForFree="true",
        source="MTI",
        license="https://pelda.example/terms",
        image="https://pelda.example/a.jpg",
        posts=(post("Nonsense!", who="Zed Quill", id="1", likes="3"), post("Well said!", who="Eve", id="2", reply_to="1")),
    ),
    "hostile": article(
        2,
        f"{HOSTILE} it says",
        "a\tb </doc> &lt; \u202eflipped",
        title=HOSTILE,
        author=["=Ada; B", "C|D"],
        date="2024-05-02",
        keywords=["x;y", "z"],
    ),
    "thread": article(
        3,
        title="A question",
        date="2023-02-03",
        type="DiscussionForumPosting",
        posts=(post("Who knows?", "forum", id="1", who="Anna", when="2023-02-03T10:00:00Z"), post("I do.", "forum", id="2", who="Bob99")),
    ),
    "live": article(
        4,
        "It begins.",
        title="Live",
        date="2023-03-01",
        posts=(post("At ten.", "liveblog", id="7", who="Ada", when="2023-03-01T10:00:00+01:00", title="First"),),
    ),
    "undated": article(5, "Of a school.", title=None, date=None, author=["Kiss Anna"]),
    "paid": article(6, "Behind a wall.", title="Paid", date="2022-01-01", layout="old", isAccessibleForFree="false"),
    "wordless": article(7, '<figure><img src="https://pelda.example/b.jpg"></figure>', title=None, date="2021-05-01"),
    "again": article(8, "The second text.", title="Changed", date="2020-05-01", captured="2024-07-01T00:00:00Z"),
    "copy": article(1, LONG * 4, title="Another headline", portal="masik"),
}


@dataclass(frozen=True, slots=True)
class Library:
    """Two portals; nobody changes them."""

    pelda: PublishedPortal
    masik: PublishedPortal

    def __getitem__(self, name: str) -> Published:
        return PAGES[name]

    @property
    def files(self) -> list[Path]:
        return [self.pelda.folder / "pelda.yaml", self.masik.folder / "masik.yaml"]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("library")
    rights = {"name": "Példa Kft.", "rights": {"licence": "https://creativecommons.org/licenses/by-sa/4.0/", "statement": "© Példa Kft."}}
    pelda = PublishedPortal(folder, more={"publisher": rights})
    pelda.take_in(article(8, "The first text.", title="Changed", date="2020-05-01"))
    pelda.take_in(*(page for page in PAGES.values() if page.portal == "pelda"))
    pelda.build()
    return Library(pelda, published(folder, PAGES["copy"], name="masik"))


@dataclass(frozen=True, slots=True)
class Export:
    """Where it is, and what the command told."""

    path: Path
    said: str
    code: int

    @property
    def content(self) -> bytes:
        """The file's, unpacked."""
        content = self.path.read_bytes()
        return gzip.decompress(content) if self.path.suffix == ".gz" else content

    @property
    def text(self) -> str:
        return self.content.decode("utf-8")


Exporter = Callable[..., Export]


@pytest.fixture
def export(curator: Callable[..., Any], tmp_path: Path) -> Exporter:
    """`curator export` of portals into a file (or folder) of this name."""

    def run(portals: PublishedPortal | Path | list[Path], to: str, name: str, *flags: object, code: int = 0) -> Export:
        files = portals if isinstance(portals, list) else [portals.file if isinstance(portals, PublishedPortal) else portals]
        ended = curator("export", *files, "--to", to, "-o", f"{tmp_path}/{name}", "--jobs", 1, *flags)
        assert ended.code == code, ended.err
        return Export(tmp_path / name, " ".join(ended.err.split()), ended.code)

    return run


@pytest.fixture
def publish(tmp_path: Path) -> Callable[..., PublishedPortal]:
    """A portal of these pages, for this test alone."""

    def make(*pages: Published, name: str = "pelda", **more: Any) -> PublishedPortal:
        return published(tmp_path / "portals", *pages, name=name, **more)

    return make


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    """The example portal with every kind of article it has, crawled and built; nobody changes it."""
    with crawling(tmp_path_factory.mktemp("example"), articles=60, page_size=10) as crawl:
        crawl.crawl()
        assert main(["build", str(crawl.file), "--corpus", str(crawl.corpus), "--jobs", "1", "--quiet"]) in (0, 1, 5)
        yield crawl


@pytest.fixture(scope="session")
def faults() -> Callable[[Any], tuple[str, ...]]:
    """Why a document or a tree is not valid."""
    return faults_of
