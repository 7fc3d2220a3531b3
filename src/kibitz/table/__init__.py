"""A match in progress. Nothing here reads a clock, a file, a socket or a die."""

from kibitz.table.table import Asked, Row, Table, Told, open_table, reopen, resume

__all__ = ["Asked", "Row", "Table", "Told", "open_table", "reopen", "resume"]
