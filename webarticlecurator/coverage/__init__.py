"""Find the articles of a portal that a web archive holds: its index is read or asked, and held against the
ledger; and captures are got from it."""
