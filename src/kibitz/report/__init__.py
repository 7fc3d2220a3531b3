"""Many games played by bots, and one page that shows what came of them.

The page and its plots need matplotlib; playing and summing up do not.
"""
