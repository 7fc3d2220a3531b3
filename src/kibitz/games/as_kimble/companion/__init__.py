"""The companion of a real board: its summary, its scoreboard, its die."""
