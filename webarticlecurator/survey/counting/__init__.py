"""What the pages of a portal are made of: every element counted in one merged tree, kept for the next time, and decided by the rules."""
