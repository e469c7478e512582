"""Articles of a sitemap that lie outside of the path that nearly all share: sitemaps list manuals and notices beside a blog."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import takewhile

from webarticlecurator.amounts import amount
from webarticlecurator.config.columns import ALONE
from webarticlecurator.config.portal import ArchiveFormat, Portal
from webarticlecurator.corpus import ledger_questions
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.extraction.url_rules import article_url

_HOST = 3
"""Of `https://pelda.example/blog/` the pieces before the first slash of the path."""


def outside_addresses(ledger: Ledger, portal: Portal) -> Iterator[str]:
    """A sentence for each column from a sitemap whose rules do not say which addresses are wanted, with the rule to write."""
    for column in portal.columns:
        if column.format is not ArchiveFormat.SITEMAP or column.urls.only:
            continue
        path = _path_of_nearly_all(ledger_questions.directories(ledger, column.name, _directory))
        addresses = ledger_questions.addresses_outside(ledger, column.name, path) if path else []
        outside = [url for url in addresses if isinstance(article_url(url, column.urls, portal), str)]
        if path and outside:
            pattern = "^" + re.escape(path).replace(r"\-", "-")
            place = "archive" if column.name == ALONE or column.ways else f"columns: {column.name}"
            yield (
                f"{amount(len(outside), 'article lies', 'articles lie')} outside of {path}, where nearly all of the sitemap are (such as"
                f" {outside[0]}). If they are not wanted, `urls: {{only: ['{pattern}']}}` under `{place}` keeps later crawls from such"
                " pages; what is stored stays"
            )


def _directory(url: str) -> str:
    """The address as far as the last slash before the page, and before what has digits: days and numbers are no sections."""
    pieces = url.partition("?")[0].rstrip("/").split("/")
    folders = takewhile(lambda piece: not any(map(str.isdigit, piece)), pieces[_HOST:-1])
    return "/".join([*pieces[:_HOST], *folders]) + "/"


def _path_of_nearly_all(directories: Mapping[str, int]) -> str | None:
    """Of the first level on which they part."""
    total = sum(directories.values())
    for level in range(_HOST, _HOST + 4):
        paths: Counter[str] = Counter()
        for directory, articles in directories.items():
            if directory.count("/") >= level:
                paths["/".join(directory.split("/")[:level]) + "/"] += articles
        path, articles = max(paths.items(), key=lambda pair: pair[1], default=("", 0))
        if articles < total:
            return path if articles >= max(10, 0.8 * total) else None  # in a site of several sections less lie in the largest
    return None
