"""From a page to knowledge: pure functions of (page, config)."""
