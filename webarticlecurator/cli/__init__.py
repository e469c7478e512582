"""One module a command; nobody imports them."""
