"""The audit: text that the rules lost, and text that they let in though it should not be there."""
