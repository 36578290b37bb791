"""Locale suggestions: the link to a page in the locale in which its reader had rather read it."""

from __future__ import annotations

from typing import NamedTuple

from knowledge.diagnostics.messages import mark as _
from knowledge.locales import cldr
from knowledge.locales.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel
from renderers.l10n.translation import translate


class LocaleSuggestion(NamedTuple):
    """A link in the language of its locale; `label` names it to assistive technology."""

    locale: Locale
    label: str
    text: str
    path: str


def locale_suggestion(page: PageModel[Resource], locale: Locale) -> LocaleSuggestion:
    """Return the suggestion to read a page in another locale."""
    return LocaleSuggestion(
        locale,
        translate(_("Suggestion"), locale.language),
        _text(page, locale),
        locale.path + page.address.path,
    )


def _text(page: PageModel[Resource], locale: Locale) -> str:
    language, country = locale.language, locale.country
    if country is None or country == page.locale.country:
        own_name = cldr.language_name(language, language)
        return translate(_("Read this page in %(language)s"), language, language=own_name)
    name = cldr.country_name(country, language)
    return translate(_("This page for your country: %(country)s"), language, country=name)
