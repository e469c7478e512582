"""Watch whether the articles still look as they did."""
