"""The article side: `articles`, `body`, `posts` and `layouts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, replace
from datetime import date
from enum import StrEnum
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Literal

from webarticlecurator.config.fetch_rules import (
    BROWSER,
    PART_BROWSER_KEYS,
    REQUEST,
    RequestShape,
    read_rendering,
)
from webarticlecurator.config.keys import Key, Shape, all_parsed, key, keys_of, mapping_of, one_of, read_keys
from webarticlecurator.config.merge import as_mapping, merge
from webarticlecurator.config.picks import METADATA, PICK, Picks, read_fields, read_picks
from webarticlecurator.config.scalars import DAY, FLAG, REGEX, REGEXES, SELECTORS, TEXT, NodeCompiler
from webarticlecurator.config.tag_dictionary import TAGS, TagLayer
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_reading import MapNode, ScalarNode, YamlNode, is_null, items, mapping, text
from webarticlecurator.model.capture import Rendering
from webarticlecurator.own_patterns import linear
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipRules:
    """Pages that are no articles."""

    when: tuple[Selector, ...] = key(
        SELECTORS, ["body.hibaoldal"], default=(), adds=True, read=all_parsed(Selector.parse)
    )
    """Selectors: a page that matches one is fetched and is `not-article`."""
    url: tuple[Pattern, ...] = key(REGEXES, ["/galeria/"], default=(), adds=True)
    """Regexes: a URL that one finds is not fetched; what is stored of it is `not-article`."""


_WHICH = Key(
    one_of("all", "truncated"),
    "`all` articles, or those that `posts.blog` does not find whole on an index page (`truncated`).",
    ("truncated",),
    default="all",
)
_FETCH = Shape(
    kinds=("string", "object"),
    title="all, truncated, or a mapping",
    pattern=r"^(all|truncated)$(?!\n)",
    known={"which": _WHICH, **PART_BROWSER_KEYS},
    short_for="which",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRules:
    """`articles`: which pages are articles, and how they are asked for."""

    next: Picks | None = key(
        PICK, "a.kovetkezo-oldal", adds=True, read=partial(read_picks, source="articles.next")
    )
    """Link to the next page of a multi-page article; followed as it stands, on every host of the portal."""
    one_page: bool = key(FLAG.given, True, default=False)
    """Articles are collected as one page each, whatever further pages they show: nobody asks for these, and
    nobody tells of them."""
    skip: SkipRules = key(
        mapping_of(SkipRules), {"when": ["body.hibaoldal"], "url": ["/galeria/"]}, default=SkipRules()
    )
    """Pages that are no articles."""
    fetch: Literal["all", "truncated"] = key(
        _FETCH, "truncated", {"via": "browser", "wait": "article"}, default="all"
    )
    """Articles that are asked for, and how they come; may be just the word of `which`."""
    identity: Pattern | None = key(replace(REGEX, null=True, name=""), r"/cikk/(\d+)/")
    """Regex whose groups, joined with `/`, name an article: two URLs with the same name are one article."""
    format: Literal["html", "json"] = key(one_of("html", "json"), "json", default="html")
    """Format of an article page."""
    request: RequestShape = key(REQUEST, {"headers": {"Accept": "application/json"}}, default=RequestShape())
    """The request by which an article is asked for."""
    make_url: UrlTemplate | None = key(
        TEXT, "https://pelda.example/json/cikk?id={value}", read=NodeCompiler.template
    )
    """Template of the address where an article is asked for, made of its link."""
    rendering: Rendering | None = None
    """The way in which a browser shows article pages; None if no browser has to do with them."""

    @property
    def joins_pages(self) -> bool:
        """A rule tells which pages are one article."""
        return self.next is not None or self.identity is not None

    @property
    def next_in_words(self) -> str:
        """Return the name of the rule for further pages, as it is called in sentences."""
        return f"articles.next ({self.next.named})" if self.next is not None else "articles.next"


def read_articles(
    compiler: NodeCompiler, node: YamlNode | None, portal_fetch: YamlNode | None
) -> ArticleRules:
    """Read `articles`; `portal_fetch`: the rules for all that is asked for."""
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
        compiler.note(
            fetch.keys["via"],
            "a browser shows HTML that is asked for by GET, which these articles are not; delete `via`",
        )
    return replace(read, rendering=None)


def _read_root(compiler: NodeCompiler, node: YamlNode) -> Picks | None:
    if compiler.in_json and isinstance(node, ScalarNode):
        # the body of a JSON article is a path, not a selector
        node = MapNode(node.place, {"json": node}, {"json": node.place})
    return read_picks(compiler, node, "body.root")


@dataclass(frozen=True, slots=True)
class LabellerFile:
    """A labeller of one's own."""

    path: Path
    digest: str
    """The digest of the file's content: another labeller may make other documents."""


