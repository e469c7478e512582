"""What an article costs when a browser has to show it, beside the same articles as data and as plain pages.

  python benchmarks/browser_cost.py [--articles 600]

One column of the example portal, three ways: as a browser shows it, by the data that its scripts ask for (a column with `format: json`),
and as the pages of the same articles that need no script. CPU time is of all processes, the browser's included; requests are what the
portal was asked for, robots.txt and its like apart; the pace is left out (`delay: 0s`), for it would hide everything else.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

from webarticlecurator.example_portal import ExamplePortal

BY_DATA = """
portal: kilenchid-data
home: HOME/app/
fetch: {delay: 0s}
archive:
  url: "HOME/app/api/lista/{column}/{page}"
  format: json
  pages: infinite
  item: {json: "cikkek[]"}
  link: {json: link}
columns: [hirek]
articles:
  format: json
  identity: "/cikk/belfold/(\\\\d+)/"
  make_url: "HOME/app/api/cikk/belfold/{value}"
metadata: {headline: {json: cim}}
body: {root: {json: html}}
"""


def cpu_of_all(process: subprocess.Popen[bytes]) -> float:
    """Seconds of CPU of a process and all that it starts, until it ends: of the browser's, which nobody waits for, as seen last."""
    used: dict[int, float] = {}
    while process.poll() is None:
        with suppress(psutil.Error):
            own = psutil.Process(process.pid)
            for one in (own, *own.children(recursive=True)):
                with suppress(psutil.Error):
                    times = one.cpu_times()
                    used[one.pid] = times.user + times.system
        time.sleep(0.1)
    return sum(used.values())


def crawled(site: ExamplePortal, rules: Path, column: str) -> tuple[int, float, float, int, int]:
    """Articles fetched, seconds, seconds of CPU, requests, bytes in WARC files."""
    site.forget_requests()
    corpus = rules.parent / f"corpus-{rules.stem}"
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "webarticlecurator", "crawl", str(rules), "--corpus", str(corpus), "--column", column, "--quiet"]
    )
    cpu = cpu_of_all(process)
    seconds = time.monotonic() - began
    if process.returncode:
        raise SystemExit(f"the crawl of {rules.name} ended with {process.returncode}")
    asked = sum("robots.txt" not in line.target and "well-known" not in line.target for line in site.requests)
    articles = sum("-articles-" in path.name for path in (corpus / "warc").iterdir())
    assert articles, "the crawl stored no articles"
    size = sum(path.stat().st_size for path in (corpus / "warc").iterdir())
    return len(site.articles["belfold"]), seconds, cpu, asked, size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=600, help="of the portal, about a sixth of them in the column (default 600)")
    asked = parser.parse_args()
    with ExamplePortal(articles=asked.articles) as site, tempfile.TemporaryDirectory() as folder:
        by_data = Path(folder) / "data.yaml"
        by_data.write_text(BY_DATA.replace("HOME", site.home), "utf-8")
        plain = site.portal_file(Path(folder), delay="0s").rename(Path(folder) / "plain.yaml")
        shown = site.portal_file(Path(folder), delay="0s", scripted=True).rename(Path(folder) / "browser.yaml")
        print(f"{'':24}{'articles':>9}{'s each':>9}{'CPU s':>9}{'requests':>10}{'WARC KB':>9}   each of the four of an article")
        rows = [("in a browser", shown, "hirek"), ("by its data", by_data, "hirek"), ("plain pages", plain, "belfold")]
        costs = {name: crawled(site, rules, column) for name, rules, column in rows}
        for name, (articles, *figures) in costs.items():
            seconds, cpu, requests, size = (figure / articles for figure in figures)
            print(f"{name:24}{articles:>9}{seconds:>9.3f}{cpu:>9.3f}{requests:>10.2f}{size / 1000:>9.1f}")
        browser, data = costs["in a browser"], costs["by its data"]
        names = ("seconds", "CPU", "requests", "bytes")
        print(
            "a browser beside the data: "
            + ", ".join(f"{a / b:.1f} times the {n}" for n, a, b in zip(names, browser[1:], data[1:], strict=True))
        )


if __name__ == "__main__":
    main()
