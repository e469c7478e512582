"""On real pages of many publishers the general finder keeps its quality."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from statistics import fmean

from real_pages import DATA, needs

from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.body.locate import Hints, Located, locate
from webarticlecurator.text import element_text

PAGES = DATA / "extraction" / "data" / "fundus"
FLOOR = 0.93
"""Mean F1 of the words; captions count as mistakes here."""


def words_of(located: Located | None) -> Counter[str]:
    elements = located.elements if located else ()
    return Counter(
        word for element in elements for word in element_text(element, without=set(located.furniture if located else ())).split()
    )


def f1(found: Counter[str], wanted: Counter[str]) -> float:
    return 2 * (found & wanted).total() / ((found.total() + wanted.total()) or 1)


@needs(PAGES)
def test_most_words_of_the_articles_are_found_and_few_others() -> None:
    scores = []
    for line in (PAGES / "meta.jsonl").read_text("utf-8").splitlines():
        meta = json.loads(line)
        tree = parse_html(gzip.decompress((PAGES / "pages" / f"{meta['id']}.html.gz").read_bytes()).decode("utf-8", "replace"))
        assert tree is not None
        wanted = Counter(word for block in meta["gold"]["blocks"] for word in block["text"].split())
        scores.append(f1(words_of(locate(tree, hints=Hints(headline=meta["gold"]["title"]))), wanted))
    assert fmean(scores) >= FLOOR
