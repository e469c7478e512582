"""Opening a connection: to an address that was checked, directly or through the user's proxy, with TLS where the URL asks for it."""

from __future__ import annotations

import base64
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import certifi

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.addresses import Resolve, literal_address, may_be_reached, opened_hosts, resolve_stream
from webarticlecurator.fetch.incoming import Fault, Trouble, read_response
from webarticlecurator.fetch.limits import Limits
from webarticlecurator.fetch.target import Target

Connect = Callable[[Any, float], socket.socket]
"""Connects to one resolved address within so many seconds."""

_PROXY_PORTS = {"http": 8080, "socks5": 1080, "socks5h": 1080}
_LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal")


@dataclass(frozen=True, slots=True)
class Line:
    """An open connection, and who is at its other end."""

    sock: socket.socket
    ip: str | None


class Dialer(Protocol):
    """Whatever opens connections."""

    speaks_to_proxy: bool
    """Whether requests for http URLs go to a proxy, which wants the whole URL in the request line."""

    proxy_authorization: str | None

    def dial(self, target: Target, deadline: float) -> Line:
        """Open a connection within the deadline (of `time.monotonic`). Raises Trouble."""
        ...


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where the user's proxy is."""

    scheme: str
    host: str
    port: int
    user: str | None
    password: str | None

    @classmethod
    def parse(cls, url: str) -> Proxy:
        """Take a proxy URL apart; raises UsageError, without the URL in it, as it may hold a password."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise UsageError("fetch.proxy is not a URL like http://host:3128 or socks5h://host:1080") from None
        if parts.scheme not in _PROXY_PORTS or not parts.hostname:
            raise UsageError("fetch.proxy must begin with http://, socks5:// or socks5h://, followed by a host name")
        user, password = (None if part is None else unquote(part) for part in (parts.username, parts.password))
        return cls(parts.scheme, parts.hostname, port or _PROXY_PORTS[parts.scheme], user, password)

    @property
    def authorization(self) -> str | None:
        """The value of Proxy-Authorization."""
        if self.user is None or self.scheme != "http":
            return None
        return "Basic " + base64.b64encode(f"{self.user}:{self.password or ''}".encode()).decode("ascii")


def tls_context(*, verify: bool) -> ssl.SSLContext:
    """Certificates of the system and of Mozilla's list; without verification also what only old servers speak."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    context.set_alpn_protocols(["http/1.1"])
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.set_ciphers("DEFAULT@SECLEVEL=1")
    return context


class DirectDialer:
    """Resolves a name once, checks its addresses, and connects to one of those that were checked."""

    speaks_to_proxy = False
    proxy_authorization: str | None = None

    def __init__(
        self,
        *,
        private_hosts: Sequence[str] = (),
        verify_tls: bool = True,
        resolve: Resolve = resolve_stream,
        connect: Connect | None = None,
    ) -> None:
        self._opened = opened_hosts(private_hosts)
        self._verify_tls = verify_tls
        self._resolve = resolve
        self._connect = connect or _connect
        self._tls: ssl.SSLContext | None = None

    def dial(self, target: Target, deadline: float) -> Line:
        line = self.dial_plain(target.host, target.port, deadline, opened=target.host in self._opened)
        return self.secure(line, target, deadline)

    def dial_plain(self, host: str, port: int, deadline: float, *, opened: bool) -> Line:
        """A TCP connection to the first checked address that answers."""
        rows = self.checked_addresses(host, port, opened=opened)
        problem: OSError | None = None
        for number, row in enumerate(rows):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            try:
                # An address that stays silent must leave time for the next one.
                return Line(self._connect(row, left if number == len(rows) - 1 else left / 2), str(row[4][0]))
            except OSError as error:
                problem = error
        if problem is None or isinstance(problem, TimeoutError):
            raise Trouble(Fault.TIME, "no connection within the time limit", "time")
        raise Trouble(Fault.CONNECT, f"no connection: {problem.strerror or problem}", "disconnect")

    def checked_addresses(self, host: str, port: int, *, opened: bool) -> list[Any]:
        """What the name resolves to, without what a portal may not lead to. Raises Trouble when nothing is left."""
        try:
            rows = list(self._resolve(host, port))
        except socket.gaierror as error:
            fault = Fault.DNS if error.errno == socket.EAI_AGAIN else Fault.NO_HOST
            raise Trouble(fault, f'the host name "{host}" cannot be resolved: {error.strerror}') from None
        except (OSError, UnicodeError) as error:
            raise Trouble(Fault.NO_HOST, f'the host name "{host}" cannot be resolved: {error}') from None
        allowed = [row for row in rows if may_be_reached(str(row[4][0]), opened=opened)]
        if not allowed:
            raise private_address(host)
        return allowed

    def secure(self, line: Line, target: Target, deadline: float) -> Line:
        """TLS on top, where the URL asks for it."""
        if target.scheme != "https":
            return line
        if self._tls is None:
            self._tls = tls_context(verify=self._verify_tls)
        try:
            line.sock.settimeout(max(0.001, deadline - time.monotonic()))
            return Line(self._tls.wrap_socket(line.sock, server_hostname=target.host), line.ip)
        except TimeoutError:
            line.sock.close()
            raise Trouble(Fault.TIME, "no TLS handshake within the time limit", "time") from None
        except ssl.SSLCertVerificationError as error:
            line.sock.close()
            raise Trouble(Fault.CERTIFICATE, f"the certificate is not accepted: {error.verify_message}") from None
        except OSError as error:
            line.sock.close()
            raise Trouble(Fault.TLS, f"the TLS handshake failed: {error.strerror or error}", "disconnect") from None


