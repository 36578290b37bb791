"""Listing: which pages search engines, menus and maps list, and in which locales."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from knowledge.addresses.addresses import (
    Address,
    Resolutions,
    Variants,
    is_visible,
    page_of,
    parse_address,
    resolutions,
)
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import (
    CITY,
    FORM,
    INDUSTRY,
    MODULE,
    PAGE,
    POST,
    PRODUCT,
    AnyContentType,
)
from knowledge.fields.page_type import PageType
from knowledge.fields.schemas import Common, PageSeo, ProductFields
from knowledge.locales.locale import Language, Locale, Locales, Scope
from knowledge.sections.sections import merged_sections
from knowledge.snapshot.layer_resolution import Entry, Resolved, provenance, resolve
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

PRIVATE_PATHS = {
    "/api/admin/": _("content administration, for staff only"),
    "/cms/": _("content administration and its assistant tools, for staff only"),
    "/cart": _("a customer's own session"),
    "/checkout": _("a customer's own session"),
    "/account": _("a customer's own data"),
}
"""Paths that crawlers and agents must not request, at the root and under each locale, and why."""

_COMPANY = (CITY, INDUSTRY, MODULE, POST, PRODUCT)
_SHOP_PATHS = ("/cart", "/checkout", "/account")


def listed_locales(snapshot: Snapshot, address: Address, now: datetime) -> tuple[Locale, ...]:
    """Return the locales in which a page is listed, without building the whole map."""
    return (
        tuple(listed_resolutions(snapshot, address, now)) if is_reachable(snapshot, address) else ()
    )


def listed_resolutions(snapshot: Snapshot, address: Address, now: datetime) -> Resolutions:
    """Return the locales that list a page, with its document; a shared one is checked once."""
    by_locale = resolutions(snapshot, address, now)
    shown = {
        resolved
        for resolved in set(by_locale.values())
        if resolved is None
        or (resolved.language is resolved.locale.language and is_listed(resolved, address))
    }
    return {
        locale: resolved
        for locale, resolved in by_locale.items()
        if resolved in shown
        and has_posts(snapshot, address, locale, now)
        and has_entries(snapshot, address.page, locale, now)
    }


def is_listed(resolved: Resolved, address: Address) -> bool:
    """Return whether a page belongs in the site map: not noindex, on sale, and not a copy."""
    return (
        not is_unrouted(resolved.entry, address)
        and not is_noindex(resolved.seo)
        and not resolved.seo.canonical_url
        and not is_withdrawn(resolved.fields)
        and not is_outdated(address)
        and has_own_text(resolved, address)
    )


def canonical_address(
    snapshot: Snapshot, address: Address, resolved: Resolved, now: datetime
) -> Address:
    """Return the address of the page that one repeats: of a city's the country's, else itself."""
    if has_own_text(resolved, address):
        return address
    repeated = page_of(resolved.entry.kind, resolved.entry.slug, snapshot)
    is_page = is_reachable(snapshot, repeated) and not is_unrouted(resolved.entry, repeated)
    is_there = is_page and is_visible(snapshot, repeated, resolved.locale, now)
    return repeated if is_there else address


def version_of(address: Address) -> str:
    """Return the folder of the version of which a page is, `""` without one.

    Pages that belong to no version are those of the newest one.
    """
    first, versions = address.slug.partition("/")[0], address.page.versions
    return first if first in versions else "".join(versions[:1])


def is_outdated(address: Address) -> bool:
    """Return whether a page is of a version that is not the newest."""
    return version_of(address) in address.page.versions[1:]


def in_version(address: Address, version: str) -> Address:
    """Return the same page in another version, whether or not it is there."""
    _, slash, rest = address.slug.partition("/")
    return address._replace(slug=version + slash + rest)


def newest_version(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> Address:
    """Return the same page in the newest version if it is there, else the page itself."""
    if not is_outdated(address):
        return address
    newest = in_version(address, address.page.versions[0])
    return newest if is_visible(snapshot, newest, locale, now) else address


def has_own_text(resolved: Resolved, address: Address) -> bool:
    """Return whether a page tells what no other one does: of a city's a layer must contribute."""
    if not address.page.in_city:
        return True
    scopes = [document.layer.scope for _, document in merged_sections(resolved)]
    return provenance(resolved, scopes).resolved_from is Scope.CITY_OVERRIDE


