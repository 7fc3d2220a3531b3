"""Puzzles: answers to them, hints, ratings and streaks."""