class ProxyDialer:
    """Through the user's proxy: whose own address is the user's choice, while what the portal names is still checked."""

    def __init__(self, proxy: Proxy, direct: DirectDialer, *, private_hosts: Sequence[str] = (), limits: Limits | None = None) -> None:
        self._proxy = proxy
        self._direct = direct
        self._opened = opened_hosts(private_hosts)
        self._limits = limits or Limits()
        self._socks: Any = _socks_module() if proxy.scheme.startswith("socks") else None
        self.speaks_to_proxy = proxy.scheme == "http"
        self.proxy_authorization = proxy.authorization

    def dial(self, target: Target, deadline: float) -> Line:
        opened = target.host in self._opened
        literal = literal_address(target.host)
        refused = not may_be_reached(literal, opened=opened) if literal is not None else not opened and target.host.endswith(_LOCAL_NAMES)
        if refused:
            raise private_address(target.host)
        if self._socks is not None:
            return self._direct.secure(self._dial_socks(target, deadline, opened=opened), target, deadline)
        # The peer's address is the proxy's, which says nothing of the portal: it is left out.
        line = Line(self._direct.dial_plain(self._proxy.host, self._proxy.port, deadline, opened=True).sock, None)
        if target.scheme == "https":
            self._open_tunnel(line, target, deadline)
        return self._direct.secure(line, target, deadline)

    def _open_tunnel(self, line: Line, target: Target, deadline: float) -> None:
        head = [f"CONNECT {target.address} HTTP/1.1", f"Host: {target.address}"]
        if self.proxy_authorization:
            head.append(f"Proxy-Authorization: {self.proxy_authorization}")

        def receive() -> bytes:
            line.sock.settimeout(max(0.001, deadline - time.monotonic()))
            # Byte by byte: what follows the head already belongs to the tunnel.
            return line.sock.recv(1)

        try:
            line.sock.settimeout(max(0.001, deadline - time.monotonic()))
            line.sock.sendall("\r\n".join([*head, "", ""]).encode("latin-1"))
        except OSError as error:
            line.sock.close()
            raise Trouble(Fault.CONNECT, f"the proxy broke off: {error.strerror or error}", "disconnect") from None
        # To a request by HEAD there is no body, as there is none after a tunnel was opened.
        answer = read_response(receive, "HEAD", self._limits)
        status = answer.response.status if answer.response else None
        if status is None or not 200 <= status < 300:
            line.sock.close()
            said = f"HTTP {status}" if status else str(answer.trouble)
            raise Trouble(Fault.CONNECT, f"the proxy did not open a tunnel: {said}", "disconnect")

    def _dial_socks(self, target: Target, deadline: float, *, opened: bool) -> Line:
        proxy = self._proxy
        host = target.host
        if proxy.scheme == "socks5":
            host = str(self._direct.checked_addresses(target.host, target.port, opened=opened)[0][4][0])
        sock = self._socks.socksocket()
        try:
            sock.set_proxy(self._socks.SOCKS5, proxy.host, proxy.port, proxy.scheme == "socks5h", proxy.user, proxy.password)
            sock.settimeout(max(0.001, deadline - time.monotonic()))
            sock.connect((host, target.port))
        except OSError as error:
            sock.close()
            raise Trouble(Fault.CONNECT, f"no connection through the SOCKS proxy: {error}", "disconnect") from None
        return Line(sock, None if host == target.host else host)


def private_address(host: str) -> Trouble:
    """What is said of a host that we do not connect to."""
    return Trouble(Fault.PRIVATE, f'"{host}" has a private, loopback, link-local or reserved address')


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


def _socks_module() -> Any:
    try:
        return import_module("socks")
    except ImportError:
        raise UsageError("a SOCKS proxy needs the package PySocks: pip install 'webarticlecurator[socks]'") from None
