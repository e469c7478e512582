"""A URL taken apart into whom to connect to and what to ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}
_UNSENDABLE = re.compile(r"[^\x21-\x7e]")
_HOST_NAME = re.compile(r"[a-z0-9_.-]{1,253}", re.ASCII)
_LONGEST_URL = 16_384


class BadUrl(ValueError):
    """No request can be made of it; the message says why."""


class OtherScheme(BadUrl):
    """It may be a fine URL, but not one of the web."""


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to connect to, and what to ask for."""

    scheme: str
    host: str
    """Lower case, ASCII, IPv6 without brackets."""
    port: int
    path: str
    """Path and query, as they go into the request line."""

    @classmethod
    def parse(cls, url: str) -> Target:
        """Take a normalised URL apart. Raises BadUrl."""
        if len(url) > _LONGEST_URL:
            raise BadUrl(f"longer than {_LONGEST_URL} characters")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise BadUrl(str(error)) from None
        scheme = parts.scheme.lower()
        if scheme not in DEFAULT_PORTS:
            raise OtherScheme(f'scheme "{scheme}"' if scheme else "no scheme")
        if parts.username is not None:
            raise BadUrl("a user name in the URL")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query or url.partition("#")[0].endswith("?") else "")
        if _UNSENDABLE.search(path):
            raise BadUrl("blanks, control or non-ASCII characters that are not percent-encoded")
        return cls(scheme, _ascii_host(parts.hostname or ""), DEFAULT_PORTS[scheme] if port is None else port, path)

    @property
    def address(self) -> str:
        """host:port, for people and for the proxy."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def authority(self) -> str:
        """What the Host header says: the port only where it is not the scheme's own."""
        if self.port != DEFAULT_PORTS[self.scheme]:
            return self.address
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"


@lru_cache(maxsize=1024)
def _ascii_host(host: str) -> str:
    if ":" in host:
        return host
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii").lower()
        except UnicodeError:
            raise BadUrl(f'host name "{host}"') from None
    if not _HOST_NAME.fullmatch(host) or not all(0 < len(label) < 64 for label in host.removesuffix(".").split(".")):
        raise BadUrl(f'host name "{host}"' if host else "no host name")
    return host
