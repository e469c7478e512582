"""The store: what came in is what comes out."""
