"""Pages: one URL with content negotiation by Accept, per-format URLs, headers and forms."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeVar

from quart import Response

from app.platform.asgi.caching import Caching
from app.services import services
from app.web.http import parameters
from app.web.http.parameters import AnyParameter
from app.web.http.request_context import current_request
from app.web.http.response_headers import header_url, link
from app.web.http.responses import allow_scripts, redirect, represent, with_query
from app.web.http.search_requests import list_parameters, page_query
from app.web.site.paths import SitePath, former_address_response
from knowledge.addresses.addresses import Address, is_visible, parse_address
from knowledge.diagnostics.messages import Text
from knowledge.locales.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.errors import MajlisError, NotFound
from knowledge.resources.site_page import PageMeta, PageModel, site_page
from knowledge.views.content_view import ContentView, absolute
from renderers.feeds import calendar, post_feeds
from renderers.html import renderer as html
from renderers.html.page_links import CALENDAR_FILE
from renderers.html.renderer import FormState
from renderers.markdown.navigation import canonical, is_past_end, representation_path
from renderers.page_rendering import page_renderers
from renderers.representation import (
    PAGE_MEDIA_TYPES,
    Fill,
    MediaType,
    Representation,
    other_languages,
)

AnyPage = TypeVar("AnyPage", bound=PageMeta)
Renderers = Mapping[MediaType, Callable[[AnyPage], Representation]]


class NotAcceptable(MajlisError):
    """The client accepts none of the media types of a page."""

    status = 406

    def __init__(self) -> None:
        available = ", ".join(PAGE_MEDIA_TYPES)
        super().__init__(
            "None of the acceptable media types is available.", Text("Accept one of {}.", available)
        )


class PageForms(ABC):
    """Some forms of pages: perhaps one by the address `own`, and those that pages name.

    There, a response that depends on `parameters` is never cached.
    """

    own: Address | None = None
    parameters: tuple[AnyParameter, ...] = ()

    @abstractmethod
    def shown(self, page: PageModel[Resource]) -> Mapping[str, FormState]:
        """Return the forms by their names, each empty or with a confirmation."""

    def has_token(self, _page: PageModel[Resource], /) -> bool:
        """Return whether a form has a token, which no two visitors may share."""
        return False

    def fill(self, _page: PageModel[Resource], /) -> Fill | None:
        """Return what puts tokens into a page that has places for them; None if it has none."""
        return None

    def is_personal(self) -> bool:
        """Return whether the form at `own` shows what this request, or the page before, has."""
        return False

    def script_sources(self) -> Collection[str]:
        """Return the sources of the scripts that forms with a token need."""
        return ()


_FORMS: list[PageForms] = []


def _forms_at(address: Address | None) -> PageForms | None:
    return next((each for each in _FORMS if address is not None and each.own == address), None)


def _shown_forms(page: PageModel[Resource]) -> Mapping[str, FormState]:
    """Return the forms of a page; those of a static host have an action if a service gets it."""
    shown = {name: state for each in _FORMS for name, state in each.shown(page).items()}
    static = services().static_site
    if static is None:
        return shown
    return {
        name: FormState(f"{static.service}{state.action}" if static.service else "")
        for name, state in shown.items()
    }


RENDERERS: Renderers[PageModel[Resource]] = {
    **page_renderers(),
    MediaType.HTML: lambda page: replace(
        html.render(page, _shown_forms(page), current_request.get().suggested),
        fill=next(filter(None, (each.fill(page) for each in _FORMS)), None),
    ),
}
"""The renderers of pages; HTML has the forms of a page, and suggests a locale."""


def page_parameters(path: SitePath) -> tuple[AnyParameter, ...]:
    """Return the query parameters that a page accepts; empty for other paths."""
    if path.address is None:
        return ()
    forms = _forms_at(path.address)
    return forms.parameters if forms else list_parameters(path.address)


def localized_address(path: SitePath) -> tuple[Locale, Address] | None:
    """Return the page that a path names by its locale and address; None for other paths."""
    if path.locale is None or path.address is None or path.media_type or path.rest.endswith("/"):
        return None
    return path.locale, path.address


def is_negotiated(path: SitePath) -> bool:
    """Return whether Accept decides on the form of what is at a path, unlike that of a feed."""
    return path.media_type is None and path.text.rpartition("/")[2] != CALENDAR_FILE


def has_form(path: SitePath) -> bool:
    """Return whether a path is that of a page with a form, which has the visitor's campaign."""
    return _forms_at(path.address) is not None


def localized_page(path: SitePath) -> Response:
    """Return the page at a path below a locale, also at a per-format URL; raises NotFound."""
    if path.rest.endswith("/"):
        return _without_slash(path)
    feed = list_feed(path)
    if feed is not None:
        return feed
    if path.locale is None or path.address is None:
        raise NotFound("There is no page at this path.", "See llms.txt for what there is.")
    return page_response(parameters.view_of(path.locale), path.address, path.media_type)


_FEEDS: Mapping[
    tuple[str, MediaType | None], Callable[[ContentView, Address], Representation | None]
] = {
    ("/feed", MediaType.XML): post_feeds.render_atom,
    ("/feed", MediaType.JSON): post_feeds.render_json_feed,
    (f"/{CALENDAR_FILE}", None): calendar.render_calendar,
}
"""What renders the feeds below a list, by the last part of their path and its suffix."""


def list_feed(path: SitePath) -> Response | None:
    """Return a feed of a list at its path; a document of its name comes first."""
    name = path.rest[path.rest.rfind("/") :]
    render = _FEEDS.get((name, path.media_type))
    if render is None or path.locale is None:
        return None
    view, address = parameters.view_of(path.locale), path.address
    listed = parse_address(path.rest.removesuffix(name), view.snapshot)
    is_page = address and is_visible(view.snapshot, address, view.locale, view.now)
    feed = render(view, listed) if listed and not is_page else None
    return represent(feed) if feed else None


