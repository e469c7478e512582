"""Turn bytes into a parsed page."""
