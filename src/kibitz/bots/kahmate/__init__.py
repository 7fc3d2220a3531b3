"""Bots for Kahmaté."""
