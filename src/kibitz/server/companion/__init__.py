"""The companion of a real board: the book and the summary of an evening."""
