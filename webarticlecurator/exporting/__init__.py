"""Write a built corpus to files that other programs read: choose its articles, write them, and tell of
them."""
