"""An address that a document cannot hold is told, whatever the reason; it stays as the page wrote it, where there is a place for it."""

from __future__ import annotations

import pytest

from webarticlecurator.model.article import Block, Inline, Post
from webarticlecurator.tei.blocks import MAX_DEPTH as DEEPEST_BLOCK
from webarticlecurator.tei.inlines import MAX_DEPTH as DEEPEST_INLINE

BAD, GOOD = "https://pelda.example:port/", "https://pelda.example/a"


def link(url: str | None, original_url: str | None = None) -> Inline:
    return Inline(type="link", children=("a",), url=url, original_url=original_url)


def paragraph(*children: Inline | str) -> Block:
    return Block(type="paragraph", children=children)


def nested(type_: str, depth: int, inner: Block | Inline) -> Block | Inline:
    kind = Block if isinstance(inner, Block) else Inline
    for _ in range(depth):
        inner = kind(type=type_, children=(inner,))
    return inner


@pytest.mark.parametrize(
    ("blocks", "path"),
    [
        ((paragraph(link(BAD)),), "//t:ref[not(@target)]/@n"),
        ((paragraph(link(None, BAD)),), "//t:ref[not(@target)]/@n"),
        ((Block(type="figure", url=BAD),), "//t:figure/t:gap/t:desc/text()"),
        ((Block(type="embed", original_url=BAD),), "//t:figure/t:gap/t:desc/text()"),
        ((Block(type="social", url=BAD, children=(paragraph("a"),)),), "//t:note[@type='originalAddress']/text()"),
    ],
    ids=["link", "link that extraction could not mend", "figure", "embed", "social post"],
)
def test_an_address_that_is_none_is_told_and_stays_as_the_page_wrote_it(write, blocks: tuple[Block, ...], path: str) -> None:
    document = write(*blocks)
    assert [lost for lost in document.lost if BAD in lost] == list(document.lost)
    assert len(document.lost) == 1
    assert document.all(path) == [BAD]


@pytest.mark.parametrize("kind", ["comments", "forum", "liveblog", "blog"])
def test_so_is_that_of_a_post(write, kind: str) -> None:
    assert len(write(posts=(Post(kind=kind, url=BAD), Post(kind=kind, url=GOOD))).lost) == 1


@pytest.mark.parametrize(
    "block",
    [
        paragraph(nested("bold", DEEPEST_INLINE, link(GOOD))),
        nested("box", DEEPEST_BLOCK, Block(type="quote", children=(paragraph(link(GOOD)),))),
        nested("box", DEEPEST_BLOCK, Block(type="figure", url=GOOD, children=(Block(type="caption", children=("a",)),))),
    ],
    ids=["in inlines", "in blocks", "of a figure"],
)
def test_an_address_that_lies_too_deep_is_told(write, block: Block) -> None:
    document = write(block)
    assert GOOD not in document.content.decode()
    assert len(document.lost) == 1
    assert GOOD in document.lost[0]


def test_each_address_counts_and_those_that_are_written_do_not(write) -> None:
    written = (link(GOOD), link("https://pelda.example/%C3%A1", "/á"), link("mailto:anna@pelda.example"))
    document = write(paragraph(link(BAD), *written, link(BAD)), Block(type="figure", attributes={"alt": "a"}))
    assert len(document.lost) == 2
