"""The events of a table, told to one viewer."""
