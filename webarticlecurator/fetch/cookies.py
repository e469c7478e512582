"""The cookies of one portal during one run, with those of the user's cookie file; the standard library's rules, bounded."""

from __future__ import annotations

import re
from email.message import Message
from http.cookiejar import LoadError, MozillaCookieJar
from pathlib import Path
from typing import Any, cast
from urllib.request import Request as JarRequest

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.target import Target
from webarticlecurator.model.capture import Headers

_MOST_AT_ONCE = 50
_SENDABLE = re.compile(r"[\t\x20-\x7e\xa0-\xff]{0,4096}")
"""What may come back in a request of ours: a stray line break in a cookie must not become a header."""


class _Answered:
    """What a cookie jar wants to know of a response."""

    def __init__(self, values: list[str]) -> None:
        self._head = Message()
        for value in values:
            self._head["Set-Cookie"] = value

    def info(self) -> Message:
        return self._head


class CookieBox:
    """Keeps what the portal set, and gives back what belongs to a request."""

    def __init__(self, file: Path | None, *, most: int) -> None:
        self.from_file = file is not None
        self._most = most
        self._jar = _load(file) if file is not None else MozillaCookieJar()
        self._count = len(self._jar)

    def header_for(self, target: Target) -> str | None:
        """The value of the Cookie header, None where there is nothing to send."""
        if not self._count:
            return None
        asked = _jar_request(target)
        self._jar.add_cookie_header(asked)
        return asked.get_header("Cookie")

    def keep(self, target: Target, headers: Headers) -> None:
        """Take what a response sets."""
        values = [value for name, value in headers if name.lower() == "set-cookie" and _SENDABLE.fullmatch(value)]
        if values and self._count < self._most:
            self._jar.extract_cookies(cast(Any, _Answered(values[:_MOST_AT_ONCE])), _jar_request(target))
            self._count = len(self._jar)


def _jar_request(target: Target) -> JarRequest:
    return JarRequest(target.origin + target.path)


def _load(file: Path) -> MozillaCookieJar:
    jar = MozillaCookieJar(str(file))
    try:
        jar.load(ignore_discard=True, ignore_expires=True)
    except (LoadError, OSError, UnicodeDecodeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not in the Netscape format"
        raise UsageError(f"fetch.cookies_file {file} cannot be read: {reason}") from None
    for cookie in jar:
        if cookie.expires == 0:  # how browsers export cookies that live as long as the browser
            cookie.expires, cookie.discard = None, True
        if not _SENDABLE.fullmatch(f"{cookie.name}={cookie.value}"):
            raise UsageError(f'fetch.cookies_file {file}: the cookie "{cookie.name}" has characters that cannot be sent')
    return jar
