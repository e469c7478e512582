"""What extruct takes to read microdata, JSON-LD and RDFa, beside our own readers, on real pages that have them.

  python benchmarks/structured_data.py [--pages 150]        (after: pip install extruct)

Milliseconds of CPU a page, on a tree that is there already; for RDFa extruct needs a tree of its own, which is counted. A page on which
it raises counts with its time. Below that: what loading it takes, and how its time for microdata grows with items in one another.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import lxml.html
from lxml import etree
from processes import run

from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.structured_data import MICRODATA, RDFA, Syntax, embedded, json_ld_objects

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
URL = "https://pelda.example/"
NESTED = (50, 100, 200)

Reader = Callable[[Any, str], Any]


def ours(syntax: Syntax, tree: Any, _: str) -> Any:
    return embedded([element for element in tree.iter(etree.Element) if element.get(syntax.property)], syntax)


def readers() -> dict[str, tuple[bytes, Reader, Reader]]:
    """Syntax -> what shows it in a page's bytes, our reader, extruct's."""
    from extruct import JsonLdExtractor, MicrodataExtractor, RDFaExtractor

    return {
        "microdata": (b"itemprop=", partial(ours, MICRODATA), lambda tree, _: MicrodataExtractor().extract_items(tree, URL)),
        "JSON-LD": (b"ld+json", lambda tree, _: json_ld_objects(tree, URL), lambda tree, _: JsonLdExtractor().extract_items(tree)),
        "RDFa": (b"typeof=", partial(ours, RDFA), lambda _, html: RDFaExtractor().extract(html, base_url=URL)),
    }


def seconds(read: Callable[[], Any]) -> tuple[float, bool]:
    """The CPU of one reading, and whether it raised."""
    begin = process_time()
    try:
        read()
    except Exception:  # it may raise anything, and this is what is counted
        return process_time() - begin, True
    return process_time() - begin, False


def measured(pages: list[bytes], reader: Reader, other: Reader) -> str:
    """Our cost, its cost and the pages on which it raised."""
    costs, raised = [0.0, 0.0], 0
    for page in pages:
        html = page.decode("utf-8", "replace")
        own_cost, _ = seconds(partial(reader, parse_html(html), html))
        other_cost, failed = seconds(partial(other, lxml.html.fromstring(html.encode()), html))
        costs = [costs[0] + own_cost, costs[1] + other_cost]
        raised += failed
    own, others = (1000 * cost / max(1, len(pages)) for cost in costs)
    return f"{len(pages):>6} {own:>6.2f} ms {others:>6.2f} ms {raised:>7}"


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--pages", type=int, default=150, help="of each syntax")
    most = arguments.parse_args().pages
    pages = [gzip.decompress(path.read_bytes()) for path in sorted(DATA.rglob("*.html.gz"))]
    if not pages:
        print("There are no real pages beside the checkout.")
        return 1
    print(f"{'':10} {'pages':>6} {'ours':>9} {'extruct':>9} {'raised':>7}")
    for name, (sign, reader, other) in readers().items():
        print(f"{name:10} {measured([page for page in pages if sign in page][:most], reader, other)}")
    loading = min(run([sys.executable, "-c", "import extruct"]).cpu for _ in range(3))
    without = min(run([sys.executable, "-c", "import lxml.html"]).cpu for _ in range(3))
    print(f"loading extruct: {loading - without:.2f} s of CPU in each process")
    _, reader, other = readers()["microdata"]
    for number in NESTED:
        items = "<div itemprop=a itemscope><i itemprop=name>x</i>" * number + "</div>" * number
        tree = lxml.html.fromstring(f"<html><body><div itemscope>{items}</div></body></html>")
        own, others = (seconds(partial(read, tree, ""))[0] for read in (reader, other))
        print(f"{number:>3} items in one another: ours {own:.3f} s, extruct {others:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
