"""Parts of a table in memory: each owns one kind of state, and knows no other."""
