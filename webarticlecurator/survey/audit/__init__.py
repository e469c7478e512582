"""What the rules lost, and what they let in that should not be there."""
