"""What `fetch` says of a browser, for the whole portal, for a column, for articles."""

from __future__ import annotations

from dataclasses import replace

from webarticlecurator.config.merge import merge
from webarticlecurator.config.node_compiler import NodeCompiler, mapping, text, texts, whole_number
from webarticlecurator.config.yaml_nodes import MapNode, YamlNode
from webarticlecurator.model.rendering import Rendering, Scrolling

BROWSER = "browser"
KEYS = ("via", "wait", "scroll", "click", "block")
END = "end"
"""`scroll.until`: until nothing new comes."""


def read_rendering(compiler: NodeCompiler, portal: YamlNode | None, own: YamlNode | None) -> Rendering | None:
    """`own`: the `fetch` of a column or of `articles`, which goes before the portal's; None: no browser has to do with it."""
    rules = merge(_of_browser(portal), _of_browser(own), "plain")
    via = text(rules.get("via"))
    if via is None:
        for name in rules.entries:
            compiler.note(rules.keys[name], f"`{name}` is what a browser does; give `via: {BROWSER}` beside it, or delete it")
    if via != BROWSER:
        return None
    block = rules.get("block")
    return Rendering(
        wait=_selector(compiler, rules.get("wait"), word=Rendering().wait) or Rendering().wait,
        scroll=_scrolling(compiler, rules.get("scroll")),
        click=_selector(compiler, rules.get("click")),
        block=Rendering().block if block is None else texts(block),  # type: ignore[arg-type]  # the schema knows no others
    )


def in_steps(rendering: Rendering, *, scrolled: bool, button: str | None) -> Rendering:
    """The same for a page that is read as it grows; without a `button` it is `click` that names it."""
    grows = replace(rendering, scroll=rendering.scroll or Scrolling(), steps="scroll" if scrolled else "click")
    if scrolled or button is not None:
        return replace(grows, button=button)
    return replace(grows, click=None, button=rendering.click)


def as_browser_selector(compiler: NodeCompiler, node: YamlNode) -> str | None:
    """A selector as it is written: a browser will look for it."""
    return text(node) if compiler.selector(node) is not None else None


def _of_browser(node: YamlNode | None) -> MapNode:
    rules = mapping(node)
    return MapNode(rules.place, {name: rules.entries[name] for name in KEYS if name in rules.entries}, rules.keys, rules.flow)


def _scrolling(compiler: NodeCompiler, node: YamlNode | None) -> Scrolling | None:
    if node is None:
        return None
    until = _selector(compiler, mapping(node).get("until"), word=END)
    return Scrolling(until=until if until != END else None, most=whole_number(mapping(node).get("most")) or Scrolling().most)


def _selector(compiler: NodeCompiler, node: YamlNode | None, word: str | None = None) -> str | None:
    if node is None or (word is not None and text(node) == word):
        return text(node)
    return as_browser_selector(compiler, node)
