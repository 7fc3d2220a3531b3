"""The services that handlers are given, as far as tables need them.

Litestar hands one object to all handlers: of several dependencies it would start a task each.
Accounts and analysis add theirs by inheritance, so a handler names only what its layer knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from litestar.datastructures import Cookie

from kibitz.server.http.rate_limits import Bucket
from kibitz.server.http.requests import AnyRequest, Injected, RequestContext
from kibitz.server.http.templates import Templates
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.service import TableService
from kibitz.server.tables.sse import EventStreams
from kibitz.table.seating import Member


@dataclass(frozen=True, kw_only=True)
class TableServices:
    context: RequestContext
    tables: TableService
    live_tables: LiveTables
    streams: EventStreams
    templates: Templates

    async def find_table(
        self, request: AnyRequest, table_id: str, bucket: Bucket = "pages", cost: float = 1.0
    ) -> tuple[LiveTable, Member]:
        """A table and who asks for it; counted. Raises HttpError."""
        self.context.count(request, bucket, cost)
        member = self.context.member(request)
        return await self.tables.find_table(table_id, member), member

    def visit(self, request: AnyRequest) -> tuple[Member, list[Cookie]]:
        """The one who opens a page, counted; somebody new becomes a guest. Raises HttpError."""
        self.context.count(request, "pages")
        return self.context.ensure_guest(request)

    async def visit_table(
        self, request: AnyRequest, table_id: str
    ) -> tuple[LiveTable, Member, list[Cookie]]:
        """A table for its page; somebody new becomes a guest. Raises HttpError."""
        member, cookies = self.visit(request)
        return await self.tables.find_table(table_id, member), member, cookies


InjectedTables: TypeAlias = Injected[TableServices]
