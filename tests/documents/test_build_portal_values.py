"""What so many articles of a portal say that it may be the portal's is told, with the line of the portal file that leaves it out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from small_corpus import SmallCorpus, page

OFTEN = 20
"""Articles that have a keyword in common, before it may be the portal's."""
EVERYWHERE = "<meta name=keywords content='Everywhere, {0}'><meta name=description content='All the news'>"
OF_PORTAL = {
    "description": "description: All the news (20 documents);"
    ' `metadata: {description: {meta: description, drop: ["All the news"]}}` leaves that out',
    "keywords": "keywords: Everywhere (20 documents), which is left out: it stands in nearly all",
}


def store(corpus: SmallCorpus, numbers: Sequence[int], head: str = EVERYWHERE) -> None:
    corpus.store(*((f"/{number}", page(f"Bridge {number}", head=head.format(f"topic {number}"))) for number in numbers))


def test_a_description_on_every_page_is_told_with_the_line_that_leaves_it_out_and_a_keyword_is_left_out(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN))
    told = corpus.build().portal_values
    assert told == tuple(OF_PORTAL.values())
    assert corpus.build().portal_values == told, "whoever builds again is told the same"
    fields = [rules[0] for value in told if (rules := re.findall(r"`metadata: \{(.*)\}`", value))]
    corpus.rules = f"metadata: {{{', '.join(fields)}}}\n"
    assert corpus.build().portal_values == (OF_PORTAL["keywords"],), "no rule for keywords"
    documents = [document.decode() for document in corpus.documents.values()]
    assert not any("All the news" in document or "Everywhere" in document for document in documents)
    assert all("topic" in document for document in documents)


def test_of_few_articles_nobody_knows(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN - 1))
    assert [value.partition(":")[0] for value in corpus.build().portal_values] == ["description"]


@pytest.mark.parametrize(("sharing", "is_told"), [(5, True), (4, False)])
def test_a_description_that_several_articles_share_may_be_the_portals(corpus: SmallCorpus, sharing: int, *, is_told: bool) -> None:
    store(corpus, range(sharing), head="<meta name=description content='All the news'>")
    store(corpus, range(sharing, 80), head="<meta name=description content='The bridge and {0}'>")
    assert len(corpus.build().portal_values) == is_told


SHARED = "<meta property=og:image content='https://pelda.example/logo.png'>"
OWN = "<meta name=description content='Words of {0}'><meta property=og:image content='https://pelda.example/{0}.jpg'>"


@pytest.mark.nightly
@pytest.mark.parametrize(("others", "is_told"), [(9, True), (10, False)])
def test_a_picture_that_a_tenth_of_the_articles_share_may_be_the_portals(corpus: SmallCorpus, others: int, *, is_told: bool) -> None:
    store(corpus, range(OFTEN), head=SHARED)
    store(corpus, range(OFTEN, (1 + others) * OFTEN + 1 - is_told), head=OWN)
    assert [value.split(" ")[1] for value in corpus.build().portal_values] == ["https://pelda.example/logo.png"] * is_told


def test_a_picture_that_articles_show_in_their_text_is_theirs(corpus: SmallCorpus) -> None:
    shown = b"<article><figure><img src=/logo.png width=600><figcaption>The bridge</figcaption></figure>"
    corpus.store(*((f"/{number}", page(f"Bridge {number}", head=SHARED).replace(b"<article>", shown)) for number in range(OFTEN)))
    assert corpus.build().portal_values == ()


def test_articles_that_are_gone_do_not_count(corpus: SmallCorpus) -> None:
    store(corpus, range(OFTEN))
    corpus.build()
    for number in range(5):
        corpus.forget(f"/{number}")
    (told,) = corpus.build().portal_values
    assert told.startswith("description: All the news (15 documents)")


def test_what_a_rule_of_the_portal_file_gives_is_the_articles(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {keywords: {meta: keywords, split: ', '}}\n"
    store(corpus, range(OFTEN))
    assert corpus.build().portal_values == (OF_PORTAL["description"],)


def test_a_field_that_no_document_has_is_told_unless_a_rule_says_that_there_is_none(corpus: SmallCorpus) -> None:
    store(corpus, range(9), head="")
    assert corpus.build().lacking == {}, "of few nobody knows"
    store(corpus, [9], head="")
    assert corpus.build().lacking == {"author": 10}
    corpus.rules = "metadata: {author: {drop: ['.*']}}\n"
    assert corpus.build().lacking == {}
    corpus.rules = ""
    store(corpus, [10], head="<meta name=author content='Ann Lee'>")
    assert corpus.build().lacking == {}


def test_a_rule_that_never_gives_a_value_is_told(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {author: span.nobody, headline: h1, keywords: {drop: ['news']}}\n"
    store(corpus, range(9))
    assert corpus.build().fruitless == (), "of few nobody knows"
    store(corpus, [9])
    assert corpus.build().fruitless == ("metadata.author",)


def test_a_rule_for_posts_that_never_gives_a_value_is_told(corpus: SmallCorpus) -> None:
    corpus.rules = "posts: {comments: {item: li.c, author: b.who, time: i, text: b, reply_to: {attr: data-parent}}}\n"
    comments = "".join(
        f"<li class=c data-parent=''><b>Ann</b> <i>2024-05-0{number + 1}</i> What a bridge it is!</li>" for number in range(5)
    )
    html = page("A bridge").replace(b"</article>", f"</article><ul>{comments}</ul>".encode())
    corpus.store(("/1", html))
    assert corpus.build().fruitless == (), "of few nobody knows"
    corpus.store(("/2", html))
    assert corpus.build().fruitless == ("posts.comments.author", "posts.comments.reply_to", "posts.comments.text")


def test_a_text_without_blanks_is_one(corpus: SmallCorpus) -> None:
    corpus.rules = "posts: {comments: {item: li.c, text: p}}\n"
    comments = "".join(
        f"<li class=c><p>{number}水車がなくなれば村もなくなると中村さんは語った。わたしはそう思わない。</p></li>" for number in range(10)
    )
    corpus.store(("/1", page("A bridge").replace(b"</article>", f"</article><ul>{comments}</ul>".encode())))
    assert corpus.build().fruitless == ()


def test_documents_without_a_date_are_told_where_others_have_one(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {author: {const: Ann Lee}}\n"
    corpus.store(*((f"/{number}", page(f"Bridge {number}", published="2024-05-01" if number else None)) for number in range(20)))
    assert corpus.build().lacking == {"datePublished": 1}


def test_dates_that_the_format_of_a_rule_does_not_read_are_told(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {datePublished: {meta: day, date: M/d/yyyy}}\n"
    corpus.store(*((f"/{day}", page(f"Bridge {day}", head=f"<meta name=day content={day}/03/2024>")) for day in (1, 2, 13, 14)))
    assert corpus.build().odd_values == {"datePublished is not read by `M/d/yyyy` of the portal file": (2, "13/03/2024")}
