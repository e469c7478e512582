"""How many documents are enough to say something of a corpus, and which of them are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from webarticlecurator.building.database import DOCUMENTED_IN_SQL, BuildDatabase, BuiltArticle

FEWEST = 10
"""Documents that say what a rule gives."""
FEWEST_TIMES = 20
"""Documents that say when they were published, without a rule."""
FEWEST_OF_SOME = 3
"""Documents that are misread, are lists, or have several authors in one."""
SOME = 0.05
"""The share of all documents that is no chance."""
ENOUGH_OF_FEW = 0.1
"""The share of documents from which on something is wrong that right rules do nowhere."""
ENOUGH_DATES = 0.2
"""The share of documents of one minute from which on that is odd."""
ENOUGH_OF_SOME = 0.3
"""The share of documents for which the page says something else, where a rule has alternatives or takes
parts."""
ENOUGH = 0.6
"""The share of documents for which the page says something else, from which on a rule seems wrong."""
MOST = 0.8
"""The share of documents that are most of them."""
NEARLY_ALL = 0.9
"""The share of documents that are nearly all."""
LOOKED_AT = 500
"""Documents of each field, evenly spread."""
PAGES = 3
"""Pages that are named for one doubt, to be looked at."""
Doubt = tuple[str, Sequence[str]]
"""A sentence on what may be wrong, and the addresses of some articles that show it."""
_LONGEST = 80
"""Characters of a value that are shown."""
SAMPLE = f"""
    WITH documents AS (SELECT number, row_number() OVER (ORDER BY number) AS place FROM articles WHERE outcome IN {DOCUMENTED_IN_SQL}),
    total AS (SELECT count(*) AS total FROM articles WHERE outcome IN {DOCUMENTED_IN_SQL}),
    sample AS (SELECT number, url, layout FROM documents, total JOIN articles USING (number)
        WHERE place % max(1, total / {LOOKED_AT}) = 0)
"""


def sampled(database: BuildDatabase, most: int, where: str = "1") -> Iterator[BuiltArticle]:
    """Give so many documents of the sample, of all times, that fulfil an SQL condition."""
    return islice(
        database.read(
            f"a.number IN ({SAMPLE} SELECT number FROM sample) AND {where}", order="number % 97, number"
        ),
        most,
    )


def shown(value: str) -> str:
    """Return a value in quotes, cut where it is long."""
    return repr(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}...")
