from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from webarticlecurator.text import element_text, squeeze

WORDS = st.text(alphabet="abé \n\u00a0", max_size=8)
TREES = st.recursive(
    st.builds(lambda tag, text: (tag, text, []), st.sampled_from(["p", "b", "br", "td", "span"]), WORDS),
    lambda inner: st.builds(
        lambda tag, text, children: (tag, text, children),
        st.sampled_from(["div", "i", "li"]),
        WORDS,
        st.lists(st.tuples(inner, WORDS), max_size=4),
    ),
    max_leaves=12,
)


def built(tree: tuple[str, str, list[tuple[object, str]]]) -> etree._Element:
    tag, text, children = tree
    element = etree.Element(tag)
    element.text = text
    for child, tail in children:
        inner = built(child)  # type: ignore[arg-type]
        inner.tail = tail
        element.append(inner)
    return element


@given(st.text(max_size=40))
def test_squeezing_twice_equals_once(text: str) -> None:
    assert squeeze(squeeze(text)) == squeeze(text)


@given(TREES)
def test_no_visible_character_is_lost_or_moved(tree: tuple[str, str, list[tuple[object, str]]]) -> None:
    element = built(tree)
    assert "".join(element_text(element).split()) == "".join("".join(element.itertext()).split())
