"""What so many articles of a portal carry is the portal's, whatever order the articles come in."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator import read_corpus

OFTEN = 20
"""Articles that have a keyword in common, before it is the portal's."""
EVERYWHERE = "<meta name=keywords content='Everywhere, {0}'><meta name=description content='All the news'>"

TAGGED = f"{EVERYWHERE}<meta property=article:tag content=Everywhere>"


def store(corpus: SmallCorpus, numbers: Sequence[int], head: str = EVERYWHERE) -> None:
    corpus.store(*((f"/{number}", page(f"Bridge {number}", head=head.format(f"topic {number}"))) for number in numbers))


def terms(corpus: SmallCorpus) -> dict[str, list[str]]:
    """Headline -> keywords of the document."""
    documents = [document.decode() for document in corpus.documents.values()]
    return {re.findall(r"Bridge \d+", one)[0]: re.findall(r"<term>([^<]*)</term>", one) for one in documents}


def test_a_keyword_and_a_description_on_every_page_stand_in_no_document(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN))
    summary = corpus.build()
    assert terms(corpus)["Bridge 3"] == ["topic 3"]
    assert not any(b"All the news" in document for document in corpus.documents.values())
    assert summary.portal_values == ("description: All the news (20 documents)", "keywords: Everywhere (20 documents)")
    assert (summary.written, summary.unchanged) == (OFTEN, 0)


def test_a_tag_of_some_articles_stays_theirs_though_all_pages_have_the_word_among_their_keywords(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN))
    store(corpus, range(OFTEN, OFTEN + 5), head=TAGGED)
    summary = corpus.build()
    assert (terms(corpus)["Bridge 3"], terms(corpus)["Bridge 22"]) == (["topic 3"], ["Everywhere"])
    assert "keywords: Everywhere (20 documents)" in summary.portal_values


def test_of_few_articles_nobody_knows(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN - 1))
    corpus.build()
    assert terms(corpus)["Bridge 3"] == ["Everywhere", "topic 3"]


@pytest.mark.parametrize(("sharing", "left_out"), [(5, True), (4, False)])
def test_a_description_that_several_articles_share_is_the_portals(corpus: SmallCorpus, sharing: int, *, left_out: bool) -> None:
    store(corpus, range(sharing), head="<meta name=description content='All the news'>")
    store(corpus, range(sharing, 80), head="<meta name=description content='The bridge and {0}'>")
    summary = corpus.build()
    assert any(b"All the news" in document for document in corpus.documents.values()) is not left_out
    assert summary.portal_values == ((f"description: All the news ({sharing} documents)",) if left_out else ())
    assert sum(b"The bridge and" in document for document in corpus.documents.values()) == 80 - sharing


def test_the_documents_do_not_depend_on_the_order_of_builds(corpus: SmallCorpus, tmp_path_factory) -> None:
    store(corpus, range(10))
    corpus.build()
    store(corpus, range(10, 30))
    corpus.build()
    at_once = SmallCorpus(tmp_path_factory.mktemp("at-once"), now=corpus.now)
    store(at_once, range(10))
    store(at_once, range(10, 30))
    at_once.build()
    assert terms(corpus) == terms(at_once)
    assert terms(corpus)["Bridge 3"] == ["topic 3"]
    before = corpus.documents
    again = corpus.build(everything=True)
    assert (corpus.documents, again.written, again.confirmed) == (before, 0, 30)


def test_what_is_no_more_on_nearly_every_page_comes_back(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN))
    corpus.build()
    store(corpus, range(OFTEN, OFTEN + 2), head="<meta name=keywords content='Other'>")
    summary = corpus.build()
    assert terms(corpus)["Bridge 3"] == ["Everywhere", "topic 3"]
    assert (summary.written, summary.unchanged, summary.portal_values) == (OFTEN + 2, 0, ("description: All the news (20 documents)",))


SECTION = "<meta property='article:section' content='Domestic'>"


def test_a_section_is_told_to_be_left_out_of_the_documents_that_have_another_one(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN), head=SECTION)
    store(corpus, range(OFTEN, OFTEN + 2), head=f"{SECTION}<meta property='article:section' content='Floods'>")
    summary = corpus.build()
    assert sum(b"Domestic" not in document for document in corpus.documents.values()) == 2
    assert summary.portal_values == ("articleSection: Domestic (2 documents)",)
    assert corpus.build().portal_values == summary.portal_values, "whoever builds again is told the same"


def test_a_rule_of_the_portal_file_says_what_is_the_articles(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {keywords: {meta: keywords, split: ', '}}\n"
    store(corpus, range(OFTEN))
    corpus.build()
    assert terms(corpus)["Bridge 3"] == ["Everywhere", "topic 3"]


HOUSE, ANN = '{"@type": "Organization", "name": "Pelda House"}', '{"@type": "Person", "name": "Ann Lee"}'


def by(*authors: str) -> str:
    data = f'{{"@type": "NewsArticle", "headline": "x", "author": [{", ".join(authors)}]}}'
    return f"<script type='application/ld+json'>{data}</script>".replace("{", "{{").replace("}", "}}")


def test_an_organisation_gives_way_to_an_author_and_a_person_to_nobody(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN), head=by(HOUSE))
    store(corpus, range(OFTEN, OFTEN + 2), head=by(ANN, HOUSE))
    corpus.build()
    authors = [[found.value for found in article.metadata["author"]] for article in read_corpus(corpus.portal, corpus=corpus.folder)]
    assert sorted(map(tuple, authors)) == [("Ann Lee",)] * 2 + [("Pelda House",)] * OFTEN
