"""Find out of a built corpus what no page says: the languages of its texts, and which of them are the same or
nearly so."""
