"""A portal asked for a few pages at once, for commands that store nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from webarticlecurator import settings
from webarticlecurator.cli import console
from webarticlecurator.cli.contact import checked_contact, require_contact

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.model.capture import PageSource


@contextmanager
def live(portal: Portal, contact: str | None) -> Iterator[PageSource]:
    """The portal's pages, politely; whoever asks a foreign host has to say who they are."""
    from webarticlecurator.fetch.web import Web
    from webarticlecurator.pipeline import PortalWeb

    value = settings.lookup("contact", flag=contact, environ=os.environ, file=settings.settings_file())
    who = checked_contact(value.text, source=value.source)
    require_contact([portal], who, settings_file=settings.settings_file())
    web = Web(portal.fetch, hosts=portal.hosts, contact=who, say=console.say)
    try:
        yield PortalWeb(web, portal)
    finally:
        web.close()
