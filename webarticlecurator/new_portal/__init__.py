"""From an address to a first portal file: a polite look at a site, or at stored pages of it, and what it
shows."""
