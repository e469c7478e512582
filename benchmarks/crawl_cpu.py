"""What fetching and storing an article costs, beside the published webarticlecurator 1.13.0 on the same portal.

  python benchmarks/crawl_cpu.py [--archive-pages 100] [--rounds 7]

Both crawl the same archive on loopback with the rate limit off, in turn (A B A B ...), each as a whole process, start-up included;
the server is a third process. Then the same with no charset declared. The other package has the same name as this one, so it is
installed into an environment of its own, below the system's temporary folder, and kept there for the next time.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

from page_server import ROOT, PageServer
from processes import Cost, run, size_of

OTHER = "webarticlecurator==1.13.0"
TARGETS = {"utf-8": 1.8, None: 20.0}
LARGEST = 1.15

OUR_PORTAL = """\
portal: bench
home: {url}/
fetch: {{delay: 0s}}
archive:
  url: "{url}/archive/{{page}}"
  pages: infinite
  item: article.listed
  link: h2 a
"""

OTHER_CRAWL = """\
schema: site.yaml
output_corpus: corpus
log_file_archive: archive.log
log_file_articles: articles.log
new_problematic_urls: problems.txt
new_good_urls: good.txt
new_problematic_archive_urls: archive-problems.txt
new_good_archive_urls: archive-good.txt
"""

OTHER_SITE = """\
site_name: bench
columns:
  news:
    archive_url_format: "{url}/archive/#pagenum"
    min_pagenum: 2
    initial_pagenum: 1
portal_specific_exctractor_functions_file: bench_functions.py
extract_article_urls_from_page_fun: article_urls
next_url_by_pagenum: true
infinite_scrolling: true
archive_page_urls_by_date: false
go_reverse_in_archive: false
verify_request: true
ignore_archive_cache: false
corpus_converter_file: dummy-converter
corpus_converter: dummy-converter
"""

OTHER_FUNCTIONS = """\
from bs4 import BeautifulSoup


def article_urls(html):
    soup = BeautifulSoup(html, "lxml")
    return {{"{url}" + link["href"] for link in soup.select("article.listed h2 a")}}
"""


@dataclass(frozen=True, slots=True)
class Result:
    cost: Cost
    size: int
    """Bytes of WARC."""
    articles: int


def other_python() -> Path | None:
    """The Python that has the other package; None when it cannot be installed."""
    folder = Path(tempfile.gettempdir()) / "webarticlecurator-1.13.0-for-benchmarks"
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        venv.create(folder, with_pip=True, clear=True)
        try:
            run([python, "-m", "pip", "install", "--quiet", OTHER])
        except SystemExit as refused:
            print(f"skipped: {OTHER} could not be installed from the package index.\n{refused}")
            return None
        (folder / "installed").touch()
    return python


def crawl_ours(server: PageServer, folder: Path) -> Result:
    (folder / "bench.yaml").write_text(OUR_PORTAL.format(url=server.url), "utf-8")
    command = [sys.executable, "-m", "webarticlecurator", "crawl", "bench.yaml", "--corpus", "corpus", "--quiet"]
    cost = run(command, cwd=folder, env={"PYTHONPATH": str(ROOT)})
    return Result(cost, size_of(folder / "corpus" / "warc", "*.warc.gz"), len(server.asked().article))


def crawl_with_other(python: Path, server: PageServer, folder: Path) -> Result:
    for name, text in (("crawl.yaml", OTHER_CRAWL), ("site.yaml", OTHER_SITE), ("bench_functions.py", OTHER_FUNCTIONS)):
        (folder / name).write_text(text.format(url=server.url), "utf-8")
    files = ["--archive-warc", "archive.warc.gz", "--articles-warc", "articles.warc.gz"]
    unlimited = ["--max-no-of-calls-in-period", "1000000", "--limit-period", "1"]
    # A copy of this checkout on the path would hide the other package.
    cost = run([python, "-m", "webarticlecurator", "crawl", "crawl.yaml", *files, *unlimited], cwd=folder, env={"PYTHONPATH": ""})
    return Result(cost, size_of(folder, "*.warc.gz"), len(server.asked().article))


def compare(python: Path, *, charset: str | None, archive_pages: int, links: int, rounds: int) -> None:
    with PageServer(archive_pages=archive_pages, links=links, charset=charset) as server:
        print(f"\nCharset in Content-Type: {charset or 'none'}. {server.pages};")
        print(f"{archive_pages} archive pages, {links} links each, {rounds} rounds, ours : other.")
        print(f"{'':8}{'CPU ms/article':>32}{'articles/s':>24}{'memory MB':>20}{'WARC ratio':>12}", flush=True)
        pairs = []
        for number in range(1, rounds + 1):
            folder = Path(tempfile.mkdtemp(prefix="crawl-cpu-"))
            for name in ("ours", "other"):
                (folder / name).mkdir()
            ours, other = crawl_ours(server, folder / "ours"), crawl_with_other(python, server, folder / "other")
            shutil.rmtree(folder)
            if not ours.articles == other.articles == archive_pages * links:
                raise SystemExit(f"not the same crawl: {ours.articles} and {other.articles} articles of {archive_pages * links}")
            pairs.append((ours, other))
            _print_pair(number, ours, other)
    _print_ratios(pairs, TARGETS[charset])


def _print_pair(number: int, ours: Result, other: Result) -> None:
    cpu = f"{1000 * ours.cost.cpu / ours.articles:.2f} : {1000 * other.cost.cpu / other.articles:.2f}"
    speed = f"{ours.articles / ours.cost.wall:.0f} : {other.articles / other.cost.wall:.0f}"
    memory = f"{ours.cost.memory:.0f} : {other.cost.memory:.0f}"
    print(f"round {number:<2}{cpu:>32}{speed:>24}{memory:>20}{ours.size / other.size:>12.3f}", flush=True)


def _print_ratios(pairs: list[tuple[Result, Result]], target: float) -> None:
    cpu = [other.cost.cpu / ours.cost.cpu for ours, other in pairs]
    wall = [other.cost.wall / ours.cost.wall for ours, other in pairs]
    size = statistics.median(ours.size / other.size for ours, other in pairs)
    reached = "reached" if statistics.median(cpu) >= target and size <= LARGEST else "NOT REACHED"
    print(
        f"CPU other / ours: median {statistics.median(cpu):.2f} ({min(cpu):.2f} to {max(cpu):.2f}); wall {statistics.median(wall):.2f}."
        f" Target {target} with files at most {LARGEST - 1:.0%} larger: {reached} ({size - 1:+.1%})."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--archive-pages", type=int, default=100, help="default 100")
    parser.add_argument("--links", type=int, default=20, help="links on an archive page (default 20)")
    parser.add_argument("--rounds", type=int, default=7, help="default 7")
    asked = parser.parse_args()
    python = other_python()
    if python is None:
        return
    compare(python, charset="utf-8", archive_pages=asked.archive_pages, links=asked.links, rounds=asked.rounds)
    # There the other program takes many times as long, so half of the portal and of the rounds must do.
    compare(python, charset=None, archive_pages=max(1, asked.archive_pages // 2), links=asked.links, rounds=max(1, asked.rounds // 2))


if __name__ == "__main__":
    main()
