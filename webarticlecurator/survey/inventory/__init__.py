"""From what was counted to the inventory that a person reads: rows, tree, pairs, suggestions, and the page in
a browser."""
