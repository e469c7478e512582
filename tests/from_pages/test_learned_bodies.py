"""Where the text of articles stands, and what is none: what a corrected page teaches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from invented_articles import paragraphs, sentence, written
from learning_from import AT, Learned, learn


def page(body: str, title: str = "The bridge is open") -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


def story(number: int, *, inside: str = "", behind: str = "", name: str = "story") -> str:
    """A page whose article has a text of its own, with something in its midst, and behind it."""
    first, *rest = paragraphs(100 * number)
    title = f"Story number {number} of the river"
    return page(f"<h1>{title}</h1><div class={name}>{written([first])}{inside}{written(rest)}{behind}</div>", title)


def path(number: int) -> str:
    return f"/201{number}/05/01/{number}"


def stories(count: int, inside: Callable[[int], str] | str = "", behind: Callable[[int], str] | str = "") -> dict[str, str]:
    """So many of them, with this in the midst of each."""

    def at(part: Callable[[int], str] | str, number: int) -> str:
        return part if isinstance(part, str) else part(number)

    return {path(n): story(n, inside=at(inside, n), behind=at(behind, n)) for n in range(1, count + 1)}


def bodies(pages: Mapping[str, str], rules: str = "", **more: Any) -> Learned:
    return learn(rules, articles=pages, parts=("articles",), **more)


def text_of(learned: Learned, pages: Mapping[str, str], number: int) -> list[str]:
    at = path(number)
    return str(learned.document(pages[at], at).text).split("\n")


def own(number: int) -> str:
    return sentence(900 + number)


def test_without_a_correction_nothing_is_proposed() -> None:
    assert bodies(stories(4)).proposals == {}


def corrected(at: str, texts: Sequence[str], **more: Any) -> str:
    """What stands in tests.yaml of a page that a person looked at."""
    return json.dumps([{"url": f"{AT}{at}", "expect": {"contains": list(texts), "paragraphs": len(texts), **more}}])


def test_what_is_not_among_the_paragraphs_of_a_corrected_page_is_left_out_of_all() -> None:
    pages = stories(3, lambda n: f"<p class=aside-story>{own(n)}</p>")
    learned = bodies(pages, expected=corrected(path(1), paragraphs(100)))
    assert learned.values() == {"body.tags.decompose": ["p.aside-story"]}
    assert text_of(learned, pages, 3) == paragraphs(300)


def test_what_would_take_much_of_other_pages_is_not_left_out() -> None:
    pages = stories(3, lambda n: f"<p class=aside-story>{own(n)}</p>" * (1 if n == 1 else 9))
    assert bodies(pages, expected=corrected(path(1), paragraphs(100))).values() == {}


def test_a_text_that_must_not_be_there_teaches_too_but_not_as_a_hash() -> None:
    pages = stories(3, lambda n: f"<p class=aside-story>{own(n)}</p>")
    hashed = f"sha256:{hashlib.sha256(own(1).encode()).hexdigest()}"
    for unwanted, rules in ((own(1), {"body.tags.decompose": ["p.aside-story"]}), (hashed, {})):
        expected = json.dumps([{"url": f"{AT}{path(1)}", "expect": {"lacks": [unwanted]}}])
        assert bodies(pages, expected=expected).values() == rules


def test_a_corrected_page_says_where_the_text_is() -> None:
    def two_texts(number: int) -> str:
        guide, texts = written(paragraphs(1000 + 50 * number, 12)), written(paragraphs(100 * number, 3))
        return page(f"<div class=guide>{guide}</div><div class=report>{texts}</div>")

    learned = bodies({"/1": two_texts(1)}, expected=corrected("/1", paragraphs(100, 3)))
    assert learned.values() == {"body.within": "div.report"}
    assert str(learned.document(two_texts(2), "/2").text).split("\n") == paragraphs(200, 3)
