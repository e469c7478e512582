"""The HTML inventory is one file: its policy names its own style and script, and nothing in its data can leave the data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inventories import inventory_of, node, page_of_inventory, small_inventory

from webarticlecurator.survey.inventory.results import Inventory


class Parts(HTMLParser):
    """The elements of a page and the text of those that hold some."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._inside = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.texts.append("")
        self._inside = True

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def text_of(self, tag: str, **attributes: str) -> str:
        (found,) = (
            text
            for (name, has), text in zip(self.tags, self.texts, strict=True)
            if name == tag and all(has.get(key) == value for key, value in attributes.items())
        )
        return found


def data_of(page: str) -> Any:
    return json.loads(Parts(page).text_of("script", type="application/json"))


def strings_in(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from strings_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from strings_in(value)


def test_the_policy_allows_our_own_style_and_script_and_nothing_else() -> None:
    parts = Parts(page_of_inventory(small_inventory()))
    (policy,) = (has["content"] for tag, has in parts.tags if has.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    directives = dict(directive.strip().split(" ", 1) for directive in policy.split(";"))
    script = next(text for (tag, has), text in zip(parts.tags, parts.texts, strict=True) if tag == "script" and "type" not in has)
    assert directives["default-src"] == "'none'"
    for directive, text in (("style-src", parts.text_of("style")), ("script-src", script)):
        assert directives[directive] == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_page_names_no_other_file() -> None:
    page = page_of_inventory(small_inventory())
    assert not [has for _, has in Parts(page).tags if has.keys() & {"src", "href", "srcset", "action", "background"}]
    outside_data = re.sub(r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL)
    assert set(re.findall(r"\w+://[^\"'`\s]+", outside_data)) == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert "url(" not in outside_data
    assert "@import" not in outside_data


def test_the_script_makes_no_markup_out_of_text() -> None:
    page = page_of_inventory(small_inventory())
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc", page)


def test_the_page_is_the_same_whenever_it_is_made() -> None:
    assert page_of_inventory(small_inventory()) == page_of_inventory(small_inventory())


@pytest.mark.parametrize("text", ["</script><script>", "<!--", "\u2028", "&lt;", "\ud800", "]]>", "\x00"])
def test_no_text_leaves_the_data(text: str) -> None:
    number = count()
    page = page_of_inventory(inventory_of(lambda: f"{text}{next(number)}"))
    assert [tag for tag, _ in Parts(page).tags if tag == "script"] == ["script", "script"]
    assert f"{text}5" in set(strings_in(data_of(page)))


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_whatever_a_portal_says_comes_out_as_it_went_in(text: str) -> None:
    number = count()
    page = page_of_inventory(inventory_of(lambda: f"{text}{next(number)}"))
    told = set(strings_in(data_of(page)))
    # The first is the decision's rule, the ninth the text of an example; both stand on the page as they are.
    assert {f"{text}0", f"{text}5"} <= told
    page.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")


def test_a_tree_of_any_depth_is_taken() -> None:
    root = node("p")
    for _ in range(50_000):
        root = node("div", root)
    nodes = data_of(page_of_inventory(replace(small_inventory(), trees={"": (root,)})))["trees"][0]["nodes"]
    assert [nodes[0]["level"], nodes[-1]["level"], nodes[-1]["tag"]] == [0, 50_000, "p"]


def test_the_table_has_a_line_for_every_row() -> None:
    inventory: Inventory = small_inventory()
    table = data_of(page_of_inventory(inventory))["table"]
    written = [line.split("\t")[table["columns"].index("tag")] for line in table["lines"]]
    assert written == [row.tag for row in inventory.rows]
    assert {len(line.split("\t")) for line in table["lines"]} == {len(table["columns"])}
