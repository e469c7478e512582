"""What else knows which articles there are: each witness yields what it names (`Named`), and that is held against the ledger."""
