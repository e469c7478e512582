"""Which of a page's sources give the metadata, and where its posts are."""
