"""Per-format URLs: paths with a suffix that return one media type, whatever the Accept header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from knowledge.addresses.addresses import split_locale
from knowledge.locales.locale import Language
from knowledge.resources.seo import Alternate
from knowledge.resources.site_page import PageMeta
from renderers.media_types import SUFFIXED_MEDIA_TYPES, MediaType

_INDEX = "/index"
_HOME = re.compile(rf"/(?:[a-z]{{2}}/)?(?:{'|'.join(Language)})")


def suffixed_path(path: str, media_type: MediaType) -> str:
    """Return the per-format path of a canonical site path.

    >>> suffixed_path("/sa/ar/erp", MediaType.MARKDOWN), suffixed_path("/sa/ar", MediaType.JSON)
    ('/sa/ar/erp.md', '/sa/ar/index.json')
    """
    return (path + _INDEX if _HOME.fullmatch(path) else path) + media_type.suffix


def split_suffix(path: str) -> tuple[str, MediaType | None]:
    """Split a per-format path into the canonical path and the media type.

    Any other path is returned unchanged, with None.

    >>> split_suffix("/sa/ar/index.md")
    ('/sa/ar', <MediaType.MARKDOWN: 'text/markdown'>)
    >>> split_suffix("/sa/ar/erp")
    ('/sa/ar/erp', None)
    """
    for media_type in SUFFIXED_MEDIA_TYPES:
        if path.endswith(media_type.suffix):
            canonical = path.removesuffix(media_type.suffix)
            home = canonical.removesuffix(_INDEX)
            return (home if _HOME.fullmatch(home) else canonical), media_type
    return path, None


def mutual(page: PageMeta, alternates: Sequence[Alternate]) -> Sequence[Alternate]:
    """Return the variants of a page, which name it too; none of one that repeats another page."""
    own = page.view.absolute(page.path)
    return alternates if any(each.href == own for each in alternates) else ()


def other_languages(page: PageMeta, media_type: MediaType) -> Iterator[Alternate]:
    """Yield the per-format URLs of a page in the other languages of its country.

    The HTML head and the sitemap list the variants of all locales.
    """
    view = page.view
    own = page.language if isinstance(page.language, Language) else view.locale.language
    locale, _ = split_locale(page.path)
    others = {
        view.locale.in_language(each).tag if locale else str(each)
        for each in Language
        if each is not own
    }
    for alternate in mutual(page, page.alternates):
        if alternate.hreflang in others:
            path = suffixed_path(alternate.href.removeprefix(view.base_url), media_type)
            yield Alternate(hreflang=alternate.hreflang, href=view.base_url + path)
