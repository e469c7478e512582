"""How surely the software of a page is recognised when its generator tag is not looked at: that tag is the truth.

A folder holds `meta.jsonl` (or `meta.jsonl.gz`: one object a page, with `id` and `url`) and `pages/ID.html.gz`. Pages whose generator names
no known system, or two, are not counted.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from webarticlecurator.document.page import read_page
from webarticlecurator.extraction.site_software import detect_software
from webarticlecurator.extraction.software_signs import SYSTEMS, Place
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CERTAIN = 0.5
"""What counts as recognised."""
_OTHERS: frozenset[Place] = frozenset({"header", "cookie", "address", "asset", "picture", "link", "script", "css"})


def pages(folder: Path) -> Iterator[Page]:
    """Those that can be read."""
    packed = folder / "meta.jsonl.gz"
    with gzip.open(packed, "rt", encoding="utf-8") if packed.exists() else (folder / "meta.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            about = json.loads(line)
            (path,) = (folder / "pages").glob(f"{about['id']}.html*")
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            url = about.get("url") or "https://page.example/"
            capture = Capture(url=url, requested_url=url, status=200, headers=(), entity=content, date=datetime.now(UTC))
            page = read_page(capture, encoding=about.get("encoding"), classified=True)
            if isinstance(page, Page):
                yield page


def main(folders: list[Path]) -> None:
    truth: Counter[str] = Counter()
    said: Counter[str] = Counter()
    right: Counter[str] = Counter()
    silent = number = 0
    for folder in folders:
        for page in pages(folder):
            number += 1
            named = {one.software for one in detect_software([page], without=_OTHERS)}
            if len(named) != 1:
                continue
            (software,) = named
            truth[software] += 1
            found = [one for one in detect_software([page], without=frozenset({"generator"})) if one.certainty >= CERTAIN]
            if not found:
                silent += 1
                continue
            said[found[0].software] += 1
            right[found[0].software] += found[0].software == software
    print(f"{number:,} pages, {sum(truth.values()):,} name one known system; of {silent:,} the other signs say nothing")
    print(f"{'system':24}{'pages':>7}{'precision':>11}{'recall':>9}")
    for system in SYSTEMS:
        if truth[system.name] or said[system.name]:
            precision = f"{right[system.name] / said[system.name]:.3f}" if said[system.name] else "-"
            recall = f"{right[system.name] / truth[system.name]:.3f}" if truth[system.name] else "-"
            print(f"{system.name:24}{truth[system.name]:>7,}{precision:>11}{recall:>9}")
    print(f"{'all':24}{sum(truth.values()):>7,}{sum(right.values()) / max(1, sum(said.values())):>11.3f}", end="")
    print(f"{sum(right.values()) / max(1, sum(truth.values())):>9.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, help="default: all below ../shared/data")
    given = parser.parse_args().folders or sorted({path.parent for path in DATA.glob("**/meta.jsonl*")})
    if given:
        main(given)
    else:
        print(f"There are no pages in {DATA}: nothing to do.")
