"""Connections for requests: to addresses that were checked, directly or through the user's proxy, with every byte as it crosses the wire.

urllib3 pools them and makes TLS. What it would do otherwise than promised is replaced: it looks names up itself, waits anew for every
piece, writes heads in its own way, and hands on what it understood instead of what came.
"""

from __future__ import annotations

import math
import socket
import ssl
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from email.message import Message
from functools import cache, partial
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import certifi
import urllib3
from requests import PreparedRequest
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.request import SENDABLE_COOKIE, Proxy
from webarticlecurator.fetch.response import ExchangeError, Fault, IsWanted, Limits, Received, read_response

Resolve = Callable[[str, int], Sequence[Any]]
"""`socket.getaddrinfo` for streams: rows of (family, type, protocol, name, address)."""

Connect = Callable[[Any, float], socket.socket]
"""Connects to one resolved address within so many seconds."""

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
        *("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4", "64:ff9b:1::/48", "fec0::/10"),
        "2001::/23",  # Teredo, ORCHID and other special purposes
    )
)
"""Closed whatever the standard library's table of this Python version says of them."""
_NO_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST")
"""What the library makes of an answer in plain HTTP."""
_LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal")
_PIECE = 1 << 16
_LONGEST_IDLE = 30.0
_MOST_HOSTS = 32
"""Hosts to which connections are kept."""
_LINGER = 0.05
"""How long a connection that is to be closed anyway is watched for bytes beyond the body."""
_MOST_COOKIES_AT_ONCE = 50


def resolve_stream(host: str, port: int) -> Sequence[Any]:
    """The operating system's answer."""
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


def may_be_reached(address: str, *, opened: bool) -> bool:
    """Whether it is a public address, however it is wrapped; that of an opened host may be any but a link-local one.

    What answers there is the machine's own surroundings, such as the service that hands a rented machine its keys.
    """
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    for network, following in _EMBEDDING:
        if ip in network:
            ip = IPv4Address(int(ip) >> following & 0xFFFFFFFF)
            break
    if opened:
        return not ip.is_link_local
    return ip.is_global and not ip.is_multicast and not any(ip.version == network.version and ip in network for network in _CLOSED)


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


@cache
def tls_context(*, verify: bool) -> ssl.SSLContext:
    """Certificates of the system and of Mozilla's list; without verification also what only old servers speak.

    One for all portals: to read the certificates takes 30 ms and a megabyte.
    """
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.set_ciphers("DEFAULT@SECLEVEL=1")
    return context


class Dialler:
    """Connects to one of the checked addresses of a host, or to the user's proxy: whose own address is the user's choice."""

    def __init__(
        self,
        *,
        private_hosts: Collection[str] = (),
        proxy: Proxy | None = None,
        resolve: Resolve = resolve_stream,
        connect: Connect | None = None,
    ) -> None:
        self._proxy = proxy
        self._opened = opened_hosts(private_hosts)
        self._resolve = resolve
        self._connect = connect or _connect
        self.http_proxy = proxy if proxy is not None and proxy.scheme == "http" else None
        self._socks: Any = _socks_module() if proxy is not None and self.http_proxy is None else None

    def check(self, host: str) -> None:
        """Behind a proxy, which looks names up itself, what can be known of the host here. Raises ExchangeError."""
        if self._proxy is None:
            return
        opened, literal = host in self._opened, literal_address(host)
        if not may_be_reached(literal, opened=opened) if literal is not None else not opened and host.endswith(_LOCAL_NAMES):
            raise _private_address(host)

    def dial(self, host: str, port: int, timeout: float) -> tuple[socket.socket, str | None]:
        """An open connection, and the address at its other end where that is the portal's. Raises ExchangeError."""
        deadline = time.monotonic() + timeout
        if self._socks is not None and self._proxy is not None:
            return self._dial_socks(self._proxy, host, port, deadline)
        rows = self._checked_addresses(host, port, opened=self._proxy is not None or host in self._opened)
        problem: OSError | None = None
        for number, row in enumerate(rows):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            try:
                # An address that stays silent must leave time for the next one.
                sock = self._connect(row, left if number == len(rows) - 1 else left / 2)
            except OSError as error:
                problem = error
            else:
                return sock, None if self._proxy is not None else str(row[4][0])
        if problem is None or isinstance(problem, TimeoutError):
            raise ExchangeError(Fault.TIME, "no connection within the time limit", "time")
        raise ExchangeError(Fault.CONNECT, f"no connection: {problem.strerror or problem}", "disconnect")

    def _checked_addresses(self, host: str, port: int, *, opened: bool) -> list[Any]:
        """What the name resolves to, without what a portal may not lead to."""
        try:
            rows = list(self._resolve(host, port))
        except socket.gaierror as error:
            fault = Fault.DNS if error.errno == socket.EAI_AGAIN else Fault.NO_HOST
            raise ExchangeError(fault, f'the host name "{host}" cannot be resolved: {error.strerror}') from None
        except (OSError, UnicodeError) as error:
            raise ExchangeError(Fault.NO_HOST, f'the host name "{host}" cannot be resolved: {error}') from None
        allowed = [row for row in rows if may_be_reached(str(row[4][0]), opened=opened)]
        if not allowed:
            raise _private_address(host)
        return allowed

    def _dial_socks(self, proxy: Proxy, host: str, port: int, deadline: float) -> tuple[socket.socket, str | None]:
        # urllib3's own way would have the name looked up once more, so that another address than the checked one might be asked for.
        ip = str(self._checked_addresses(host, port, opened=host in self._opened)[0][4][0]) if proxy.scheme == "socks5" else None
        sock = self._socks.socksocket()
        try:
            sock.set_proxy(self._socks.SOCKS5, proxy.host, proxy.port, ip is None, proxy.user, proxy.password)
            sock.settimeout(_left(deadline))
            sock.connect((ip or host, port))
        except OSError as error:
            sock.close()
            raise ExchangeError(Fault.CONNECT, f"no connection through the SOCKS proxy: {error}", "disconnect") from None
        return sock, ip


