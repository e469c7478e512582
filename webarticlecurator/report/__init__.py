"""Pages of HTML: templates, and what they are filled with."""
