"""What a rerun with nothing new asks and writes, on the example portal with all its ways of paging.

  python benchmarks/rerun.py [--articles 2000]

Old WARC files must not change by a byte, no article may be asked for again, and of the archive only what is not settled: the head of each
column without dates, until known ground is reached, and where its list had ended, since nothing has come at its head yet.
The predecessor of this program copied the whole archive at each run.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from results import Record, result_option, script_parser

from webarticlecurator.config.load import load_portal
from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.stages.pipeline import crawl


def fingerprints(folder: Path) -> dict[str, str]:
    """The files of a store, and what is in them."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def pages_by_column(ledger_file: Path, run: int) -> Counter[str]:
    """How many archive pages each column's walks asked for in a run."""
    with closing(sqlite3.connect(ledger_file)) as ledger:
        return Counter(dict(ledger.execute("SELECT column, sum(pages) FROM walks WHERE run = ? GROUP BY column", (run,))))


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--articles", type=int, default=2000, help="of the portal (default 2000)")
    asked = result_option(parser).parse_args()
    record = Record(
        "A rerun with nothing new",
        "The example portal is crawled twice, with all its ways of paging; nothing changed between the two.",
    )
    with ExamplePortal(articles=asked.articles) as site, tempfile.TemporaryDirectory() as folder:
        portal = load_portal(site.portal_file(Path(folder), delay="0s"))
        corpus = Path(folder) / "corpus"
        requests, files = [], []
        for _ in range(2):
            site.forget_requests()
            crawl([portal], corpus=corpus)
            requests.append([line.target for line in site.requests])
            files.append(fingerprints(corpus / "warc"))
        first, second = (pages_by_column(corpus / "ledger.sqlite", run) for run in (1, 2))
        new = [corpus / "warc" / name for name in files[1].keys() - files[0].keys()]
        articles = {re.sub(r"#.*", "", url).removeprefix(site.home) for url in site.article_urls}
        again = sum(target in articles for target in requests[1])
        unchanged = sum(files[1].get(name) == digest for name, digest in files[0].items())
        rows = [(column.name, first[column.name], second[column.name]) for column in portal.columns]
        record.table("Archive pages asked for", ("column", "first run", "rerun"), rows, f"{len(articles):,} articles.")
        record.figure("requests of the first run", len(requests[0]))
        record.figure("requests of the rerun", len(requests[1]))
        record.figure("requests of the rerun for articles", again, at_most=0)
        record.figure("old WARC files changed by the rerun", len(files[0]) - unchanged, f"of {len(files[0])}", at_most=0)
        record.figure("WARC written by the first run", sum((corpus / "warc" / name).stat().st_size for name in files[0]) / 1e6, "MB")
        record.figure("WARC written by the rerun", sum(path.stat().st_size for path in new) / 1e6, "MB")
    record.end(asked.result)


if __name__ == "__main__":
    main()
