"""Search the texts of a corpus: an index of them, and what it finds, each in its context."""
