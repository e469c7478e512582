"""The article side: `articles`, `body`, `posts` and `layouts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Literal

from webarticlecurator.config.keys import (
    DAY,
    FLAG,
    REGEX,
    REGEXES,
    SELECTORS,
    TEXT,
    Keys,
    Shape,
    all_parsed,
    declare,
    key,
    keys_of,
    mapping_of,
    one_of,
    read_keys,
)
from webarticlecurator.config.merge import as_mapping, merge
from webarticlecurator.config.node_compiler import NodeCompiler, entries, items, mapping, text
from webarticlecurator.config.page_rendering import BROWSER, PART_BROWSER_KEYS, read_rendering
from webarticlecurator.config.picks import METADATA, PICK, Picks, as_picks, read_fields, read_picks
from webarticlecurator.config.request_rules import REQUEST, RequestShape
from webarticlecurator.config.tag_dictionary import TAGS, TagLayer
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import MapNode, ScalarNode, YamlNode, is_null
from webarticlecurator.model.rendering import Rendering
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipRules:
    """Pages that are no articles."""

    when: tuple[Selector, ...] = key(
        SELECTORS,
        "Selectors: a page that matches one is fetched and is `not-article`.",
        ["body.hibaoldal"],
        default=(),
        adds=True,
        read=all_parsed(Selector.parse),
    )
    url: tuple[Pattern, ...] = key(
        REGEXES, "Regexes: a URL that one finds is not fetched; what is stored of it stays in.", ["/galeria/"], default=(), adds=True
    )


_WHICH = declare(
    one_of("all", "truncated"),
    "`all` articles, or those that `posts.blog` does not find whole on an index page (`truncated`).",
    "truncated",
    default="all",
)
_FETCH = Shape(
    kinds=("string", "object"),
    title="all, truncated, or a mapping",
    pattern=r"^(all|truncated)$(?!\n)",
    keys=Keys({"which": _WHICH, **PART_BROWSER_KEYS}),
    short_for="which",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRules:
    next: Picks | None = key(
        PICK,
        "Link to the next page of a multi-page article; followed as it stands, on every host of the portal.",
        "a.kovetkezo-oldal",
        adds=True,
        read=as_picks("articles.next"),
    )
    skip: SkipRules = key(
        mapping_of(SkipRules),
        "Pages that are no articles.",
        {"when": ["body.hibaoldal"], "url": ["/galeria/"]},
        default=SkipRules(),
        shown={},
    )
    fetch: Literal["all", "truncated"] = key(
        _FETCH,
        "Which articles are asked for, and how they come; may be just the word of `which`.",
        "truncated",
        {"via": "browser", "wait": "article"},
        default="all",
    )
    identity: Pattern | None = key(
        replace(REGEX, null=True, name=""), "What makes two URLs one article: the regex's groups, joined with `/`.", r"/cikk/(\d+)/"
    )
    format: Literal["html", "json"] = key(one_of("html", "json"), "What an article page is.", "json", default="html")
    request: RequestShape = key(
        REQUEST, "How an article is asked for.", {"headers": {"Accept": "application/json"}}, default=RequestShape(), shown={}
    )
    make_url: UrlTemplate | None = key(
        TEXT, "Where an article is asked for, made of its link.", "https://pelda.example/json/cikk?id={value}", read=NodeCompiler.template
    )
    rendering: Rendering | None = None
    """How a browser shows their pages; None: no browser has to do with them."""


def read_articles(compiler: NodeCompiler, node: YamlNode | None, portal_fetch: YamlNode | None) -> ArticleRules:
    """`portal_fetch`: the rules for all that is asked for."""
    rules = mapping(node)
    fetch = as_mapping(rules.get("fetch"), _FETCH.short_for)
    which = text(fetch.get("which"))
    read = read_keys(
        replace(compiler, placeholders=frozenset({"value"})),
        ArticleRules,
        node,
        fetch="truncated" if which == "truncated" else "all",
        rendering=read_rendering(compiler, portal_fetch, fetch),
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

    root: Picks | None = key(
        PICK,
        "The article's body; alternatives in order. Without it the general finder looks for it.",
        ["div.cikk-torzs", "div#content"],
        adds=True,
        read=_read_root,
    )
    within: Picks | None = key(
        PICK,
        "Which element the general finder takes for the body, where it is there: what in it is no text of the article is found as without a"
        " rule. (What `root` picks is taken whole.)",
        [".entry-content"],
        read=as_picks("body.within"),
    )
    labeller: bool = key(
        FLAG,
        "Whether the general finder asks the general labeller, too: a little better without any rule, and slower. (What `root` picks is"
        " taken whole.)",
        True,
        default=False,
    )
    tags: tuple[TagLayer, ...] = key(
        TAGS,
        "The tag dictionary: operation → selectors. Not merged but layered: the nearest file with a matching selector decides. (A list"
        " holds layers, nearest first, as `check --show` prints them.)",
        {"decompose": ["div.ajanlo"], "lead": ["p.lead"]},
        default=(),
        shown={},
    )
    """Nearest first; the package's general table stands below them all."""


