"""Help for somebody who plays alone against bots."""
