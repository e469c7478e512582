"""Charts as inline SVG with the same numbers as tables, made by code: nothing is run to see them."""
