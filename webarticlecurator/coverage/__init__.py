"""Which of a portal's articles a web archive holds: its index read or asked, held against the ledger, and
captures got from it."""
