"""Builders: the function that returns the resource of each page type."""

from __future__ import annotations

from collections.abc import Callable

from knowledge.addresses.addresses import Address
from knowledge.fields.page_type import PAGE_TYPES, PageType
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.queries import PageQuery
from knowledge.views.content_view import ContentView

Builder = Callable[[ContentView, Address, PageQuery], LocalizedResource[Resource]]
"""Returns the resource at an address; raises NotFound if it is missing."""

BUILDERS: dict[PageType, Builder] = {}


def declare_page(page: PageType, builder: Builder) -> PageType:
    """Add a page type to `PAGE_TYPES` and return it; raises ValueError if it contradicts one."""
    BUILDERS[PAGE_TYPES.declare(page)] = builder
    return page
