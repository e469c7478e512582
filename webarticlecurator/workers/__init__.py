"""Worker processes that share out tasks."""
