"""What a portal's pages are made of: the tag inventory, the decisions that it leads to, and the audit of what
they did."""
