"""What a site has, found from its files: its countries, cities, languages and kinds.

The main language is `lang` of `site/settings.md`. Without it, it is Arabic if a third of the
letters are Arabic in the texts that do not state their language: names and code are in Latin.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.content_path import Countries, Places, folder_prefixes
from knowledge.documents.document import Document, place_of_keys
from knowledge.documents.parsed_files import LoadedFile
from knowledge.fields.content_types import CITY, CONTENT_TYPES, COUNTRY, KIND, PAGE, SETTINGS, SITE
from knowledge.fields.front_matter import Common
from knowledge.fields.kind_faults import Fault, faults
from knowledge.fields.kind_fields import KindFields
from knowledge.fields.kinds import BUILT_IN_KINDS, Kind, SiteKinds, made_kind
from knowledge.fields.merging import merge
from knowledge.fields.settings_fields import CountryFields, SettingsFields
from knowledge.locales.locale import Country, Language, Layer

_UNORDERED = 1_000
"""The place of a country without a `sortOrder`."""

_ARABIC_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class SiteLanguages:
    """The languages in which a site has texts, the main one first.

    `is_found` says that the main language is Arabic, and that only the texts say so.
    """

    main: Language = Language.EN
    used: tuple[Language, ...] = tuple(Language)
    is_found: bool = False

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """A notice if the main language was found from the texts."""
        if not self.is_found:
            return ()
        message = Text(
            "The texts are in Arabic, so files that state no language are read as Arabic."
        )
        path = f"{SITE}/{SETTINGS.slug}.md"
        suggestion = Text("Add lang: ar to {} to say so.", path)
        return (DiagnosticKind.FOUND_LANGUAGE.notice(path, message, suggestion),)


def languages_of(stated: Language | None, documents: Collection[Document]) -> SiteLanguages:
    """Return the languages of a site; one without any text has both.

    The words of a declared kind are no text: a site in one language may have them in both.
    """
    main = stated or _language_of_texts(documents)
    written = {each.languages for each in documents if each.kind.folder != KIND.folder}
    texts = frozenset().union(*written) or set(Language)
    used = tuple(language for language in (main, main.other) if language in texts)
    return SiteLanguages(main, used, is_found=stated is None and main is Language.AR)


def settings_of(documents: Iterable[Document]) -> SettingsFields | None:
    """Return the front matter of `site/settings.md`, or None."""
    for document in documents:
        if document.kind == SITE and document.slug == SETTINGS.slug and document.layer == Layer():
            return cast("SettingsFields", document.fields)
    return None


def _language_of_texts(documents: Iterable[Document]) -> Language:
    letters = [
        document.letters
        for document in documents
        if not document.states_language and document.other_language is None
    ]
    arabic = sum(arabic for arabic, _ in letters)
    return Language.AR if arabic > sum(all_ for _, all_ in letters) * _ARABIC_SHARE else Language.EN


def site_countries(files: Mapping[str, LoadedFile]) -> tuple[Countries, list[Diagnostic]]:
    """Return the countries of the site, and diagnostics for files without one.

    A file that cannot be read still gives the country of its name.
    """
    layers: dict[Country, list[CountryFields]] = {}
    diagnostics = []
    for path, file in sorted(files.items(), key=lambda item: item[1].name.layer.order):
        fields = cast(CountryFields, file.document.fields) if file.document else CountryFields()
        country = _country_of(fields, file.name.slug)
        if country is not None:
            layers.setdefault(country, [CountryFields()]).append(fields)
        elif file.document is not None:
            message = Text(
                "“{}” is not the code of a country, so the file is left out.", file.name.slug
            )
            suggestion = Text("Name it by the ISO 3166 code, such as eg.md, or add code: EG.")
            diagnostics.append(DiagnosticKind.UNKNOWN_COUNTRY.error(path, message, suggestion))
    merged = {country: merge(fields) for country, fields in layers.items()}
    return dict(sorted(merged.items(), key=_order)), diagnostics


def _order(item: tuple[Country, CountryFields]) -> tuple[int, Country]:
    """Return the sort key of a country in lists: by sortOrder, then by code."""
    country, fields = item
    return _UNORDERED if fields.sort_order is None else fields.sort_order, country


def _country_of(fields: Common, slug: str) -> Country | None:
    code = fields.code if isinstance(fields, CountryFields) else None
    return code or Country.parse(slug)


def site_cities(
    files: Mapping[str, LoadedFile], countries: Countries
) -> tuple[dict[str, Country], list[Diagnostic]]:
    """Return the cities and their countries, and diagnostics for cities without a country."""
    cities: dict[str, Country] = {}
    diagnostics = []
    for path, file in files.items():
        if file.document is None or file.name.layer.language is not None:
            continue
        country = file.document.fields.only_country
        if country is not None and country in countries:
            cities[file.name.slug] = country
        else:
            diagnostics.append(_city_without_country(path, country, countries))
    return cities, diagnostics


def _city_without_country(path: str, country: Country | None, countries: Countries) -> Diagnostic:
    if country is not None or not countries:
        message = Text("The city is left out, because the site does not have its country.")
        suggestion = Text("Add countries/{}.md.", country.slug if country else "sa")
        return DiagnosticKind.CITY_WITHOUT_COUNTRY.error(path, message, suggestion)
    message = Text("countryCode is missing, so the city is left out.")
    suggestion = Text("Add countryCode: {}.", " or ".join(countries))
    return DiagnosticKind.CITY_WITHOUT_COUNTRY.error(path, message, suggestion)


def has_country(document: Document, places: Places) -> bool:
    """Return False for a country or city that the site does not have, which is left out."""
    folder = document.kind.folder  # compared faster than types; an edit asks for all documents
    if folder == COUNTRY.folder:
        return _country_of(document.fields, document.slug) is not None
    return folder != CITY.folder or document.slug in places.cities


Declarations = Mapping[str, Sequence[Document[KindFields]]]
"""The documents of each declared kind, the most general one first."""


def site_kinds(
    documents: Iterable[Document], before: SiteKinds, paths: Iterable[str] = ()
) -> tuple[SiteKinds, tuple[Diagnostic, ...]]:
    """Return the kinds of a site, and what is wrong with their declarations.

    Those of `before` are used again where the declaration is the same, or is wrong. `paths` are
    those of all files.
    """
    declarations = _declarations(documents)
    if not declarations:
        return BUILT_IN_KINDS, ()
    folders = frozenset((*map(str, CONTENT_TYPES), *declarations))
    good: list[Kind] = []
    diagnostics: list[Diagnostic] = []
    for name, documents_of_kind in declarations.items():
        declared = merge([each.fields for each in documents_of_kind])
        last = before.by_name.get(name)
        if last is not None and last.declared == declared:
            kind: Kind | None = last
            found: list[Fault] = []
        else:
            found = list(faults(name, declared, folders))
            kind = last if found else made_kind(name, declared)
        if kind is not None and (contradiction := _contradiction([*good, kind])):
            found.append(contradiction)
            kind = last if last and not _contradiction([*good, last]) else None
        diagnostics += (_diagnostic(documents_of_kind, fault, last) for fault in found)
        good += [kind] if kind else []
    own = _own_lists(good, paths)
    if good == list(before.by_name.values()) and own == before.own_lists:
        return before, tuple(diagnostics)
    return BUILT_IN_KINDS.with_kinds(good, own), tuple(diagnostics)


def _own_lists(kinds: Iterable[Kind], paths: Iterable[str]) -> frozenset[str]:
    """Return the paths of built-in kinds at which a file of `pages/` stands."""
    moved = {kind.declared.path or "" for kind in kinds if not kind.page} - {""}
    folders = folder_prefixes(PAGE) if moved else ()
    names = (path[len(each) :] for each in folders for path in paths if path.startswith(each))
    return frozenset(moved & {f"/{name.partition('.')[0]}" for name in names})


def _declarations(documents: Iterable[Document]) -> Declarations:
    by_name: dict[str, list[Document[KindFields]]] = {}
    ordered = sorted(documents, key=lambda each: (each.slug, each.layer.order))
    for document in ordered:
        if document.layer.country is None and document.fields.published is not False:
            found = cast("Document[KindFields]", document)
            by_name.setdefault(document.slug, []).append(found)
    # A layer of a language alone declares nothing; `majlis check` says that its base is missing.
    return {name: found for name, found in by_name.items() if found[0].layer.language is None}


def _contradiction(kinds: Sequence[Kind]) -> Fault | None:
    """Return what the last of some kinds contradicts."""
    try:
        made = BUILT_IN_KINDS.with_kinds(kinds)
    except ValueError as error:
        return Fault(("path",), Text("{}", *error.args), Text("Set another path."))
    parent = kinds[-1].declared.parent
    if parent is not None and made.page_types.at(parent) is None:
        return Fault(
            ("parent",), Text("parent: there is no page at {}.", parent), Text("Correct it.")
        )
    return None


def _diagnostic(
    documents: Sequence[Document[KindFields]], fault: Fault, last: Kind | None
) -> Diagnostic:
    document, line = place_of_keys(documents, fault.keys)
    message = fault.message
    if last:
        message = Text("{} The last good declaration stays.", message)
    return DiagnosticKind.INVALID_KIND.error(document.path, message, fault.advice, line)
