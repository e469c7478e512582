"""`request` and `urls`: how a page is asked for, and what is done to the links that it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from webarticlecurator.config import scalars
from webarticlecurator.config.keys import all_parsed, as_flag, as_patterns, as_texts, key, read_keys
from webarticlecurator.config.node_compiler import NodeCompiler, entries, mapping, text
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, YamlNode
from webarticlecurator.patterns import Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestShape:
    """How an archive page or a JSON article is asked for; strings are templates like the URL."""

    method: str = "GET"
    form: Mapping[str, UrlTemplate] | None = None
    json: Any = None
    """Plain JSON with `UrlTemplate` in place of strings."""
    headers: Mapping[str, UrlTemplate] = field(default_factory=dict)

    @property
    def templates(self) -> tuple[UrlTemplate, ...]:
        """Everything in it that is filled in like the URL."""
        return (*(self.form or {}).values(), *self.headers.values(), *_templates_in(self.json))


def _templates_in(body: Any) -> Iterator[UrlTemplate]:
    if isinstance(body, UrlTemplate):
        yield body
    for child in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        yield from _templates_in(child)


def read_request(compiler: NodeCompiler, node: YamlNode | None) -> RequestShape:
    shape, headers = mapping(node), mapping(mapping(node).get("headers"))
    has_body = shape.get("form") is not None or "json" in shape.entries
    method = text(shape.get("method")) or ("POST" if has_body else "GET")
    if has_body and method == "GET":
        sentence = "a GET request has no body; use `method: POST` with `form` or `json`, or put the values into `url`"
        compiler.note(shape.keys["method"], sentence)
    for name in entries(headers):
        if scalars.SECRET_HEADER.search(name):
            compiler.note(headers.keys[name], f"{name} is a secret; write `{name}: {{env: CURATOR_NAME}}` in `fetch.headers`")
    return RequestShape(
        method=method,
        form=_templates(compiler, shape.get("form")) if shape.get("form") is not None else None,
        json=_json_body(compiler, shape.entries.get("json")),
        headers=_templates(compiler, headers),
    )


def _templates(compiler: NodeCompiler, node: YamlNode | None) -> dict[str, UrlTemplate]:
    return {name: template for name, entry in entries(node).items() if (template := compiler.template(entry)) is not None}


def _json_body(compiler: NodeCompiler, node: YamlNode | None) -> Any:
    if isinstance(node, ListNode):
        return [_json_body(compiler, item) for item in node.items]
    if isinstance(node, MapNode):
        return {name: _json_body(compiler, value) for name, value in node.entries.items()}
    if node is None or not isinstance(node.value, str):
        return node.value if node is not None else None
    return compiler.template(node)


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlRules:
    """What is done to joined URLs, in the order of the fields; the first three also clean the next link."""

    replace: tuple[tuple[Pattern, str], ...] = key(NodeCompiler.replacements, default=())
    drop_fragment: bool = key(as_flag, default=False)
    drop_params: tuple[str, ...] = key(as_texts, default=())
    """Names of query parameters; `*` stands for anything."""
    map: Mapping[str, str] = key(NodeCompiler.url_table, default={}, written="map_file")
    """Dead -> live URL."""
    only: tuple[Pattern, ...] = key(as_patterns, default=())
    exclude: tuple[Pattern, ...] = key(as_patterns, default=())
    exclude_urls: frozenset[str] = key(NodeCompiler.url_list, default=frozenset(), written="exclude_file")
    hosts: tuple[str, ...] = key(all_parsed(scalars.host_pattern), default=())
    """Further hosts that article links may lead to; `*.pelda.example` stands for all below it."""


def read_url_rules(compiler: NodeCompiler, node: YamlNode) -> UrlRules:
    return read_keys(compiler, UrlRules, node)
