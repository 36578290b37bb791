"""Twins: the addresses at which a page always answers in one form, whatever the Accept."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.locale import all_locales
from knowledge.resources.seo import Alternate
from knowledge.resources.site_page import PageMeta
from renderers.media_types import MediaType

SUFFIXES = {MediaType.MARKDOWN: ".md", MediaType.JSON: ".json"}
_INDEX = "/index"
_HOMES = frozenset(locale.path for locale in all_locales())


def suffixed_path(path: str, form: MediaType) -> str:
    """The twin of a canonical site path.

    >>> suffixed_path("/sa/ar/erp", MediaType.MARKDOWN), suffixed_path("/sa/ar", MediaType.JSON)
    ('/sa/ar/erp.md', '/sa/ar/index.json')
    """
    return (path + _INDEX if path in _HOMES else path) + SUFFIXES[form]


def split_suffix(path: str) -> tuple[str, MediaType | None]:
    """The canonical path and form of a twin; any other path as it is, without form.

    >>> split_suffix("/sa/ar/index.md")
    ('/sa/ar', <Form.MARKDOWN: 'text/markdown'>)
    >>> split_suffix("/sa/ar/erp")
    ('/sa/ar/erp', None)
    """
    for form, suffix in SUFFIXES.items():
        if path.endswith(suffix):
            canonical = path.removesuffix(suffix)
            home = canonical.removesuffix(_INDEX)
            return (home if home in _HOMES else canonical), form
    return path, None


def other_languages(page: PageMeta, form: MediaType) -> Iterator[Alternate]:
    """The twins of a page in its country's other languages.

    The whole table of variants stands in the HTML head and the sitemap.
    """
    view = page.view
    for each in page.alternates:
        language, _, country = each.hreflang.partition("-")
        if country == view.locale.country and language != page.language:
            path = suffixed_path(each.href.removeprefix(view.base_url), form)
            yield Alternate(hreflang=each.hreflang, href=view.base_url + path)
