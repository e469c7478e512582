"""The merged tree of a portal file to the portal it describes."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path
from zoneinfo import ZoneInfo

from webarticlecurator.config import scalars
from webarticlecurator.config.article_rules import read_articles, read_body, read_layouts, read_posts
from webarticlecurator.config.checks import check_field_names, check_identity, sample_urls
from webarticlecurator.config.columns import Lost, read_columns
from webarticlecurator.config.node_compiler import NodeCompiler, entries, flag, mapping, text, whole_number
from webarticlecurator.config.pick_rules import read_fields
from webarticlecurator.config.portal import FetchRules, Kind, Portal, Publisher, Secret, UrlRules
from webarticlecurator.config.url_rules import read_url_rules
from webarticlecurator.config.yaml_nodes import FilePlace, MapNode, Node, ScalarNode
from webarticlecurator.urls import bare_host

_EMPTY = MapNode(FilePlace(Path(), 1, 1), {}, {})


def read_portal(compiler: NodeCompiler, root: MapNode, own: MapNode, lost: Lost) -> Portal | None:
    """Compile `root`, in which what the portal file (`own`) extends is merged; None where mistakes leave no portal."""
    compiler.language = compiler.parse(root.get("language"), scalars.language)
    timezone = compiler.parse(root.get("timezone"), scalars.time_zone) or ZoneInfo("UTC")
    home = compiler.parse(root.get("home"), scalars.web_address)
    name = text(root.get("portal"))
    archive, columns = read_columns(compiler, root, own, lost)
    articles = read_articles(compiler, root.get("articles"))
    in_json = articles.format == "json"
    article_urls = _article_urls(compiler, root.get("archive"))
    addresses = [*([home.geturl()] if home else []), *(url for column in columns for url in sample_urls(column))]
    portal = Portal(
        name=name or "",
        title=text(root.get("title")) or name or "",
        home=home.geturl() if home else "",
        language=compiler.language,
        timezone=timezone,
        kind=Kind(text(root.get("kind")) or Kind.NEWS),
        publisher=_publisher(root.get("publisher")),
        fetch=_fetch(compiler, root.get("fetch"), addresses),
        columns=columns,
        archive=archive,
        articles=articles,
        article_urls=article_urls,
        metadata=read_fields(compiler, root.get("metadata"), "metadata", in_json=in_json),
        body=read_body(compiler, root.get("body"), in_json=in_json),
        posts=read_posts(compiler, root.get("posts"), in_json=in_json),
        layouts=read_layouts(compiler, root, in_json=in_json),
        hosts=frozenset(bare_host(url) for url in addresses),
    )
    check_field_names(compiler, root)
    if articles.identity is not None:
        identity = entries(root.get("articles"))["identity"]
        check_identity(compiler, articles.identity, identity.place, columns)
    return portal if name is not None and home is not None else None


def _publisher(node: Node | None) -> Publisher:
    publisher = entries(node)
    rights = entries(publisher.get("rights"))
    return Publisher(
        name=text(publisher.get("name")),
        place=text(publisher.get("place")),
        licence=text(rights.get("licence")),
        statement=text(rights.get("statement")),
    )


def _fetch(compiler: NodeCompiler, node: Node | None, addresses: list[str]) -> FetchRules:
    rules, defaults = mapping(node) or _EMPTY, FetchRules()
    delay, timeout = compiler.parse(rules.get("delay"), scalars.duration), compiler.parse(rules.get("timeout"), scalars.duration)
    if timeout is not None and not timeout:
        compiler.note(rules.entries["timeout"].place, "a timeout of 0 would end every request at once; expected something like 30s")
    retries = whole_number(rules.get("retries"))
    return FetchRules(
        delay=delay if delay is not None else defaults.delay,
        concurrency=whole_number(rules.get("concurrency")) or defaults.concurrency,
        timeout=timeout or defaults.timeout,
        retries=retries if retries is not None else defaults.retries,
        robots="record" if text(rules.get("robots")) == "record" else "obey",
        user_agent=_header_value(compiler, rules.get("user_agent")),
        headers=_headers(compiler, rules.get("headers")),
        cookies_file=compiler.file(rules.get("cookies_file")),
        proxy=_proxy(compiler, rules.get("proxy")),
        verify_tls=flag(rules.get("verify_tls"), True),
        encoding=compiler.parse(rules.get("encoding"), scalars.encoding),
        private_hosts=tuple(dict.fromkeys([*compiler.parse_all(rules.get("private_hosts"), scalars.host_pattern), *_private(addresses)])),
    )


def _headers(compiler: NodeCompiler, node: Node | None) -> dict[str, str | Secret]:
    headers: dict[str, str | Secret] = {}
    for name, value in entries(node).items():
        secret = _secret(value)
        if secret is not None:
            headers[name] = secret
        elif isinstance(value, ScalarNode) and scalars.SECRET_HEADER.search(name):
            variable = scalars.SECRET_PREFIX + re.sub(r"\W", "_", name).upper()
            compiler.note(
                value.place,
                f"{name} is a secret, and a portal file is shared; write `{name}: {{env: {variable}}}` and set that variable",
            )
        elif (literal := _header_value(compiler, value)) is not None:
            headers[name] = literal
    return headers


def _header_value(compiler: NodeCompiler, node: Node | None) -> str | None:
    value = text(node)
    if value is not None and node is not None and re.search(r"[\x00-\x1f\x7f]", value):
        compiler.note(node.place, "a header is one line; this text holds a line break or another control character")
        return None
    return value


def _secret(node: Node | None) -> Secret | None:
    name = text(mapping(node).get("env")) if isinstance(node, MapNode) else None  # type: ignore[union-attr]
    return Secret(env=name) if name else None


def _proxy(compiler: NodeCompiler, node: Node | None) -> str | Secret | None:
    if (secret := _secret(node)) is not None:
        return secret
    return compiler.parse(node, scalars.proxy)


def _article_urls(compiler: NodeCompiler, archive: Node | None) -> UrlRules:
    walk = mapping(archive)
    return read_url_rules(compiler, walk.get("urls")) if walk else UrlRules()


def _private(addresses: list[str]) -> list[str]:
    """Hosts that the portal's own URLs name by address, or as this machine: they may be private."""
    return [host for url in addresses if _is_address(host := bare_host(url).strip("[]"))]


def _is_address(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return bool(ip_address(host))
    except ValueError:
        return False
