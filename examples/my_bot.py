"""A bot of your own: it takes a win, and else leaves the others as little to do as it can.

Try it with `kibitz arena kalamala examples/my_bot.py:choose random -n 10`.
"""


def choose(view, actions, think):
    """One of the actions, for whoever sees this view."""
    game, seat, rng = think.game, think.seat, think.rng
    state = game.rules.imagine(view, rng)  # what is hidden, dealt at random

    def worth(action):
        if action == "":  # let the die fall
            return 0, rng.random()
        after = game.rules.resolve(state, seat, action).state
        if over := game.rules.outcome(after):
            return 1000 * over.payoffs[game.seats.index(seat)], rng.random()
        others = [each for each in game.seats if each != seat]
        return -sum(len(game.rules.turn_actions(after, each)) for each in others), rng.random()

    return max(actions, key=worth)
