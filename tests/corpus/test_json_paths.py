"""Paths into JSON: what they find, and that no document makes a search fail. What is refused at load stands in tests/broken_portals."""

from __future__ import annotations

import pytest
from seams import links_of

PATHS: dict[str, tuple[str, object, list[str]]] = {
    "a key in a key": ("a.b", {"a": {"b": "/x"}}, ["/x"]),
    "all of a list": ("items[].url", {"items": [{"url": "/x"}, {}, {"url": "/y"}]}, ["/x", "/y"]),
    "the rest of a list": ("items[1:].url", {"items": [{"url": "/x"}, {"url": "/y"}]}, ["/y"]),
    "every second": ("items[:4:2]", {"items": ["/1", "/2", "/3"]}, ["/1", "/3"]),
    "no object": ("a.b", ["not", "an", "object"], []),
    "a function of something else": ("sum(a)", {"a": "text"}, []),
    "nothing": ("length(@)", None, []),
    "a text that grows without end": ("|".join(["join('', [@, @])"] * 9), "/" + "x" * 100_000, []),
}


@pytest.mark.parametrize(("path", "document", "found"), PATHS.values(), ids=PATHS)
def test_a_search_never_fails(path: str, document: object, found: list[str]) -> None:
    assert [url.removeprefix("https://pelda.example") for url in links_of({"inner": document}, link={"json": f"inner | {path}"})] == found