def _without_slash(path: SitePath) -> Response:
    """Redirect to the path without slash; from a former address at once to the page."""
    view = parameters.view_of(path.locale) if path.locale else parameters.main_view()
    is_page = path.address and is_visible(view.snapshot, path.address, view.locale, view.now)
    found = None if is_page else former_address_response()
    return found or redirect(with_query(path.canonical.rstrip("/")), 308)


def page_response(
    view: ContentView, address: Address, media_type_by_suffix: MediaType | None
) -> Response:
    """Return a page in the negotiated media type; raises NotFound and NotAcceptable."""
    query = page_query(view, address)
    page, own = site_page(view, address, query), _forms_at(address)
    response = answer_page(page, RENDERERS, media_type_by_suffix)
    is_html = response.mimetype == MediaType.HTML
    tokens = [each for each in _FORMS if is_html and each.has_token(page)]
    for forms in tokens:
        allow_scripts(response, forms.script_sources())
    if own is not None and own.is_personal():
        response.headers["Cache-Control"] = Caching.PERSONAL
        response.headers["X-Robots-Tag"] = NO_INDEX
    elif tokens:
        has_tag = any(each.fill(page) for each in tokens)  # a tag of what all visitors share
        response.headers["Cache-Control"] = Caching.REVALIDATED if has_tag else Caching.PERSONAL
    return response


def answer_page(
    page: AnyPage, renderers: Renderers[AnyPage], media_type_by_suffix: MediaType | None
) -> Response:
    """Render a page in the media type of the suffix, else by Accept; raises NotAcceptable.

    A page after the last one of a list is missing, but leads back to the list.
    """
    media_type = chosen_media_type(media_type_by_suffix, renderers)
    representation = renderers[media_type](page)
    if is_past_end(page):
        return represent(representation, Caching.NEVER, 404)
    by_suffix = media_type_by_suffix is not None
    headers = page_headers(page, media_type, by_suffix, renderers)
    policy = caching(media_type, by_suffix)
    if current_request.get().suggested:
        policy = Caching.SUGGESTING
    return represent(representation, policy, headers=headers)


def chosen_media_type(by_suffix: MediaType | None, offered: Iterable[MediaType]) -> MediaType:
    """Return the media type of a response: that of the suffix, else by Accept.

    A page without it is returned in its first media type. Raises NotAcceptable.
    """
    media_type, offered = by_suffix or current_request.get().media_type, tuple(offered)
    if media_type is None:
        raise NotAcceptable
    return media_type if media_type in offered else offered[0]


def declare_forms(forms: PageForms) -> None:
    """Add what shows some forms of pages; raises ValueError if others have the same address."""
    if _forms_at(forms.own):
        raise ValueError("Two features show the form of a page: remove one.")
    _FORMS.append(forms)


NO_INDEX = "noindex"

_LINKS_BYTES = 2_200
"""What the links of a page may take of a response head, which proxies limit to 4 KiB. All other
headers take less than 1.8 KiB."""


def caching(media_type: MediaType, by_suffix: bool) -> Caching:
    """Return the cache policy of a representation.

    At the page's own URL only HTML is public: a shared cache that ignores Vary must not serve
    another media type to a browser.
    """
    return Caching.PUBLIC if by_suffix or media_type is MediaType.HTML else Caching.NEGOTIATED


def page_headers(
    page: PageMeta, media_type: MediaType, by_suffix: bool, offered: Iterable[MediaType]
) -> dict[str, str]:
    """Return the headers of a page other than the entity headers."""
    location = absolute("", representation_path(page, media_type))
    headers = {}
    if not by_suffix and media_type.suffix and len(location) < _LINKS_BYTES:
        headers["Content-Location"] = header_url(location)
    headers["Link"] = _link_header(page, media_type, offered, sum(map(len, headers.values())))
    if by_suffix:
        headers["X-Robots-Tag"] = NO_INDEX
    elif page.seo.no_index:
        headers["X-Robots-Tag"] = page.seo.robots
    return headers


def _link_header(
    page: PageMeta, media_type: MediaType, offered: Iterable[MediaType], used: int
) -> str:
    """Return the Link header, without what a very long address leaves no room for.

    The HTML head and the front matter of markdown have all links. `used` is the length of what
    other headers say of the address.
    """
    index = link(page.view.absolute(page.index_path), "describedby", type=MediaType.MARKDOWN)
    room = _LINKS_BYTES - used - len(index)
    links = _links(page, media_type, offered)
    lengths = accumulate(map(len, links))
    fitting = [each for each, length in zip(links, lengths, strict=True) if length <= room]
    return ", ".join([*fitting, index])


def _links(page: PageMeta, media_type: MediaType, offered: Iterable[MediaType]) -> Sequence[str]:
    """Return the links to other forms of the page, the most important ones first.

    Those to other locales would be dozens: they stand in the HTML head and in the sitemap.
    """
    own = link(canonical(page), "canonical")
    if media_type is not MediaType.HTML:
        linked = media_type if media_type.suffix else MediaType.MARKDOWN
        same_format = [
            link(variant.href, "alternate", type=linked, hreflang=variant.hreflang)
            for variant in other_languages(page, linked)
        ]
        return [own, *same_format]
    formats = [
        link(page.view.absolute(representation_path(page, other)), "alternate", type=other)
        for other in offered
        if other.suffix
    ]
    return [own, *formats]
