"""Where the text of articles stands, and what in it is none, layout by layout."""

from webarticlecurator.learning.bodies.find import find_bodies
from webarticlecurator.learning.bodies.findings import BodyFindings, FoundLayout, Truth, layout_entry, truths_in

__all__ = ["BodyFindings", "FoundLayout", "Truth", "find_bodies", "layout_entry", "truths_in"]
