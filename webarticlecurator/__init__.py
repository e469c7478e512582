"""Every article a portal ever published, as WARC that stays raw and as TEI that can be rebuilt."""