BODY = mapping_of(BodyRules, name="body")


class PostKind(StrEnum):
    """What the posts on a page are."""

    LIVEBLOG = "liveblog"
    FORUM = "forum"
    COMMENTS = "comments"
    BLOG = "blog"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRules:
    """Posts of one kind on a page."""

    item: Picks = key(PICK, "One post.", "li.komment", adds=True, default=MISSING)
    id: Picks | None = key(PICK, "The post's identifier.", {"attr": "data-id"}, adds=True)
    time: Picks | None = key(PICK, "When it was posted.", {"css": "time", "attr": "datetime"}, adds=True)
    author: Picks | None = key(PICK, "Who posted it.", ".nev", adds=True)
    title: Picks | None = key(PICK, "Its title.", "h3", adds=True)
    text: Picks | None = key(PICK, "Its text.", ".szoveg", adds=True)
    reply_to: Picks | None = key(PICK, "Identifier of the post that it answers.", {"attr": "data-parent"}, adds=True)
    depth: Picks | None = key(
        PICK,
        "How deep it stands among the answers, as a number: it answers the last post before it that stands less deep.",
        {"attr": "class", "match": r"melyseg-(\d+)"},
        adds=True,
    )
    quoted: Picks | None = key(
        PICK,
        "Asked of each quotation in its text: the identifier of the post that it quotes.",
        {"css": "cite a", "attr": "href", "match": r"#p(\d+)"},
        adds=True,
    )
    quoted_author: Picks | None = key(PICK, "Asked of each quotation in its text: whom it quotes.", {"attr": "data-quote"}, adds=True)
    number: Picks | None = key(PICK, "Its number in the thread, as readers see it.", {"css": ".sorszam", "match": r"\d+"}, adds=True)
    edited: Picks | None = key(PICK, "When it was last changed.", {"css": ".szerkesztve time", "attr": "datetime"}, adds=True)
    editor: Picks | None = key(PICK, "Who changed it last.", ".szerkesztve .nev", adds=True)
    deleted: Picks | None = key(PICK, "What says that it was deleted: the post is kept, as a deleted one.", ".torolve", adds=True)
    likes: Picks | None = key(PICK, "How many like it.", {"css": ".kedveli", "match": r"\d+"}, adds=True)
    url: Picks | None = key(PICK, "Its own address.", "a.permalink", adds=True)
    day: Picks | None = key(PICK, "The day of a time that has none, and of a post without a time.", {"before": "h2.date-header"}, adds=True)
    more: Picks | None = key(PICK, "On an index page: the sign that only the beginning of the post is there.", "a.more-link", adds=True)
    keywords: Picks | None = key(PICK, "On an index page: its keywords.", "a[rel=tag]", adds=True)
    section: Picks | None = key(PICK, "On an index page: the section that it belongs to.", ".rovat", adds=True)


