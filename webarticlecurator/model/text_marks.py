"""The classes by which texts of an archived page are marked: whoever puts the marks there and whoever draws them means the same."""

from __future__ import annotations

PREFIX = "curator-"
"""How they begin; those of the page that begin so are taken from it."""
MARK = f"{PREFIX}mark"
"""Of every marked text."""
FIRST = f"{PREFIX}first"
"""Of the first of several that are marked alike: it says how, by its title."""
DIFFERS = f"{PREFIX}differs"
"""Of a text of which the labeller thinks otherwise."""
