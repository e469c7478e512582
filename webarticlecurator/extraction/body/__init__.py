"""The body of an article: its place on the page, and the blocks that it is made of."""
