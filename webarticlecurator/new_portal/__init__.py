"""From an address to a first portal file: a polite look at a site, or at stored pages of it, and what it shows."""

from webarticlecurator.new_portal.begin import new_from_warcs, new_from_web, portal_to_be
from webarticlecurator.new_portal.first_file import NewPortal

__all__ = ["NewPortal", "new_from_warcs", "new_from_web", "portal_to_be"]