def _private_address(host: str) -> ExchangeError:
    return ExchangeError(Fault.PRIVATE, f'"{host}" has a private, loopback, link-local or reserved address')


def _connect(row: Any, timeout: float) -> socket.socket:
    family, kind, protocol, _name, address = row
    sock = socket.socket(family, kind, protocol)
    try:
        sock.settimeout(timeout)
        sock.connect(address)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def _tls_problem(error: OSError) -> str:
    """Without the names and line numbers of the library."""
    reason = error.reason if isinstance(error, ssl.SSLError) else None
    if reason in _NO_TLS:
        return "the server does not seem to speak TLS at this port; try http:// instead of https://"
    return reason.replace("_", " ").lower() if reason else error.strerror or str(error)


def _socks_module() -> Any:
    try:
        return import_module("socks")
    except ImportError:
        raise UsageError("a SOCKS proxy needs the package PySocks: pip install 'webarticlecurator[socks]'") from None


def _left(deadline: float) -> float:
    return max(0.001, deadline - time.monotonic())


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What requests is given as the body of a request: the whole message as it is to be sent, and within which bounds it is answered."""

    wire: bytes
    method: str
    deadline: float
    limits: Limits
    wanted: IsWanted | None


class Reply(urllib3.HTTPResponse):
    """A response read by ourselves. Of it urllib3 and requests are told the cookies, and nothing that they would act upon."""

    def __init__(self, received: Received, ip: str | None, *, was_kept: bool) -> None:
        response = received.response
        cookies = Message()
        for name, value in response.headers if response else ():
            if name.lower() == "set-cookie" and len(cookies) < _MOST_COOKIES_AT_ONCE and SENDABLE_COOKIE.fullmatch(value):
                cookies["Set-Cookie"] = value
        original: Any = SimpleNamespace(msg=cookies) if len(cookies) else None
        super().__init__(status=response.status if response else 0, preload_content=False, original_response=original)
        self.received = received
        self.ip = ip
        self.was_kept = was_kept
        """Whether its connection had served another request before."""


class Connection(HTTPConnection):
    """A connection of urllib3's that dials, sends and receives as promised."""

    def __init__(self, *arguments: Any, dialler: Dialler, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._dialler = dialler
        self._connected_by = math.inf
        self._ip: str | None = None
        self._used_at: float | None = None
        """When it last served a request; None on a new one."""
        self._outgoing: Outgoing | None = None

    @property
    def is_connected(self) -> bool:
        """Whether it may serve another request: not idle for long, and the other side neither closed it nor said anything unasked."""
        return super().is_connected and (self._used_at is None or time.monotonic() - self._used_at < _LONGEST_IDLE)

    def connect(self) -> None:
        self._used_at = None
        self._connected_by = time.monotonic() + (self.timeout or 0.0)
        try:
            super().connect()
        except TimeoutError:
            raise ExchangeError(Fault.TIME, "no TLS handshake within the time limit", "time") from None
        except ssl.SSLCertVerificationError as error:
            raise ExchangeError(Fault.CERTIFICATE, f"the certificate is not accepted: {error.verify_message}") from None
        except OSError as error:
            raise ExchangeError(Fault.TLS, f"the TLS handshake failed: {_tls_problem(error)}", "disconnect") from None

    def _new_conn(self) -> socket.socket:
        sock, self._ip = self._dialler.dial(self._dns_host, self.port, _left(self._connected_by))
        sock.settimeout(_left(self._connected_by))
        return sock

    def _tunnel(self) -> None:
        # http.client's way takes a head without end for a success, no status but 200 for one, and hands on whatever the proxy says.
        host, proxy = str(self._tunnel_host), self._dialler.http_proxy
        address = f"[{host}]:{self._tunnel_port}" if ":" in host else f"{host}:{self._tunnel_port}"
        lines = [f"CONNECT {address} HTTP/1.1", f"Host: {address}"]
        if proxy is not None and proxy.authorization:
            lines.append(f"Proxy-Authorization: {proxy.authorization}")
        try:
            self.sock.sendall("\r\n".join([*lines, "", ""]).encode("ascii"))
        except OSError as error:
            raise ExchangeError(Fault.CONNECT, f"the proxy broke off: {error.strerror or error}", "disconnect") from None
        # Byte by byte: what follows the head already belongs to the tunnel. As to a request by HEAD, there is no body.
        received = read_response(partial(self._receive, self._connected_by, 1), "HEAD", Limits())
        response, failure = received.response, received.failure
        if failure is not None or response is None or not 200 <= response.status < 300:
            said = f"HTTP {response.status}" if response is not None and failure is None else str(failure)
            raise ExchangeError(Fault.CONNECT, f"the proxy did not open a tunnel: {said}", "disconnect")
        self.sock.settimeout(_left(self._connected_by))

    def _receive(self, deadline: float, most: int = _PIECE) -> bytes:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.sock.settimeout(left)
        piece: bytes = self.sock.recv(most)
        return piece

    def request(self, method: str, url: str, body: Any = None, headers: Any = None, **options: Any) -> None:  # noqa: ARG002
        """Send the message as it was written: that is in the body, and all else is left aside."""
        outgoing: Outgoing = body
        if self.sock is None:
            self.connect()
        self._outgoing = outgoing
        try:
            self.sock.settimeout(_left(outgoing.deadline))
            self.sock.sendall(outgoing.wire)
        except TimeoutError:
            raise ExchangeError(Fault.TIME, "the request could not be sent within the time limit", "time") from None
        except OSError:
            # A server may answer and close without reading all of the request: its answer counts, if there is one.
            pass

    def getresponse(self) -> Reply:  # type: ignore[override]
        """Read the whole response; the connection stays open where it can be used again."""
        outgoing, sock = self._outgoing, self.sock
        if outgoing is None:
            raise ValueError("nothing was asked")

        def glance(linger: bool) -> bytes:
            sock.settimeout(min(_LINGER, _left(outgoing.deadline)) if linger else 0.0)
            return sock.recv(_PIECE)

        received = read_response(partial(self._receive, outgoing.deadline), outgoing.method, outgoing.limits, outgoing.wanted, glance)
        reply = Reply(received, self._ip, was_kept=self._used_at is not None)
        self._used_at = time.monotonic()
        if not received.keeps_connection:
            self.close()
        return reply


class SecureConnection(Connection, HTTPSConnection):
    """The same under TLS."""


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = Connection


class _SecurePool(urllib3.HTTPSConnectionPool):
    ConnectionCls = SecureConnection


class Adapter(HTTPAdapter):
    """Has requests use our connections."""

    def __init__(self, dialler: Dialler, *, verify_tls: bool, connections: int) -> None:
        self._dialler = dialler
        self._verify_tls = verify_tls
        if not verify_tls:  # the user's own wish, in the portal file
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        super().__init__(pool_connections=_MOST_HOSTS, pool_maxsize=connections)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self._use_our_pools(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **options: Any) -> urllib3.ProxyManager:
        manager: urllib3.ProxyManager = super().proxy_manager_for(proxy, **options)
        self._use_our_pools(manager)
        return manager

    def _use_our_pools(self, manager: urllib3.PoolManager) -> None:
        pools: Any = {"http": partial(_Pool, dialler=self._dialler), "https": partial(_SecurePool, dialler=self._dialler)}
        manager.pool_classes_by_scheme = pools

    def get_connection_with_tls_context(self, request: PreparedRequest, *_: Any, **_options: Any) -> urllib3.HTTPConnectionPool:
        parts, proxy = urlsplit(request.url or ""), self._dialler.http_proxy
        manager = self.proxy_manager_for(proxy.url) if proxy else self.poolmanager
        options = {"ssl_context": tls_context(verify=self._verify_tls)} if parts.scheme == "https" else None
        return manager.connection_from_host(str(parts.hostname), parts.port, str(parts.scheme), options)

    def cert_verify(self, conn: Any, url: Any, verify: Any, cert: Any) -> None:
        """Nothing: the context knows the certificates, and loading them for each connection costs more than the handshake."""

    def request_url(self, request: PreparedRequest, proxies: Any) -> str:  # noqa: ARG002
        """Only its scheme counts, for the question whether a tunnel is needed: what is asked for stands in the message."""
        return "http://proxied/" if self._dialler.http_proxy and (request.url or "").startswith("http:") else "/"
