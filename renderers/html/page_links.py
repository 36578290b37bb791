"""Links around the text of a page: menu, contents, other locale, enquiry, sharing, feeds."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from itertools import chain
from typing import NamedTuple
from urllib.parse import quote, urlencode

from markupsafe import escape

from knowledge.addresses.addresses import Address, address_of, is_visible
from knowledge.blocks.section import DocumentSection
from knowledge.diagnostics.messages import mark as _
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale
from knowledge.resources.base import Resource
from knowledge.resources.blog import BLOG_PAGE, CATEGORY_PAGE, shown_category
from knowledge.resources.document_page import BodyHeading, DocumentPage
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.product_list import ProductComparison, ProductList
from knowledge.resources.products import EnquiredProduct, ProductDetail
from knowledge.resources.site import NavigationLink
from knowledge.resources.site_chrome import brand
from knowledge.resources.site_page import PageModel
from knowledge.sections.section_type import PLANS
from knowledge.views.content_view import ContentView, cached_per_snapshot, price_currency
from renderers.l10n.translation import translate
from renderers.markdown.navigation import has_posts


class MenuEntry(NamedTuple):
    """One entry; `current` is the value of `aria-current`, `""` for other entries.

    One with a menu below it has its own link as the first of `entries`.
    """

    label: str
    href: str
    current: str = ""
    entries: tuple["MenuEntry", ...] = ()


def menu_entries(
    links: Sequence[NavigationLink], page: PageModel[Resource] | None = None
) -> list[MenuEntry]:
    """Return the entries of the menu on a page: its own, or the nearest page above it, is current.

    A page is above another one if it is among its breadcrumbs, or its path begins that of the
    other one; the home page is above none.
    """
    below = [each for link in links for each in link.links or ()]
    marked = _current([*links, *below], page) if page else {}

    def entry(link: NavigationLink) -> MenuEntry:
        own = MenuEntry(link.label, link.href, marked.get(link.href, ""))
        entries = (*([own] if link.href else []), *map(entry, link.links or ()))
        is_above = own.current or any(each.current for each in entries)
        menu = own._replace(current="true" if is_above else "", entries=entries)
        return menu if link.links else own

    return [*map(entry, links)]


def _current(links: Sequence[NavigationLink], page: PageModel[Resource]) -> dict[str, str]:
    hrefs = {link.href for link in links} - {page.locale.path, ""}
    if page.path in hrefs or not page.address.page.path:
        return {page.path: "page"}
    parents = {breadcrumb.path for breadcrumb in page.breadcrumbs}
    above = {href for href in hrefs if href in parents or page.path.startswith(f"{href}/")}
    return {max(above, key=len): "true"} if above else {}


_LEAST = 3
"""A text with fewer headings is seen at a glance."""


class ContentsEntry(NamedTuple):
    """A heading: its id on the page, and its text."""

    id: str
    text: str


def contents_of_sections(sections: Iterable[DocumentSection]) -> Sequence[ContentsEntry]:
    """Return the headings of sections, without those of calls to action."""
    shown = (section for section in sections if section.type != "cta")
    return _enough([ContentsEntry(each.id, each.heading) for each in shown if each.heading])


def contents_of_text(headings: Sequence[BodyHeading]) -> Sequence[ContentsEntry]:
    """Return the headings of the highest level in a text."""
    top = min((heading.level for heading in headings), default=0)
    return _enough([ContentsEntry(each.id, each.text) for each in headings if each.level == top])


_HEADING = re.compile(r'<h([23]) id="([^"]+)"[^>]*>([^<]*)')


def outline(html: str) -> Sequence[tuple[str, str, str]]:
    """Return level, id and text of the headings without markup in a text in HTML.

    >>> outline('<h2 id="limits">Limits &amp; windows</h2>')
    [('2', 'limits', 'Limits & windows')]
    """
    return [(level, id_, unescape(text)) for level, id_, text in _HEADING.findall(html)]


def _enough(entries: Sequence[ContentsEntry]) -> Sequence[ContentsEntry]:
    return entries if len(entries) >= _LEAST else ()


class LocaleSuggestion(NamedTuple):
    """A link in the language of its locale; `label` names it to assistive technology."""

    locale: Locale
    label: str
    text: str
    path: str


def locale_suggestion(page: PageModel[Resource], locale: Locale, query: str) -> LocaleSuggestion:
    """Return the suggestion to read a page in another locale, with the query that it has."""
    return LocaleSuggestion(
        locale,
        translate(_("Suggestion"), locale.language),
        _text(page, locale),
        locale.path + page.address.path + query,
    )


def _text(page: PageModel[Resource], locale: Locale) -> str:
    language, country = locale.language, locale.country
    if country is None or country == page.locale.country:
        own_name = cldr.language_name(language, language)
        return translate(_("Read this page in %(language)s"), language, language=own_name)
    name, currency = (
        cldr.country_name(country, language),
        price_currency(page.view.for_locale(locale)),
    )
    if currency is None or currency == price_currency(page.view) or not _has_prices(page):
        return translate(_("This page for your country: %(country)s"), language, country=name)
    spoken = currency if language is Language.EN else cldr.currency_name(currency, language)
    return translate(
        _("Prices in %(currency)s? See this page for %(country)s"),
        language,
        currency=spoken,
        country=name,
    )


def _has_prices(page: PageModel[Resource]) -> bool:
    """Return whether a page shows prices in the currency of its country."""
    resource = page.answer.resource
    if isinstance(resource, ProductList | ProductComparison | ProductDetail):
        return True
    part = resource.document if isinstance(resource, DocumentPage) else resource
    return any(each.type == PLANS for each in getattr(part, "sections", ()))


NOFOLLOW = 'rel="nofollow" '


def enquiry_link(
    href: str, page: PageModel[Resource], contact_path: str | None, **origin: str
) -> str:
    """Return a link with the path of its page, and more of the origin, if it leads to the form.

    The query that the author wrote stays; a link to any other page is returned as it is.
    """
    before, hash_sign, fragment = href.partition("#")
    path, _, written = before.partition("?")
    if path != contact_path or page.path == contact_path:
        return href
    added = urlencode({"page": page.path, **origin}, safe="/")
    return f"{path}?{f'{written}&' if written else ''}{added}{hash_sign}{fragment}"


def without_crawlers(html: str, contact_path: str) -> str:
    """Return a page whose links to the form with a query are not followed by crawlers.

    For them, each would be one more copy of the contact page.

    >>> without_crawlers('<a href="/ae/en/contact?plan=Growth">', "/ae/en/contact")
    '<a rel="nofollow" href="/ae/en/contact?plan=Growth">'
    """
    *before, last = html.split(f'href="{contact_path}?')
    for place, text in enumerate(before):
        start = text.rfind("<")
        if text.startswith("<a ", start) and ">" not in text[start:]:
            before[place] = f"{text[:start]}<a {NOFOLLOW}{text[start + 3 :]}"
    return f'href="{contact_path}?'.join([*before, last])


def enquiry_query(enquiry: Iterable[EnquiredProduct]) -> str:
    """Return the parameters that name the products of an enquiry."""
    return urlencode(
        [("product", f"{each.item.slug}:{each.quantity}") for each in enquiry], safe=":"
    )


def with_enquiry(
    html: str, locale: Locale, paths: Iterable[str | None], enquiry: Iterable[EnquiredProduct]
) -> str:
    """Return a page whose links to some pages, and to those below, pass an enquiry on.

    So do those to the same pages in other locales. A link that names products stays as it is.
    """
    below = "|".join(re.escape(path.removeprefix(locale.path)) for path in paths if path)
    query = escape(enquiry_query(enquiry))
    return re.sub(
        rf'<a ([^<>]*)href="((?:/[\w-]+){{1,2}}(?:{below})(?:/[\w-]+)?)(?:\?([^"#]*))?(?=["#])',
        lambda link: (
            link[0]
            if "product=" in (link[3] or "")
            else f'<a {NOFOLLOW}{link[1].replace(NOFOLLOW, "")}href="{link[2]}?'
            f"{f'{link[3]}&amp;' if link[3] else ''}{query}"
        ),
        html,
    )


class ShareLink(NamedTuple):
    """A link to a service that shares a page."""

    name: str
    href: str


def share_links(title: str, url: str, language: Language) -> list[ShareLink]:
    """Return the links that share a page, by its title and absolute URL.

    >>> for link in share_links("Q & A", "https://a.test/x?y=1", Language.EN):
    ...     print(link.href)
    https://wa.me/?text=Q%20%26%20A%20https%3A%2F%2Fa.test%2Fx%3Fy%3D1
    https://www.linkedin.com/sharing/share-offsite/?url=https%3A%2F%2Fa.test%2Fx%3Fy%3D1
    https://x.com/intent/post?text=Q%20%26%20A&url=https%3A%2F%2Fa.test%2Fx%3Fy%3D1
    mailto:?subject=Q%20%26%20A&body=https%3A%2F%2Fa.test%2Fx%3Fy%3D1
    """
    name, address = quote(title, safe=""), quote(url, safe="")
    return [
        ShareLink(translate(_("WhatsApp"), language), f"https://wa.me/?text={name}%20{address}"),
        ShareLink(
            translate(_("LinkedIn"), language),
            f"https://www.linkedin.com/sharing/share-offsite/?url={address}",
        ),
        ShareLink(
            translate(_("X"), language), f"https://x.com/intent/post?text={name}&url={address}"
        ),
        ShareLink(translate(_("E-mail"), language), f"mailto:?subject={name}&body={address}"),
    ]


ATOM = "application/atom+xml; charset=utf-8"
JSON_FEED = "application/feed+json"
CALENDAR = "text/calendar; charset=utf-8"
CALENDAR_FILE = "calendar.ics"
"""The last part of the path of a calendar."""

BLOG_ADDRESS = Address(BLOG_PAGE)
"""The list whose feeds have the posts of all categories, at its built-in path."""

NAMESAKE = Address(POST_PAGE, "feed")
"""A post whose JSON has the path of the JSON feed."""


def feed_path(locale: Locale, page: Address = BLOG_ADDRESS) -> str:
    """Return the site path of the feed of a list.

    >>> from knowledge.locales.locale import ENGLISH
    >>> feed_path(ENGLISH)
    '/en/blog/feed.xml'
    """
    return f"{locale.path}{page.path}/feed.xml"


def calendar_path(locale: Locale, page: Address) -> str:
    """Return the site path of the calendar of a list of events."""
    return f"{locale.path}{page.path}/{CALENDAR_FILE}"


def json_feed_path(view: ContentView, page: Address = BLOG_ADDRESS) -> str | None:
    """Return the site path of a list's JSON feed; None if a post has it for its own JSON."""
    if page == BLOG_ADDRESS and _is_taken(view):
        return None
    return f"{view.locale.path}{in_site(view, page).path}/feed.json"


