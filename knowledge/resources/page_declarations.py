"""What a page type declares with its resource: the builder, and its chapter in llms.txt.

A new page type may declare a `PageGroup` of its own instead; its `order` places it among these.
"""

from __future__ import annotations

from collections.abc import Callable

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.page_type import PAGE_TYPES, PageGroup, PageType
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


COMPANY = PageGroup(10, _("Company and service"))
MODULES = PageGroup(20, _("Software modules"))
INDUSTRIES = PageGroup(30, _("Industries"))
PRODUCTS = PageGroup(40, _("Products", "llms.txt"))
CITIES = PageGroup(50, _("Cities"))
BLOG = PageGroup(60, _("Blog"))
