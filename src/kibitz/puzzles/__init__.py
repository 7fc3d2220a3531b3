"""Puzzles: positions with one best action, and the proof that it is the only one."""
