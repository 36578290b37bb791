"""Built-in pages: public pages outside the locales that do not come from a content file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from knowledge.locales.locale import Language, Locales


class BuiltinPage(NamedTuple):
    """The path, title and description of a built-in page, in its language."""

    path: str
    title: str
    description: str
    language: Language = Language.EN


DEVELOPERS = BuiltinPage(
    "/developers",
    "For developers",
    "How to read this site's content as JSON or markdown: quick start, resources, errors, limits,"
    " caching and versioning of the public API.",
)

DEVELOPERS_IN_ARABIC = BuiltinPage(
    "/developers/ar",
    "للمطوّرين",
    "كيفية قراءة محتوى هذا الموقع بصيغة JSON أو Markdown: البدء السريع والموارد والأخطاء والحدود"
    " والتخزين المؤقت وإصدارات الواجهة البرمجية العامة.",
    Language.AR,
)

BUILTIN_PAGES: Mapping[str, BuiltinPage] = {
    page.path: page for page in (DEVELOPERS, DEVELOPERS_IN_ARABIC)
}
"""The built-in pages by path."""


def builtin_pages(locales: Locales) -> tuple[BuiltinPage, ...]:
    """Return the built-in pages of a site: the Arabic one only if the site is in Arabic."""
    pages = BUILTIN_PAGES.values()
    return tuple(page for page in pages if page is DEVELOPERS or page.language in locales.languages)


def developers_page(language: Language, locales: Locales) -> BuiltinPage:
    """Return the manual in a language, or in English if there is none in it."""
    pages = builtin_pages(locales)
    return next((page for page in pages if page.language is language), DEVELOPERS)


def builtin_variants(locales: Locales) -> tuple[tuple[str, str], ...]:
    """Return hreflang and path of the manual in each language of a site with several."""
    if len(locales.languages) == 1:
        return ()
    pages = builtin_pages(locales)
    return (*((page.language, page.path) for page in pages), ("x-default", DEVELOPERS.path))
