"""The article side: `articles`, `body`, `posts` and `layouts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Literal

from webarticlecurator.config.keys import as_day, as_flag, as_pattern, as_patterns, as_text, key, read_keys
from webarticlecurator.config.merge import as_mapping, merge
from webarticlecurator.config.node_compiler import NodeCompiler, entries, items, mapping, text
from webarticlecurator.config.page_rendering import BROWSER, read_rendering
from webarticlecurator.config.picks import Picks, as_picks, read_fields, read_picks
from webarticlecurator.config.request_rules import RequestShape, read_request
from webarticlecurator.config.tag_dictionary import TagLayer, read_tags
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import MapNode, ScalarNode, YamlNode, is_null
from webarticlecurator.model.rendering import Rendering
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRules:
    next: Picks | None = key(as_picks("articles.next"))
    skip_when: tuple[Selector, ...] = ()
    skip_url: tuple[Pattern, ...] = ()
    identity: Pattern | None = key(as_pattern)
    fetch: Literal["all", "truncated"] = "all"
    """Which articles are asked for, where index pages hold whole posts."""
    format: Literal["html", "json"] = key(as_text, default="html")
    request: RequestShape = key(read_request, default=RequestShape())
    make_url: UrlTemplate | None = key(NodeCompiler.template)
    rendering: Rendering | None = None
    """How a browser shows their pages; None: no browser has to do with them."""


def read_articles(compiler: NodeCompiler, node: YamlNode | None, portal_fetch: YamlNode | None) -> ArticleRules:
    """`portal_fetch`: the rules for all that is asked for."""
    rules = mapping(node)
    skip, fetch = mapping(rules.get("skip")), as_mapping(rules.get("fetch"), "which")
    which = text(fetch.get("which"))
    read = read_keys(
        replace(compiler, placeholders=frozenset({"value"})),
        ArticleRules,
        node,
        fetch="truncated" if which == "truncated" else "all",
        rendering=read_rendering(compiler, portal_fetch, fetch),
        skip_when=compiler.parse_all(skip.get("when"), Selector.parse),
        skip_url=compiler.parse_all(skip.get("url"), Pattern.parse),
    )
    if read.format == "html" and read.request.method == "GET":
        return read
    if text(fetch.get("via")) == BROWSER:
        compiler.note(fetch.keys["via"], "a browser shows HTML that is asked for by GET, which these articles are not; delete `via`")
    return replace(read, rendering=None)


def _read_root(compiler: NodeCompiler, node: YamlNode) -> Picks | None:
    if compiler.in_json and isinstance(node, ScalarNode):
        # the body of a JSON article is a path, not a selector
        node = MapNode(node.place, {"json": node}, {"json": node.place})
    return read_picks(compiler, node, "body.root")


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyRules:
    """Where an article's body is, and how its HTML is rewritten."""

    root: Picks | None = key(_read_root)
    """None: the general finder looks for it."""
    within: Picks | None = key(as_picks("body.within"))
    """Which element the general finder takes for the body, where it is there."""
    labeller: bool = key(as_flag, default=False)
    """Whether the general finder asks the general labeller, too."""
    tags: tuple[TagLayer, ...] = key(read_tags, default=())
    """Nearest first; the package's general table stands below them all."""


def read_body(compiler: NodeCompiler, node: YamlNode) -> BodyRules:
    return read_keys(compiler, BodyRules, node)


class PostKind(StrEnum):
    """What the posts on a page are."""

    LIVEBLOG = "liveblog"
    FORUM = "forum"
    COMMENTS = "comments"
    BLOG = "blog"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRules:
    """Posts of one kind on a page."""

    item: Picks
    id: Picks | None = None
    time: Picks | None = None
    author: Picks | None = None
    title: Picks | None = None
    text: Picks | None = None
    reply_to: Picks | None = None
    depth: Picks | None = None
    quoted: Picks | None = None
    """This one and the next are asked of each quotation in its text."""
    quoted_author: Picks | None = None
    number: Picks | None = None
    edited: Picks | None = None
    editor: Picks | None = None
    deleted: Picks | None = None
    likes: Picks | None = None
    url: Picks | None = None
    day: Picks | None = None
    """Of a time that has none, and of a post without a time."""
    more: Picks | None = None
    """Of a blog post on an index page: what shows that only its beginning is there."""
    keywords: Picks | None = None
    section: Picks | None = None


def read_posts(compiler: NodeCompiler, node: YamlNode) -> dict[PostKind, PostRules]:
    posts: dict[PostKind, PostRules] = {}
    for kind, rules in entries(node).items():
        read = read_fields(compiler, rules, f"posts.{kind}")
        if "item" in read:
            posts[PostKind(kind)] = PostRules(**read)
        elif mapping(rules).get("item") is None:
            compiler.note(rules.place, f"`item` is missing: what holds one post of the {kind}?")
    return posts


def read_unwanted_posts(_: NodeCompiler, node: YamlNode) -> frozenset[PostKind]:
    return frozenset(PostKind(kind) for kind, rules in mapping(node).entries.items() if is_null(rules))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A dated or conditional variant of the rules; all conditions that are given must hold."""

    name: str = key(as_text)
    start: date | None = key(as_day, written="from")
    until: date | None = key(as_day)
    """Last day."""
    when: Selector | None = key(NodeCompiler.selector)
    url: tuple[Pattern, ...] = key(as_patterns, default=())
    """One of these must find something in the page's URL."""
    metadata: Mapping[str, Picks] = field(default_factory=dict)
    """The portal's picks with this layout's merged in; the same for `body` and `posts`."""
    body: BodyRules = BodyRules()
    posts: Mapping[PostKind, PostRules] = field(default_factory=dict)
    unwanted_posts: frozenset[PostKind] = frozenset()
    """Kinds of which the file says `null`: nobody misses them."""


def read_layouts(compiler: NodeCompiler, root: MapNode) -> tuple[Layout, ...]:
    """Each layout with the rules of the portal merged in."""
    nodes = enumerate(items(root.get("layouts")), 1)
    return tuple(_layout(compiler, root, node, number) for number, node in nodes if isinstance(node, MapNode))


def _layout(compiler: NodeCompiler, root: MapNode, node: MapNode, number: int) -> Layout:
    if not any(node.get(condition) is not None for condition in ("from", "until", "when", "url")):
        compiler.note(node.place, "a layout needs a condition: `from`, `until`, `when` or `url`")

    def merged(key: str, kind: str) -> YamlNode:
        return merge(mapping(root.get(key)), mapping(node.get(key)), kind)

    layout = read_keys(
        compiler,
        Layout,
        node,
        metadata=read_fields(compiler, merged("metadata", "picks"), "metadata"),
        body=read_body(compiler, merged("body", "body")),
        posts=read_posts(compiler, merged("posts", "posts")),
        unwanted_posts=read_unwanted_posts(compiler, merged("posts", "posts")),
    )
    if layout.start and layout.until and layout.start > layout.until:
        compiler.note(node.place, f"`from` ({layout.start}) lies after `until` ({layout.until})")
    return layout if layout.name else replace(layout, name=f"layout {number}")
