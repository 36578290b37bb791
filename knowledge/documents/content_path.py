"""Content paths: the file-name grammar `<kind>/<slug>[.<country>[.<city>]][.<lang>].md`.

Only the countries and cities of the site's `Places` are suffixes. A language may also be a folder:
`ar/posts/a.md` and `posts/ar/a.md` are `posts/a.ar.md`. All folders may be in one named `content`,
as in the repositories of other generators.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import NamedTuple

from knowledge.documents.files import JEKYLL_FOLDERS
from knowledge.fields.content_types import CATEGORY, AnyContentType
from knowledge.fields.field_types import YEARS
from knowledge.fields.kinds import BUILT_IN_KINDS, SiteKinds
from knowledge.fields.settings_fields import CountryFields
from knowledge.locales.locale import Country, Language, Layer, Locales, OtherLanguage, shared_layer
from knowledge.markdown.slugs import slugify, term_slug

Countries = Mapping[Country, CountryFields]
"""The settings of each country of a site, in the order in which the site lists them."""


@dataclass(frozen=True)
class Places:
    """What the names of a site's files mean: countries, cities with their countries, and kinds."""

    countries: Countries = field(default_factory=dict)
    cities: Mapping[str, Country] = field(default_factory=dict)
    languages: tuple[Language, ...] = tuple(Language)
    """The languages of the site, the main one first."""

    kinds: SiteKinds = BUILT_IN_KINDS

    @cached_property
    def by_slug(self) -> Mapping[str, Country]:
        """The countries by slug."""
        return {country.slug: country for country in self.countries}

    @cached_property
    def locales(self) -> Locales:
        """The locales of the site."""
        return Locales(tuple(self.countries) or (None,), self.languages)

    def changed_names(self, before: Places) -> AbstractSet[str]:
        """Return the parts of file names that have another meaning than before."""
        cities = self.cities.items() ^ before.cities.items()
        return (self.by_slug.keys() ^ before.by_slug.keys()) | {slug for slug, _ in cities}


NOWHERE = Places()


_DATED = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})-(?=.)")

CONTENT_FOLDER = "content"
"""The folder of other generators in which the folders of content types may be."""

_CODE_LETTERS = 2
_INDEX_NAMES = ("index", "_index")
_MAX_FOLDERS = 1_024
_LANGUAGES = {str(language): language for language in Language}


@dataclass(frozen=True, slots=True)
class ContentPath:
    """The parsed path of a content file."""

    kind: AnyContentType
    slug: str
    layer: Layer
    name: str
    """The file name as typed, without date, suffixes and extension."""

    date: datetime | None = None
    other_language: OtherLanguage | None = None
    """A language other than English and Arabic that the name states."""


def parse_content_path(path: str, places: Places = NOWHERE) -> ContentPath | None:
    """Parse a path relative to the content folder; None if it is not in a content type's folder.

    Only a country or city of `places` is a suffix; another one belongs to the name.

    >>> from knowledge.locales.locale import Country
    >>> saudi_arabia = Country("SA")
    >>> places = Places({saudi_arabia: None}, {"riyadh": saudi_arabia})
    >>> name = parse_content_path("registry/erp.sa.riyadh.ar.md", places)
    >>> name.slug, str(name.layer)
    ('erp', 'sa.riyadh.ar')
    >>> parse_content_path("posts/2026-05-01-hello.md").date.isoformat()
    '2026-05-01T00:00:00+00:00'
    >>> parse_content_path("posts/Rust.1.43.1.md").slug
    'rust-1-43-1'
    >>> parse_content_path("registry/erp/index.ar.md").slug
    'erp'

    Of a kind with `nested: true` the slug of `docs/guide/setup.md` is `guide/setup`, that of
    `docs/guide/index.md` is `guide`, and that of `docs/index.md` is `docs`.
    """
    folder, _, file_name = path.rpartition("/")
    types = places.kinds.content_types
    kind_folder, inner, language, other = _parse_folder(folder)
    kind = types.of_folder(kind_folder)
    if kind is None and (declared := types.of_folder(slugify(kind_folder))):
        kind = declared if declared.declaration else None  # as `_kinds/Price List.md` names it
    if kind is None and types.of_root is not None:
        kind, inner = types.of_root, [*filter(None, [kind_folder]), *inner]
    if kind is None or not file_name:
        return None
    first, *suffixes = file_name.rpartition(".")[0].split(".")
    rest, layer = _split_layer(suffixes, places, language)
    is_index = first in _INDEX_NAMES or (kind.is_nested and first.lower() == "readme")
    if is_index and (inner or kind.is_nested) and (not rest or _other_language(rest[:1])):
        base, inner = ".".join(([str(kind), *inner][-1], *rest)), inner[:-1]
    else:
        base = ".".join((first, *rest))
    date = None
    if kind.has_dated_names:
        base, date = split_date(base)
    if other is not None:
        base = f"{base}.{other}"
    elif language is None:
        other = _other_language(rest)
    slug = term_slug(base) if kind == CATEGORY else slugify(base)
    if kind.is_nested and slug:
        slug = nested_slug(*inner, base)
    return ContentPath(kind, slug, layer, base, date, other)


