"""Migrations: steps from the database of one version to that of the next.

A change of `schema.py` comes with a file in `versions/`, numbered on; a file that was released
stays as it is. A test compares where they lead with `schema.py`.
"""
