"""What `fetch` says of a browser, for the whole portal, for a column, for articles."""

from __future__ import annotations

from dataclasses import replace

from webarticlecurator.config.keys import SELECTOR, Keys, Shape, declare, number, one_of
from webarticlecurator.config.merge import merge
from webarticlecurator.config.node_compiler import NodeCompiler, mapping, text, texts, whole_number
from webarticlecurator.config.yaml_nodes import MapNode, YamlNode
from webarticlecurator.model.rendering import Rendering, Scrolling

BROWSER = "browser"
END = "end"
"""`scroll.until`: until nothing new comes."""

SELECTOR_FOR_BROWSER = replace(SELECTOR, null=True, name="")
_SCROLL = Shape(
    kinds=("object",),
    keys=Keys(
        {
            "until": declare(
                replace(SELECTOR_FOR_BROWSER, title="end, or a CSS selector"),
                "Until this selector has come, or to the `end`: until nothing new comes.",
                "div.nincs-tobb",
                default=END,
            ),
            "most": declare(
                number(1, 100000), "So many steps at most; a page that is not at its end then is told.", 1000, default=Scrolling().most
            ),
        }
    ),
    name="scroll",
)
_BLOCKED = Shape(kinds=("array",), items=one_of("image", "font", "media", "stylesheet").given)
BROWSER_KEYS = {
    "via": declare(
        one_of("http", BROWSER),
        "How pages come: by `http`, or shown in a `browser` first, for portals that show nothing without running their scripts.",
        BROWSER,
        default="http",
    ),
    "wait": declare(
        replace(SELECTOR_FOR_BROWSER, title="idle, or a CSS selector"),
        "What a page shown in a browser waits for: a selector, or `idle` (nothing is loaded any more).",
        "article.teaser",
        default=Rendering().wait,
    ),
    "scroll": declare(_SCROLL, "A page shown in a browser is scrolled down, for what it loads only then.", {"until": END}),
    "click": declare(
        SELECTOR_FOR_BROWSER, 'What is clicked in the browser, where it is there: a consent, a "read on".', "button.elfogadom"
    ),
    "block": declare(
        _BLOCKED, "What the browser does not load.", ["image", "font", "media", "stylesheet"], default=list(Rendering().block)
    ),
}
PART_BROWSER_KEYS = {**BROWSER_KEYS, "via": replace(BROWSER_KEYS["via"], default="what `fetch` of the portal says")}
"""Those of a part of the portal."""
PART_FETCH = Shape(kinds=("object",), keys=Keys(PART_BROWSER_KEYS), name="partFetch")


def read_rendering(compiler: NodeCompiler, portal: YamlNode | None, own: YamlNode | None) -> Rendering | None:
    """`own`: the `fetch` of a column or of `articles`, which goes before the portal's; None: no browser has to do with it."""
    rules = merge(_of_browser(portal), _of_browser(own), PART_FETCH)
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
    return MapNode(rules.place, {name: rules.entries[name] for name in BROWSER_KEYS if name in rules.entries}, rules.keys, rules.flow)


def _scrolling(compiler: NodeCompiler, node: YamlNode | None) -> Scrolling | None:
    if node is None:
        return None
    until = _selector(compiler, mapping(node).get("until"), word=END)
    return Scrolling(until=until if until != END else None, most=whole_number(mapping(node).get("most")) or Scrolling().most)


def _selector(compiler: NodeCompiler, node: YamlNode | None, word: str | None = None) -> str | None:
    if node is None or (word is not None and text(node) == word):
        return text(node)
    return as_browser_selector(compiler, node)
