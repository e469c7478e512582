"""What fetching and storing an article costs, beside the published webarticlecurator 1.13.0, scrapy and wget on the same portal.

  python benchmarks/crawl_cpu.py [--archive-pages 100] [--rounds 7]

All crawl the same archive on loopback with the rate limit off, in turn (A B C D A B ...), each as a whole process, start-up included;
the server is a process of its own. Scrapy writes what it gets by warcio; wget follows every link and knows of no article. Then the same
with no charset declared, beside webarticlecurator alone, which then looks for it.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from page_server import ROOT, PageServer
from processes import Cost, environment, run, size_of
from results import Record, result_option, script_parser

OURS, OTHER, SCRAPY, WGET = "ours", "webarticlecurator 1.13.0", "scrapy", "wget"
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


SCRAPY_SPIDER = """\
import sys
from io import BytesIO

import scrapy
from scrapy.crawler import CrawlerProcess
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


class Bench(scrapy.Spider):
    name = "bench"

    def __init__(self, url):
        self.url, self.file = url, open("scrapy.warc.gz", "wb")
        self.writer = WARCWriter(self.file, gzip=True)

    async def start(self):
        yield scrapy.Request(self.url + "/archive/1", self.parse, cb_kwargs={"page": 1})

    def keep(self, response):
        names = [(name.decode(), value.decode()) for name, values in response.headers.items() for value in values]
        asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "127.0.0.1")], is_http_request=True)
        told = StatusAndHeaders(f"{response.status} OK", names, protocol="HTTP/1.1")
        answer = self.writer.create_warc_record(response.url, "response", payload=BytesIO(response.body), http_headers=told)
        self.writer.write_request_response_pair(self.writer.create_warc_record(response.url, "request", http_headers=asked), answer)

    def parse(self, response, page):
        self.keep(response)
        links = response.css("article.listed h2 a::attr(href)").getall()
        yield from (response.follow(link, self.keep) for link in links)
        if links:
            yield scrapy.Request(f"{self.url}/archive/{page + 1}", self.parse, cb_kwargs={"page": page + 1})

    def closed(self, reason):
        self.file.close()


process = CrawlerProcess({"LOG_ENABLED": False, "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False,
                          "COMPRESSION_ENABLED": False, "DOWNLOAD_DELAY": 0})
