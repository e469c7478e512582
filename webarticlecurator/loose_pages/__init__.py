"""Pages that belong to no corpus: read one by one, and written in the forms in which people want them."""
