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
from webarticlecurator.config.keys import all_parsed, as_duration, as_flag, as_number, as_text, key, parsed, read_keys
from webarticlecurator.config.node_compiler import NodeCompiler, entries, mapping, text
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
                value.place,
                f"{name} is a secret, and a portal file is shared; write `{name}: {{env: {variable}}}` and set that variable",
            )
        elif (literal := _read_header(compiler, value)) is not None:
            headers[name] = literal
    return headers


def _read_proxy(compiler: NodeCompiler, node: YamlNode) -> str | Secret | None:
    return _secret(node) or compiler.parse(node, scalars.proxy)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRules:
    delay: timedelta = key(as_duration, default=timedelta(seconds=1))
    concurrency: int = key(as_number, default=1)
    timeout: timedelta = key(_read_timeout, default=timedelta(seconds=30))
    retries: int = key(as_number, default=4)
    robots: Literal["obey", "record"] = key(as_text, default="obey")
    user_agent: str | None = key(_read_header)
    """Replaces the whole User-Agent; None: program, version and contact."""
    headers: Mapping[str, str | Secret] = key(_read_headers, default={})
    cookies_file: Path | None = key(NodeCompiler.file)
    """Netscape cookie file."""
    proxy: str | Secret | None = key(_read_proxy)
    verify_tls: bool = key(as_flag, default=True)
    encoding: str | None = key(parsed(scalars.encoding))
    """Codec of pages that declare a wrong one or none."""
    private_hosts: tuple[str, ...] = key(all_parsed(scalars.host_pattern), default=())
    """Hosts that may have loopback or private addresses; those that the file itself names as archive hosts are added on load."""


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
