"""`fetch`: politeness, per host, and how to ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

from webarticlecurator.config import scalars
from webarticlecurator.config.keys import (
    DURATION,
    FILE,
    FLAG,
    HEADER_NAME,
    TEXT,
    TEXTS,
    Keys,
    Shape,
    all_parsed,
    declare,
    key,
    keys_of,
    number,
    one_of,
    parsed,
    read_keys,
)
from webarticlecurator.config.node_compiler import NodeCompiler, entries, mapping, text
from webarticlecurator.config.page_rendering import BROWSER_KEYS
from webarticlecurator.config.yaml_nodes import ScalarNode, YamlNode
from webarticlecurator.urls import bare_host


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
        compiler.note(node.place, "a timeout of 0 would end every request at once; expected something like 30s")
    return timeout


def _read_header(compiler: NodeCompiler, node: YamlNode) -> str | None:
    value = text(node)
    if value is not None and re.search(r"[\x00-\x1f\x7f]", value):
        compiler.note(node.place, "a header is one line; this text holds a line break or another control character")
        return None
    return value


def _read_headers(compiler: NodeCompiler, node: YamlNode) -> dict[str, str | Secret]:
    headers: dict[str, str | Secret] = {}
    for name, value in entries(node).items():
        secret = _secret(value)
        if secret is not None:
            headers[name] = secret
        elif isinstance(value, ScalarNode) and scalars.SECRET_HEADER.search(name):
            variable = scalars.SECRET_PREFIX + re.sub(r"\W", "_", name).upper()
            compiler.note(
                value.place, f"{name} is a secret, and a portal file is shared; write `{name}: {{env: {variable}}}` and set that variable"
            )
        elif (literal := _read_header(compiler, value)) is not None:
            headers[name] = literal
    return headers


def _read_proxy(compiler: NodeCompiler, node: YamlNode) -> str | Secret | None:
    return _secret(node) or compiler.parse(node, scalars.proxy)


_ENV = Shape(
    kinds=("string",),
    title="the name of an environment variable that begins with CURATOR_ (a portal file is shared, and may read no other)",
    null=False,
    pattern=r"^CURATOR_[A-Za-z0-9_]+$(?!\n)",
)
_SECRET = Shape(
    kinds=("string", "object"),
    title="a text, or {env: CURATOR_NAME} for a secret",
    keys=Keys(
        {
            "env": declare(
                _ENV,
                "Name of the environment variable that holds the value; it begins with CURATOR_, so that no portal file can ask for"
                " any other secret.",
                "CURATOR_PELDA_COOKIE",
            )
        },
        needed=("env",),
    ),
    name="secret",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRules:
    delay: timedelta = key(DURATION, "1s", "500ms", 0, default=timedelta(seconds=1), shown="1s")
    """Between two requests to one host; longer after "too many requests"."""
    concurrency: int = key(number(1, 16), 2, default=1)
    """Requests in flight to one host."""
    timeout: timedelta = key(DURATION, "1m", default=timedelta(seconds=30), shown="30s", read=_read_timeout)
    """How long to wait for the server."""
    retries: int = key(number(0, 20), 2, default=4)
    """How often a failed request is tried again."""
    robots: Literal["obey", "record"] = key(one_of("obey", "record"), "record", default="obey")
    """`obey` robots.txt, or only `record` what it says."""
    user_agent: str | None = key(
        TEXT, "pelda-kutatas/1.0 (+https://pelda.example/kutatas)", shown="program, version and contact", read=_read_header
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
    proxy: str | Secret | None = key(_SECRET, "socks5h://localhost:9050", {"env": "CURATOR_PELDA_PROXY"}, read=_read_proxy)
    """Proxy; one with a password as {env: CURATOR_NAME}."""
    verify_tls: bool = key(FLAG, False, default=True)
    """Refuse servers whose certificate is not valid."""
    encoding: str | None = key(
        Shape(kinds=("string",), title="the name of an encoding", pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$(?!\n)"),
        "iso-8859-2",
        read=parsed(scalars.encoding),
    )
    """Encoding of pages that declare a wrong one or none."""
    private_hosts: tuple[str, ...] = key(TEXTS, ["intranet.pelda.example"], default=(), adds=True, read=all_parsed(scalars.host_pattern))
    """Hosts that may have loopback or private addresses."""
    # Those that the file itself names as archive hosts are added on load.


FETCH = Shape(kinds=("object",), keys=Keys({**keys_of(FetchRules), **BROWSER_KEYS}))


def read_fetch(compiler: NodeCompiler, node: YamlNode | None, addresses: Iterable[str]) -> FetchRules:
    """`addresses`: the portal's own URLs; hosts that they name by address, or as this machine, may be private."""
    rules = read_keys(compiler, FetchRules, node)
    own = [host for url in addresses if _is_address(host := bare_host(url).strip("[]"))]
    return replace(rules, private_hosts=tuple(dict.fromkeys([*rules.private_hosts, *own])))


def _is_address(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return bool(ip_address(host))
    except ValueError:
        return False
