"""A match in progress. Nothing here reads a clock, a file, a socket or a die."""

from kibitz.table.table import (
    EventsByViewer,
    PendingRequest,
    Row,
    Table,
    open_table,
    table_from_record,
    table_from_rows,
)

__all__ = [
    "EventsByViewer",
    "PendingRequest",
    "Row",
    "Table",
    "open_table",
    "table_from_record",
    "table_from_rows",
]
