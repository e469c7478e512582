"""One portal's cookies, in two places: the jar that our own requests are made with, and the browser, where scripts set some too."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from http.cookiejar import Cookie
from typing import TYPE_CHECKING, Any

from webarticlecurator.fetch.request import SENDABLE_COOKIE, Cookies

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

_LOCAL = ".local"
"""What the standard library's jar adds to host names without a dot."""
_Name = tuple[str, str, str]
"""Domain, path, name: what makes a cookie one."""


class SharedCookies:
    """Carries cookies between the jar and one browser."""

    def __init__(self, jar: Cookies) -> None:
        self._jar = jar
        self._seen: dict[_Name, str] = {}
        """What the browser had when it was last looked at."""

    async def give(self, context: BrowserContext) -> None:
        """What the jar has goes to the browser."""
        for cookie in list(self._jar):
            with contextlib.suppress(Exception):  # one that the browser does not take is not worth a page
                await context.add_cookies([_for_browser(cookie)])

    async def take(self, context: BrowserContext) -> None:
        """What scripts of pages set, changed or removed since then goes to the jar."""
        now: dict[_Name, Mapping[str, Any]] = {_name(cookie): cookie for cookie in await context.cookies()}
        for name, cookie in now.items():
            if self._seen.get(name) != cookie["value"] and SENDABLE_COOKIE.fullmatch(f"{cookie['name']}={cookie['value']}"):
                self._jar.set_cookie(_for_jar(cookie))
        for gone in self._seen.keys() - now.keys():
            with contextlib.suppress(KeyError):
                self._jar.clear(gone[0] if "." in gone[0] else gone[0] + _LOCAL, *gone[1:])
        self._seen = {name: cookie["value"] for name, cookie in now.items()}

    def forget(self) -> None:
        """The browser was begun anew."""
        self._seen = {}


def _name(cookie: Mapping[str, Any]) -> _Name:
    return cookie["domain"], cookie["path"], cookie["name"]


def _for_browser(cookie: Cookie) -> Any:
    return {
        "name": cookie.name,
        "value": cookie.value or "",
        "domain": cookie.domain.removesuffix(_LOCAL),
        "path": cookie.path,
        "expires": cookie.expires or -1,
        "httpOnly": any(cookie.has_nonstandard_attr(name) for name in ("HttpOnly", "httponly")),
        "secure": bool(cookie.secure),
    }


def _for_jar(cookie: Mapping[str, Any]) -> Cookie:
    expires, domain = cookie.get("expires", -1), cookie["domain"]
    if "." not in domain:
        domain += _LOCAL
    return Cookie(
        version=0,
        name=cookie["name"],
        value=cookie["value"],
        port=None,
        port_specified=False,
        domain=domain,
        domain_specified=domain.startswith("."),
        domain_initial_dot=domain.startswith("."),
        path=cookie["path"],
        path_specified=True,
        secure=bool(cookie.get("secure")),
        expires=int(expires) if expires and expires > 0 else None,
        discard=not expires or expires <= 0,
        comment=None,
        comment_url=None,
        rest={"HttpOnly": ""} if cookie.get("httpOnly") else {},
        rfc2109=False,
    )
