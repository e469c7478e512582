"""Rules for where the text of articles stands, and for what in it is none: by corrected pages, and by what pages repeat."""

from webarticlecurator.learning.bodies.find_bodies import find_bodies
from webarticlecurator.learning.bodies.reading import Truth, truths_in

__all__ = ["Truth", "find_bodies", "truths_in"]
