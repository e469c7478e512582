"""Tell which blocks of a page are its text, by a small sequence model."""
