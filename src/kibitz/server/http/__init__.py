"""HTTP itself: requests, errors, limits, proxies. Knows no table and no game."""
