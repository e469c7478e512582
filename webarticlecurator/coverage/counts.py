"""What a corpus and a web archive both hold, and what only one of them: captures against the ledger, in tables that are gone in the end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from importlib.resources import files
from typing import Any

import orjson

from webarticlecurator.building.kept_article import day_of
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_numbers import open_for_coverage
from webarticlecurator.coverage.index_lines import article_of, captures_in
from webarticlecurator.databases import Row, rows_of
from webarticlecurator.storage.places import draft_of

_QUERIES = dict(re.findall(r"(?ms)^--- ([a-z-]+)\n(.*?)(?=^--- |\Z)", files(__package__).joinpath("counts.sql").read_text("utf-8")))


def count(portal: Portal, corpus: Corpus, indexes: Iterable[Iterable[bytes]]) -> dict[str, Any]:
    """The totals, rows of years and columns, and what the lines were; a list of what only the archive has is written."""
    kinds: Counter[str] = Counter()
    article_at = lru_cache(1024)(partial(article_of, portal=portal))  # an index has the captures of an address together

    def captures(index: Iterable[bytes]) -> Iterator[tuple[str, ...]]:
        for line in captures_in(index):
            article = article_at(line.url) if line is not None else "no lines of an index"
            if line is None or isinstance(article, str):
                kinds[str(article)] += 1
                continue
            kinds[line.kind] += 1
            if line.kind == "pages":
                url, compared = article
                fields = {name: value for name, value in line._asdict().items() if name != "moment"}
                yield compared, line.moment.isoformat(), url, f"{compared} {line.moment:%Y%m%d%H%M%S} {orjson.dumps(fields).decode()}"

    groups: dict[str, Any] = {"totals": [], "years": [], "columns": []}
    with Ledger.reading(corpus.ledger, build=corpus.build_database) as ledger:
        db = open_for_coverage(ledger, whole_day=day_of)
        db.execute(_QUERIES["tables"])
        ledger.hold()
        for index in indexes:
            db.executemany(_QUERIES["take"], captures(index))
        db.execute("COMMIT")
        kinds["addresses of pages that the corpus knows as no articles"] = db.execute(_QUERIES["others"]).rowcount
        db.execute(_QUERIES["compared"])
        for row in rows_of(db.execute(_QUERIES["counted"])):
            groups[row.pop("by")].append(row)
        with draft_of(corpus.only_theirs) as draft, draft.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for (line,) in db.execute(_QUERIES["only-theirs"]))
    totals = next(iter(groups["totals"]), Row(name=None, both=0, only_ours=0, only_theirs=0, days=None))
    del totals["name"]
    return {**groups, "totals": totals, "lines": +kinds}
