"""Where the text of articles stands, and what in it is none, layout by layout."""
