"""Bots for Kalamala."""
