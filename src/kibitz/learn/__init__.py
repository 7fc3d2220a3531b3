"""Environments for learners: thousands of matches at once, and the interfaces others know.

`Batch` needs NumPy alone. Each adapter is a module of its own that imports its library:
`kibitz.learn.pettingzoo`, `kibitz.learn.gymnasium`, `kibitz.learn.openspiel` (docs/learning.md).
"""

from kibitz.learn.batch import Batch, IllegalAction

__all__ = ["Batch", "IllegalAction"]
