"""From a built corpus to the files that other programs read: what is chosen, how it is written, and what is
told of it."""
