"""What the documents were made with."""

from __future__ import annotations

from small_corpus import SmallCorpus, page

from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.statistics.provenance import provenance
from webarticlecurator.statistics.urls import KnownUrls


def test_a_document_that_a_build_found_to_be_right_counts_as_made_by_the_rules_of_now(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("One", text='<b class="ad">Buy this</b>')), ("/b", page("Two")), ("/c", page("Three")))
    corpus.build()
    corpus.rules = "body: {tags: {decompose: [b.ad]}}\n"
    (before,) = {rules for (rules,) in corpus.ask("SELECT rules FROM articles")}
    corpus.build()
    (now,) = {rules for (rules,) in corpus.ask("SELECT rules FROM articles")}

    assert versions(corpus, now) == {(before, 2, True), (now, 1, True)}
    assert versions(corpus, "others") == {(before, 2, False), (now, 1, False)}


def test_progress_ends_when_all_files_are_read(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("One")))
    corpus.store(("/b", page("Two")))
    shown: list[tuple[int, int]] = []
    with KnownUrls.of(Corpus(corpus.folder), built=False) as known:
        provenance(corpus.portal, Corpus(corpus.folder), known, None, (), "rules", lambda *told: shown.append(told))

    assert shown == [(number, len(shown)) for number in range(1, len(shown) + 1)]
    assert shown


def versions(corpus: SmallCorpus, now: str) -> set[tuple[str, int, bool]]:
    with BuiltArticles.of(corpus.folder / "build.sqlite", "pelda") as built:
        told, _ = provenance(corpus.portal, Corpus(corpus.folder), None, built, (), now, None)
    return {(one.digest, one.articles, one.current) for one in told.rules}
