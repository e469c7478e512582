"""What the documents were made with."""

from __future__ import annotations

from small_corpus import SmallCorpus, page

from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.statistics.provenance import provenance


def test_a_document_that_a_build_found_to_be_right_counts_as_made_by_the_rules_of_now(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("One", text='<b class="ad">Buy this</b>')), ("/b", page("Two")), ("/c", page("Three")))
    corpus.build()
    corpus.rules = "body: {tags: {decompose: [b.ad]}}\n"
    (before,) = {rules for (rules,) in corpus.ask("SELECT rules FROM articles")}
    corpus.build()
    (now,) = {rules for (rules,) in corpus.ask("SELECT rules FROM articles")}

    assert versions(corpus, now) == {(before, 2, True), (now, 1, True)}
    assert versions(corpus, "others") == {(before, 2, False), (now, 1, False)}


def versions(corpus: SmallCorpus, now: str) -> set[tuple[str, int, bool]]:
    with BuiltArticles.of(corpus.folder / "build.sqlite", "pelda") as built:
        told, _ = provenance(corpus.portal, Corpus(corpus.folder), None, built, (), now, None)
    return {(one.digest, one.articles, one.current) for one in told.rules}
