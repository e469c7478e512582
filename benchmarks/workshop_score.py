"""From no rules to good ones: the body scores of two portals under the rules that docs/tutorials/workshop.md arrives at, and under none.

    python benchmarks/workshop_score.py                 the rules kept in benchmarks/workshop
    python benchmarks/workshop_score.py --begin DIR     the pages as WARC, and portal files without rules: to try it oneself
    python benchmarks/workshop_score.py --rules DIR     the rules found so

The truth has the headline as its first line, so ours is put there too. Only what has the outcome `article` has text. The pages are
not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from reader_score import DATA, curator_lines, pages, score_module
from results import Record, result_option
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article import extract
from webarticlecurator.model.outcome import PageOutcome

SET = "cleanportaleval"
RULES = Path(__file__).resolve().parent / "workshop"
PORTALS = {"bbc.co.uk_news": "bbc.yaml", "blogs.wsj.com_brussels": "brussels.yaml"}
TARGET, MOST_RULES = 0.97, 30

Meta = dict[str, Any]


def of_portal(data: Path, portal: str) -> Iterator[tuple[Meta, bytes]]:
    return ((meta, body) for meta, body in pages(data, SET) if meta["portal"] == portal)


def predicted(meta: Meta, body: bytes, portal: Portal) -> dict[str, Any]:
    """What the rules make of a page, as the score reads it."""
    article = extract(body, meta["url"], portal)
    lines: list[tuple[str, str]] = []
    if article.outcome is PageOutcome.ARTICLE:
        headline = [("head", found.value) for found in article.metadata.get("headline", ())[:1]]
        lines = [*headline, *curator_lines(article.blocks, captions=True)]  # the truth has the captions, too
    return {"id": meta["id"], "paragraphs": [{"type": kind, "text": text} for kind, text in lines]}


def body_f1(data: Path, name: str, portal: Portal) -> float:
    """Over the pages of one portal."""
    score = score_module(data / "extraction")
    read = list(of_portal(data, name))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(predicted(meta, body, portal)) + "\n" for meta, body in read)
        file.flush()
        rows, _ = score.score(SET, file.name, [meta for meta, _ in read])
    return float(score.SETS[SET][1](rows)["body_f1"])


def rules_in(portal: Portal) -> int:
    """Selectors and patterns that say what an article is and what is in it."""
    root = len(portal.body.root.alternatives) if portal.body.root is not None else 0
    own = portal.body.tags[0].rules if portal.body.tags else ()
    return root + len(own) + len(portal.articles.skip_when) + len(portal.articles.skip_url)


def begin(data: Path, folder: Path) -> None:
    """The pages of each portal as a WARC, and its portal file as it is before the first rule."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in PORTALS.items():
        shutil.copyfile(RULES / "without-rules" / file, folder / file)
        with (folder / file).with_suffix(".warc.gz").open("wb") as warc:
            writer = WARCWriter(warc, gzip=True)
            for meta, body in of_portal(data, name):
                head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
                writer.write_record(writer.create_warc_record(meta["url"], "response", payload=BytesIO(body), http_headers=head))
        print(f"{folder / file}, and its pages in {(folder / file).with_suffix('.warc.gz').name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--begin", type=Path, metavar="DIR")
    parser.add_argument("--rules", type=Path, metavar="DIR", default=RULES)
    asked = result_option(parser).parse_args()
    record = Record(
        "Rules written by hand: the workshop",
        "The two portals of docs/tutorials/workshop.md, read without rules and by the rules that the workshop arrives at.",
    )
    if not asked.data.is_dir():
        record.leave_out("the rules of the workshop, since the real pages are no part of the project and are not here")
    elif asked.begin is not None:
        begin(asked.data, asked.begin)
        return
    else:
        rows = []
        for name, file in PORTALS.items():
            ruled = load_portal(asked.rules / file)
            without, found = (body_f1(asked.data, name, one) for one in (load_portal(RULES / "without-rules" / file), ruled))
            rows.append((name, without, rules_in(ruled), found))
            record.figure(f"{name}: text F1 by the rules", found, at_least=TARGET)
            record.figure(f"{name}: rules", rules_in(ruled), at_most=MOST_RULES)
        record.table("The workshop", ("portal", "text F1 without rules", "rules", "text F1 by the rules"), rows)
    record.end(asked.result)


if __name__ == "__main__":
    main()
