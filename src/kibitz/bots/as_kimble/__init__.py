"""Bots for AS-Kimble."""
