"""What a built corpus shows that no page says: the languages of its texts, and which of them are the same or
nearly so."""
