"""Where an article's body is, and what blocks it is made of."""
