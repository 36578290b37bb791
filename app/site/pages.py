"""Pages: one URL with content negotiation by Accept, and per-format URLs (`.md`, `.json`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from quart import Response, request

from app.asgi.caching import Caching
from app.http import parameters
from app.http.parameters import AnyParameter
from app.http.request_context import current_request
from app.http.responses import redirect, represent, with_query
from app.http.search_requests import list_parameters, page_query
from app.site.contact import CONTACT, FORM_PARAMETERS, contact_form
from app.site.errors import NotAcceptable
from app.site.page_headers import caching, page_headers
from knowledge.addresses import Address, parse_address, split_locale
from knowledge.content_view import ContentView
from knowledge.errors import NotFound
from knowledge.resources import locales
from knowledge.resources.base import Resource
from knowledge.resources.site import HOME_PAGE
from knowledge.resources.site_page import PageMeta, PageModel, site_page
from renderers.html import renderer as html
from renderers.media_types import MediaType
from renderers.representation import Representation
from renderers.representation_urls import split_suffix
from renderers.representations import PAGE_RENDERERS

AnyPage = TypeVar("AnyPage", bound=PageMeta)
Renderers = Mapping[MediaType, Callable[[AnyPage], Representation]]

_RENDERERS: Renderers[PageModel[Resource]] = {
    **PAGE_RENDERERS,
    MediaType.HTML: lambda page: html.render(page, contact_form(page)),
}


def page_parameters(path: str) -> tuple[AnyParameter, ...]:
    """Return the query parameters that a page path accepts; empty for other paths."""
    locale, rest = split_locale(split_suffix(path)[0])
    address = parse_address(rest) if locale else None
    if address is None:
        return ()
    return FORM_PARAMETERS if address == CONTACT else list_parameters(address)


def is_localized(path: str) -> bool:
    """Return whether a path is below a locale; only pages are served there."""
    return split_locale(split_suffix(path)[0])[0] is not None


def root() -> Response:
    """Redirect to the hinted locale; without a hint, return the default home page."""
    view = parameters.main_view()
    tags = (tag for tag, quality in request.accept_languages if quality > 0)
    routing = locales.locale_routing(view.snapshot, parameters.hinted_country(), tags)
    if routing.redirect:
        return redirect(routing.redirect, 302, Caching.PERSONAL)
    response = page_response(view, Address(HOME_PAGE), None)
    response.headers["Cache-Control"] = Caching.PERSONAL
    return response


def localized_page(path: str) -> Response:
    """Return the page at a path below a locale, also at a per-format URL; raises NotFound."""
    canonical, media_type = split_suffix(path)
    locale, rest = split_locale(canonical)
    if rest.endswith("/"):
        return redirect(with_query(canonical.rstrip("/")), 308)
    address = parse_address(rest)
    if locale is None or address is None:
        raise NotFound("There is no page at this path.", "See llms.txt for what there is.")
    return page_response(parameters.view_of(locale), address, media_type)


def page_response(
    view: ContentView, address: Address, media_type_by_suffix: MediaType | None
) -> Response:
    """Return a page in the negotiated media type; raises NotFound and NotAcceptable."""
    query = page_query(view, address)
    return answer_page(site_page(view, address, query), _RENDERERS, media_type_by_suffix)


def answer_page(
    page: AnyPage, renderers: Renderers[AnyPage], media_type_by_suffix: MediaType | None
) -> Response:
    """Render a page in the media type of the suffix, else by Accept; raises NotAcceptable."""
    media_type = media_type_by_suffix or current_request.get().media_type
    if media_type is not None and media_type not in renderers:
        media_type = next(iter(renderers))  # a page without it is returned in its first media type
    if media_type is None:
        raise NotAcceptable
    by_suffix = media_type_by_suffix is not None
    headers = page_headers(page, media_type, by_suffix, renderers)
    representation = renderers[media_type](page)
    return represent(representation, caching(media_type, by_suffix), headers=headers)
