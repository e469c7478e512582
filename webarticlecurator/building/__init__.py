"""Stored captures to articles and documents, again and again: what changed, and under which rules."""
