"""Which links of archive pages lead to articles."""
