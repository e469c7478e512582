"""The numbers of a corpus: queries over what is built, what the ledger knows and the analysis; and what code
judges of their rows."""
