"""Annotations: lemmas and parts of speech that a program gives to the texts of a corpus, kept beside it."""