def nested_slug(*parts: str) -> str:
    """Return the slug of a document that has those of its folders.

    >>> nested_slug("Getting started", "Install")
    'getting-started/install'
    """
    return "/".join(filter(None, map(slugify, parts)))


def is_of_same_kind(name: ContentPath, places: Places) -> bool:
    """Return whether the content type of a parsed path is surely the same on a site."""
    is_known = places.kinds.content_types.of_folder(name.kind.folder) is name.kind
    return is_known and not name.kind.has_root


class _Folder(NamedTuple):
    """What the folder of a file means; `inner` are the folders in that of its content type."""

    folder: str
    """The folder of the content type, if there is one."""

    inner: Sequence[str]
    language: Language | None
    other_language: OtherLanguage | None


@lru_cache(_MAX_FOLDERS)
def _parse_folder(path: str) -> _Folder:
    folder, inner, language = _split_folders(path.split("/"))
    other = OtherLanguage.parse(folder) if len(folder) == _CODE_LETTERS else None
    if other is not None and inner:
        folder, *inner = inner
    name = "posts" if folder in JEKYLL_FOLDERS else folder
    return _Folder(name, inner, language, other)


def _other_language(endings: Sequence[str]) -> OtherLanguage | None:
    """Return the language that the last ending of a name states, as in `about.fr.md`."""
    last = endings[-1] if endings else ""
    return OtherLanguage.parse(last) if len(last) == _CODE_LETTERS and last.islower() else None


def _split_folders(folders: Sequence[str]) -> tuple[str, Sequence[str], Language | None]:
    """Return the folder of the content type, the folders in it, and the language of a folder.

    >>> _split_folders(["content", "ar", "posts", "2026"])
    ('posts', ['2026'], <Language.AR: 'ar'>)
    """
    start = 1 if folders[:1] == [CONTENT_FOLDER] else 0
    language = _LANGUAGES.get("".join(folders[start : start + 1]))
    folder, *inner = folders[start + (language is not None) :] or [""]
    if language is None and inner and inner[0] in _LANGUAGES:
        language = _LANGUAGES[inner.pop(0)]
    return folder, inner, language


def folder_prefixes(kind: AnyContentType) -> tuple[str, ...]:
    """Return how the paths of the files of a content type may begin."""
    languages = ("", *(f"{language}/" for language in Language))
    roots = ("", f"{CONTENT_FOLDER}/")
    return tuple(f"{root}{language}{kind}/" for root in roots for language in languages)


def _split_layer(
    parts: list[str], places: Places, language: Language | None
) -> tuple[list[str], Layer]:
    """Remove language, city and country from the end; other parts stay in the name."""
    rest = list(parts)
    city = country = None
    if rest and rest[-1] in _LANGUAGES:
        language = _LANGUAGES[rest.pop()]
    if len(rest) > 1 and rest[-1] in places.cities and places.cities[rest[-1]].slug == rest[-2]:
        city = rest.pop()
    if rest and rest[-1] in places.by_slug:
        country = places.by_slug[rest.pop()]
    return rest, shared_layer(country, city, language)


def split_date(base: str) -> tuple[str, datetime | None]:
    """Split a date off the beginning of a file name; None if it has none.

    >>> split_date("2026-05-01-hello")[0], split_date("2026-13-01-hello")[1]
    ('hello', None)
    """
    match = _DATED.match(base)
    if not match:
        return base, None
    year, month, day = map(int, match.groups())
    if year not in YEARS:
        return base, None
    try:
        return base[match.end() :], datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return base, None
