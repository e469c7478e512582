"""The theme-true sites say on their pages what they are said to say."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urljoin

import pytest
from lxml.html import document_fromstring

from examples.sites import RunningSite, Variation
from examples.sites.scores import words
from examples.sites.variations import variations
from webarticlecurator.example_portal.answers import Request

ALL = [*variations(), *variations("fresh")]


def _page(site: RunningSite, target: str) -> str | None:
    answer = site.answer(Request(target=target))
    return answer.body.decode() if answer and answer.status == 200 else None


def _with_further_pages(site: RunningSite, url: str) -> str:
    """The texts of a page and of all those that its links to pages of itself lead to."""
    waiting, seen, texts = [url], set(), []
    name = re.search(site.made.identity, url) if site.made.identity else None
    while waiting:
        target = waiting.pop().removeprefix(site.root).partition("#")[0]
        if target in seen or (text := _page(site, target)) is None:
            continue
        seen.add(target)
        tree = document_fromstring(text.encode())
        texts.append(" ".join(words(unescape(" ".join(tree.itertext())))))
        base = next((element.get("href", "") for element in tree.iter("base")), site.root + target)
        for link in tree.iter("a"):
            there = urljoin(base, link.get("href", ""))
            same = (found := re.search(site.made.identity, there)) and found.groups() == name.groups() if name else there.startswith(url)
            if same and "m=" not in there and "#" not in there.replace("#comments", ""):
                waiting.append(there)
    return " ".join(texts)


@pytest.mark.parametrize("variation", ALL, ids=lambda one: one.name)
def test_what_is_true_stands_on_the_pages(variation: Variation) -> None:
    site = RunningSite(variation)
    try:
        assert 8 <= len(site.made.truths) <= 110
        for truth in site.made.truths[:6]:
            text = _with_further_pages(site, truth.url)
            assert " ".join(words(truth.title)) in text
            for some in (words(truth.text)[:15], words(truth.text)[-15:]):  # it may be on two pages
                assert " ".join(some) in text
            for one in truth.said:
                assert " ".join(words(one.parts[-1].text)) in text
                assert " ".join(words(one.author)) in text
    finally:
        site.close()


@pytest.mark.parametrize("variation", [one for one in ALL if one.software != "feed"], ids=lambda one: one.name)
def test_it_is_the_same_every_time_and_its_archive_begins_at_home(variation: Variation) -> None:
    one, two = RunningSite(variation), RunningSite(variation)
    try:
        paths = [[truth.url.removeprefix(site.root) for truth in site.made.truths] for site in (one, two)]
        assert paths[0] == paths[1]
        assert _page(one, one.home.removeprefix(one.root))
    finally:
        one.close()
        two.close()
