"""What became of the articles between two releases, and by what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.building.rules_digest import rules_digest
from webarticlecurator.config.load import load_portal
from webarticlecurator.releasing.contents import PAYLOAD, Release, account_of, released_articles
from webarticlecurator.releasing.verification import side_by_side
from webarticlecurator.tei.document import load_template


class Difference(NamedTuple):
    """An article that is not as it was."""

    id: str
    change: str
    """new, gone, or changed."""
    by: tuple[str, ...] = ()
    """Of a changed one: page (other captures), rules, program (its version), listing (what archive pages tell of it)."""


def differences(before: Path, after: Path) -> Iterator[Difference]:
    """In the order of their ids. Raises UsageError, CorpusError, PortalFileError."""
    accounts = account_of(before), account_of(after)
    rules = [_rules(folder, account) for folder, account in zip((before, after), accounts, strict=True)]
    old_articles, new_articles = (((article.id, article) for _, article in released_articles(folder)) for folder in (before, after))
    for name, old, new in side_by_side(old_articles, new_articles):
        if old is None or new is None:
            yield Difference(name, "new" if old is None else "gone")
        elif old.document != new.document:
            portal = name.rpartition("-")[0]
            signs = {
                "page": old.records != new.records,
                "rules": rules[0].get(portal) != rules[1].get(portal),
                "program": accounts[0].program != accounts[1].program,
            }
            yield Difference(name, "changed", tuple(sign for sign, holds in signs.items() if holds) or ("listing",))


def _rules(folder: Path, account: Release) -> dict[str, str]:
    """Portal -> a digest of its rules as this version of the program understands them."""
    places = {portal.name: folder / PAYLOAD / "portals" / portal.name for portal in account.portals}
    return {name: rules_digest(load_portal(at / "portal.yaml"), load_template(at / "header.xml").digest) for name, at in places.items()}
