"""Whatever pager a site has and whatever natural mistake a portal file makes: no crawl says that all is there when it is not."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from generated_sites import any_site, crawl_site, right_rules, wrong_rules

SITES = [pytest.param(seed, marks=[] if seed < 15 else [pytest.mark.nightly]) for seed in range(60)]
MISTAKES_OF_ONE_SITE = 4
OK = 0


@pytest.mark.parametrize("seed", SITES)
def test_the_right_rules_are_proved_and_find_every_article(seed: int, tmp_path: Path) -> None:
    site = any_site(Random(seed))
    for number, (name, rules) in enumerate(right_rules(site).items()):
        crawled = crawl_site(site, rules, _folder(tmp_path, number))
        assert site.urls == crawled.found, name
        assert (crawled.code, crawled.proved) == (OK, True), (name, crawled.summary)


@pytest.mark.parametrize("seed", SITES)
def test_a_mistake_that_loses_articles_is_told_and_when_it_is_mended_the_next_crawl_finds_them(seed: int, tmp_path: Path) -> None:
    choice = Random(seed)
    site = any_site(choice)
    right, wrong = right_rules(site), wrong_rules(site)
    for number, name in enumerate(choice.sample(sorted(wrong), min(len(wrong), MISTAKES_OF_ONE_SITE))):
        folder = _folder(tmp_path, number)
        crawled = crawl_site(site, wrong[name], folder)
        if crawled.found != site.urls:
            assert crawled.code != OK, (name, crawled.summary)
            again = crawl_site(site, wrong[name], folder)
            assert again.found == site.urls or again.code != OK, (name, again.summary)
        mended = crawl_site(site, right[choice.choice(sorted(right))], folder)
        assert mended.found == site.urls, name
        assert (mended.code, mended.proved) == (OK, True), (name, mended.summary)


def _folder(base: Path, number: int) -> Path:
    folder = base / str(number)
    folder.mkdir()
    return folder
