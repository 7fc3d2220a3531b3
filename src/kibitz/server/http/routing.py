"""Handlers, found in the modules that define them."""

from __future__ import annotations

from types import ModuleType

from litestar.handlers import BaseRouteHandler


def handlers_in(*modules: ModuleType) -> list[BaseRouteHandler]:
    """The handlers at the level of these modules, in their order."""
    names = [each for module in modules for each in vars(module).values()]
    return [each for each in names if isinstance(each, BaseRouteHandler)]
