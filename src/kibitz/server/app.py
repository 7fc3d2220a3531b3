"""The web application: its services, and all handlers put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException

from kibitz.core.message import Refused, message
from kibitz.server.accounts import ladder, mail_routes
from kibitz.server.accounts import routes as account_routes
from kibitz.server.accounts.accounts import Accounts
from kibitz.server.accounts.dependencies import AccountServices
from kibitz.server.accounts.turn_mail import Mailer
from kibitz.server.analysis import routes as analysis_routes
from kibitz.server.analysis.board import LineCache
from kibitz.server.analysis.coach import Coach
from kibitz.server.analysis.dependencies import AnalysisServices
from kibitz.server.analysis.evaluation import Analyst
from kibitz.server.api.v1 import api_router
from kibitz.server.assets import asset_path, find_asset
from kibitz.server.bot_preparation import BotPreparation
from kibitz.server.companion import routes as companion_routes
from kibitz.server.db.store import Store, open_store
from kibitz.server.http import monitoring, static
from kibitz.server.http.auth import Authenticator, AuthMiddleware, require_known_token
from kibitz.server.http.error_responses import MAX_BODY_BYTES, error_response
from kibitz.server.http.errors import HttpError
from kibitz.server.http.guests import GuestAuth, load_guest_auth
from kibitz.server.http.head_requests import HeadMiddleware
from kibitz.server.http.malformed_requests import MalformedRequestMiddleware
from kibitz.server.http.openapi import openapi_config
from kibitz.server.http.page_compression import CompressionMiddleware
from kibitz.server.http.requests import RequestContext, require_same_origin
from kibitz.server.http.routing import handlers_in
from kibitz.server.http.security_headers import add_security_headers
from kibitz.server.http.templates import Templates
from kibitz.server.http.url_prefix import set_prefix
from kibitz.server.pages import (
    home,
    invitation,
    lesson_views,
    lessons,
    link_picture,
    live_updates,
    network,
    new_table,
    offline,
    picture,
    result,
    rules,
    table,
)
from kibitz.server.script_phrases import phrase_keys
from kibitz.server.settings import Settings
from kibitz.server.static_files import static_file, template_folders
from kibitz.server.tables.bot_pool import BotPool, admit_guest_bots, prepare_worker
from kibitz.server.tables.cluster.pubsub import PubSub
from kibitz.server.tables.invitations import InvitationLinks
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.service import TableService
from kibitz.server.tables.sse import EventStreams

PAGES = (
    *(home, new_table, invitation, network, table, result, live_updates, rules, lessons),
    *(lesson_views, picture, link_picture, offline),
)
FEATURES = (analysis_routes, companion_routes, account_routes, ladder, mail_routes)
"""The modules with handlers; those of the API are in api/v1.py."""


@dataclass(frozen=True, kw_only=True)
class Services(AccountServices, AnalysisServices):
    """All services; each handler names the part of them that it needs."""

    store: Store
    bots: BotPool
    preparation: BotPreparation


def create_app(settings: Settings) -> Litestar:
    """Raises StoreError where the data cannot be used, Refused where the secret is another one."""
    admit_guest_bots(settings)
    set_prefix(settings.prefix)
    store = open_store(settings.data, settings.database)
    guests = load_guest_auth(settings.data, settings.secret)
    if store.get_or_create_setting("secret", guests.cookie_name) != guests.cookie_name:
        raise Refused(message("server.other-secret"))
    authenticator = Authenticator(guests, store)
    services = _create_services(settings, store, guests, authenticator)
    on_error = partial(error_response, services.templates)
    handlers = handlers_in(*PAGES, *FEATURES, monitoring, static)
    pages = Router(path="/", route_handlers=handlers, include_in_schema=False)
    app = Litestar(
        [pages, api_router()],
        # No body has a field of such a name: what is wrong with it would count as our failure.
        dependencies={
            "services": _provide(services),
            "find_file": _provide(static_file),
            "find_asset": _provide(find_asset),
            "server_settings": _provide(settings),
            "preparation": _provide(services.preparation),
        },
        lifespan=[partial(_lifespan, services)],
        middleware=[
            partial(MalformedRequestMiddleware, public_url=settings.url, host=settings.host),
            partial(AuthMiddleware, identity=authenticator),
        ],
        guards=[require_same_origin, require_known_token],
        before_send=[add_security_headers],
        exception_handlers={Exception: on_error, HTTPException: on_error, HttpError: on_error},
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=openapi_config(),
        state=State(
            {
                "streams": services.streams,
                "preparation": services.preparation,
                "lan": services.context.lan,
            }
        ),
        logging_config=None,
        debug=False,
    )
    app.asgi_handler = HeadMiddleware(CompressionMiddleware(app.asgi_handler))
    return app


def _create_services(
    settings: Settings, store: Store, guests: GuestAuth, authenticator: Authenticator
) -> Services:
    preparation = BotPreparation(settings.prepares_bots)
    bots = BotPool(partial(prepare_worker, settings), settings.bot_processes)
    is_alone = not (settings.database or settings.redis)
    live_tables = LiveTables(store, bots, PubSub(settings.redis, is_alone))
    tables = TableService(store, live_tables, InvitationLinks(guests.secret))
    context = RequestContext(guests, settings)
    live_tables.on_limit = context.share_limits(partial(live_tables.pubsub.publish, "limit"))
    analyst = Analyst(tables, bots, preparation)
    return Services(
        context=context,
        tables=tables,
        live_tables=live_tables,
        streams=EventStreams(context.connection_counter, live_tables),
        templates=Templates(template_folders(), asset_path, phrase_keys),
        accounts=Accounts(store, authenticator, live_tables),
        mailer=Mailer(settings, store, live_tables, guests.secret),
        analyst=analyst,
        coach=Coach(analyst, bots),
        lines=LineCache(),
        store=store,
        bots=bots,
        preparation=preparation,
    )


def _provide(value: object) -> Provide:
    return Provide(lambda: value, use_cache=True, sync_to_thread=False)


@asynccontextmanager
async def _lifespan(services: Services, app: Litestar) -> AsyncIterator[None]:
    await services.live_tables.start()
    services.mailer.start()
    services.preparation.start()
    yield
    await services.preparation.close()
    await services.mailer.close()
    await services.live_tables.close()
    services.bots.close()
    services.store.close()
