"""What happened in a match, and what might have: chances, better actions, the largest swings."""
