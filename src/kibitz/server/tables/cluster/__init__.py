"""The workers of one server: what they tell each other, and which of them has a table."""
