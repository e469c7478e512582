"""Connect to addresses that were checked, directly or through the user's proxy."""

from __future__ import annotations

import socket
import time
from collections.abc import Collection
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.request import Proxy
from webarticlecurator.fetch.response import ExchangeError, Fault
from webarticlecurator.urls import host_parts

_EMBEDDING: tuple[tuple[IPv6Network, int], ...] = (
    (IPv6Network("::/96"), 0),  # IPv4-compatible
    (IPv6Network("::ffff:0:0/96"), 0),  # IPv4-mapped
    (IPv6Network("::ffff:0:0:0/96"), 0),  # IPv4-translated
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("2002::/16"), 80),  # 6to4
)
"""IPv6 networks whose addresses lead to an IPv4 address, and how many bits follow it."""
_CLOSED = tuple(
    ip_network(network)
    for network in (
        *(
            "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4",
            "64:ff9b:1::/48", "fec0::/10",
        ),
        "2001::/23",  # Teredo, ORCHID and other special purposes
    )
)  # fmt: skip
"""Closed whatever the standard library's table of this Python version says of them."""
_LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal")


def may_be_reached(address: str, *, opened: bool) -> bool:
    """True if it is a public address, however it is wrapped; that of an opened host may be any but a
    link-local one.

    What answers there is the machine's own surroundings, such as the service that hands a rented machine its
    keys.
    """
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    for network, following in _EMBEDDING:
        if ip in network:
            ip = IPv4Address(int(ip) >> following & 0xFFFFFFFF)
            break
    if opened:
        return not ip.is_link_local
    return (
        ip.is_global
        and not ip.is_multicast
        and not any(ip.version == network.version and ip in network for network in _CLOSED)
    )


def literal_address(host: str) -> str | None:
    """The address that a host written as one stands for (also `127.1`, `0x7f000001`), None for a name."""
    if ":" in host:
        return host
    try:
        # inet_aton knows the spellings that the resolver of the operating system, or of a proxy, would
        # accept.
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def seconds_left(deadline: float) -> float:
    """Return the seconds up to a deadline; at least a moment, for a timeout of 0 would mean something
    else."""
    return max(0.001, deadline - time.monotonic())


class Dialler:
    """Connects to one of the checked addresses of a host, or to the user's proxy: whose own address is the
    user's choice."""

    def __init__(self, *, private_hosts: Collection[str] = (), proxy: Proxy | None = None) -> None:
        self.proxy = proxy
        # as they are asked for, without port and brackets
        named = ((host_parts(host.strip()), host.strip().lower()) for host in private_hosts)
        self._opened = frozenset(
            parts.host.strip("[]") if parts is not None else name for parts, name in named
        )
        self._socks: Any = None
        if proxy is not None and proxy.scheme != "http":
            try:
                self._socks = import_module("socks")
            except ImportError:
                raise UsageError(
                    "a SOCKS proxy needs the package PySocks: pip install 'webarticlecurator[socks]'"
                ) from None

    def dial(self, host: str, port: int, deadline: float) -> tuple[socket.socket, str | None]:
        """An open connection, and the address at its other end where that is the portal's. Raises
        ExchangeError."""
        proxy, opened = self.proxy, host in self._opened
        if proxy is None:
            return _connect_to_any(_checked_addresses(host, opened=opened), port, deadline)
        # The proxy looks names up itself, so this is all that can be known of the host here.
        literal = literal_address(host)
        if (
            not may_be_reached(literal, opened=opened)
            if literal is not None
            else not opened and host.endswith(_LOCAL_NAMES)
        ):
            raise _private_address(host)
        if proxy.scheme == "http":
            return _connect_to_any(_checked_addresses(proxy.host, opened=True), proxy.port, deadline)[0], None
        # PySocks would look the name up once more, so that another address than the checked one might be
        # asked for.
        ip = _checked_addresses(host, opened=opened)[0] if proxy.scheme == "socks5" else None
        sock = self._socks.socksocket()
        try:
            sock.set_proxy(self._socks.SOCKS5, proxy.host, proxy.port, ip is None, proxy.user, proxy.password)
            sock.settimeout(seconds_left(deadline))
            sock.connect((ip or host, port))
        except OSError as error:
            sock.close()
            raise ExchangeError("connect", f"no connection through the SOCKS proxy: {error}") from None
        return sock, ip


def _checked_addresses(host: str, *, opened: bool) -> list[str]:
    """Return what the name resolves to, without what a portal may not lead to."""
    try:
        addresses = [str(row[4][0]) for row in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        fault: Fault = (
            "dns" if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN else "no host"
        )
        raise ExchangeError(
            fault, f'the host name "{host}" cannot be resolved: {getattr(error, "strerror", None) or error}'
        ) from None
    allowed = [address for address in addresses if may_be_reached(address, opened=opened)]
    if not allowed:
        raise _private_address(host)
    return allowed


def _private_address(host: str) -> ExchangeError:
    return ExchangeError("private", f'"{host}" has a private, loopback, link-local or reserved address')


def _connect_to_any(addresses: list[str], port: int, deadline: float) -> tuple[socket.socket, str]:
    problem: OSError = TimeoutError()
    for number, address in enumerate(addresses, 1):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            # An address that stays silent must leave time for the next one.
            sock = socket.create_connection((address, port), left if number == len(addresses) else left / 2)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            problem = error
        else:
            return sock, address
    if isinstance(problem, TimeoutError):
        raise ExchangeError("time", "no connection within the time limit")
    raise ExchangeError("connect", f"no connection: {problem.strerror or problem}")
