"""What travels between the stages: frozen, and no behaviour beyond its own shape."""
