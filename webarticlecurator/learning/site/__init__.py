"""A look at a site that nobody knows yet: the pages to ask for, and the lines of a portal file that they lead
to."""
