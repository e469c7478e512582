"""One pass over stored article pages: which there are, how they are read by several processes, and what is asked of each."""
