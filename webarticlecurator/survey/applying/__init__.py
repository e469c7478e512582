"""A person's decisions, made in a table, become the fewest rules of a portal file."""
