"""`curator audit --archive`: the articles that stored articles link to, held against the ledger."""
