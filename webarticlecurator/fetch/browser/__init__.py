"""A real browser that shows pages, and whose every request is asked by our own client."""
