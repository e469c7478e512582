"""What a look at a site that nobody knows yet may ask for, and what its answers amount to."""
