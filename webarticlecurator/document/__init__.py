"""From bytes to a parsed page."""