process.crawl(Bench, url=sys.argv[1])
process.start()
"""

Crawl = Callable[[PageServer, Path], Cost]


@dataclass(frozen=True, slots=True)
class Crawled:
    """One crawl of one program."""

    cost: Cost
    size: int
    """Bytes of WARC."""
    articles: int

    @property
    def each(self) -> float:
        """Milliseconds of CPU an article."""
        return 1000 * self.cost.cpu / self.articles


def crawl_ours(server: PageServer, folder: Path) -> Cost:
    (folder / "bench.yaml").write_text(OUR_PORTAL.format(url=server.url), "utf-8")
    command = [sys.executable, "-m", "webarticlecurator", "crawl", "bench.yaml", "--corpus", "corpus", "--quiet"]
    return run(command, cwd=folder, env={"PYTHONPATH": str(ROOT)})


def with_other(python: Path) -> Crawl:
    def crawl(server: PageServer, folder: Path) -> Cost:
        for name, text in (("crawl.yaml", OTHER_CRAWL), ("site.yaml", OTHER_SITE), ("bench_functions.py", OTHER_FUNCTIONS)):
            (folder / name).write_text(text.format(url=server.url), "utf-8")
        files = ["--archive-warc", "archive.warc.gz", "--articles-warc", "articles.warc.gz"]
        unlimited = ["--max-no-of-calls-in-period", "1000000", "--limit-period", "1"]
        # A copy of this checkout on the path would hide the other package.
        return run([python, "-m", "webarticlecurator", "crawl", "crawl.yaml", *files, *unlimited], cwd=folder, env={"PYTHONPATH": ""})

    return crawl


def with_scrapy(python: Path) -> Crawl:
    def crawl(server: PageServer, folder: Path) -> Cost:
        (folder / "spider.py").write_text(SCRAPY_SPIDER, "utf-8")
        return run([python, "spider.py", server.url], cwd=folder, env={"PYTHONPATH": ""})

    return crawl


def with_wget(server: PageServer, folder: Path) -> Cost:
    """All archive pages by their addresses, and what they link to; what articles link to is not asked for."""
    pages = folder / "archive-pages.txt"
    pages.write_text("".join(f"{server.url}/archive/{number}\n" for number in range(1, server.archive_pages + 1)), "utf-8")
    options = ["-q", "-r", "-l", "1", "-e", "robots=off", "--delete-after", "--include-directories=/archive,/article", "--no-warc-keep-log"]
    # The portal has more links than pages: wget ends with 8 where one was not there.
    return run([WGET, *options, "--warc-file=all", "-i", pages], cwd=folder, codes=(0, 8))


def programs(record: Record) -> dict[str, Crawl]:
    """Ours, and what could be installed."""
    found: dict[str, Crawl] = {OURS: crawl_ours}
    if (other := environment("webarticlecurator", record)) is not None:
        found[OTHER] = with_other(other.python)
        record.versions[OTHER.split()[0] + " (published)"] = other.version("webarticlecurator")
    if (scrapy := environment("scrapy", record)) is not None:
        found[SCRAPY] = with_scrapy(scrapy.python)
        record.versions.update(scrapy=scrapy.version("scrapy"), warcio=scrapy.version("warcio"))
    if shutil.which(WGET):
        found[WGET] = with_wget
        record.versions[WGET] = run([WGET, "--version"]).output.split()[2]
    else:
        record.leave_out("wget, which is not installed here")
    return found


def compare(crawls: Mapping[str, Crawl], record: Record, *, charset: str | None, archive_pages: int, links: int, rounds: int) -> None:
    found: dict[str, list[Crawled]] = {name: [] for name in crawls}
    with PageServer(archive_pages=archive_pages, links=links, charset=charset) as server:
        print(
            f"\nCharset in Content-Type: {charset or 'none'}. {server.pages}; {archive_pages} archive pages, {links} links each", flush=True
        )
        for number in range(1, rounds + 1):
            for name, crawl in crawls.items():
                folder = Path(tempfile.mkdtemp(prefix="crawl-cpu-"))
                cost = crawl(server, folder)
                one = Crawled(cost, size_of(folder, "*.warc.gz"), len(server.asked().article))
                shutil.rmtree(folder)
                if one.articles != archive_pages * links:
                    raise SystemExit(f"not the same crawl: {name} has {one.articles} articles of {archive_pages * links}")
                found[name].append(one)
                print(f"round {number:<2} {name:26}{one.each:8.2f} ms an article {one.articles / cost.wall:8.0f} a second", flush=True)
        pages = server.pages
    note(record, found, charset, f"{pages}; {archive_pages} archive pages, {links} links each.")


def note(record: Record, found: Mapping[str, list[Crawled]], charset: str | None, what: str) -> None:
    """The rows of all programs, and the ratios."""
    case = "charset declared" if charset else "no charset declared"
    rows = [
        (name, *(statistics.median(column) for column in zip(*((one.each, one.articles / one.cost.wall, one.cost.memory, one.size / 1e6)
         for one in crawled), strict=True)))
        for name, crawled in found.items()
    ]  # fmt: skip
    record.table(f"Crawl, {case}", ("program", "CPU ms an article", "articles a second", "memory MB", "WARC MB"), rows, what)
    ours = found[OURS]
    for name, crawled in found.items():
        if name != OURS:
            ratios = [theirs.each / own.each for own, theirs in zip(ours, crawled, strict=True)]
            record.of_rounds(f"CPU of {name} / ours, {case}", ratios, **({"at_least": TARGETS[charset]} if name == OTHER else {}))
    if OTHER in found:
        sizes = [own.size / theirs.size for own, theirs in zip(ours, found[OTHER], strict=True)]
        record.of_rounds(f"size of our WARC / {OTHER}, {case}", sizes, at_most=LARGEST)


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--archive-pages", type=int, default=100, help="default 100")
    parser.add_argument("--links", type=int, default=20, help="links on an archive page (default 20)")
    parser.add_argument("--rounds", type=int, default=7, help="default 7")
    asked = result_option(parser).parse_args()
    record = Record(
        "Crawling: CPU an article",
        "Every program crawls the same archive on loopback with the rate limit off and writes a compressed WARC, each as a whole process, "
        "start-up included, in turn. The CPU of the server is in nobody's account.",
    )
    crawls = programs(record)
    compare(crawls, record, charset="utf-8", archive_pages=asked.archive_pages, links=asked.links, rounds=asked.rounds)
    # There the other program takes many times as long, so half of the portal and of the rounds must do.
    slow = {name: crawl for name, crawl in crawls.items() if name in (OURS, OTHER)}
    half = max(1, asked.archive_pages // 2), max(1, asked.rounds // 2)
    compare(slow, record, charset=None, archive_pages=half[0], links=asked.links, rounds=half[1])
    record.end(asked.result)


if __name__ == "__main__":
    main()
