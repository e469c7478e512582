"""Whatever an article is made of, the line that a build keeps of it gives it back."""

from __future__ import annotations

import orjson
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.model.article import Article, Block, CaptureRef, ContentNode, Inline, Post, beside_line, from_json, stored_line
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.outcome import PageOutcome

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9)
CAPTURES = (CaptureRef(record_id="r", digest="d", file="f", offset=1, length=2, url="https://p.example/", date="2024-05-01T00:00:00Z"),)


def joined(nodes: list[ContentNode]) -> tuple[ContentNode, ...]:
    """Neighbouring texts are one."""
    together: list[ContentNode] = []
    for node in nodes:
        if isinstance(node, str) and together and isinstance(together[-1], str):
            together[-1] += node
        else:
            together.append(node)
    return tuple(together)


SIGNS = st.builds(Inline, type=st.sampled_from(["line-break", "emoji"]), alt=st.none() | TEXT)
INLINES = st.recursive(
    TEXT | SIGNS,
    lambda inner: st.builds(
        Inline,
        type=st.sampled_from(["bold", "link", "code-inline"]),
        children=st.lists(inner, max_size=3).map(joined),
        url=st.none() | TEXT,
    ),
    max_leaves=6,
)
PARAGRAPHS = st.builds(Block, type=st.sampled_from(["paragraph", "heading"]), children=st.lists(INLINES, max_size=4).map(joined))
BLOCKS = st.recursive(
    PARAGRAPHS,
    lambda inner: st.builds(
        Block,
        type=st.sampled_from(["quote", "box", "post"]),
        children=st.lists(inner, min_size=1, max_size=3).map(tuple),
        attributes=st.dictionaries(st.sampled_from(["who", "title", "language"]), TEXT, max_size=2),
    ),
    max_leaves=5,
)
POSTS = st.builds(
    Post, kind=st.just("comments"), id=st.none() | TEXT, author=st.none() | TEXT, blocks=st.lists(BLOCKS, max_size=2).map(tuple)
)
AGENT = {"kind": st.sampled_from(["", "person", "organization"]), "url": st.just("") | TEXT}
VALUES = st.lists(st.builds(Found, value=TEXT, raw=TEXT, source=TEXT, **AGENT), min_size=1, unique_by=lambda one: one.value)
METADATA = st.dictionaries(st.sampled_from(["headline", "author"]), VALUES.map(tuple))


@given(blocks=st.lists(BLOCKS, max_size=4), posts=st.lists(POSTS, max_size=3), metadata=METADATA)
def test_an_article_survives_its_line(blocks: list[Block], posts: list[Post], metadata: dict[str, tuple[Found, ...]]) -> None:
    article = Article(
        id="p-1",
        url="https://p.example/",
        identity="1",
        outcome=PageOutcome.ARTICLE,
        metadata=metadata,
        blocks=tuple(blocks),
        posts=tuple(posts),
        captures=CAPTURES,
    )
    line, beside = (orjson.loads(orjson.dumps(told)) for told in (stored_line(article), beside_line(article)))
    assert from_json(line, beside) == article
