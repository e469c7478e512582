"""A portal file of five lines collects a small site of its software whole, and what it says of each post is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.sites import RunningSite, Variation
from examples.sites.scores import score, score_indexes
from examples.sites.variations import variations
from webarticlecurator import CrawlOptions, crawl, load_portal, read_corpus

ONE_OF_EACH = tuple({one.software: one for one in reversed(variations())}.values())
"""The first of each software; `benchmarks/sites/preset_sites.py` takes all."""
WITH_INDEXES = ("wordpress-twentysixteen-en", "blogger-layouts-en-breaks-jump-no-feed")


@pytest.mark.parametrize(
    "variation", [pytest.param(one, id=one.name, marks=[pytest.mark.nightly] if number else []) for number, one in enumerate(ONE_OF_EACH)]
)
def test_five_lines_collect_a_site(variation: Variation, tmp_path: Path) -> None:
    with RunningSite(variation) as site:
        result = score(site, tmp_path)

    assert result.missed == [], [count.failures[:1] for count in result.counts.values()]


@pytest.mark.nightly
@pytest.mark.parametrize("variation", [one for one in variations() if one.name in WITH_INDEXES], ids=lambda one: one.name)
def test_index_pages_alone_give_every_post_on_them(variation: Variation, tmp_path: Path) -> None:
    with RunningSite(variation) as site:
        result = score_indexes(site, tmp_path)

    assert result.missed == [], [count.failures[:1] for count in result.counts.values()]


@pytest.mark.nightly
def test_a_blog_on_desktop_pages_on_those_for_telephones_and_in_its_feed_is_collected_once(tmp_path: Path) -> None:
    file, corpus = tmp_path / "portal.yaml", tmp_path / "corpus"
    with RunningSite(Variation("blogger", "designer", "en")) as site:
        file.write_text(f"{site.portal_file()}fetch: {{delay: 0s, retries: 0}}\n", "utf-8")
        whole = site.made.answer

        def fetched() -> int:
            return crawl(load_portal(file), corpus=corpus, options=CrawlOptions(full=True)).fetched

        assert fetched() == len(site.made.truths), "by its feed"
        site.made.answer = lambda request: None if request.path.startswith("/feeds/") else whole(request)
        assert fetched() == 0, "by its pages"
        site.made.moved("/", f"{site.root}/?m=1")
        assert fetched() == 0, "by those for telephones"
        assert "/?m=1" in site.requests
        urls = [article.url for article in read_corpus(load_portal(file), corpus=corpus)]

    assert sorted(urls) == sorted(truth.url for truth in site.made.truths)
