"""Parameters of addresses that change nothing: `archive.urls.drop_params`."""

from __future__ import annotations

from typing import Any

import pytest
from learning_from import AT, Learned, learn

TITLE = "Megnyílt az új híd a folyón"
TEXT = "Ma reggel megnyílt a híd. " * 20
Links = tuple[tuple[str, str], ...]


def listing(*links: tuple[str, str]) -> str:
    return "".join(f'<h2><a href="{href}">{text}</a></h2>' for href, text in links)


def article(title: str = TITLE, text: str = TEXT, canonical: str = "") -> str:
    head = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return f"<html><head><title>{title}</title>{head}</head><body><h1>{title}</h1><p>{text}</p></body></html>"


def addresses(links: Links, articles: dict[str, str] | None = None) -> Learned:
    return learn(archive={"/lista": listing(*links)}, articles=articles or {}, parts=("archive",))


PLAIN: Links = tuple((f"/cikk/{number}-egy-cim", f"{TITLE} {number}") for number in range(4))
CANONICAL = {f"/cikk/{n}?forras=rss": article(f"{n}. {TITLE}", canonical=f"/cikk/{n}") for n in (1, 2)}
PARAMETERS: dict[str, tuple[Links, dict[str, str], list[str] | None]] = {
    "what counts visits": (
        (("/cikk/1?utm_source=lista&utm_medium=web", TITLE), ("/cikk/2?fbclid=x", "Másik cikk a hídról")),
        {},
        ["fbclid", "utm_*"],
    ),
    "none": (PLAIN, {}, None),
    "one that tells articles apart": (tuple((f"/cikk.php?id={n}", f"{TITLE} {n}") for n in range(5)), {}, None),
    "the page's own address, twice": (PLAIN, CANONICAL, ["forras"]),
    "once": (PLAIN, dict(list(CANONICAL.items())[:1]), None),
    "but not always": (PLAIN, CANONICAL | {"/cikk/9?forras=rss": article(canonical="/cikk/9?forras=rss")}, None),
    "the number of a page": (PLAIN, {f"/cikk/{n}?oldal=2": article(f"{n}", canonical=f"/cikk/{n}") for n in (1, 2)}, None),
    "pages of other sites": (PLAIN, {f"https://masik.example/t/1{query}": article() for query in ("", "?nezet=1")}, None),
}


@pytest.mark.parametrize(("links", "articles", "dropped"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters_that_change_nothing_are_dropped(links: Links, articles: dict[str, str], dropped: list[str] | None) -> None:
    learned = addresses(links, articles)
    assert learned.values().get("archive.urls.drop_params") == dropped
    assert dropped is not None or "archive.urls.drop_params" not in learned.proposals


def test_what_was_seen_is_told() -> None:
    best: dict[str, Any] = addresses(PLAIN, CANONICAL).best("archive.urls.drop_params")
    assert best["reason"] == "forras: 2 stored pages name the address without it as theirs"
    assert best["samples"] == [f"{AT}/cikk/1?forras=rss"]
