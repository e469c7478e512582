"""The numbers of a corpus: counted in one pass over what is built, beside what the ledger, the analysis and the WARC files tell."""
