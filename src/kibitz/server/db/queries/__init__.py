"""Reading and writing what a feature needs, each a function of the store."""
