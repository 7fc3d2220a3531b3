"""A match looked at afterwards: chances, better actions, the largest swings."""