def read_posts(compiler: NodeCompiler, node: YamlNode) -> dict[PostKind, PostRules]:
    posts: dict[PostKind, PostRules] = {}
    for kind, rules in entries(node).items():
        read = read_fields(compiler, rules, f"posts.{kind}")
        if "item" in read:
            posts[PostKind(kind)] = PostRules(**read)
        elif mapping(rules).get("item") is None:
            compiler.note(rules.place, f"`item` is missing: what holds one post of the {kind}?")
    return posts


def read_unwanted_posts(node: YamlNode | None) -> frozenset[PostKind]:
    """Kinds of which the file says `null`: nobody misses them."""
    return frozenset(PostKind(kind) for kind, rules in mapping(node).entries.items() if is_null(rules))


_POST_KEYS = keys_of(PostRules)
_POST = Shape(kinds=("object",), title=f"a mapping with {', '.join(_POST_KEYS)}", keys=Keys(_POST_KEYS), name="post")
_POSTS_OF = {
    PostKind.LIVEBLOG: "Entries of a live blog.",
    PostKind.FORUM: "Posts of a forum thread.",
    PostKind.COMMENTS: "Comments below an article; `null`: nobody wants them, and builds do not tell what is left out.",
    PostKind.BLOG: "Blog posts on index pages: with `url` each is an article of its own.",
}
_EXAMPLE = {"item": "div.bejegyzes", "time": "time", "author": ".szerzo", "text": ".szoveg"}
POSTS = Shape(
    kinds=("object",),
    keys=Keys({kind.value: declare(_POST, _POSTS_OF[kind], _EXAMPLE) for kind in PostKind}),
    name="posts",
    read=read_posts,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A dated or conditional variant of the rules; all conditions that are given must hold."""

    name: str = key(TEXT, "Name of the layout, for reports.", "old", shown="its number")
    start: date | None = key(DAY, "First date of articles in this layout.", "2005-01-01", name="from")
    until: date | None = key(DAY, "Last date of articles in this layout.", "2011-03-31")
    when: Selector | None = key(SELECTORS, "Selector that must match the page.", "div.galeria-oldal")
    url: tuple[Pattern, ...] = key(REGEXES, "Regex that must find something in the page's URL.", "/galeria/", default=(), shown=[])
    metadata: Mapping[str, Picks] = key(METADATA, "Picks that override those above.", {"author": ".foto"}, default={})
    """The portal's picks with this layout's merged in; the same for `body` and `posts`."""
    body: BodyRules = key(BODY, "Body rules that override those above.", {"root": "td.cikk"}, default=BodyRules(), shown={})
    posts: Mapping[PostKind, PostRules] = key(POSTS, "Posts that override those above.", {"comments": None}, default={})
    unwanted_posts: frozenset[PostKind] = frozenset()


LAYOUTS = Shape(
    kinds=("array",), items=mapping_of(Layout, null=False, title=f"a mapping with {', '.join(keys_of(Layout))}"), name="layouts"
)


def read_layouts(compiler: NodeCompiler, root: MapNode) -> tuple[Layout, ...]:
    """Each layout with the rules of the portal merged in."""
    nodes = enumerate(items(root.get("layouts")), 1)
    return tuple(_layout(compiler, root, node, number) for number, node in nodes if isinstance(node, MapNode))


def _layout(compiler: NodeCompiler, root: MapNode, node: MapNode, number: int) -> Layout:
    if not any(node.get(condition) is not None for condition in ("from", "until", "when", "url")):
        compiler.note(node.place, "a layout needs a condition: `from`, `until`, `when` or `url`")

    def merged(key: str, shape: Shape) -> YamlNode:
        return merge(mapping(root.get(key)), mapping(node.get(key)), shape)

    layout = read_keys(
        compiler,
        Layout,
        node,
        metadata=read_fields(compiler, merged("metadata", METADATA), "metadata"),
        body=read_keys(compiler, BodyRules, merged("body", BODY)),
        posts=read_posts(compiler, merged("posts", POSTS)),
        unwanted_posts=read_unwanted_posts(merged("posts", POSTS)),
    )
    if layout.start and layout.until and layout.start > layout.until:
        compiler.note(node.place, f"`from` ({layout.start}) lies after `until` ({layout.until})")
    return layout if layout.name else replace(layout, name=f"layout {number}")
