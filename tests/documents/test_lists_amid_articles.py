"""A page with many links is no list where nearly all pages that are written and made like it are articles."""

from __future__ import annotations

import pytest
from small_corpus import SmallCorpus, page

TEASERS = "".join(
    f"<li><h3><a href=/messages/2024/other-subject-{number}>Another subject {number}</a></h3><p>Somebody wrote this about it.</p></li>"
    for number in range(24)
)
LIST = (
    "<html lang=en><head><title>What we read in May</title></head><body class=archive><h1>What we read in May</h1>"
    f"<ul>{TEASERS}</ul></body></html>"
).encode()


def store(corpus: SmallCorpus, *, lists: int, address: str = "/messages/2024/what-we-read-{}") -> set[str]:
    """Store 60 messages, and so many pages that read like lists; return the addresses of these."""
    corpus.store(*((f"/messages/2024/subject-number-{number}", page(f"Subject number {number}")) for number in range(60)))
    corpus.store(*((address.format(number), LIST.replace(b"in May", f"in May {number}".encode())) for number in range(lists)))
    return {f"https://pelda.example{address.format(number)}" for number in range(lists)}


def outcomes(corpus: SmallCorpus) -> dict[str, str]:
    return dict(corpus.ask("SELECT url, outcome FROM articles WHERE url NOT LIKE '%/subject-%'"))


def test_a_message_with_many_links_is_an_article_amid_messages_and_says_so(corpus: SmallCorpus) -> None:
    lists = store(corpus, lists=2)
    summary = corpus.build()
    assert outcomes(corpus) == dict.fromkeys(lists, "article")
    assert summary.outcomes == {"article": 62}
    documents = [document for document in corpus.documents.values() if b"reads like a list" in document]
    assert len(documents) == 2 and all(b"Somebody wrote this about it." in document for document in documents)


@pytest.mark.parametrize(("lists", "address"), [(20, "/messages/2024/what-we-read-{}"), (2, "/what-we-read-{}/")])
def test_many_of_them_or_pages_of_another_form_are_lists(corpus: SmallCorpus, lists: int, address: str) -> None:
    stored = store(corpus, lists=lists, address=address)
    corpus.build()
    assert outcomes(corpus) == dict.fromkeys(stored, "listing")


def test_a_second_build_and_one_of_everything_change_nothing(corpus: SmallCorpus) -> None:
    store(corpus, lists=2)
    corpus.build()
    before = corpus.documents
    assert corpus.build().written == 0
    again = corpus.build(everything=True)
    assert (again.written, again.removed, corpus.documents) == (0, 0, before)
