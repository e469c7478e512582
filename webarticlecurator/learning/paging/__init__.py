"""How the pages of an archive follow one another, and those of an article; the addresses of archive pages and
the dates in them."""
