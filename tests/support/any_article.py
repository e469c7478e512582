"""Strategies: any article that the model allows, however odd."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.portal import Portal, Publisher, Rights
from webarticlecurator.config.tag_dictionary import INLINES
from webarticlecurator.model.article import HOLDS, STANDS_ALONE, Article, Block, CaptureRef, Content, Inline, Post
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.outcome import PageOutcome

LETTERS = "aáZ9 .,-–„”<>&\"'#:;/?%[]{}\\\n\t\r\x00\x0b\x1f\x85\u200b\ufeff\ufffe\ud800😀]]>"
texts = st.one_of(st.text(alphabet=LETTERS, max_size=12), st.text(max_size=6))
addresses = st.one_of(
    st.sampled_from(
        (
            *("https://pelda.example/cikk/1?a=1&b=2#c", "https://pelda.example:8080/á b", "https://masik.example/[x]?y=[z]#a#b"),
            *("https://host:port/", "https://[::1]/x", "//no-scheme", "javascript:void(0)", "mailto:anna@pelda.example", "http://"),
            *("https://h:/", "https://[1:2]/", "100%", "", "1:2", "data:image/png;base64,AA=="),
            "x:" + "a" * 300,
        )
    ),
    texts.map(lambda text: f"https://pelda.example/{text}"),
    texts,
)
moments = st.sampled_from(
    (
        *("2024-05-01", "2024-05-01T10:00", "2024-05-01T10:00:00+02:00", "2024-05-01T10:00:00.123456Z", "2024-05-01T10:00+0100", "2024-05"),
        "1999",
        *("0000", "2024-13-01", "2024-02-30", "2024-05-01 10:00", "2024-05-01T10:00:00+23:00", "2024-05-01T24:00:00", "yesterday", ""),
        "2024-W18",
    )
)
languages = st.sampled_from((None, "hu", "hu_HU", "zh-Hant-TW", "x-klingon", "not a language", "", "toolonglanguage"))
maybe = lambda strategy: st.none() | strategy  # noqa: E731

_inline_types = st.sampled_from((*INLINES, "emoji", "ruby"))
_note_names = st.sampled_from(("fn:1", "fn 2", ""))


def _inlines_of(children: st.SearchStrategy[Inline | str]) -> st.SearchStrategy[Inline]:
    return st.builds(
        Inline,
        type=_inline_types,
        children=st.lists(children, max_size=3).map(tuple),
        url=maybe(addresses),
        original_url=maybe(addresses),
        language=languages,
        note=maybe(_note_names),
        alt=maybe(texts),
    ).map(lambda inline: inline if inline.type != "line-break" else Inline(type="line-break"))


inlines = st.recursive(texts, _inlines_of, max_leaves=6)
inline_content = st.lists(inlines, max_size=4).map(tuple)

_ATTRIBUTE_VALUES = {
    "level": st.sampled_from(("1", "2", "3", "4", "5", "6", "7", "x")),
    "ordered": st.just("yes"),
    "rows": st.sampled_from(("2", "1000000", "-1", "x")),
    "columns": st.sampled_from(("2", "0", "²")),
    "header": st.just("yes"),
    "alt": texts,
    "credit": texts,
    "kind": st.sampled_from(("video", "audio", "document", "frame", "twitter", "X / Twitter", "")),
    "title": texts,
    "page": st.sampled_from(("1", "2", "3", "99999999999", "x")),
    "id": texts | _note_names,
    "label": texts,
    "reply_to": texts,
    "post": st.sampled_from(("1", "2", "gone")),
    "when": moments,
    "who": texts,
}
attributes = st.fixed_dictionaries({}, optional=_ATTRIBUTE_VALUES)


def _block(type_: str, children: st.SearchStrategy[tuple[object, ...]]) -> st.SearchStrategy[Block]:
    return st.builds(
        Block, type=st.just(type_), children=children, url=maybe(addresses), original_url=maybe(addresses), attributes=attributes
    )


def _content(type_: str, blocks: st.SearchStrategy[Block]) -> st.SearchStrategy[tuple[object, ...]]:
    captions = st.lists(_block("caption", inline_content), max_size=1).map(tuple)
    if HOLDS[type_] is Content.INLINES:
        return inline_content
    if HOLDS[type_] is Content.NOTHING:
        return st.just(())
    if HOLDS[type_] is Content.CAPTION:
        return captions
    if HOLDS[type_] is Content.BLOCKS:
        return st.lists(blocks, min_size=0 if type_ in ("social", "cell") else 1, max_size=3).map(tuple)
    if HOLDS[type_] is Content.ITEMS:
        return st.lists(_filled("item", blocks), max_size=3).map(tuple)
    if HOLDS[type_] is Content.CELLS:
        return st.lists(_filled("cell", blocks), max_size=3).map(tuple)
    if HOLDS[type_] is Content.ROWS:
        heads = st.lists(_block("table-heading", inline_content), max_size=1).map(tuple)
        rows = st.lists(_filled("row", blocks), max_size=3).map(tuple)
        return st.one_of(st.tuples(heads, rows), st.tuples(rows, heads)).map(lambda pair: (*pair[0], *pair[1]))
    shown = st.lists(st.one_of(_block("figure", captions), _block("embed", captions)), max_size=3).map(tuple)
    return st.tuples(shown, captions).map(lambda pair: (*pair[0], *pair[1]))


def _filled(type_: str, blocks: st.SearchStrategy[Block]) -> st.SearchStrategy[Block]:
    return _block(type_, _content(type_, blocks))


_TOP = sorted(STANDS_ALONE)
_leaves = st.sampled_from([name for name in _TOP if HOLDS[name] in (Content.INLINES, Content.NOTHING)]).flatmap(
    lambda name: _filled(name, st.nothing())
)
blocks = st.recursive(_leaves, lambda inner: st.sampled_from(_TOP).flatmap(lambda name: _filled(name, inner)), max_leaves=5)

posts = st.builds(
    Post,
    kind=st.sampled_from(("liveblog", "forum", "comments", "blog")),
    id=maybe(st.sampled_from(("1", "2", "p-3", "á b", ""))),
    when=maybe(moments),
    time=maybe(texts),
    author=maybe(texts),
    title=maybe(texts),
    reply_to=maybe(st.sampled_from(("1", "2", "p-3", "gone", ""))),
    number=maybe(st.sampled_from(("1", "#2", "á"))),
    edited=maybe(st.one_of(moments, texts)),
    editor=maybe(texts),
    deleted=maybe(texts),
    likes=maybe(st.sampled_from(("12", "²", "x", ""))),
    url=maybe(addresses),
    blocks=st.lists(blocks, max_size=2).map(tuple),
)
captures = st.builds(
    CaptureRef,
    record_id=st.just("urn:uuid:1dc5cbb2-9a4c-4a39-93d6-0a9d6d6b9d5e"),
    digest=st.just("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"),
    file=st.just("pelda-articles-20240501-1.warc.gz"),
    offset=st.integers(0, 10**12),
    length=st.integers(0, 10**9),
    url=addresses,
    date=st.sampled_from(("2024-05-01T08:00:00Z", "2024-05-01T08:00:00.5Z", "?")),
)
_kinds = st.sampled_from(("", "person", "organization"))
_found = st.builds(Found, value=st.one_of(texts, addresses, moments), raw=texts, source=st.just("test"), kind=_kinds)
metadata = st.dictionaries(st.sampled_from(sorted(FIELDS)), st.lists(_found, min_size=1, max_size=2).map(tuple), max_size=8)

articles = st.builds(
    Article,
    id=st.sampled_from(("pelda-0123456789abcdef", "444-0123456789abcdef")),
    url=addresses,
    identity=st.just("1"),
    outcome=st.sampled_from((PageOutcome.ARTICLE, PageOutcome.PAYWALL)),
    type=st.sampled_from(("NewsArticle", "DiscussionForumPosting", "no type", "")),
    language=languages,
    metadata=metadata,
    flags=st.lists(texts, max_size=1).map(tuple),
    blocks=st.lists(blocks, max_size=4).map(tuple),
    posts=st.lists(posts, max_size=4).map(tuple),
    captures=st.lists(captures, max_size=2).map(tuple),
    versions=st.lists(captures, max_size=1).map(tuple),
)
portals = st.builds(
    Portal,
    name=st.just("pelda"),
    title=st.sampled_from(("", "Példa & Hírek")),
    home=st.just("https://pelda.example/"),
    language=st.sampled_from((None, "hu")),
    timezone=st.just(ZoneInfo("Europe/Budapest")),
    publisher=st.sampled_from(
        (Publisher(), Publisher(name="Példa Kft.", place="Budapest", rights=Rights(licence="nincs", statement="© Példa")))
    ),
    hosts=st.just(frozenset({"pelda.example"})),
)
