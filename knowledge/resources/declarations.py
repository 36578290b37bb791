"""Declarations: imports every module of `knowledge/resources/`.

Each may declare a content type and a page type, which must be known before content is read.
"""

from importlib import import_module
from pkgutil import iter_modules

from knowledge import resources
from knowledge.addresses.addresses import parse_address
from knowledge.fields.content_types import CONTENT_TYPES, ContentTypes
from knowledge.fields.kinds import BUILT_IN_KINDS
from knowledge.fields.page_type import PAGE_TYPES
from knowledge.resources.queries import BUILDERS


def _declare_all() -> ContentTypes:
    """Import all resources; raises ValueError if a declaration refers to nothing."""
    for module in iter_modules(resources.__path__):
        import_module(f"{resources.__name__}.{module.name}")
    for page in PAGE_TYPES.all:
        if page.parent is not None and parse_address(page.parent) is None:
            raise ValueError(
                f"The page type “{page.name}” has the parent {page.parent}, which is no page: "
                "write the path of a page type."
            )
    return CONTENT_TYPES


DECLARED_TYPES = _declare_all()
"""The content types of the service, complete."""

DECLARED_KINDS = BUILT_IN_KINDS
"""The kinds of a site that declares none, complete."""

DECLARED_PAGES = PAGE_TYPES.all
"""The page types of the service, complete, in the order in which a path is matched."""

DECLARED_FORMS = tuple(BUILDERS)
"""The forms of pages that have a resource."""
