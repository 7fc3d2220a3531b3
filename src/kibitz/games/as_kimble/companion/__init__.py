"""The companion of a real board: its ledger, its summary, its die."""
