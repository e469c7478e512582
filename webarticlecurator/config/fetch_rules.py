"""Rules for how pages are asked for (`fetch`, `request`), by a browser too, and for what is done to the links
that they give (`urls`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal

from webarticlecurator.config import scalars
from webarticlecurator.config.keys import (
    Key,
    Shape,
    Together,
    all_parsed,
    key,
    keys_of,
    mapping_of,
    number,
    one_of,
    parsed,
    read_keys,
)
from webarticlecurator.config.merge import merge
from webarticlecurator.config.scalars import (
    DURATION,
    FILE,
    FLAG,
    HEADER_NAME,
    REGEXES,
    REPLACEMENTS,
    SELECTOR,
    TEXT,
    TEXTS,
    NodeCompiler,
)
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_reading import (
    ListNode,
    MapNode,
    ScalarNode,
    YamlNode,
    entries,
    mapping,
    text,
)
from webarticlecurator.model.capture import (
    IDLE,
    REQUISITE_KINDS,
    Rendering,
    RequisiteKind,
    Scrolling,
)
from webarticlecurator.own_patterns import linear
from webarticlecurator.patterns import Pattern
from webarticlecurator.urls import bare_host, normalise
from webarticlecurator.version import NAME, VERSION

BROWSER = "browser"
END = "end"
"""The value of `scroll.until` for scrolling until nothing new comes."""

SELECTOR_FOR_BROWSER = replace(SELECTOR, null=True, name="")


def as_browser_selector(compiler: NodeCompiler, node: YamlNode) -> str | None:
    """A selector as it is written: a browser will look for it."""
    return text(node) if compiler.selector(node) is not None else None


def _or_css(compiler: NodeCompiler, node: YamlNode, *, word: str) -> str | None:
    return word if text(node) == word else as_browser_selector(compiler, node)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScrollKeys:
    until: str = key(
        replace(SELECTOR_FOR_BROWSER, title="end, or a CSS selector"),
        "div.nincs-tobb",
        default=END,
        read=partial(_or_css, word=END),
    )
    """Element that ends the scrolling as soon as it has come, or `end`: until nothing new comes."""


def _read_scroll(compiler: NodeCompiler, node: YamlNode) -> Scrolling:
    keys = read_keys(compiler, _ScrollKeys, node)
    return Scrolling(until=None if keys.until == END else keys.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class _BrowserKeys:
    via: str = key(one_of("http", BROWSER), BROWSER, default="http")
    """Way in which pages come: by `http`, or shown in a `browser` first, for portals that show nothing
    without running their scripts."""
    wait: str = key(
        replace(SELECTOR_FOR_BROWSER, title="idle, or a CSS selector"),
        "article.teaser",
        default=IDLE,
        read=partial(_or_css, word=IDLE),
    )
    """Selector of what a page shown in a browser waits for, or `idle` (nothing is loaded any more)."""
    scroll: Scrolling | None = key(
        Shape(kinds=("object",), known=keys_of(_ScrollKeys), name="scroll", read=_read_scroll), {"until": END}
    )
    """A page shown in a browser is scrolled down, for what it loads only then."""
    click: str | None = key(SELECTOR_FOR_BROWSER, "button.elfogadom", read=as_browser_selector)
    """Element that is clicked in the browser, where it is there: a consent, a "read on"."""


_VIA = "How pages of this part come: by `http`, or shown in a `browser` first."
BROWSER_KEYS = keys_of(_BrowserKeys)
"""The keys for a browser in the `fetch` of the whole portal."""
PART_BROWSER_KEYS = {
    **BROWSER_KEYS,
    "via": Key(one_of("http", BROWSER), _VIA, (BROWSER,), default="what `fetch` of the portal says"),
}
"""The keys for a browser in the `fetch` of a part of the portal."""
PART_FETCH = Shape(kinds=("object",), known=PART_BROWSER_KEYS, name="partFetch")


def read_rendering(compiler: NodeCompiler, portal: YamlNode | None, own: YamlNode | None) -> Rendering | None:
    """Return how a browser shows pages; `own`: the `fetch` of a column or of `articles`, which goes before
    the portal's. None: no browser has to do with it."""
    rules = merge(_of_browser(portal), _of_browser(own), PART_FETCH)
    if rules.get("via") is None:
        for name in rules.entries:
            compiler.note(
                rules.keys[name],
                f"`{name}` is what a browser does; give `via: {BROWSER}` beside it, or delete it",
            )
    if text(rules.get("via")) != BROWSER:
        return None
    keys = read_keys(compiler, _BrowserKeys, rules)
    return Rendering(wait=keys.wait, scroll=keys.scroll, click=keys.click)


