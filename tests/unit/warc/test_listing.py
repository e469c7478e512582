"""One line an exchange, whoever stored it."""

from __future__ import annotations

from webarticlecurator.warc.listing import list_exchanges
from webarticlecurator.warc.records import refuse
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.writer import Entry


def test_each_exchange_is_listed_with_its_outcome(store, folder, make_entry):
    store.append(Series.ARTICLES, [make_entry(body=b"12345")])
    store.append(Series.ARTICLES, [make_entry("https://pelda.example/b", response_bytes=None, event={"outcome": "error"})])
    store.append(Series.ARTICLES, [Entry(event={"outcome": "robots", "reason": "disallowed"}, target="https://pelda.example/c")])
    store.close()
    listed = list(list_exchanges(next(folder.iterdir()), on_damage=refuse))
    assert [(one.url, one.status, one.type, one.size, one.outcome) for one in listed] == [
        ("https://pelda.example/a", 200, "text/html", 5, "fetched"),
        ("https://pelda.example/b", None, "application/http", listed[1].size, "error"),
        ("https://pelda.example/c", None, "application/warc-fields", listed[2].size, "robots"),
    ]
    assert (listed[2].reason, listed[2].record) == ("disallowed", "metadata")
