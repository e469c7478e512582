"""Pages held against what is expected of them: `curator test`."""
