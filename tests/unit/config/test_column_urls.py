"""What is wrong with an address that a template almost makes."""

from __future__ import annotations

import pytest

from webarticlecurator.config.column_urls import differences
from webarticlecurator.config.template import UrlTemplate

LIST, QUERY = "https://pelda.example/lista/{page}/", "https://www.pelda.example/belfold?datum={date}&oldal={page}"


@pytest.mark.parametrize(
    ("template", "url", "told"),
    [
        (LIST, "http://pelda.example/lista/2/", ["https://, not http://"]),
        (LIST, "https://www.pelda.example/lista/2/", ["without www."]),
        (LIST, "https://pelda.example/lista/2", ["with / at the end"]),
        (LIST, "http://www.pelda.example/lista/2", ["https://, not http://", "without www.", "with / at the end"]),
        (LIST, "https://pelda.example/lista/2/#top", []),
        ("https://pelda.example/lista/{page}", "https://pelda.example/lista/2/", ["without / at the end"]),
        (QUERY, "https://www.pelda.example/belfold", ["with ?datum={date}&oldal={page}"]),
        (QUERY, "http://pelda.example/belfold?datum=2024-05-01&oldal=2", ["https://, not http://", "with www."]),
        (QUERY, "https://www.pelda.example/belfold?datum=tegnap&oldal=2", []),
        (QUERY, "https://www.pelda.example/belfold?id=3", []),
        (LIST, "https://pelda.example/cikk/2/", []),
        (LIST, "https://idegen.example/lista/2/", []),
        ("https://pelda.example/", "https://pelda.example/?p=123", []),
        (LIST, "", []),
    ],
)
def test_what_a_template_has_otherwise(template: str, url: str, told: list[str]) -> None:
    assert list(differences(UrlTemplate.parse(template), url)) == told
