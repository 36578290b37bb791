"""URLs whose responses do not depend on Accept, because they name a format."""

from __future__ import annotations

from renderers.representation import MediaType

_NEGOTIATED = ("/api/", "/sitemap")
"""The beginnings of paths that may have a dot, and several forms."""


def has_one_form(path: str, status: int, media_type: str, caching: str) -> bool:
    """Return whether a URL names the format of its response, unlike a page or an error.

    >>> has_one_form("/sa/en/erp.md", 200, "text/markdown; charset=utf-8", "public")
    True
    >>> has_one_form("/sitemap.xml", 200, "application/xml; charset=utf-8", "public")
    False
    >>> has_one_form("/sa/en/release-1.2", 200, "text/markdown; charset=utf-8", "private")
    False
    """
    names_one = "." in path.rpartition("/")[2] and not path.startswith(_NEGOTIATED)
    is_chosen = media_type.startswith(MediaType.HTML) or caching.startswith("private")
    return names_one and status == 200 and not is_chosen
