"""Where a site's own lists are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.survey.archive_audit.neighbour_links import Source
from webarticlecurator.survey.archive_audit.site_sources import SITE_SOURCES, portal_of_source


def addresses(source: Source, home: str) -> list[str]:
    rules = f"portal: pelda\nhome: {home}\nlanguage: pt\ntimezone: UTC\narchive: {{url: '{{home}}list/', pages: none, link: a}}\n"
    asked = portal_of_source(load_portal(Path("portal.yaml"), content=rules.encode()), source)
    assert all(column.ways == tuple(one.name for one in asked.columns) for column in asked.columns)
    return [column.template.text for column in asked.columns]


@pytest.mark.parametrize("source", SITE_SOURCES)
def test_a_portal_in_a_folder_of_its_host_may_be_listed_at_the_root_of_that(source: Source) -> None:
    root, folder = addresses(source, "https://pelda.example/"), addresses(source, "https://pelda.example/pt/")
    assert len(folder) == 2 * len(root)
    assert folder[len(root) :] == root
    assert [one.replace("/pt/", "/") for one in folder[: len(root)]] == root


def test_the_home_page_is_asked_for_sitemaps_after_the_usual_places() -> None:
    asked = addresses(Source.SITEMAP, "https://pelda.example/")
    assert asked[0].endswith("robots.txt")
    assert asked[-1] == "https://pelda.example/"
