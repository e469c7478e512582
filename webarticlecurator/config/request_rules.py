"""`request` and `urls`: how a page is asked for, and what is done to the links that it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from webarticlecurator.config import scalars
from webarticlecurator.config.keys import (
    FILE,
    FLAG,
    HEADER_NAME,
    REGEXES,
    REPLACEMENTS,
    TEXTS,
    Keys,
    Shape,
    Together,
    all_parsed,
    key,
    keys_of,
    mapping_of,
    one_of,
)
from webarticlecurator.config.node_compiler import NodeCompiler, entries, mapping, text
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, YamlNode
from webarticlecurator.patterns import Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestShape:
    """How an archive page or a JSON article is asked for; strings are templates like the URL."""

    method: str = key(one_of("GET", "POST"), "POST", default="GET", shown="GET; POST with `form` or `json`")
    """HTTP method."""
    form: Mapping[str, UrlTemplate] | None = key(
        Shape(kinds=("object",), others=Shape(kinds=("string", "number", "boolean"), null=False)), {"oldal": "{page}"}
    )
    """Form fields; values may hold placeholders."""
    json: Any = key(Shape(), {"page": "{page}", "size": 50})
    """JSON body; its texts may hold placeholders."""
    # Plain JSON with `UrlTemplate` in place of strings.
    headers: Mapping[str, UrlTemplate] = key(
        Shape(kinds=("object",), others=Shape(kinds=("string", "number"), null=False), names=HEADER_NAME),
        {"X-Requested-With": "XMLHttpRequest"},
        default={},
    )
    """Request headers; values may hold placeholders. Secrets belong to `fetch.headers`."""

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


REQUEST = Shape(
    kinds=("object",),
    keys=Keys(keys_of(RequestShape), together=(Together("form", ("json",), "a request has one body: `form` or `json`"),)),
    merges="whole",
    name="request",
    read=read_request,
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

    replace: tuple[tuple[Pattern, str], ...] = key(REPLACEMENTS, [["^http:", "https:"]], default=(), adds=True)
    """List of [pattern, replacement] on joined URLs."""
    drop_fragment: bool = key(FLAG, True, default=False)
    """Cut off `#...`."""
    drop_params: tuple[str, ...] = key(TEXTS, ["utm_*", "token"], default=(), adds=True)
    """Names of query parameters to drop; `*` stands for anything."""
    map: Mapping[str, str] = key(FILE, "halott.tsv", default={}, shown="none", name="map_file", read=NodeCompiler.url_table)
    """Tab-separated file, dead URL and live URL; relative to this file, in its folder."""
    # Dead -> live URL.
    only: tuple[Pattern, ...] = key(REGEXES, ["/cikk/"], default=(), adds=True)
    """Keep only article links that one of these regexes finds."""
    exclude: tuple[Pattern, ...] = key(REGEXES, [r"^https://pelda\.example/pr/"], default=(), adds=True)
    """Drop article links that one of these regexes finds, from the next reading of the archive on. What waits by then is fetched all the
    same: `articles.skip.url` leaves it out."""
    exclude_urls: frozenset[str] = key(
        FILE, "kihagyni.txt", default=frozenset(), shown="none", name="exclude_file", read=NodeCompiler.url_list
    )
    """File with URLs to drop, one a line; relative to this file, in its folder."""
    hosts: tuple[str, ...] = key(
        TEXTS, ["blog.pelda.example", "*.pelda.example"], default=(), adds=True, read=all_parsed(scalars.host_pattern)
    )
    """Further hosts that article links may lead to; `*.pelda.example` stands for all below it."""


URL_RULES = mapping_of(UrlRules, name="urls")
