"""How much of the permitted rate a whole crawl holds, by delay, the latency of the server, and the requests in flight.

  python benchmarks/crawl_rate.py [--delays 0.05 0.1] [--archive-pages 6] [--links 20]

The server answers each page after a fixed latency, given as a share of in-flight / rate. Below 1 at least 0.95 of the permitted rate
should be held, from the first archive page to the last article, whatever the crawl does between two requests: parsing, storing, syncing.
The archive is walked page by page, so with a latency beyond `delay` a single walk cannot hold the rate, whoever asks: the second request
in flight then belongs to another column. So the portal here has two.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from page_server import PageServer
from results import Record, result_option, script_parser

from webarticlecurator.config.load import load_portal
from webarticlecurator.stages.pipeline import crawl

SHARES = (0.1, 0.5, 0.8, 0.9, 0.95)
HELD = 0.95

PORTAL = """\
portal: bench
home: {url}/
fetch: {{delay: {delay:.0f}ms, concurrency: {in_flight}}}
archive:
  pages: numbered
  item: article.listed
  link: h2 a
columns:
  first: {{url: "{url}/archive/{{page}}", pages: {{last: {middle}}}}}
  second: {{url: "{url}/archive/{{page}}", pages: {{start: {after}, last: {last}}}}}
"""


def held(*, delay: float, in_flight: int, share: float, archive_pages: int, links: int) -> tuple[float, float]:
    """The rate that the server saw over the permitted one: of the whole crawl, and of its articles alone."""
    with (
        PageServer(archive_pages=archive_pages, links=links, latency=share * in_flight * delay) as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        file = Path(folder) / "portal.yaml"
        pages = {"middle": archive_pages // 2, "after": archive_pages // 2 + 1, "last": archive_pages}
        file.write_text(PORTAL.format(url=server.url, delay=1000 * delay, in_flight=in_flight, **pages), "utf-8")
        crawl([load_portal(file)], corpus=Path(folder) / "corpus")
        asked = server.asked()
    if (len(asked.archive), len(asked.article)) != (archive_pages, archive_pages * links):
        raise SystemExit(f"not the whole portal was crawled: {len(asked.archive)} archive pages, {len(asked.article)} articles")
    return _share(asked.pages, delay), _share(asked.article, delay)


def _share(moments: tuple[float, ...], delay: float) -> float:
    return (len(moments) - 1) * delay / (moments[-1] - moments[0])


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--delays", type=float, nargs="+", default=[0.05, 0.1], help="seconds from request to request (default 0.05 0.1)")
    parser.add_argument("--archive-pages", type=int, default=6, help="default 6")
    parser.add_argument("--links", type=int, default=20, help="links on an archive page (default 20)")
    asked = result_option(parser).parse_args()
    record = Record(
        "The permitted rate",
        "A whole crawl under a rate limit, by how slow the server is. At any latency below (requests in flight) x (delay) the crawl is to "
        "hold at least 0.95 of the rate that the delay permits.",
    )
    rows = []
    for delay in asked.delays:
        for in_flight in (1, 2):
            for share in SHARES:
                whole, articles = held(delay=delay, in_flight=in_flight, share=share, archive_pages=asked.archive_pages, links=asked.links)
                rows.append((f"{delay * 1000:.0f} ms", in_flight, share, whole, articles))
                print(*rows[-1], flush=True)
    headings = ("delay", "requests in flight", "latency / (in flight x delay)", "held by the whole crawl", "held by articles alone")
    record.table("Share of the permitted rate that was held", headings, rows)
    record.figure("least share of the permitted rate that was held", min(row[3] for row in rows), at_least=HELD)
    record.end(asked.result)


if __name__ == "__main__":
    main()
