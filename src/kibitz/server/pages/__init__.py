"""The pages people open in a browser."""