def is_unrouted(entry: Entry, address: Address) -> bool:
    """Return whether only other documents of this content type have a page."""
    slugs = entry.kind.page_slugs
    return bool(slugs) and not address.city and entry.slug not in slugs


def is_reachable(snapshot: Snapshot, address: Address) -> bool:
    """Return whether no list (such as /blog) and no private path takes the same path."""
    if not address.page.path.startswith("/{"):
        return True
    return parse_address(address.path, snapshot) == address and not is_private(address.path)


def is_private(path: str) -> bool:
    """Return whether a path, relative to the site root or a locale, is private.

    >>> is_private("/cart"), is_private("/cart/1"), is_private("/cartography")
    (True, True, False)
    """
    return f"{path}/".startswith(tuple(f"{private.rstrip('/')}/" for private in PRIVATE_PATHS))


def private_paths(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the private paths to name: those of a shop only if there are products."""
    has_shop = has_any(snapshot, PRODUCT)
    return tuple(path for path in PRIVATE_PATHS if has_shop or path not in _SHOP_PATHS)


def is_noindex(seo: PageSeo) -> bool:
    """Return whether the `seo` block of a document excludes it from search engines.

    >>> is_noindex(PageSeo(robots_index="noindex")), is_noindex(PageSeo())
    (True, False)
    """
    return bool(seo.no_index) or seo.robots_index == "noindex"


def is_withdrawn(fields: Common) -> bool:
    """Return whether a product is no longer sold."""
    return isinstance(fields, ProductFields) and fields.active is False


@lru_cache(maxsize=256)
def hreflangs(locales: tuple[Locale, ...], site: Locales) -> tuple[tuple[str, Locale], ...]:
    """Return the hreflang tags of a page: its locales, then `en`, `ar` and `x-default`.

    The pages of a site with one locale have no variants, and no tags.

    >>> from knowledge.locales.locale import Country
    >>> emirates = Locales((Country("AE"),))
    >>> [tag for tag, _ in hreflangs((emirates.default,), emirates)]
    ['en-AE', 'en', 'x-default']
    >>> [tag for tag, _ in hreflangs(Locales().all, Locales())]
    ['en', 'ar', 'x-default']
    """
    if len(site.all) == 1:
        return ()
    variants = Variants(locales)
    generic = [(str(language), variants.generic(language)) for language in Language]
    generic.append(("x-default", variants.default))
    tags = {locale.tag: locale for locale in locales}
    tags |= {tag: locale for tag, locale in generic if locale is not None}
    return tuple(tags.items())


def has_posts(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> bool:
    """Return whether a locale has as many posts published as a page needs to be listed."""
    needed = address.page.needs_posts
    if not needed:
        return True
    posts, kind = snapshot.posts(locale), address.page.content_types[0]
    return posts.has_published_of(kind, address.slug, now, needed)


def has_entries(snapshot: Snapshot, page: PageType, locale: Locale, now: datetime) -> bool:
    """Return whether a locale has a document that a page lists; True for a page of another type."""
    if page.lists is None:
        return True
    if page.lists is POST:
        return snapshot.posts(locale).has_published(now)
    shown = (resolve(entry, locale, now) for entry in snapshot.all(page.lists))
    return any(each is not None and not is_withdrawn(each.fields) for each in shown)


def leads_nowhere(view: ContentView, target: str) -> bool:
    """Return whether a link of a menu leads to a list without entries in the view's locale.

    A blog without posts stays in the menu: its posts come with time. A form that nobody answers
    leads nowhere too.
    """
    name = target.strip("/")
    if name in view.snapshot.unanswered and view.snapshot.entry(PAGE, name) is None:
        return view.snapshot.entry(FORM, name) is None  # and so that its edits are noted
    address = parse_address(target, view.snapshot)
    if address is None or address.page.lists is POST:
        return False
    return not has_entries(view.snapshot, address.page, view.locale, view.now)


def has_any(snapshot: Snapshot, *kinds: AnyContentType) -> bool:
    """Return whether the site has a document of one of these types."""
    return any(snapshot.entries.get(kind) for kind in kinds)


def is_company(snapshot: Snapshot) -> bool:
    """Return whether the site has all that a company with products in several countries has.

    Its kinds have the names of the built-in ones.
    """
    has_all = bool(snapshot.countries) and all(has_any(snapshot, kind) for kind in _COMPANY)
    return has_all and not snapshot.kinds.renamed
