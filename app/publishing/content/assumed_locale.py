"""The country and the language of a question, if its reader states none."""

from enum import StrEnum
from functools import lru_cache

from indexes.text.places import NamedCountries
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.places import place_names
from knowledge.views.content_view import ContentView
from renderers.l10n.bidi import detect_language, has_arabic


class CountrySource(StrEnum):
    """Where the country of a view is from; the values complete a sentence of `assumed`."""

    GIVEN = "named by the request"
    USER = "where the user is"
    DEFAULT = "the default"
    QUESTION = "named in the question"


def assume_country(
    question: str, view: ContentView, source: CountrySource = CountrySource.DEFAULT
) -> tuple[ContentView, str | None]:
    """Return the view to search, and what was assumed of the country and why.

    The country is the first one that the question names, or else that of the view, which is from
    this source. Nothing is assumed if the request names a country, or if the site has none.
    """
    if view.locale.country is None or source is CountrySource.GIVEN:
        return view, None
    for named in named_countries(view).named_in(question):
        locale = Locale(named, view.locale.language)
        if locale in view.snapshot.open_locales:
            return view.for_locale(locale), f"{named.slug}, {CountrySource.QUESTION}"
    return view, f"{view.locale.country.slug}, {source}"


def in_language_of(query: str, view: ContentView) -> ContentView:
    """Return the view in the language of a query, by its script, if the site has that language."""
    own = view.locale
    language = Language.AR if has_arabic(query) else detect_language(query, own.language)
    other = own.in_language(language)
    is_other = other != own and other in view.snapshot.open_locales
    return view.for_locale(other) if is_other else view


def named_countries(view: ContentView) -> NamedCountries:
    """Return what finds the open countries of the site that a text names, also by its cities."""
    # The names are cached for one locale, and hold for all of them.
    return _named_countries(place_names(view.for_locale(view.snapshot.default_locale)))


@lru_cache(maxsize=8)
def _named_countries(names: tuple[tuple[Country, tuple[str, ...]], ...]) -> NamedCountries:
    return NamedCountries(dict(names))
