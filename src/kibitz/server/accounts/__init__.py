"""Accounts, personal data and mail."""
