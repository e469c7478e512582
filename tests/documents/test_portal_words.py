"""What stands in nearly all documents is the portal's: an end of headlines, a section, a keyword. It is left out, and not lost."""

from __future__ import annotations

from collections.abc import Sequence

from small_corpus import SmallCorpus, page

ENOUGH = 20
"""Documents that have a word in common not by chance."""
HEAD = "<meta name=keywords content='Everywhere, topic {0}'><meta property=article:section content=Rivers>"


def store(corpus: SmallCorpus, numbers: Sequence[int], title: str = "Bridge {0}: readers say", head: str = HEAD) -> None:
    corpus.store(*((f"/{number}", page(title.format(number), text="Bridges", head=head.format(number))) for number in numbers))


def values(corpus: SmallCorpus, field: str, disagrees: int = 0) -> set[tuple[str, str]]:
    """What the documents have in a field, each with its path."""
    told = "SELECT url, value FROM metadata JOIN articles ON number = article WHERE field = ? AND disagrees = ?"
    return {(url.removeprefix("https://pelda.example/"), value) for url, value in corpus.ask(told, field, disagrees)}


def test_what_nearly_all_documents_have_is_left_out(corpus: SmallCorpus) -> None:
    store(corpus, range(ENOUGH))
    summary = corpus.build()
    assert summary.written == ENOUGH
    assert [value.partition(" (")[0] for value in summary.portal_values] == [
        "headline: : readers say",
        "articleSection: Rivers",
        "keywords: Everywhere",
    ]
    assert values(corpus, "headline") == {(str(number), f"Bridge {number}") for number in range(ENOUGH)}
    assert values(corpus, "keywords") == {(str(number), f"topic {number}") for number in range(ENOUGH)}
    assert values(corpus, "articleSection") == set()
    assert ("0", "Rivers") in values(corpus, "articleSection", 1)
    assert not any(b"readers say" in document.partition(b"<body>")[0] for document in corpus.documents.values())


def test_it_is_left_out_of_what_comes_later_too(corpus: SmallCorpus) -> None:
    store(corpus, range(ENOUGH))
    corpus.build()
    store(corpus, [ENOUGH])
    assert corpus.build().written == 1
    assert corpus.build().written == 0
    assert (str(ENOUGH), f"Bridge {ENOUGH}") in values(corpus, "headline")


def test_where_others_have_it_not_it_comes_back(corpus: SmallCorpus) -> None:
    store(corpus, range(ENOUGH))
    corpus.build()
    store(corpus, range(ENOUGH, ENOUGH + 5), title="Dam {0}", head="")
    assert corpus.build().written == ENOUGH + 5
    assert ("0", "Bridge 0: readers say") in values(corpus, "headline")


def test_of_few_documents_nobody_knows(corpus: SmallCorpus) -> None:
    store(corpus, range(ENOUGH - 1))
    assert corpus.build().portal_values == ()


def test_what_a_rule_gives_is_the_article_s(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {headline: h1, articleSection: {meta: 'article:section'}, keywords: {meta: keywords, split: ', '}}\n"
    store(corpus, range(ENOUGH))
    assert corpus.build().portal_values == ()
