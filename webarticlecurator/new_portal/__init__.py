"""Make a first portal file of an address: a polite look at a site, or at stored pages of it, and what it
shows."""
