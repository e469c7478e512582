"""What the databases know, as pictures and problems."""
