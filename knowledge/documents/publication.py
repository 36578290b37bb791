"""Publication keys of other generators: which texts their front matter withholds from readers.

Names are compared without case, hyphens and underscores: `isDraft`, `is_draft` and `Is-Draft` are
one. What a source shows only to those who know the address, such as an `unlisted` page, is withheld
as well: this site lists all that it publishes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_HIDING = _names(
    "draft isdraft private isprivate hidden ishidden hide unlisted isunlisted headless unpublished"
    " eleventyexcludefromcollections"
)
_SHOWING = _names(
    "publish published ispublished public ispublic listed islisted visible isvisible render"
)
_STATES = _names("status state visibility access publicationstatus")
_WITHHELD_STATES = _names(
    "draft drafts private hidden unlisted unpublished pending review inreview members member paid"
    " premium subscribers internal password protected secret trash withdrawn wip inprogress idea"
    " todo scheduled future embargoed restricted"
)
_PUBLIC_STATES = _names("public published publish visible listed everyone all")
_OPEN_STATES = _names("status state")
"""Keys that authors also use for what has nothing to do with publication, as in `seedling`."""

_UNINDEXED = _names("noindex robotsnoindex isnoindex sitemapexclude sitemapignore")
_EXCLUDED = _names("disable exclude ignore noindex")
_BLOCKS = _names("params extra build sitemap seo meta head robots")
_THEME_BLOCKS = _names("params extra")
_TRUE = _names("true yes on 1 y")
_FALSE = _names("false no off 0 n never link")
_BUILD = _names("render list")


class Publication(NamedTuple):
    """The keys that withhold a text, that keep it out of search engines, and that are unclear."""

    withheld_by: str = ""
    unindexed_by: str = ""
    unclear: tuple[str, ...] = ()


def publication_of(
    metadata: Mapping[str, object], own: frozenset[str] = frozenset()
) -> Publication:
    """Return what front matter says about publication; `own` has keys with a meaning of their own.

    >>> publication_of({"Is-Draft": "true"}).withheld_by
    'Is-Draft'
    >>> publication_of({"visibility": "team", "robots": "noindex, nofollow"})
    Publication(withheld_by='', unindexed_by='robots', unclear=('visibility',))
    """
    withheld_by = unindexed_by = ""
    unclear = []
    for key, value in metadata.items():
        if value is None:
            continue
        name = _folded(key)
        if _is_unindexed(name, value):
            unindexed_by = unindexed_by or key
        is_withheld = key not in own and _withholds(name, value)
        if is_withheld is None:
            unclear.append(key)
        elif is_withheld:
            withheld_by = withheld_by or key
    return Publication(withheld_by, unindexed_by, tuple(unclear))


def _folded(text: object) -> str:
    return str(text).replace("_", "").replace("-", "").replace(" ", "").strip().lower()


def _withholds(name: str, value: object) -> bool | None:
    """Return whether a key withholds its text; None if its value is not understood."""
    if isinstance(value, dict):
        return _block_withholds(name, value)
    if name == "permalink":
        return _truth(value) is False
    if name in _STATES:
        return _is_withheld_state(name, _folded(value))
    if name not in _HIDING | _SHOWING or isinstance(value, list):
        return False
    truth = _truth(value)
    if truth is None:
        # a date, of which `published` may be one, is read elsewhere
        return False if str(value)[:4].isdecimal() or name == "render" else None
    return truth is (name in _HIDING)


def _block_withholds(name: str, block: dict[str, object]) -> bool:
    """Return whether `build` of Hugo, or a block of a theme, withholds its text."""
    if name == "build":
        options = (value for key, value in block.items() if _folded(key) in _BUILD)
        return any(_truth(value) is False for value in options)
    inner = block.items() if name in _THEME_BLOCKS else ()
    return any(_withholds(_folded(key), value) for key, value in inner if value is not None)


def _is_withheld_state(name: str, state: str) -> bool | None:
    if state in _WITHHELD_STATES:
        return True
    return False if name in _OPEN_STATES or state in _PUBLIC_STATES else None


def _truth(value: object) -> bool | None:
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _is_unindexed(name: str, value: object) -> bool:
    """Return whether a key keeps its text out of search engines or the sitemap."""
    if name in _UNINDEXED:
        return _truth(value) is True
    if name == "sitemap":
        is_excluded = isinstance(value, dict) and any(
            _truth(each) is True for key, each in value.items() if _folded(key) in _EXCLUDED
        )
        return is_excluded or _truth(value) is False
    if name == "robots" and not isinstance(value, dict):
        return any(word in str(value).lower() for word in ("noindex", "none"))
    return name in _BLOCKS and any(_is_unindexed(*each) for each in _entries(value))


def _entries(value: object) -> Iterator[tuple[str, object]]:
    """Yield the entries of a block, and the tags of a head by name and content."""
    if isinstance(value, dict):
        yield from ((_folded(key), each) for key, each in value.items())
        attributes = value.get("attrs", value)
        if isinstance(attributes, dict) and "content" in attributes:
            yield _folded(attributes.get("name")), attributes["content"]
    elif isinstance(value, list):
        for each in value:
            yield from _entries(each)
