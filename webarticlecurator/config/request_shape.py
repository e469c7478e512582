"""`request`: what makes a page a POST or an API call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from webarticlecurator.config import scalars
from webarticlecurator.config.node_compiler import NodeCompiler, entries, mapping, text
from webarticlecurator.config.portal import RequestShape
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, Node


def read_request(compiler: NodeCompiler, node: Node | None, parse: Callable[[str], UrlTemplate]) -> RequestShape:
    """How pages are asked for; `parse` makes a template of a text."""
    shape = mapping(node)
    if shape is None:
        return RequestShape()

    def templates(value: Node | None) -> dict[str, UrlTemplate]:
        read = {name: compiler.parse(entry, parse) for name, entry in entries(value).items()}
        return {name: parsed for name, parsed in read.items() if parsed is not None}

    has_body = shape.get("form") is not None or "json" in shape.entries
    method = text(shape.get("method")) or ("POST" if has_body else "GET")
    if has_body and method == "GET":
        compiler.note(
            shape.keys["method"], "a GET request has no body; use `method: POST` with `form` or `json`, or put the values into `url`"
        )
    headers = shape.get("headers")
    for name in entries(headers):
        if scalars.SECRET_HEADER.search(name):
            compiler.note(
                cast(MapNode, headers).keys[name], f"{name} is a secret; write `{name}: {{env: CURATOR_NAME}}` in `fetch.headers`"
            )
    return RequestShape(
        method=method,
        form=templates(shape.get("form")) if shape.get("form") is not None else None,
        json=_json_body(shape.entries.get("json"), lambda value: compiler.parse(value, parse)),
        headers=templates(headers),
    )


def _json_body(node: Node | None, template: Callable[[Node], UrlTemplate | None]) -> Any:
    if isinstance(node, ListNode):
        return [_json_body(item, template) for item in node.items]
    if isinstance(node, MapNode):
        return {key: _json_body(value, template) for key, value in node.entries.items()}
    if node is None or not isinstance(node.value, str):
        return node.value if node is not None else None
    return template(node)


def request_templates(request: RequestShape) -> list[UrlTemplate]:
    """Everything in a request that is filled in like the URL."""
    return [*(request.form or {}).values(), *request.headers.values(), *_templates_in(request.json)]


def _templates_in(body: Any) -> list[UrlTemplate]:
    if isinstance(body, UrlTemplate):
        return [body]
    children = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    return [template for child in children for template in _templates_in(child)]
