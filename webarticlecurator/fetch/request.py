"""Requests: what is asked for, and what a request says of us (user agent, the portal's own headers, cookies);
and which of it may be stored."""

from __future__ import annotations

import base64
import math
import os
from contextlib import AbstractContextManager
from dataclasses import dataclass
from http.cookiejar import Cookie, MozillaCookieJar
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import Request as CookieRequest

from requests import PreparedRequest
from requests.structures import CaseInsensitiveDict

from webarticlecurator.config.fetch_rules import FetchRules, Secret
from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.response import Limits
from webarticlecurator.model.capture import Request
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.protocol.message import HEADER_NAME, SECRET_HEADERS, redact
from webarticlecurator.urls import DEFAULT_PORTS, host_parts, split

_UNSENDABLE_PATH = linear(r"[^\x21-\x7e]")
SENDABLE_COOKIE = linear_at(r"[\t\x20-\x7e\xa0-\xff]{0,4096}")
"""The cookies that may come back in a request of ours: a stray line break in one must not become a header."""
_OURS = frozenset(
    {
        "host", "content-length", "transfer-encoding", "connection", "accept-encoding",
        "proxy-authorization", "upgrade", "te",
    }
)  # fmt: skip
"""Headers that belong to the exchange itself: nobody else may set them."""
_UNSENDABLE = linear(r"[^\t\x20-\x7e\xa0-\xff]")
_ADDRESS = linear_at(r"[^\s@<>()]+@[^\s@<>()]+")


class NoRequest(ValueError):
    """No request can be made of it; the message says why."""


class OtherScheme(NoRequest):
    """The URL may be a fine one, but none of the web."""


@dataclass(frozen=True, slots=True)
class RequestTarget:
    """The host to connect to, and the path to ask for."""

    scheme: str
    host: str
    """The host in lower case, ASCII, IPv6 without brackets."""
    port: int
    path: str
    """Path and query, as they go into the request line."""

    @classmethod
    def parse(cls, url: str) -> RequestTarget:
        """Take a normalised URL apart. Raises NoRequest."""
        parts = split(url)
        scheme = (parts.scheme or "").lower()
        if scheme not in DEFAULT_PORTS:
            raise OtherScheme(f'scheme "{scheme}"') if scheme else NoRequest("no scheme")
        authority = host_parts(parts.authority or "")
        if authority is None or not all(
            0 < len(label) < 64 for label in authority.host.removesuffix(".").split(".")
        ):
            raise NoRequest(f'host name "{parts.authority}"' if parts.authority else "no host name")
        if authority.user:
            raise NoRequest("a user name in the URL")
        path = (parts.path or "/") + ("" if parts.query is None else f"?{parts.query}")
        if _UNSENDABLE_PATH.search(path):
            raise NoRequest("blanks, control or non-ASCII characters that are not percent-encoded")
        return cls(scheme, authority.host.strip("[]"), int(authority.port[1:] or DEFAULT_PORTS[scheme]), path)

    @property
    def address(self) -> str:
        """Return host:port, for people and for the proxy."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """Return the origin, with the port only where it is not the scheme's own."""
        return f"{self.scheme}://{self.address}".removesuffix(f":{DEFAULT_PORTS[self.scheme]}")


@dataclass(frozen=True, slots=True)
class Proxy:
    """The place of the user's proxy."""

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
            host, port = (
                parts.hostname,
                parts.port or {"http": 8080, "socks5": 1080, "socks5h": 1080}[parts.scheme],
            )
        except (ValueError, KeyError):
            host = None
        if not host:
            raise UsageError(
                "fetch.proxy must be a URL like http://host:3128, socks5://host:1080 or socks5h://host:1080"
            )
        user, password = (
            None if part is None else unquote(part) for part in (parts.username, parts.password)
        )
        return cls(parts.scheme, host, port, user, password)

    @property
    def authorization(self) -> str | None:
        """The value of Proxy-Authorization."""
        if self.user is None or self.scheme != "http":
            return None
        return "Basic " + base64.b64encode(f"{self.user}:{self.password or ''}".encode()).decode("ascii")


class Cookies(MozillaCookieJar):
    """The cookies of the user's file, and what the portal set during one run, bounded."""

    _cookies_lock: AbstractContextManager[bool]
    """The lock of the jar itself, for all that reads or changes it; a thread may take it twice."""

    def __init__(self, file: Path | None) -> None:
        super().__init__()
        self._most: float = math.inf
        try:
            if file is not None:
                self.load(str(file), ignore_discard=True, ignore_expires=True)
        except (OSError, ValueError) as error:
            reason = (
                error.strerror
                if isinstance(error, OSError) and error.strerror
                else "it is not in the Netscape format"
            )
            raise UsageError(f"fetch.cookies_file {file} cannot be read: {reason}") from None
        for cookie in self:
            if cookie.expires == 0:  # how browsers export cookies that live as long as the browser
                cookie.expires, cookie.discard = None, True
            if not SENDABLE_COOKIE.fullmatch(f"{cookie.name}={cookie.value}"):
                raise UsageError(
                    f'fetch.cookies_file {file}: the cookie "{cookie.name}" has characters that cannot be '
                    "sent"
                )
        self._most = len(self) + 500  # that portals may set in one run

    def set_cookie(self, cookie: Cookie) -> None:
        with self._cookies_lock:
            if len(self) < self._most:
                super().set_cookie(cookie)

    def all(self) -> list[Cookie]:
        """Return those of this moment: another thread may add to them."""
        with self._cookies_lock:
            return list(self)


