"""The network, and nothing after it."""
