"""HTML that no author meant, and rules that were not made for it."""

from __future__ import annotations

from hypothesis import strategies as st

from webarticlecurator.config.tag_dictionary import NAMES, TagLayer, TagRule
from webarticlecurator.selectors import Selector

_FAMILIES = (
    ("p", "div", "span", "b", "i", "a", "br", "h2", "aside", "script", "button"),
    ("table", "caption", "tr", "td", "th", "p", "b", "img", "br"),
    ("ul", "ol", "li", "dl", "dt", "p", "b", "br", "table"),
    ("figure", "figcaption", "img", "picture", "source", "iframe", "video", "a", "p", "blockquote", "noscript"),
    ("pre", "q", "sup", "details", "summary", "x-elem", "form", "noscript", "section", "hr", "h1", "strong"),
)
"""Tags that meet one another more often than by chance."""
_VOID = frozenset({"img", "br", "hr", "source"})
_ATTRIBUTES = st.sampled_from(
    ("", " class=a", " class='a b'", " class=c id=i", " src=/k.jpg", " href='/a b'", " href=x data-src=/l.jpg", " lang=en")
)
_TEXTS = st.one_of(
    st.sampled_from(
        ("", " ", "\n", "\u00a0", "e\u0301", "a", "b ", " c", "&amp;lt;", "két szó", "a\u00adb", "\u200b", "\u200d👩", "x\n y")
    ),
    st.text(alphabet="ab \n,é&amp;", max_size=8),
)
_CSS = st.sampled_from(
    (
        *("p", "div", ".a", ".b", "div.a", "p.c", "#i", "span", "li", "td", "blockquote", "figure", "div > p", "p:has(b)", "p:contains(a)"),
        *("img", "a"),
    )
)


@st.composite
def _any_html(draw: st.DrawFn) -> str:
    tags = st.sampled_from(draw(st.sampled_from((*_FAMILIES, sum(_FAMILIES, ())))))

    def element(content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(_made, tags, _ATTRIBUTES, st.lists(content, max_size=4))

    return "".join(draw(st.lists(st.recursive(_TEXTS, element, max_leaves=25), max_size=6)))


def _made(tag: str, attributes: str, inner: list[str]) -> str:
    return f"<{tag}{attributes}>" + ("" if tag in _VOID else "".join(inner) + f"</{tag}>")


@st.composite
def _rules(draw: st.DrawFn) -> TagRule:
    operation = draw(st.sampled_from((*NAMES, "decompose", "unwrap", "unwrap-all", "split")))
    split = (draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))) if operation == "split" else None
    url = draw(st.sampled_from((None, "data-src")))
    return TagRule(operation=operation, css=Selector.parse(draw(_CSS)), split=split, url=url, source="portal.yaml:1")


LAYERS = st.lists(st.builds(TagLayer, rules=st.lists(_rules(), max_size=4).map(tuple)), max_size=2)
HTML = _any_html()
