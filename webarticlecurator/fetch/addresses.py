"""Which addresses a portal may lead us to: public ones, and what the portal file opened by name.

The check is made on the address that is then connected to, so a name that answers differently a moment later (DNS rebinding),
a redirect, or a spelling like `http://2130706433/` changes nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

Resolve = Callable[[str, int], Sequence[Any]]
"""`socket.getaddrinfo` for streams: rows of (family, type, protocol, name, address)."""

_EMBEDDING: tuple[tuple[IPv6Network, int], ...] = (
    (IPv6Network("::/96"), 0),  # IPv4-compatible
    (IPv6Network("::ffff:0:0/96"), 0),  # IPv4-mapped
    (IPv6Network("::ffff:0:0:0/96"), 0),  # IPv4-translated
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("2002::/16"), 80),  # 6to4
)
"""IPv6 networks whose addresses lead to an IPv4 address, and how many bits follow it."""

_CLOSED = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "100.64.0.0/10",
            "192.0.0.0/24",
            "192.88.99.0/24",
            "198.18.0.0/15",
            "240.0.0.0/4",
            "64:ff9b:1::/48",
            "2001::/23",  # Teredo, ORCHID and other special purposes
            "fec0::/10",
        ),
    )
)
"""Closed whatever the standard library's table of this Python version says of them."""


def resolve_stream(host: str, port: int) -> Sequence[Any]:
    """The operating system's answer."""
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


def may_be_reached(address: str, *, opened: bool) -> bool:
    """Whether it is a public address, however it is wrapped; that of an opened host may be any but a link-local one.

    What answers there is the machine's own surroundings, such as the service that hands a rented machine its keys.
    """
    ip = _unwrapped(address)
    return not ip.is_link_local if opened else _plainly_public(ip)


def literal_address(host: str) -> str | None:
    """The address that a host written as one stands for (also `127.1`, `0x7f000001`), None for a name."""
    if ":" in host:
        return host
    try:
        # inet_aton knows the spellings that the resolver of the operating system, or of a proxy, would accept.
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def opened_hosts(private_hosts: Collection[str]) -> frozenset[str]:
    """`fetch.private_hosts` as names to compare with: lower case, without port and brackets."""
    return frozenset(map(_bare, private_hosts))


def _bare(host: str) -> str:
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host if host.count(":") > 1 else host.partition(":")[0]


def _unwrapped(address: str) -> IPv4Address | IPv6Address:
    ip = ip_address(address.partition("%")[0])
    for network, following in _EMBEDDING:
        if ip in network:
            return IPv4Address(int(ip) >> following & 0xFFFFFFFF)
    return ip


def _plainly_public(ip: IPv4Address | IPv6Address) -> bool:
    return ip.is_global and not ip.is_multicast and not any(ip.version == network.version and ip in network for network in _CLOSED)
