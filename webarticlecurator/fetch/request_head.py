"""What a request says of us: user agent, the portal's own headers, cookies; and which of it may be stored."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from webarticlecurator.config.fetch_rules import FetchRules, Secret
from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.cookies import CookieBox
from webarticlecurator.fetch.target import Target
from webarticlecurator.fetch.wire import Sent
from webarticlecurator.model.capture import Request
from webarticlecurator.version import NAME, VERSION

REDACTED = "[redacted]"
_ALWAYS_SECRET = frozenset({"cookie", "authorization", "proxy-authorization"})
_OURS = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "proxy-authorization", "upgrade", "te"})
"""Headers that belong to the exchange itself: nobody else may set them."""
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNSENDABLE = re.compile(r"[^\t\x20-\x7e\xa0-\xff]")
_ADDRESS = re.compile(r"[^\s@<>()]+@[^\s@<>()]+")
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.9,*/*;q=0.5"


class Unsendable(ValueError):
    """A part of a request that cannot be sent as it is."""


def user_agent(rules: FetchRules, contact: str | None) -> str:
    """How we call ourselves: the portal file's own words, else the program, its version and who runs it."""
    if rules.user_agent is not None:
        return rules.user_agent
    name = f"{NAME}/{VERSION}"
    return f"{name} (+{contact})" if contact else name


def resolve_secret(value: str | Secret, what: str) -> str:
    """The value itself, from the environment where the portal file says so."""
    if isinstance(value, str):
        return value
    found = os.environ.get(value.env)
    if not found:
        raise UsageError(f"{what} is to come from the environment variable {value.env}, which is not set: set it and run again")
    return found


class RequestHeads:
    """Writes the head of every request of one portal."""

    def __init__(self, rules: FetchRules, *, contact: str | None, hosts: frozenset[str], cookies: CookieBox) -> None:
        self._cookies = cookies
        self._hosts = hosts
        self._common: dict[str, str] = {"User-Agent": user_agent(rules, contact)}
        if contact and _ADDRESS.fullmatch(contact):
            self._common["From"] = contact
        self._common["Accept"] = _ACCEPT
        self._private: dict[str, str] = {}
        for name, value in rules.headers.items():
            if name.lower() in _OURS:
                raise UsageError(f'fetch.headers may not set "{name}": it belongs to the exchange itself')
            secret = isinstance(value, Secret) or name.lower() in _ALWAYS_SECRET
            (self._private if secret else self._common)[name] = resolve_secret(value, f'the header "{name}" of fetch.headers')
        for name, value in (self._common | self._private).items():
            problem = _problem(name, value)
            if problem:
                raise UsageError(f'the header "{name}" cannot be sent: {problem}')

    @property
    def has_credentials(self) -> bool:
        """Whether requests carry what belongs to a person: cookies of theirs, or headers from the environment."""
        return bool(self._private) or self._cookies.from_file

    def write(self, request: Request, target: Target, *, proxy: bool = False, proxy_authorization: str | None = None) -> Sent:
        """The request as bytes. Raises Unsendable when something of the request itself cannot be sent."""
        if not _NAME.fullmatch(request.method):
            raise Unsendable(f'"{request.method}" is no HTTP method')
        headers: dict[str, tuple[str, str]] = {name.lower(): (name, value) for name, value in self._common.items()}
        secret = set(_ALWAYS_SECRET)
        if self._is_own(target.host):
            headers.update((name.lower(), (name, value)) for name, value in self._private.items())
            secret.update(name.lower() for name in self._private)
        for name, value in request.headers:
            problem = _problem(name, value)
            if problem:
                raise Unsendable(f'the header "{name}" cannot be sent: {problem}')
            if name.lower() not in _OURS:
                headers[name.lower()] = (name, value)
        cookie = self._cookies.header_for(target)
        if cookie:
            given = headers.get("cookie")
            headers["cookie"] = ("Cookie", f"{given[1]}; {cookie}" if given else cookie)
        if proxy and proxy_authorization:
            headers["proxy-authorization"] = ("Proxy-Authorization", proxy_authorization)
        return _compose(request, target, headers, secret, proxy=proxy)

    def _is_own(self, host: str) -> bool:
        """Secrets go to the portal's own hosts only, wherever a redirect leads."""
        return host.removeprefix("www.") in self._hosts


def _compose(request: Request, target: Target, headers: Mapping[str, tuple[str, str]], secret: set[str], *, proxy: bool) -> Sent:
    asked = f"{target.origin}{target.path}" if proxy and target.scheme == "http" else target.path
    start = f"{request.method} {asked} HTTP/1.1\r\nHost: {target.authority}\r\n"
    end = "Accept-Encoding: gzip\r\nConnection: keep-alive\r\n"
    if request.body is not None:
        end += f"Content-Length: {len(request.body)}\r\n"
    open_lines = "".join(f"{name}: {value}\r\n" for key, (name, value) in headers.items() if key not in secret)
    hidden = [(name, value) for key, (name, value) in headers.items() if key in secret]
    body = request.body or b""

    def bytes_with(secret_lines: str) -> bytes:
        return f"{start}{open_lines}{secret_lines}{end}\r\n".encode("latin-1") + body

    wire = bytes_with("".join(f"{name}: {value}\r\n" for name, value in hidden))
    if not hidden:
        return Sent(wire, wire)
    stored = bytes_with("".join(f"{name}: {REDACTED}\r\n" for name, _ in hidden))
    return Sent(wire, stored, tuple(name for name, _ in hidden))


def _problem(name: str, value: str) -> str | None:
    if not _NAME.fullmatch(name):
        return "its name has characters that header names may not have"
    if _UNSENDABLE.search(value):
        return "its value has line breaks, control characters or characters beyond Latin-1"
    return None