class Sent(PreparedRequest):
    """A request as requests knows it, with the message that goes over the wire; `stored` is that without
    secrets."""

    def __init__(
        self, request: Request, target: RequestTarget, limits: Limits, wire: bytes, secret: frozenset[str]
    ) -> None:
        super().__init__()
        self.method, self.url, self.headers = (
            request.method,
            target.origin + target.path,
            CaseInsensitiveDict(),
        )
        self.request = request
        self.target = target
        self.limits = limits
        self.wire = wire
        self.stored, self.redacted = redact(wire, secret)


def resolve_secret(value: str | Secret, key: str) -> str:
    """The value itself, from the environment where the portal file says so."""
    if isinstance(value, str):
        return value
    secret = os.environ.get(value.env)
    if not secret:
        raise UsageError(
            f"{key} is to come from the environment variable {value.env}, which is not set: set it and run "
            "again"
        )
    return secret


class RequestWriter:
    """Writes the head of every request of one portal."""

    def __init__(
        self,
        rules: FetchRules,
        *,
        contact: str | None,
        hosts: frozenset[str],
        is_encrypted: bool,
        cookies: Cookies,
        proxy: Proxy | None,
    ) -> None:
        self._cookies = cookies
        self._proxy = proxy if proxy is not None and proxy.scheme == "http" else None
        self._hosts, self._is_encrypted = hosts, is_encrypted
        self._common: dict[str, str] = {"User-Agent": rules.agent(contact)}
        if contact and _ADDRESS.fullmatch(contact):
            self._common["From"] = contact
        self._common["Accept"] = (
            "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.9,*/*;q=0.5"
        )
        self._private: dict[str, str] = {}
        for name, value in rules.headers.items():
            if name.lower() in _OURS:
                raise UsageError(f'fetch.headers may not set "{name}": it belongs to the exchange itself')
            secret = isinstance(value, Secret) or name.lower() in SECRET_HEADERS
            (self._private if secret else self._common)[name] = resolve_secret(
                value, f'the header "{name}" of fetch.headers'
            )
        self._secret = SECRET_HEADERS | {name.lower() for name in self._private}
        for name, value in (self._common | self._private).items():
            if problem := _problem(name, value):
                raise UsageError(f'the header "{name}" cannot be sent: {problem}')

    def _may_know(self, target: RequestTarget) -> bool:
        """Return True if secrets may go there: to the portal's own hosts only, wherever a redirect leads, and
        never in the open where the portal's home is not."""
        is_own = target.host.removeprefix("www.") in self._hosts
        return is_own and (target.scheme == "https" or not self._is_encrypted)

    def write(self, request: Request, target: RequestTarget, limits: Limits) -> Sent:
        """The request as bytes. Raises NoRequest where something of it cannot be sent."""
        ours = self._common | self._private if self._may_know(target) else self._common
        headers = {name.lower(): (name, value) for name, value in ours.items()}
        for name, value in request.headers:
            if problem := _problem(name, value):
                raise NoRequest(f'the header "{name}" cannot be sent: {problem}')
            if name.lower() not in _OURS:
                headers[name.lower()] = (name, value)
        carrier = CookieRequest(target.origin + target.path)
        self._cookies.add_cookie_header(carrier)
        if cookie := carrier.get_header("Cookie"):
            given = headers.get("cookie")
            headers["cookie"] = ("Cookie", f"{given[1]}; {cookie}" if given else cookie)
        asked = target.path
        if (
            self._proxy is not None and target.scheme == "http"
        ):  # such a proxy wants the whole URL; TLS goes through it unseen
            asked = target.origin + target.path
            if self._proxy.authorization:
                headers["proxy-authorization"] = ("Proxy-Authorization", self._proxy.authorization)
        lines = [f"{request.method} {asked} HTTP/1.1", f"Host: {target.origin.partition('//')[2]}"]
        lines += [f"{name}: {value}" for name, value in headers.values()]
        lines += ["Accept-Encoding: gzip", "Connection: keep-alive"]
        if request.body is not None:
            lines.append(f"Content-Length: {len(request.body)}")
        wire = "\r\n".join([*lines, "", ""]).encode("latin-1") + (request.body or b"")
        return Sent(request, target, limits, wire, self._secret)


def _problem(name: str, value: str) -> str | None:
    if not HEADER_NAME.fullmatch(name):
        return "its name has characters that header names may not have"
    if _UNSENDABLE.search(value):
        return "its value has line breaks, control characters or characters beyond Latin-1"
    return None
