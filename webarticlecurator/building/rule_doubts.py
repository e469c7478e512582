"""What speaks against the portal file's rules for metadata: one value everywhere, or what the pages themselves say of most articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, timedelta
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.document.decode import codec_of
from webarticlecurator.extraction.metadata.dates import read_iso
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.text import folded

_FEWEST = 10
"""Documents that say what a rule gives."""
_LOOKED_AT = 500
"""Documents of each field, evenly spread."""
_ENOUGH, _ENOUGH_DATES = 0.6, 0.2
"""Share of them for which the page says something else; dates of changes are other than those of publication on some pages only."""
_TOPICS = ("articleSection", "keywords")
"""Portals call these in many ways; only one and the same on every page is none."""
_LISTS = 0.05
"""Share of documents that may be lists."""
_INDEX = re.compile(r"/index\.[a-z]{3,5}$")
_SAME_MOMENT = timedelta(minutes=30)
"""Between the times that one page tells of one publication."""
_LONGEST = 80
"""Characters of a value that are shown."""
_SAMPLE = f"""
    WITH documents AS (SELECT number, url, row_number() OVER (ORDER BY number) AS place, count(*) OVER () AS total FROM articles
        WHERE outcome IN ('{"', '".join(sorted(DOCUMENTED))}')),
    sample AS (SELECT number, url FROM documents WHERE place % max(1, total / {_LOOKED_AT}) = 0)
"""
_RULED = f"""{_SAMPLE}
    SELECT m.field, m.source, m.value, coalesce(o.value, ''), coalesce(o.source, ''), url FROM sample
    JOIN metadata m ON m.article = number AND NOT m.disagrees AND m.place = 0
    LEFT JOIN metadata o ON o.article = number AND o.field = m.field AND o.disagrees AND o.place = 0
    WHERE m.source IN (SELECT value FROM json_each(?)) ORDER BY m.source, number
"""
_HEADLINES = f"""{_SAMPLE}
    SELECT value, url FROM sample JOIN metadata ON article = number AND field = 'headline' AND NOT disagrees AND place = 0 ORDER BY number
"""
_ALONE = f"""
    SELECT kind_of_post, count(*), min(url) FROM
        (SELECT kind AS kind_of_post, article, count(*) AS together FROM posts WHERE kind != 'blog' GROUP BY kind, article)
    JOIN articles ON number = article GROUP BY kind_of_post HAVING count(*) >= {_FEWEST} AND max(together) = 1
"""


class _Ruled(NamedTuple):
    """What a rule gave for one article, and what the page's own data say instead; empty where they do not."""

    field: str
    source: str
    value: str
    other: str
    other_source: str
    url: str


def rule_doubts(database: BuildDatabase, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of each of these rules (`metadata.headline`, `listing:author`) that seems to give something else than its field, a sentence, and the
    URL of an article."""
    for source, rows in groupby(map(_Ruled._make, database.rows(_RULED, (orjson.dumps(sorted(sources)).decode(),))), key=itemgetter(1)):
        ruled = list(rows)
        doubt, url = _doubt(ruled) if len(ruled) >= _FEWEST else ("", "")
        if doubt:
            yield f"`{source.replace('listing:', 'archive.fields.')}` {doubt}", url


def post_doubts(database: BuildDatabase) -> Iterator[tuple[str, str]]:
    """Of rules for posts that seem to take all of them for one."""
    for kind, documents, url in database.rows(_ALONE):
        yield f"`posts.{kind}.item` gives just one post in each of {documents:,} documents; it must match one post, not what holds all", url


def list_doubts(database: BuildDatabase) -> Iterator[tuple[str, str]]:
    """That many documents may be lists: others stand below their addresses, as articles do below that of their day."""
    urls = sorted(url for (url,) in database.rows("SELECT url FROM articles WHERE path IS NOT NULL"))
    lists = []
    for place, url in enumerate(urls):
        folder = _INDEX.sub("/", url)
        if folder.endswith("/"):
            below = (other for other in urls[max(0, place - 1) : place + 3] if other != url and other.startswith(folder))
            lists += [url] if any(below) else []
    if len(lists) >= max(_FEWEST, _LISTS * len(urls)):
        reason = f"{amount(len(lists), 'document')} may be lists, since others stand below their addresses"
        cure = "`exclude` under `archive: urls` leaves them out of crawls, `articles: {skip: {when: SELECTOR}}` out of builds"
        yield f"{reason}; {cure}", lists[0]


def encoding_doubts(database: BuildDatabase, encoding: str | None) -> Iterator[tuple[str, str]]:
    """Of the encoding in which the portal file has pages read, if some of them are UTF-8 all the same."""
    if encoding is None or codec_of(encoding) in (None, "utf-8"):
        return
    misread = [(headline, url) for headline, url in database.rows(_HEADLINES) if _as_utf8(headline, encoding) != headline]
    if len(misread) >= _FEWEST:
        headline, url = misread[0]
        meant = f"{_shown(headline)} for {_shown(_as_utf8(headline, encoding))}"
        yield f"`fetch.encoding` misreads {amount(len(misread), 'document')} that are UTF-8, such as {meant}", url


def _as_utf8(text: str, encoding: str) -> str:
    try:
        return text.encode(codec_of(encoding) or encoding).decode()
    except UnicodeError:
        return text


def _doubt(ruled: Sequence[_Ruled]) -> tuple[str, str]:
    field, values, others = ruled[0].field, Counter(row.value for row in ruled), Counter(row.other for row in ruled if row.other)
    usual, times = values.most_common(1)[0]
    if field == "headline" and 2 * len(values) < len(ruled):
        alike = f"gives no more than {amount(len(values), 'value')} for {len(ruled):,} documents ({_shown(usual)} for {times:,} of them)"
        return alike, next(row.url for row in ruled if row.value == usual)
    # what the pages say of most articles alike, such as their portal's name, says nothing of any
    if not others or 2 * others.most_common(1)[0][1] > len(ruled):
        return "", ""
    enough = len(ruled) * (_ENOUGH_DATES if field == "datePublished" else _ENOUGH)
    against = [row for row in ruled if row.other and (len(values) == 1 if field in _TOPICS else _is_another(row))]
    if len(against) < enough and field == "headline":  # such as the portal's name behind each
        added = Counter(row.value.replace(row.other, "") for row in ruled if row.other and row.other in row.value)
        against = [row for row in ruled if added and row.other + added.most_common(1)[0][0] == row.value]
    if len(against) < enough or not against:
        return "", ""
    row, where = against[0], f"for {len(against):,} of {len(ruled):,} documents something else than the page says"
    return f"gives {where}, such as {_shown(row.value)} for {_shown(row.other)} ({row.other_source})", row.url


def _is_another(row: _Ruled) -> bool:
    """Another time or day; another name, or one with more around it; another title: those that somebody wrote anew have words in common."""
    if row.field == "datePublished":
        (day, moment), (other_day, other_moment) = (read_iso(text, UTC) for text in (row.value, row.other))
        is_another = abs(moment - other_moment) >= _SAME_MOMENT if moment and other_moment else day != other_day
        return is_another and "ublished" in row.other_source
    if row.field == "author" and folded(row.other) in folded(row.value):
        return True
    words, others = (set(map(folded, text.split())) for text in (row.value, row.other))
    return 2 * len(words & others) < min(len(words), len(others))


def _shown(value: str) -> str:
    return repr(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}...")
