"""Portal files made of what other programs are configured by; each says what could not be said."""
