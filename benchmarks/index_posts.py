"""What posts on index pages cost a build: so many invented posts, each on its own page, or ten whole ones on an index page.

    python benchmarks/index_posts.py [--posts 20000] [--jobs 1]

Each line is one corpus built from nothing, and built again with nothing new, in seconds of computing. Own pages are built with and
without rules for posts: what those cost a blog whose index pages are not stored. Of posts on index pages each stands on one of them, or
on five (by label, by month).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from processes import run
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

CURATOR = (sys.executable, "-m", "webarticlecurator")
PER_PAGE = 10
RULES = """\
portal: bench
home: https://bench.example/
language: en
archive: {url: "{home}page/{page}", item: div.post, link: h3 a}
body: {root: div.text}
metadata: {headline: h3, author: .by, datePublished: {css: time, attr: datetime}}
"""
POSTS = """\
posts:
  blog: {item: div.post, url: h3 a, title: h3, author: .by, time: {css: time, attr: datetime}, text: div.text}
"""
SENTENCE = "They walked along the river in the evening, spoke of the bridge that had been closed, and came home late. "


def post(number: int) -> str:
    text = "".join(f"<p>{SENTENCE * 4} Post {number}, paragraph {line}.</p>" for line in range(5))
    day = f"20{10 + number // 336 % 15:02d}-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}"
    head = (
        f"<h3><a href='/post/{number}'>Post number {number}</a></h3><time datetime='{day}T10:00:00Z'>{day}</time><b class=by>Anna Kis</b>"
    )
    return f"<div class=post>{head}<div class=text>{text}</div></div>"


def page(*posts: int) -> bytes:
    links = "".join(f"<li><a href='/label/{number}'>Label {number}</a></li>" for number in range(40))
    return f"<html lang=en><head><title>A blog</title></head><body>{''.join(map(post, posts))}<ul>{links}</ul></body></html>".encode()


def own_pages(posts: int) -> Iterator[tuple[str, bytes]]:
    for number in range(posts):
        yield f"/post/{number}", page(number)


def index_pages(posts: int, times: int) -> Iterator[tuple[str, bytes]]:
    for time in range(times):
        for first in range(0, posts, PER_PAGE):
            yield f"/page/{time * posts + first}", page(*range(first, min(first + PER_PAGE, posts)))


def write(path: Path, pages: Iterator[tuple[str, bytes]]) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, html in pages:
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(f"https://bench.example{url}", "response", payload=BytesIO(html), http_headers=head)
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    kinds = (
        ("own pages, no rules for posts", RULES, lambda: own_pages(asked.posts)),
        ("own pages", RULES + POSTS, lambda: own_pages(asked.posts)),
        ("on one index page", RULES + POSTS, lambda: index_pages(asked.posts, 1)),
        ("on five index pages", RULES + POSTS, lambda: index_pages(asked.posts, 5)),
    )
    print(f"{asked.posts:,} posts{'import s':>36}{'build s':>10}{'ratio':>8}{'again s':>10}{'MB':>8}")
    first = None
    for name, rules, pages in kinds:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            (folder / "portal.yaml").write_text(rules)
            write(folder / "in.warc.gz", pages())
            corpus = ("--corpus", folder / "corpus")
            build = (*CURATOR, "build", folder / "portal.yaml", *corpus, "--jobs", str(asked.jobs))
            taken = run((*CURATOR, "warc", "import", folder / "portal.yaml", folder / "in.warc.gz", *corpus))
            built, again = run(build), run(build)
            documents = sum(1 for _ in (folder / "corpus" / "tei").rglob("*.xml"))
            assert documents == asked.posts, documents
            first = first or built.cpu
            cells = f"{taken.cpu:>12.1f}{built.cpu:>10.1f}{built.cpu / first:>8.2f}{again.cpu:>10.1f}"
            print(f"{name:34}{cells}{max(built.memory, again.memory):>8.0f}", flush=True)


if __name__ == "__main__":
    main()
