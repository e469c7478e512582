from __future__ import annotations

import pytest

from webarticlecurator.extraction.metadata.choose import topics_in


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["dam, flood; Danube|rain"], ["dam", "flood", "Danube", "rain"]),
        (["Dam", "dam", "DAM", "#flood"], ["Dam", "flood"]),
        (["Category: Economy", "Danube (12)", "News, "], ["Economy", "Danube", "News"]),
        (["isRepublished:false", "98be933f-38cf-4fba-b6c6-ad438e82010a", "https://pelda.example/", "a=b", "dam"], ["dam"]),
        (["AER,AERO,AIR,AIRL,INDG08"], []),
        (["EU, NATO, UN"], ["EU", "NATO", "UN"]),
        (["新聞、速報"], ["新聞", "速報"]),
    ],
)
def test_topics_are_separated_cleaned_and_kept_once(texts: list[str], expected: list[str]) -> None:
    assert [topic for topic, _ in topics_in(texts)] == expected


def test_a_topic_knows_how_it_stood() -> None:
    assert topics_in(["dam, flood"]) == [("dam", "dam, flood"), ("flood", "dam, flood")]
