"""Rules for the links of archive pages, found in the pages alone."""

from __future__ import annotations

from trial_portal import page_of

from webarticlecurator.learning.links import find_links, proposals

MENU = '<nav><ul><li><a href="/belfold">Belföld</a><li><a href="/kulfold">Külföld</a><li><a href="/rolunk">Rólunk</a></ul></nav>'
TITLES = ("Megnyílt az új híd a folyón", "Rekordot döntött a búza ára idén", "Három napig lesz hőség az országban")


def listing(number: int, *, items: str = "") -> str:
    """An archive page with three articles of its own, the menu, and a box that is the same on all pages."""
    links = "".join(
        f'<div class="teaser"><h2><a href="/cikk/{number}{index}-egy-hosszabb-cim-{number}">{title}</a></h2>'
        '<a class="more" href="/cimke/viz">víz</a></div>'
        for index, title in enumerate(TITLES)
    )
    box = '<div class="olvasott"><h3><a href="/cikk/99-a-legolvasottabb-cikk-mind-kozul">A legolvasottabb cikk mind közül</a></h3></div>'
    return f"<html><body>{MENU}<main>{links}{items}</main>{box}</body></html>"


PAGES = [page_of(listing(number), f"https://pelda.example/lista/{number}") for number in (1, 2, 3)]


def test_the_links_that_each_page_has_for_itself_are_the_articles() -> None:
    findings = find_links(PAGES)
    assert findings.rules[0].found == tuple(
        tuple(f"https://pelda.example/cikk/{page}{index}-egy-hosszabb-cim-{page}" for index in range(3)) for page in (1, 2, 3)
    )
    assert findings.links_of(PAGES[0]) == frozenset(findings.rules[0].found[0])


def test_the_best_rule_is_proposed_with_counts_samples_and_what_the_others_find_otherwise() -> None:
    (first,) = proposals(find_links(PAGES), ("columns", "belfold"))
    assert (first.name, first.path) == ("columns.belfold.link", ("columns", "belfold"))
    assert first.choices[0].reason == "3 links a page on 3 of 3 pages; 9 of 9 stand on one page alone"
    assert first.choices[0].samples[0] == "https://pelda.example/cikk/10-egy-hosszabb-cim-1"
    assert all(choice.differs for choice in first.choices[1:])


def test_nothing_is_found_in_pages_without_links() -> None:
    assert find_links([page_of("<p>Semmi</p>")]).rules == ()
    assert proposals(find_links([])) == ()
