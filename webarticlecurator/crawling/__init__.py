"""The two levels: archive pages, then articles."""
