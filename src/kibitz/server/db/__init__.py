"""The database: its schema, its migrations and what is written to it."""
