"""Many games played by bots, and one page that shows what came of them.

A game's extras may name a module for it (`report`), which has `summary(game, played)`, the numbers
kept of one game, its `result` among them, and `sections(run)`, the parts of the page; it may have
`RATES`, chances of what seats do beside their turns, with `check_rates`, `preferred_actions` and
`side_actions`. `every_game` is for games without one.
"""
