"""Which blocks of a page are its text, as a small sequence model sees it."""
