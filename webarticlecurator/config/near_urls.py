"""URLs that a template almost makes: what is wrong with an address that a person typed or copied."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from webarticlecurator.config.template import UrlTemplate

_HEAD = re.compile(r"(https?://)?(www\.)?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Address:
    """A URL, or the text of a template, in the parts that are easily got wrong, and what is left."""

    scheme: str
    www: bool
    path: str
    """With the host, without a slash at its end."""
    slash: bool
    query: str

    @classmethod
    def of(cls, text: str) -> Self:
        found = _HEAD.fullmatch(text.partition("#")[0])
        assert found is not None  # it takes any text
        path, _, query = found[3].partition("?")
        return cls(found[1] or "", bool(found[2]), path.removesuffix("/"), path.endswith("/"), query)


def differences(template: UrlTemplate, url: str) -> tuple[str, ...]:
    """What the template has otherwise than this URL; nothing where it does make it, or is nothing like it."""
    has, given = _Address.of(template.text), _Address.of(url)
    likeness = UrlTemplate.parse(f"{has.path}?{has.query}" if given.query else has.path, language=template.language)
    if likeness.match(f"{given.path}?{given.query}" if given.query else given.path) is None:
        return ()
    told = (
        (f"{has.scheme}, not {given.scheme}", has.scheme != given.scheme),
        ("with www." if has.www else "without www.", has.www != given.www),
        ("with / at the end" if has.slash else "without / at the end", has.slash != given.slash),
        (f"with ?{has.query}", bool(has.query) and not given.query),
    )
    return tuple(words for words, differs in told if differs)
