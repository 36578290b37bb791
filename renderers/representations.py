"""Representations: the function that renders a public page in each media type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name

from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel
from renderers.page_rendering import page_renderings
from renderers.representation import MediaType, Representation

PageRenderer = Callable[[PageModel[Resource]], Representation]


def _renderer(media_type: MediaType) -> PageRenderer:
    """Return the renderer of a media type; raises ValueError if there is no such function."""
    try:
        renderer: PageRenderer = resolve_name(media_type.renderer)
    except (ImportError, AttributeError) as error:
        module, _, function = media_type.renderer.partition(":")
        message = f"{media_type} has no renderer: write {function}(page) in the module {module}."
        raise ValueError(message) from error
    return renderer


page_renderings()  # complete, so that a missing template stops the start

PAGE_RENDERERS: Mapping[MediaType, PageRenderer] = {each: _renderer(each) for each in MediaType}
