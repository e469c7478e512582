"""`request` and `urls`: how a page is asked for, and what is done to the links that it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from webarticlecurator.config import scalars
from webarticlecurator.config.node_compiler import NodeCompiler, entries, flag, mapping, text, texts
from webarticlecurator.config.portal import RequestShape, UrlRules
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, Node
from webarticlecurator.patterns import Pattern


def read_request(compiler: NodeCompiler, node: Node | None, parse: Callable[[str], UrlTemplate]) -> RequestShape:
    """How pages are asked for; `parse` makes a template of a text."""
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
        form=compiler.parse_entries(shape.get("form"), parse) if shape.get("form") is not None else None,
        json=_json_body(shape.entries.get("json"), lambda value: compiler.parse(value, parse)),
        headers=compiler.parse_entries(headers, parse),
    )


def _json_body(node: Node | None, template: Callable[[Node], UrlTemplate | None]) -> Any:
    if isinstance(node, ListNode):
        return [_json_body(item, template) for item in node.items]
    if isinstance(node, MapNode):
        return {key: _json_body(value, template) for key, value in node.entries.items()}
    if node is None or not isinstance(node.value, str):
        return node.value if node is not None else None
    return template(node)


def read_url_rules(compiler: NodeCompiler, node: Node | None) -> UrlRules:
    rules = mapping(node)
    return UrlRules(
        replace=compiler.replacements(rules.get("replace")),
        drop_fragment=flag(rules.get("drop_fragment"), False),
        drop_params=texts(rules.get("drop_params")),
        map=compiler.url_table(rules.get("map_file")),
        only=compiler.parse_all(rules.get("only"), Pattern.parse),
        exclude=compiler.parse_all(rules.get("exclude"), Pattern.parse),
        exclude_urls=compiler.url_list(rules.get("exclude_file")),
        hosts=compiler.parse_all(rules.get("hosts"), scalars.host_pattern),
    )
