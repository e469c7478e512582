"""What is valid: portal files, and what is made of them."""