def _of_browser(node: YamlNode | None) -> MapNode:
    rules = mapping(node)
    return MapNode(
        rules.place, {name: rules.entries[name] for name in BROWSER_KEYS if name in rules.entries}, rules.keys
    )


def in_steps(rendering: Rendering, *, scrolled: bool, button: str | None) -> Rendering:
    """Return a rendering for a page that is read as it grows; without a `button`, `click` names it."""
    grows = replace(
        rendering, scroll=rendering.scroll or Scrolling(), steps="scroll" if scrolled else "click"
    )
    if scrolled or button is not None:
        return replace(grows, button=button)
    return replace(grows, click=None, button=rendering.click)


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A value that lives in the environment, never in the portal file."""

    env: str


def _secret(node: YamlNode) -> Secret | None:
    name = text(mapping(node).get("env"))
    return Secret(env=name) if name else None


def _read_timeout(compiler: NodeCompiler, node: YamlNode) -> timedelta | None:
    timeout = compiler.parse(node, scalars.duration)
    if timeout is not None and not timeout:
        compiler.note(
            node.place, "a timeout of 0 would end every request at once; expected something like 30s"
        )
    return timeout


def _read_header(compiler: NodeCompiler, node: YamlNode) -> str | None:
    value = text(node)
    if value is not None and linear(r"[\x00-\x1f\x7f]").search(value):
        compiler.note(
            node.place, "a header is one line; this text holds a line break or another control character"
        )
        return None
    return value


def _read_headers(compiler: NodeCompiler, node: YamlNode) -> dict[str, str | Secret]:
    headers: dict[str, str | Secret] = {}
    for name, value in entries(node).items():
        secret = _secret(value)
        if secret is not None:
            headers[name] = secret
        elif isinstance(value, ScalarNode) and scalars.SECRET_HEADER.search(name):
            variable = f"CURATOR_{linear(r'[^A-Za-z0-9_]').sub('_', name).upper()}"
            compiler.note(
                value.place,
                f"{name} is a secret, and a portal file is shared; write `{name}: {{env: {variable}}}` and "
                "set that variable",
            )
        elif (literal := _read_header(compiler, value)) is not None:
            headers[name] = literal
    return headers


_SECRET = Shape(
    kinds=("string", "object"),
    title="a text, or {env: CURATOR_NAME} for a secret",
    known={
        "env": Key(
            Shape(
                kinds=("string",),
                title="the name of an environment variable that begins with CURATOR_ (a portal file is "
                "shared, and may read no other)",
                null=False,
                pattern=r"^CURATOR_[A-Za-z0-9_]+$(?!\n)",
            ),
            "Name of the environment variable that holds the value; it begins with CURATOR_, so that no "
            "portal file can ask for"
            " any other secret.",
            ("CURATOR_PELDA_COOKIE",),
        )
    },
    needed=("env",),
    name="secret",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRules:
    """`fetch`: how a portal is asked."""

    delay: timedelta = key(DURATION, "1s", "500ms", 0, default=timedelta(seconds=1), shown="1s")
    """Time between two requests to one host; longer after "too many requests"."""
    concurrency: int = key(number(1, 16), 2, default=1)
    """Requests in flight to one host."""
    timeout: timedelta = key(DURATION, "1m", default=timedelta(seconds=30), shown="30s", read=_read_timeout)
    """Longest time to wait for the server."""
    retries: int = key(number(0, 20), 2, default=4)
    """Number of times that a failed request is tried again."""
    robots: Literal["obey", "record"] = key(one_of("obey", "record"), "record", default="obey")
    """`obey` robots.txt, or only `record` what it says."""
    user_agent: str | None = key(
        TEXT,
        "pelda-kutatas/1.0 (+https://pelda.example/kutatas)",
        shown="program, version and contact",
        read=_read_header,
    )
    """Replaces the whole User-Agent."""
    headers: Mapping[str, str | Secret] = key(
        Shape(kinds=("object",), others=_SECRET, names=HEADER_NAME),
        {"Accept-Language": "hu", "Cookie": {"env": "CURATOR_PELDA_COOKIE"}},
        default={},
        read=_read_headers,
    )
    """Headers of every request; secrets as {env: CURATOR_NAME}."""
    cookies_file: Path | None = key(FILE, "sutik.txt")
    """Netscape cookie file; relative to this file, in its folder."""
    proxy: str | Secret | None = key(
        _SECRET,
        "socks5h://localhost:9050",
        {"env": "CURATOR_PELDA_PROXY"},
        read=lambda compiler, node: _secret(node) or compiler.parse(node, scalars.proxy),
    )
    """Proxy; one with a password as {env: CURATOR_NAME}."""
    verify_tls: bool = key(FLAG, False, default=True)
    """Refuse servers whose certificate is not valid."""
    encoding: str | None = key(
        Shape(
            kinds=("string",),
            title="the name of an encoding",
            pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$(?!\n)",
        ),
        "iso-8859-2",
        read=parsed(scalars.encoding),
    )
    """Encoding of pages that declare a wrong one or none."""
    requisites: tuple[RequisiteKind, ...] = key(
        Shape(kinds=("array",), title="a list of css, images, fonts", items=one_of(*REQUISITE_KINDS).given),
        ["css"],
        ["css", "images", "fonts"],
        default=(),
    )
    """Files that pages of articles name and that are stored, too, so that they look as their readers saw
    them: style sheets (`css`), `images`, `fonts`; what style sheets name is found with `css`."""
    private_hosts: tuple[str, ...] = key(
        TEXTS, ["intranet.pelda.example"], default=(), adds=True, read=all_parsed(scalars.host_pattern)
    )
    """Hosts that may have loopback or private addresses."""
    # Those that the file itself names as archive hosts are added on load.

    def agent(self, contact: str | None) -> str:
        """Return the User-Agent: the portal file's own words, else the program, its version and who runs
        it."""
        name = f"{NAME}/{VERSION}"
        return self.user_agent or (f"{name} (+{contact})" if contact else name)


FETCH = Shape(kinds=("object",), known={**keys_of(FetchRules), **BROWSER_KEYS})


def read_fetch(compiler: NodeCompiler, node: YamlNode | None, addresses: Iterable[str]) -> FetchRules:
    """Read `fetch`; `addresses`: the portal's own URLs; hosts that they name by address, or as this machine,
    may be private."""
    rules = read_keys(compiler, FetchRules, node)
    own: list[str] = []
    for host in (bare_host(url).strip("[]") for url in addresses):
        with suppress(ValueError):
            if host == "localhost" or host.endswith(".localhost") or ip_address(host):
                own.append(host)
    return replace(rules, private_hosts=tuple(dict.fromkeys([*rules.private_hosts, *own])))


def _read_templates(compiler: NodeCompiler, node: YamlNode) -> dict[str, UrlTemplate]:
    return {
        name: template
        for name, entry in entries(node).items()
        if (template := compiler.template(entry)) is not None
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestShape:
    """The request for an archive page or a JSON article; strings are templates like the URL."""

    method: str = key(one_of("GET", "POST"), "POST", default="GET", shown="GET; POST with `form` or `json`")
    """HTTP method."""
    form: Mapping[str, UrlTemplate] | None = key(
        Shape(
            kinds=("object",),
            others=Shape(kinds=("string", "number", "boolean"), null=False),
            read=_read_templates,
        ),
        {"oldal": "{page}"},
    )
    """Form fields; values may hold placeholders."""
    json: Any = key(Shape(), {"page": "{page}", "size": 50})
    """JSON body; its texts may hold placeholders."""
    # Plain JSON with `UrlTemplate` in place of strings.
    headers: Mapping[str, UrlTemplate] = key(
        Shape(
            kinds=("object",),
            others=Shape(kinds=("string", "number"), null=False),
            names=HEADER_NAME,
            read=_read_templates,
        ),
        {"X-Requested-With": "XMLHttpRequest"},
        default={},
    )
    """Request headers; values may hold placeholders. Secrets belong to `fetch.headers`."""

    @property
    def templates(self) -> tuple[UrlTemplate, ...]:
        """Return everything in the request that is filled in like the URL."""
        return (*(self.form or {}).values(), *self.headers.values(), *_templates_in(self.json))


def _templates_in(body: Any) -> Iterator[UrlTemplate]:
    if isinstance(body, UrlTemplate):
        yield body
    children = body if isinstance(body, list) else []
    if isinstance(body, dict):
        children = list(body.values())
    for child in children:
        yield from _templates_in(child)


def read_request(compiler: NodeCompiler, node: YamlNode | None) -> RequestShape:
    """Read `request`: what is sent instead of a plain GET."""
    shape, headers = mapping(node), mapping(mapping(node).get("headers"))
    has_body = shape.get("form") is not None or "json" in shape.entries
    method = text(shape.get("method")) or ("POST" if has_body else "GET")
    if has_body and method == "GET":
        sentence = (
            "a GET request has no body; use `method: POST` with `form` or `json`, or put the values into "
            "`url`"
        )
        compiler.note(shape.keys["method"], sentence)
    for name in entries(headers):
        if scalars.SECRET_HEADER.search(name):
            compiler.note(
                headers.keys[name],
                f"{name} is a secret; write `{name}: {{env: CURATOR_NAME}}` in `fetch.headers`",
            )
    return read_keys(
        compiler, RequestShape, node, method=method, json=_json_body(compiler, shape.entries.get("json"))
    )


REQUEST = Shape(
    kinds=("object",),
    known=keys_of(RequestShape),
    together=(Together("form", ("json",), "a request has one body: `form` or `json`"),),
    merges="whole",
    name="request",
    read=read_request,
)


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
    """Rules for what is done to joined URLs, in the order of the fields; the first three also clean the next
    link."""

    replace: tuple[tuple[Pattern, str], ...] = key(
        REPLACEMENTS, [["^http:", "https:"]], default=(), adds=True
    )
    """List of [pattern, replacement] on joined URLs."""
    drop_fragment: bool = key(FLAG, True, default=False)
    """Cut off `#...`."""
    drop_params: tuple[str, ...] = key(TEXTS, ["utm_*", "token"], default=(), adds=True)
    """Names of query parameters to drop; `*` stands for anything."""
    map: Mapping[str, str] = key(
        FILE,
        "halott.tsv",
        default={},
        shown="none",
        name="map_file",
        read=lambda compiler, node: compiler.table(node, normalise),
    )
    """Tab-separated file, dead URL and live URL; relative to this file, in its folder."""
    # Dead -> live URL.
    only: tuple[Pattern, ...] = key(REGEXES, ["/cikk/"], default=(), adds=True)
    """Keep only article links that one of these regexes finds, in the address as it is asked for or as
    browsers show it."""
    exclude: tuple[Pattern, ...] = key(REGEXES, [r"^https://pelda\.example/pr/"], default=(), adds=True)
    """Drop article links that one of these regexes finds, from the next reading of the archive on; the next
    build takes their documents away. What waits by then is fetched all the same: `articles.skip.url` leaves
    it out."""
    sitemaps: tuple[Pattern, ...] = key(REGEXES, ["/post-sitemap"], default=(), adds=True)
    """Read only those sitemaps that another leads to whose address one of these regexes finds; all that lie
    below those must match, too."""
    hosts: tuple[str, ...] = key(
        TEXTS,
        ["blog.pelda.example", "*.pelda.example"],
        default=(),
        adds=True,
        read=all_parsed(scalars.host_pattern),
    )
    """Further hosts that article links may lead to; `*.pelda.example` stands for all below it."""

    @property
    def may_unite(self) -> bool:
        """Say whether a rule may make one address of several that no person has seen."""
        return bool(self.replace or self.drop_params)


URL_RULES = mapping_of(UrlRules, name="urls")