def in_site(view: ContentView, page: Address) -> Address:
    """Return a page at the path that it has on the site."""
    return address_of(view.snapshot, *page)


@cached_per_snapshot
def _is_taken(view: ContentView) -> bool:
    return is_visible(view.snapshot, NAMESAKE, view.locale, view.now)


def opensearch_path(locale: Locale) -> str:
    """Return the site path of a locale's description.

    >>> from knowledge.locales.locale import ENGLISH
    >>> opensearch_path(ENGLISH)
    '/en/opensearch.xml'
    """
    return f"{locale.path}/opensearch.xml"


class FeedLink(NamedTuple):
    """A feed: its media type without parameters, its title, its site path."""

    media_type: str
    title: str
    path: str


def feed_links(view: ContentView, page: Address | None = None) -> list[FeedLink]:
    """Return the links to the feeds of a page, the most specific first."""
    own_kind: Iterator[FeedLink] = iter(())
    if page is not None and page.page.is_dated:
        named = f"{translate(page.page.title, view.locale.language)} | {brand(view)}"
        own_kind = _links(view, page, named)
    if page is not None and page.page.has_calendar:
        path = calendar_path(view.locale, page)
        own_kind = chain([FeedLink(CALENDAR.partition(";")[0], named, path)], own_kind)
    if not has_posts(view):
        return list(own_kind)
    title = translate(_("Blog of %(name)s"), view.locale.language, name=brand(view))
    own = page if page and page.page == CATEGORY_PAGE else None
    category = shown_category(view, own.slug) if own else None
    of_category = _links(view, own, f"{category.name} | {title}") if own and category else ()
    return [*own_kind, *of_category, *_links(view, in_site(view, BLOG_ADDRESS), title)]


def _links(view: ContentView, page: Address, title: str) -> Iterator[FeedLink]:
    yield FeedLink(ATOM.partition(";")[0], title, feed_path(view.locale, page))
    json_path = json_feed_path(view, page)
    if json_path:
        yield FeedLink(JSON_FEED, title, json_path)
