"""Game Title: stones are taken from a row, and who takes the last one wins."""
