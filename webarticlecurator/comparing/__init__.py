"""The articles of a corpus beside what known readers make of the same pages."""
