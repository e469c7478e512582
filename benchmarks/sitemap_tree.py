"""Memory of a crawl that reads a tree of sitemaps, and how its queue grows meanwhile; cut off at half, what a rerun asks.

  python benchmarks/sitemap_tree.py [--urls 1000000] [--each 50000] [--forms plain gz]

The tree is served on loopback: an index and its files, each with the most addresses that the standard allows, a `lastmod` beside each.
Every crawl is `curator crawl --archive-only` in a process of its own.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from processes import run
from results import Record, result_option

LIMIT = 150
"""Megabytes that no crawl may pass."""


@dataclass
class Tree:
    """An index of sitemaps on loopback."""

    urls: int
    each: int
    form: str
    home: str = ""
    asked: list[str] = field(default_factory=list)

    @property
    def files(self) -> int:
        return -(-self.urls // self.each)

    def answer(self, path: str) -> bytes | None:
        """What is served at a path; nothing else is there."""
        if path == "/sitemap.xml":
            ending = ".gz" if self.form == "gz" else ""
            entries = (f"<sitemap><loc>{self.home}/sitemap-{one}.xml{ending}</loc></sitemap>" for one in range(self.files))
            return f"<sitemapindex>{''.join(entries)}</sitemapindex>".encode()
        number = path.removeprefix("/sitemap-").partition(".xml")[0]
        return _sitemap(self.home, int(number), self.each, self.urls, self.form) if number.isdigit() else None


@lru_cache(maxsize=2)
def _sitemap(home: str, number: int, each: int, urls: int, form: str) -> bytes:
    entries = (
        f"<url><loc>{home}/news/{2000 + one % 25}/{1 + one % 12:02d}/the-title-of-the-article-with-the-number-{one}.html</loc>"
        f"<lastmod>20{one % 25:02d}-01-{1 + one % 28:02d}T10:00:00+00:00</lastmod><changefreq>daily</changefreq></url>\n"
        for one in range(number * each, min(urls, (number + 1) * each))
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    body = f"{head}{''.join(entries)}</urlset>".encode()
    return gzip.compress(body, 6) if form == "gz" else body


@contextmanager
def served(tree: Tree) -> Iterator[None]:
    """Serves while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = tree.answer(self.path)
            tree.asked.append(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", "application/x-gzip" if self.path.endswith(".gz") else "application/xml")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            with suppress(OSError):  # a crawl that was killed
                self.wfile.write(body or b"")

        def log_message(self, format: str, *args: Any) -> None:
            """What is asked is counted."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    tree.home = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def known(folder: Path) -> int:
    """Articles in the queue, while a crawl may be writing."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{(folder / 'corpus' / 'ledger.sqlite').as_uri()}?mode=ro", uri=True)) as ledger:
        return int(ledger.execute("SELECT count(*) FROM urls").fetchone()[0])
    return 0


def _command(folder: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "webarticlecurator", "crawl", str(folder / "portal.yaml"), "--corpus", str(folder / "corpus")),
        *("--archive-only", "--quiet"),
    ]


def _folder(tree: Tree) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="sitemap-tree-"))
    rules = f"portal: tree\nhome: {tree.home}/\nfetch: {{delay: 0s}}\narchive: {{url: '{{home}}sitemap.xml', format: sitemap}}\n"
    (folder / "portal.yaml").write_text(rules, "utf-8")
    return folder


def whole(tree: Tree, record: Record) -> None:
    """One crawl of all of it, its queue looked at whenever a file is asked for."""
    folder = _folder(tree)
    stop, grown = threading.Event(), [0]

    def watch() -> None:
        while not stop.wait(0.3):
            grown.append(known(folder))

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    cost = run(_command(folder))
    stop.set()
    watching.join()
    between = sum(0 < one < tree.urls for one in sorted(set(grown)))
    ledger = (folder / "corpus" / "ledger.sqlite").stat().st_size / 1e6
    record.figure(f"{tree.form}: addresses found, of {tree.urls:,}", known(folder), at_least=tree.urls)
    record.figure(f"{tree.form}: memory of the crawl", cost.memory, "MB", at_most=LIMIT)
    record.figure(f"{tree.form}: CPU for 1,000 addresses", 1000 * cost.cpu / tree.urls * 1000, "ms")
    record.figure(f"{tree.form}: lengths of the queue seen on the way", between)
    record.figure(f"{tree.form}: size of the ledger", ledger, "MB")
    tree.asked.clear()
    cost = run(_command(folder))
    record.figure(f"{tree.form}: memory of a rerun with nothing new", cost.memory, "MB", at_most=LIMIT)
    record.figure(f"{tree.form}: requests of a rerun with nothing new, for {tree.files:,} files", len(tree.asked))
    shutil.rmtree(folder)


def cut_off(tree: Tree, record: Record) -> None:
    """A crawl that is killed when half of the files were asked for, and the one after it."""
    folder = _folder(tree)
    tree.asked.clear()
    crawl = subprocess.Popen(_command(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ))
    while crawl.poll() is None and sum(path.startswith("/sitemap-") for path in tree.asked) <= tree.files // 2:
        time.sleep(0.02)
    crawl.send_signal(signal.SIGKILL)
    crawl.wait()
    half = known(folder)
    tree.asked.clear()
    run(_command(folder))
    files = sum(path.startswith("/sitemap-") for path in tree.asked)
    record.figure(f"{tree.form}: addresses in the queue when it was killed at half", half, at_least=1)
    record.figure(f"{tree.form}: files that the next crawl asks for, of {tree.files:,}", files, at_most=tree.files - 1)
    record.figure(f"{tree.form}: addresses that it then knows", known(folder), at_least=tree.urls)
    shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=1_000_000, help="default 1000000")
    parser.add_argument("--each", type=int, default=50_000, help="in a file; default 50000")
    parser.add_argument("--forms", nargs="+", choices=("plain", "gz"), default=["plain", "gz"])
    asked = result_option(parser).parse_args()
    record = Record(
        "A tree of sitemaps",
        "A crawl reads a tree of sitemaps on loopback, as a process of its own, and its queue is looked at meanwhile; then nothing is new; "
        "then a crawl is killed when half of the files were asked for, and crawled again.",
    )
    for form in asked.forms:
        tree = Tree(asked.urls, asked.each, form)
        with served(tree):
            whole(tree, record)
            cut_off(tree, record)
    record.end(asked.result)


if __name__ == "__main__":
    main()
