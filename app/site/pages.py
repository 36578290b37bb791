"""Pages: one address for all forms, the form chosen by Accept, and twins that fix it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from quart import Response, request

from app.asgi.caching import Caching
from app.http import parameters
from app.http.client_address import hinted_country
from app.http.parameters import Parameter
from app.http.responses import redirect, represent
from app.http.search_requests import list_parameters, page_query
from app.site.contact import CONTACT, FORM_PARAMETERS, contact_form
from app.site.errors import NotAcceptable
from app.site.page_headers import caching, page_headers
from knowledge.addresses import Address, Page, parse_address, split_locale
from knowledge.content_view import ContentView
from knowledge.errors import NotFound
from knowledge.resources import locales
from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageMeta, PageModel, site_page
from renderers import html, json, markdown
from renderers.media_types import PAGE_MEDIA_TYPES, MediaType
from renderers.negotiation import choose
from renderers.representation import Representation
from renderers.representation_urls import split_suffix

Shown = TypeVar("Shown", bound=PageMeta)
Renderers = Mapping[MediaType, Callable[[Shown], Representation]]

_RENDERERS: Renderers[PageModel[Resource]] = {
    MediaType.HTML: lambda page: html.render(page, contact_form(page)),
    MediaType.MARKDOWN: markdown.render,
    MediaType.JSON: lambda page: json.render(page.answer),
}


def page_parameters(path: str) -> tuple[Parameter, ...]:
    """The query parameters that a page or twin reads; none at any other path."""
    locale, rest = split_locale(split_suffix(path)[0])
    address = parse_address(rest) if locale else None
    if address is None:
        return ()
    return FORM_PARAMETERS if address == CONTACT else list_parameters(address)


def is_localized(path: str) -> bool:
    """Whether a path is below a locale, where there are pages and twins and nothing else."""
    return split_locale(split_suffix(path)[0])[0] is not None


def root() -> Response:
    """Lead to the hinted locale; without a hint answer the default home page."""
    view = parameters.main_view()
    wanted = (tag for tag, quality in request.accept_languages if quality > 0)
    routing = locales.locale_routing(view.snapshot, hinted_country(), wanted)
    if routing.redirect:
        return redirect(routing.redirect, 302, Caching.PERSONAL)
    response = page_response(view, Address(Page.HOME), None)
    response.headers["Cache-Control"] = Caching.PERSONAL
    return response


def localized_page(path: str) -> Response:
    """The page or twin at a path below a locale."""
    canonical, form = split_suffix(path)
    locale, rest = split_locale(canonical)
    if rest.endswith("/"):
        return redirect(_with_query(canonical.rstrip("/")), 308)
    address = parse_address(rest)
    if locale is None or address is None:
        raise NotFound("There is no page at this path.", "See llms.txt for what there is.")
    return page_response(parameters.view_of(locale), address, form)


def _with_query(path: str) -> str:
    query = request.query_string.decode("ascii", "replace")
    return f"{path}?{query}" if query else path


def page_response(
    view: ContentView, address: Address, media_type_by_suffix: MediaType | None
) -> Response:
    """A page in the form asked for; raises NotFound, or NotAcceptable where none will do."""
    query = page_query(view, address)
    return answer_page(site_page(view, address, query), _RENDERERS, media_type_by_suffix)


def answer_page(
    page: Shown, renderers: Renderers[Shown], media_type_by_suffix: MediaType | None
) -> Response:
    """Any page, in the form of the twin or by Accept; raises NotAcceptable."""
    form = media_type_by_suffix or choose(request.headers.get("Accept"), PAGE_MEDIA_TYPES)
    if form is None:
        raise NotAcceptable
    by_suffix = media_type_by_suffix is not None
    headers = page_headers(page, form, by_suffix)
    return represent(renderers[form](page), caching(form, by_suffix), headers=headers)
