"""The article side: `articles`, `body`, `posts` and `layouts`."""

from __future__ import annotations

from functools import partial

from webarticlecurator.config import scalars
from webarticlecurator.config.merge import merge
from webarticlecurator.config.node_compiler import NodeCompiler, entries, items, mapping, text, texts
from webarticlecurator.config.picks import read_fields, read_picks
from webarticlecurator.config.portal import ArticleRules, BodyRules, Layout, PostKind, PostRules
from webarticlecurator.config.request_rules import read_request
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import FilePlace, MapNode, Node, ScalarNode, is_null
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector

_VALUE = frozenset({"value"})


def read_articles(compiler: NodeCompiler, node: Node | None) -> ArticleRules:
    rules, skip = mapping(node), mapping(mapping(node).get("skip"))
    in_json = text(rules.get("format")) == "json"
    return ArticleRules(
        next=read_picks(compiler, rules.get("next"), "articles.next", in_json=in_json),
        skip_when=compiler.parse_all(skip.get("when"), Selector.parse),
        skip_url=compiler.parse_all(skip.get("url"), Pattern.parse),
        identity=compiler.parse(rules.get("identity"), Pattern.parse),
        format="json" if in_json else "html",
        request=read_request(compiler, rules.get("request"), partial(UrlTemplate.parse, names=_VALUE, language=compiler.language)),
        make_url=compiler.parse(rules.get("make_url"), lambda url: UrlTemplate.parse(url, names=_VALUE)),
    )


def read_body(compiler: NodeCompiler, node: Node | None, *, in_json: bool) -> BodyRules:
    body = mapping(node)
    root = body.get("root")
    if in_json and isinstance(root, ScalarNode):
        # the body of a JSON article is a path, not a selector
        root = MapNode(root.place, {"json": root}, {"json": root.place})
    return BodyRules(
        root=read_picks(compiler, root, "body.root", in_json=in_json),
        tags=tuple(_layer(compiler, layer) for layer in items(body.get("tags")) if isinstance(layer, MapNode)),
    )


def _layer(compiler: NodeCompiler, layer: MapNode) -> TagLayer:
    found: list[tuple[FilePlace, TagRule]] = []
    for operation, node in layer.entries.items():
        found += _splits(compiler, node) if operation == "split" else _renames(compiler, operation, node)
    first: dict[str, TagRule] = {}
    for place, rule in found:
        selector = " ".join(rule.css.text.split())
        earlier = first.setdefault(selector, rule)
        if earlier.operation != rule.operation:
            compiler.note(
                place, f"`{selector}` stands under `{earlier.operation}` and under `{rule.operation}`; an element has one fate: keep one"
            )
    forgotten = frozenset(operation for operation, node in layer.entries.items() if is_null(node))
    return TagLayer(rules=tuple(rule for _, rule in found), forgotten=forgotten)


def _renames(compiler: NodeCompiler, operation: str, node: Node) -> list[tuple[FilePlace, TagRule]]:
    rules = []
    for item in items(node):
        css = item.get("css") if isinstance(item, MapNode) else item
        selector = compiler.parse(css, Selector.parse)
        if selector is not None:
            url = text(mapping(item).get("url"))
            rules.append((item.place, TagRule(operation=operation, css=selector, url=url, source=_source(item.place))))
    return rules


def _splits(compiler: NodeCompiler, node: Node) -> list[tuple[FilePlace, TagRule]]:
    rules = []
    for css, names in entries(node).items():
        place = mapping(node).keys[css]
        selector = compiler.parse(ScalarNode(place, css, css), Selector.parse)
        outer_and_inner = texts(names)
        if selector is not None and len(outer_and_inner) == 2:
            outer, inner = outer_and_inner
            rules.append((place, TagRule(operation="split", css=selector, split=(outer, inner), source=_source(place))))
    return rules


def _source(place: FilePlace) -> str:
    return f"{place.file.name}:{place.line}"


def read_posts(compiler: NodeCompiler, node: Node | None, *, in_json: bool) -> dict[PostKind, PostRules]:
    posts: dict[PostKind, PostRules] = {}
    for kind, rules in entries(node).items():
        read = read_fields(compiler, rules, f"posts.{kind}", in_json=in_json)
        if "item" in read:
            posts[PostKind(kind)] = PostRules(**read)
        elif mapping(rules).get("item") is None:
            compiler.note(rules.place, f"`item` is missing: what holds one post of the {kind}?")
    return posts


def read_layouts(compiler: NodeCompiler, root: MapNode, *, in_json: bool) -> tuple[Layout, ...]:
    """Each layout with the rules of the portal merged in."""
    nodes = enumerate(items(root.get("layouts")), 1)
    return tuple(_layout(compiler, root, node, number, in_json) for number, node in nodes if isinstance(node, MapNode))


def _layout(compiler: NodeCompiler, root: MapNode, node: MapNode, number: int, in_json: bool) -> Layout:
    if not any(node.get(condition) is not None for condition in ("from", "until", "when", "url")):
        compiler.note(node.place, "a layout needs a condition: `from`, `until`, `when` or `url`")
    start, until = compiler.parse(node.get("from"), scalars.day), compiler.parse(node.get("until"), scalars.day)
    if start and until and start > until:
        compiler.note(node.place, f"`from` ({start}) lies after `until` ({until})")

    def merged(key: str, kind: str) -> Node:
        return merge(mapping(root.get(key)), mapping(node.get(key)), kind)

    return Layout(
        name=text(node.get("name")) or f"layout {number}",
        start=start,
        until=until,
        when=compiler.selector(node.get("when")),
        url=compiler.parse_all(node.get("url"), Pattern.parse),
        metadata=read_fields(compiler, merged("metadata", "picks"), "metadata", in_json=in_json),
        body=read_body(compiler, merged("body", "body"), in_json=in_json),
        posts=read_posts(compiler, merged("posts", "posts"), in_json=in_json),
    )