def _read_labeller(compiler: NodeCompiler, node: YamlNode | None) -> bool | LabellerFile:
    if isinstance(node, ScalarNode) and isinstance(node.value, bool):
        return node.value
    path = compiler.file(node)
    return False if path is None else LabellerFile(path, sha256(path.read_bytes()).hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyRules:
    """Rules for where an article's body is, and for how its HTML is rewritten."""

    root: Picks | None = key(PICK, ["div.cikk-torzs", "div#content"], adds=True, read=_read_root)
    """The article's body; alternatives in order. Without it the general finder looks for it."""
    within: Picks | None = key(PICK, [".entry-content"], read=partial(read_picks, source="body.within"))
    """Element that the general finder takes for the body, where the page has it: what in it is no text of the
    article is found as without a rule. (What `root` picks is taken whole.)"""
    labeller: bool | LabellerFile = key(
        Shape(
            kinds=("boolean", "string"),
            shortest=1,
            title="true, false, or a file that `curator label train` made",
        ),
        "labeller.npz",
        default=False,
        read=_read_labeller,
    )
    """With `true`, the general finder asks the general labeller, too; with a file, the labeller in it: a
    little better without any rule, and slower. (What `root` picks is taken whole.)"""
    tags: tuple[TagLayer, ...] = key(
        TAGS, {"decompose": ["div.ajanlo"], "lead": ["p.lead"]}, default=(), shown={}
    )
    """The tag dictionary: operation → selectors. Not merged but layered: the nearest file with a matching
    selector decides. (A list holds layers, nearest first, as `check --show` prints them.)"""
    # Nearest first; the package's general table stands below them all.


BODY = mapping_of(BodyRules, name="body")


class PostKind(StrEnum):
    """The kinds of posts on a page."""

    LIVEBLOG = "liveblog"
    FORUM = "forum"
    COMMENTS = "comments"
    BLOG = "blog"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRules:
    """Posts of one kind on a page."""

    item: Picks = key(PICK, "li.komment", adds=True, default=MISSING)
    """One post."""
    id: Picks | None = key(PICK, {"attr": "data-id"}, adds=True)
    """The post's identifier."""
    time: Picks | None = key(PICK, {"css": "time", "attr": "datetime"}, adds=True)
    """Time at which the post was written."""
    author: Picks | None = key(PICK, ".nev", adds=True)
    """Author of the post."""
    title: Picks | None = key(PICK, "h3", adds=True)
    """Title of the post."""
    text: Picks | None = key(PICK, ".szoveg", adds=True)
    """Text of the post."""
    reply_to: Picks | None = key(PICK, {"attr": "data-parent"}, adds=True)
    """Identifier of the post that it answers."""
    depth: Picks | None = key(PICK, {"attr": "class", "match": r"melyseg-(\d+)"}, adds=True)
    """Depth of the post among the answers, as a number: it answers the last post before it that stands less
    deep."""
    quoted: Picks | None = key(PICK, {"css": "cite a", "attr": "href", "match": r"#p(\d+)"}, adds=True)
    """The identifier of the post that a quotation quotes; asked of each quotation in the post's text."""
    quoted_author: Picks | None = key(PICK, {"attr": "data-quote"}, adds=True)
    """Author whom a quotation quotes; asked of each quotation in the post's text."""
    number: Picks | None = key(PICK, {"css": ".sorszam", "match": r"\d+"}, adds=True)
    """Number of the post in the thread, as readers see it."""
    edited: Picks | None = key(PICK, {"css": ".szerkesztve time", "attr": "datetime"}, adds=True)
    """Time at which the post was last changed."""
    editor: Picks | None = key(PICK, ".szerkesztve .nev", adds=True)
    """Person who changed the post last."""
    deleted: Picks | None = key(PICK, ".torolve", adds=True)
    """Sign that the post was deleted: it is kept, as a deleted one."""
    likes: Picks | None = key(PICK, {"css": ".kedveli", "match": r"\d+"}, adds=True)
    """Number of people who like the post."""
    url: Picks | None = key(PICK, "a.permalink", adds=True)
    """Address of the post itself."""
    day: Picks | None = key(PICK, {"before": "h2.date-header"}, adds=True)
    """The day of a time that has none, and of a post without a time."""
    more: Picks | None = key(PICK, "a.more-link", adds=True)
    """Sign on an index page that only the beginning of the post is there."""
    keywords: Picks | None = key(PICK, "a[rel=tag]", adds=True)
    """Keywords of the post on an index page."""
    section: Picks | None = key(PICK, ".rovat", adds=True)
    """Section that the post belongs to, on an index page."""


UNWANTED = PostRules(item=Picks(alternatives=()))
"""The rules of a kind of posts for which the file says `null`: nobody misses them, and nothing finds them."""


def read_posts(compiler: NodeCompiler, node: YamlNode) -> dict[PostKind, PostRules]:
    """Read `posts`: rules by the kind of what people write."""
    posts: dict[PostKind, PostRules] = {}
    for kind, rules in mapping(node).entries.items():
        read = read_fields(compiler, rules, f"posts.{kind}")
        of_text = read["text"].each() if "text" in read else ()
        if any(
            pick.take is None and pick.css is not None and linear(r"(?:^|[\s>+~])p$").search(pick.css.text)
            for pick in of_text
        ):
            place = mapping(rules).entries["text"].place
            compiler.warn(
                place,
                "`text` takes the first paragraph of a post alone; name what holds them all, or add `take: "
                "all`",
            )
        if "item" in read or is_null(rules):
            posts[PostKind(kind)] = PostRules(**read) if read else UNWANTED
        elif mapping(rules).get("item") is None:
            compiler.note(rules.place, f"`item` is missing: what holds one post of the {kind}?")
    return posts


_POST_KEYS = keys_of(PostRules)
_POST = Shape(
    kinds=("object",), title=f"a mapping with {', '.join(_POST_KEYS)}", known=_POST_KEYS, name="post"
)
_POSTS_OF = {
    PostKind.LIVEBLOG: "Entries of a live blog.",
    PostKind.FORUM: "Posts of a forum thread.",
    PostKind.COMMENTS: "Comments below an article; `null`: nobody wants them, and builds do not tell what is "
    "left out.",
    PostKind.BLOG: "Blog posts on index pages: with `url` each is an article of its own.",
}
_EXAMPLE = {"item": "div.bejegyzes", "time": "time", "author": ".szerzo", "text": ".szoveg"}
_KNOWN_POSTS = {kind.value: Key(_POST, said, (_EXAMPLE,)) for kind, said in _POSTS_OF.items()}
POSTS = Shape(kinds=("object",), known=_KNOWN_POSTS, name="posts", read=read_posts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A dated or conditional variant of the rules; all conditions that are given must hold."""

    name: str = key(TEXT, "old", shown="its number")
    """Name of the layout, for reports."""
    start: date | None = key(DAY, "2005-01-01", name="from")
    """First date of articles in this layout."""
    until: date | None = key(DAY, "2011-03-31")
    """Last date of articles in this layout."""
    when: Selector | None = key(SELECTORS, "div.galeria-oldal")
    """Selector that must match the page."""
    url: tuple[Pattern, ...] = key(REGEXES, "/galeria/", default=(), shown=[])
    """Regex that must find something in the page's URL."""
    metadata: Mapping[str, Picks] = key(METADATA, {"author": ".foto"}, default={})
    """Picks that override those of the portal."""
    # The portal's picks with this layout's merged in; the same for `body` and `posts`.
    body: BodyRules = key(BODY, {"root": "td.cikk"}, default=BodyRules())
    """Body rules that override those of the portal."""
    posts: Mapping[PostKind, PostRules] = key(POSTS, {"comments": None}, default={})
    """Posts that override those of the portal."""


LAYOUTS = Shape(
    kinds=("array",),
    items=mapping_of(Layout, null=False, title=f"a mapping with {', '.join(keys_of(Layout))}"),
    name="layouts",
)


def read_layouts(compiler: NodeCompiler, root: MapNode) -> tuple[Layout, ...]:
    """Return each layout with the rules of the portal merged in."""
    layouts = [node for node in items(root.get("layouts")) if isinstance(node, MapNode)]
    conditions, read = ("from", "until", "when", "url"), list[Layout]()
    for number, node in enumerate(layouts, 1):
        if not any(
            node.get(name) is not None or compiler.has_lost("layouts", number - 1, name)
            for name in conditions
        ):
            compiler.note(node.place, "a layout needs a condition: `from`, `until`, `when` or `url`")
        shapes = {"metadata": METADATA, "body": BODY, "posts": POSTS}
        merged = {
            key: merge(mapping(root.get(key)), mapping(node.get(key)), shape) for key, shape in shapes.items()
        }
        layout = read_keys(
            compiler,
            Layout,
            node,
            metadata=read_fields(compiler, merged["metadata"], "metadata"),
            body=read_keys(compiler, BodyRules, merged["body"]),
            posts=read_posts(compiler, merged["posts"]),
        )
        if layout.start and layout.until and layout.start > layout.until:
            compiler.note(node.place, f"`from` ({layout.start}) lies after `until` ({layout.until})")
        read.append(layout if layout.name else replace(layout, name=f"layout {number}"))
    return tuple(read)
