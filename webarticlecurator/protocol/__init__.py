"""HTTP messages as they were stored: heads, framing, bodies, and the codings around them; no network."""
