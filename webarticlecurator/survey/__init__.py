"""Surveys of a portal's pages: the tag inventory, the decisions that it leads to, and the audit of what they
did."""
