"""Rules for where the text of articles stands, and for what in it is none: by corrected pages, and by what pages repeat."""
