"""The data that travel between the stages: frozen, and no behaviour beyond their own shape."""
