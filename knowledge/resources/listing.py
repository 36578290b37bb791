"""Listing: which pages search engines, menus and maps list, and in which locales."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from itertools import chain

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
from knowledge.fields.content_types import FORM, PAGE, POST, PRODUCT, SETTINGS
from knowledge.fields.field_types import BilingualString
from knowledge.fields.front_matter import Common, PageSeo
from knowledge.fields.page_type import PageType
from knowledge.fields.settings_fields import SettingsFields
from knowledge.locales.locale import Language, Locale, Locales, Scope
from knowledge.markdown import document_cache
from knowledge.sections.sections import merged_sections
from knowledge.snapshot.layer_resolution import Entry, Resolved, provenance, resolve
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView


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
    path = address.path
    is_own = not address.page.path.startswith("/{") or parse_address(path, snapshot) == address
    return is_own and private_path(snapshot, path) is None


def private_path(snapshot: Snapshot, path: str) -> str | None:
    """Return the private path that a path, relative to the root or a locale, is or is below."""
    private = private_paths(snapshot)
    return next((each for each in private if f"{path}/".startswith(f"{each.rstrip('/')}/")), None)


_OF_THE_API: Mapping[str, str] = {"/api/admin/": _("content administration, for staff only")}
_OF_A_SHOP: Mapping[str, str] = {
    "/cart": _("a customer's own session"),
    "/checkout": _("a customer's own session"),
    "/account": _("a customer's own data"),
}


def private_paths(snapshot: Snapshot) -> Mapping[str, str | BilingualString]:
    """Return the paths that crawlers and agents must not request, with the reason of each.

    They are private at the root and under each locale. The site names its own in its settings. One
    that names none has those of a shop if it has products; their reasons are marked texts.
    """
    settings = snapshot.singleton(SETTINGS)
    own: Mapping[str, str | BilingualString] | None = _named_private(settings) if settings else None
    if own is None:
        own = _OF_A_SHOP if snapshot.has(PRODUCT) else {}
    return {**_OF_THE_API, **own}


@document_cache(maxsize=16)
def _named_private(settings: Entry[SettingsFields]) -> Mapping[str, BilingualString] | None:
    """Return what all layers of the settings name, None if they name nothing."""
    named = (each.fields.private_paths for each in settings.documents)
    own = [each.items() for each in named if each is not None]
    return dict(chain.from_iterable(own)) if own else None


def is_noindex(seo: PageSeo) -> bool:
    """Return whether the `seo` block of a document excludes it from search engines.

    >>> is_noindex(PageSeo(robots_index="noindex")), is_noindex(PageSeo())
    (True, False)
    """
    return bool(seo.no_index) or seo.robots_index == "noindex"


def is_withdrawn(fields: Common) -> bool:
    """Return whether a product is no longer sold."""
    return isinstance(fields, PRODUCT.fields) and fields.active is False


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

    So does one to a page of a kind that the site does not have, and a form that nobody answers. A
    blog without posts stays in the menu: its posts come with time.
    """
    name = target.strip("/")
    if name in view.snapshot.unanswered and view.snapshot.entry(PAGE, name) is None:
        return view.snapshot.entry(FORM, name) is None  # and so that its edits are noted
    if any(page.pattern.fullmatch(f"/{name}") for page in view.snapshot.page_types.hidden):
        return True
    address = parse_address(target, view.snapshot)
    if address is None or address.page.lists is POST:
        return False
    return not has_entries(view.snapshot, address.page, view.locale, view.now)
