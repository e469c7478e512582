"""The corpus folder: its ledger, its events, its lock, and what is stored of each article. Crawling, building
and survey stand on it."""
