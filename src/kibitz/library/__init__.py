"""The library behind `import kibitz`: games, matches, bots, records and drawings for programs."""
