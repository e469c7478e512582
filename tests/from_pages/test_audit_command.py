"""`curator audit` as a person or a program sees it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

RULES = "body:\n  root: div.text\n  tags:\n    decompose: [div.ad]\n"


def article(number: int, *, inside: str = "", date: str = "2024-05-01") -> bytes:
    """A page with text of its own and something inside the container."""
    html = page(f"Bridge {number}", text=f"Meeting {number} on {date}, point", published=date)
    return html.replace(b'<div class="text">', f'<div class="text">{inside}'.encode())


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path, rules=RULES)


def _pages(count: int, inside: Callable[[int], str] = lambda _: "", **more: str) -> list[tuple[str, bytes]]:
    return [(f"/cikk/{number}", article(number, inside=inside(number), **more)) for number in range(count)]


def _unique(number: int) -> str:
    return (
        f'<div class="ad">In the year {number} somebody called {chr(97 + number) * 5} sold the last boat of the harbour to a friend.</div>'
    )


def _audit(curator: Any, corpus: SmallCorpus, *flags: object) -> Any:
    return curator("audit", corpus.portal.sources[0].path, "--corpus", corpus.folder, "--jobs", "1", *flags)


def test_code_that_several_articles_quote_is_no_furniture(curator: Any, corpus: SmallCorpus) -> None:
    """Four samples, each on every fifth page: all pages have such an element, and none the same."""
    code = "for each stone in the old bridge: measure it, weigh it, note it down and put it back again {}"
    corpus.store(*_pages(20, lambda number: f'<pre class="sample">{code.format(number % 4)}</pre>'))
    assert "furniture-kept" not in _audit(curator, corpus).out
    corpus.store(*_pages(20, lambda _: f'<pre class="sample">{code}</pre>'), date="2024-06-02T00:00:00Z")
    assert "furniture-kept" in _audit(curator, corpus).out


@pytest.mark.parametrize(("name", "pages"), [("offer", 20), ("css-xyzabc", 16)])
def test_rarer_texts_are_counted_only_with_a_class_that_somebody_gave(curator: Any, corpus: SmallCorpus, name: str, pages: int) -> None:
    offer = "Buy the new bridge now, with a discount for all our readers."
    rarer = "Sell the old ferry here, at a price that all our neighbours know."
    corpus.store(*_pages(20, lambda number: f'<p class="{name}">{offer if number < 16 else rarer}</p>'))
    (finding,) = (one for one in json.loads(_audit(curator, corpus, "--json").out)["findings"] if one["kind"] == "furniture-kept")
    assert finding["pages"] == pages


def test_findings_go_to_stdout_with_what_to_do_and_end_with_code_1(curator: Any, corpus: SmallCorpus) -> None:
    corpus.rules = RULES.replace("div.ad", "div.aside")
    corpus.store(*_pages(25, lambda _: '<div class="ad">Buy the new bridge now, with a discount for all our readers.</div>'))
    ended = _audit(curator, corpus)
    assert ended.code == 1
    assert "furniture-kept" in ended.out
    assert "div.ad" in ended.out
    assert "25 of 25 pages (100%)" in ended.out
    assert "https://pelda.example/cikk/" in ended.out
    assert "Buy the new bridge now" in ended.out
    assert "curator try" in ended.err.splitlines()[-1]


@pytest.mark.parametrize("rule", ["item: [li]", "item: [ul li]", "unwrap: [div.list]"])
def test_a_rule_that_takes_all_of_a_tag_or_what_is_around_says_nothing_of_a_recurring_text(
    curator: Any, corpus: SmallCorpus, rule: str
) -> None:
    corpus.rules = f"{RULES}    {rule}\n"
    corpus.store(*_pages(25, lambda _: '<div class="list"><ul><li>Buy the new bridge now, with a discount.</li></ul></div>'))
    assert "furniture-kept" in _audit(curator, corpus).out


def test_nothing_found_is_code_0_and_the_account_is_still_told(curator: Any, corpus: SmallCorpus) -> None:
    corpus.store(*_pages(25, lambda _: '<div class="ad">Buy the new bridge now, with a discount for all our readers.</div>'))
    ended = _audit(curator, corpus)
    assert ended.code == 0
    assert "nothing found" in ended.out
    assert "portal.yaml:8 div.ad" in ended.out
    assert "curator build" in ended.err.splitlines()[-1]


def test_two_pages_are_no_finding_and_a_small_sample_is_said_to_be_one(curator: Any, corpus: SmallCorpus) -> None:
    corpus.rules = RULES.replace("div.ad", "div.told")
    corpus.store(*_pages(2, lambda number: _unique(number).replace('"ad"', '"told"')))
    ended = _audit(curator, corpus)
    assert ended.code == 0
    assert "small sample" in ended.out
    assert json.loads(_audit(curator, corpus, "--json").out)["small_sample"] is True


def test_metadata_that_are_missing_in_one_year_are_found(curator: Any, corpus: SmallCorpus) -> None:
    corpus.rules = RULES + "metadata:\n  author: span.who\n"
    for year in (2018, 2019, 2020):
        who = "x" if year == 2020 else "who"
        corpus.store(*((f"/{year}{path}", html.replace(b"<h1>", f'<span class="{who}">Ann Bell</span><h1>'.encode())) for path, html in
                       _pages(25, date=f"{year}-05-01")))  # fmt: skip
    found = json.loads(_audit(curator, corpus, "--json").out)["findings"]
    (finding,) = [one for one in found if one["kind"] == "metadata-missing"]
    assert (finding["tag"], finding["years"], finding["pages"]) == ("author", [2020], 25)
    assert len(finding["examples"]) == 3 and all("/2020/" in one["url"] for one in finding["examples"])


def test_the_share_of_articles_that_have_a_field_is_told_year_by_year(curator: Any, corpus: SmallCorpus) -> None:
    corpus.rules = RULES + "metadata:\n  alternativeHeadline: p.deck\n"
    for year in range(2001, 2021):
        pages = _pages(2, lambda number: '<p class="deck">Below the bridge</p>' if number else "", date=f"{year}-05-01")
        corpus.store(*((f"/{year}{path}", html) for path, html in pages))
    ended = _audit(curator, corpus)
    told = json.loads(_audit(curator, corpus, "--json").out)
    table = ended.out.partition("Metadata: of 40 articles so many have a value")[2].partition("The account")[0].splitlines()
    assert max(map(len, table)) <= 80
    assert [line.split() for line in table if line.startswith("  field")] == [
        ["field", "all", *map(str, range(2001, 2009))],
        ["field", *map(str, range(2009, 2018))],
        ["field", "2018", "2019", "2020"],
    ]
    assert ["headline", *["100"] * 9] in [line.split() for line in table]
    assert ["alternativeHeadline", *["50"] * 9] in [line.split() for line in table]
    assert [row["year"] for row in told["metadata"]] == list(range(2001, 2021))
    assert (told["metadata"][6]["pages"], told["metadata"][6]["filled"]["alternativeHeadline"]) == (2, 1)


def test_a_field_that_is_empty_everywhere_is_told_once_with_the_rule_that_was_to_fill_it(curator: Any, corpus: SmallCorpus) -> None:
    corpus.rules = RULES + "metadata:\n  articleSection: a.rubric\n"
    corpus.store(*_pages(25))
    (finding,) = json.loads(_audit(curator, corpus, "--json").out)["findings"]
    assert (finding["kind"], finding["tag"], finding["pages"]) == ("metadata-missing", "articleSection", 25)
    assert finding["message"] == "articleSection is empty in all of 25 articles"
    assert finding["rule"] == "portal.yaml:10 metadata.articleSection a.rubric"
    assert len(finding["examples"]) == 3


def test_one_text_that_is_the_body_of_many_articles_is_one_finding(curator: Any, corpus: SmallCorpus) -> None:
    teaser = "<p>Dear reader, this article is one of those that we keep.</p><p>All others can be read as before.</p>"
    paid = [(f"/paid/{number}", re.sub(rb"<p>.*</p>", teaser.encode(), page(f"Ferry {number}"))) for number in range(9)]
    corpus.store(*_pages(150), *paid)
    (finding,) = json.loads(_audit(curator, corpus, "--json").out)["findings"]
    assert (finding["kind"], finding["pages"], finding["of_pages"], finding["words"]) == ("same-body", 9, 159, 9 * 18)
    assert finding["message"] == "one text is the body of 9 articles, in p"
    assert [example["url"] for example in finding["examples"]] == [f"https://pelda.example/paid/{number}" for number in range(3)]
    assert finding["examples"][0]["text"] == "Dear reader, this article is one of those that we keep. All others can be read as before."


def test_pages_that_are_no_articles_are_counted_and_passed_over(curator: Any, corpus: SmallCorpus) -> None:
    corpus.rules = RULES + "articles: {skip: {when: [body.error]}}\n"
    corpus.store(*_pages(3), ("/broken", page().replace(b"<body>", b'<body class="error">')))
    told = json.loads(_audit(curator, corpus, "--json").out)
    assert (told["pages"], told["of_pages"], told["passed_over"]) == (3, 4, {"not-article": 1})
