"""How the pages of an archive, and of an article, go on."""
