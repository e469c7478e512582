"""Which links of archive pages lead to articles: rules that find them, the best ones first, with what speaks
for each."""
