"""The title of a page in its head: what it is about, the name of the site, and the place.

The versions of a page for several countries often have the same text, so that search results would
show the same title for each of them; the country tells them apart, and the city those of cities.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from knowledge.locales.locale import Country
from knowledge.resources.base import Resource
from knowledge.resources.places import city_list, country_names
from knowledge.resources.site_chrome import brand
from knowledge.resources.site_page import PageModel
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers import pagination
from renderers.l10n.translation import translations
from renderers.markdown.nav_links import city_link
from renderers.titles import breadcrumb_title


def head_title(page: PageModel[Resource]) -> str:
    """Return the title of a page with the name of the site."""
    language, last = page.locale.language, page.breadcrumbs[-1:]
    title = page.seo.title or "".join(breadcrumb_title(breadcrumb, language) for breadcrumb in last)
    number = pagination.page_number(page)
    if number > 1:
        position = translations(language).gettext("page %(number)s") % {"number": number}
        title = f"{title} – {position}"
    name, place = brand(page.view), _place(page, title)
    with_name = f"{title} | {name}" if title and name not in title else title or name
    return with_place(with_name, name, place)


def with_place(title: str, name: str, place: str | None) -> str:
    """Return a title that tells the place: beside the name of the site, if it ends with that.

    >>> with_place("Pricing | Wahat", "Wahat", "Oman"), with_place("Wahat ERP", "Wahat", "Oman")
    ('Pricing | Wahat Oman', 'Wahat ERP | Oman')
    """
    if place is None:
        return title
    ends_with_name = title == name or title.endswith(f"| {name}")
    separator = " " if ends_with_name else " | "
    return f"{title}{separator}{place}"


def _place(page: PageModel[Resource], title: str) -> str | None:
    """Return the place for which a page is; None if the title names it, or no place is meant."""
    city = page.address.city
    if not city:
        return _country(page, title)
    names = (
        city_link(page.view, each).title
        for each in city_list(page.view).cities
        if each.slug == city
    )
    name = next(names, None)
    return name if name and _plain(name) not in _plain(title) else None


def _country(page: PageModel[Resource], title: str) -> str | None:
    """Return the name of the reader's country, None if no other one has the page."""
    here, names = page.locale.country, _names(page.view)
    prefix = f"{page.locale.language}-"
    variants = [each for each in page.seo.alternates if each.hreflang.startswith(prefix)]
    if here is None or len(variants) < 2:
        return None
    plain = _plain(title)
    named = [country for country in names if any(_plain(name) in plain for name in names[country])]
    return None if named == [here] else names[here][0]


@cached_per_snapshot
def _names(view: ContentView) -> Mapping[Country, Sequence[str]]:
    """Return all names of each country of the site, first the one for titles."""
    return {country: country_names(view, country) for country in view.snapshot.open.countries}


def _plain(text: str) -> str:
    """Return a text without case, vowel signs and, at its start, the Arabic article.

    >>> _plain("عُمان") == _plain("عمان"), _plain("السعودية") in _plain("للسعودية")
    (True, True)
    """
    folded = "".join(c for c in text.casefold() if not unicodedata.combining(c))
    return folded.removeprefix("ال")
