"""Whether the articles still look as they did."""
