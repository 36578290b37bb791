"""Placement: where documents of a source stand in a content folder, and their old addresses.

A pattern is a path with tokens: `:folders` (of the file below its tree), `:name` (the slug or the
file's name), `:year`, `:month`, `:day` and others of Hugo and Jekyll.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from urllib.parse import urlsplit

from app.operations.importing.document import SourceDocument, tag_of
from app.operations.importing.old_site import folded, old_pages, page_at
from app.operations.importing.source import (
    DOCS,
    DOCUMENTATION,
    PAGES,
    POSTS,
    Metadata,
    SiteConfiguration,
    Source,
    Tree,
)
from knowledge.documents.content_path import (
    ContentPath,
    Places,
    nested_slug,
    parse_content_path,
    split_date,
)
from knowledge.fields.field_types import ValidationContext
from knowledge.fields.kind_fields import KindFields
from knowledge.fields.kinds import BUILT_IN_KINDS, made_kind
from knowledge.locales.locale import Language
from knowledge.markdown.slugs import slugify
from knowledge.snapshot.snapshot import reserved_slugs


@dataclass(frozen=True, slots=True)
class Placement:
    """A text, its path in the content folder, and the address of its page without a locale."""

    document: SourceDocument
    path: str
    address: str
    slug: str = ""
    """The slug to set in its front matter; `""` if the path or the text itself gives it."""

    is_renamed: bool = False
    """Whether it has another name, as another text has its slug."""

    language: str = ""
    """The language of its text."""

    needs_language: bool = False
    """Whether neither its path nor its front matter states the language."""


def new_addresses(
    placements: Sequence[Placement], source: Source, built: Path | None
) -> dict[str, str]:
    """Return the new address of each address at which the source's site had a text."""
    addresses: dict[str, str] = {}
    found = _found_addresses(placements, source, built) if built else {}
    fallbacks: dict[str, str] = {}
    configuration = source.configuration
    base = urlsplit(configuration.base_url).path.rstrip("/")
    main = configuration.language
    others = {each.document.tree.language for each in placements} - {"", main}
    for placement in placements:
        new = in_language(placement.address, placement.language, main)
        for further in source.former(placement.document.file):
            addresses.setdefault(further, new)
        former = former_address(placement.document, configuration)
        if former:
            for start in {"", base}:  # links in texts have it without the base
                addresses.setdefault(start + former, new)
                if configuration.has_fallbacks and placement.document.tree.language in ("", main):
                    rest = former.removeprefix(f"/{main}") if main else former
                    for other in others:
                        shown = in_language(placement.address, other, main)
                        fallbacks[f"{start}/{other}{rest}"] = shown
    root = {f"{base}/": start_address(placements)} if base else {}
    return root | found | fallbacks | addresses


def start_address(placements: Iterable[Placement]) -> str:
    """Return the address of the first page: that of documentation, if there is one."""
    return next((each.address for each in placements if each.address == f"/{DOCS}"), "/")


def _found_addresses(
    placements: Sequence[Placement], source: Source, built: Path
) -> dict[str, str]:
    """Return the new address of each page of a built site that no rule explains.

    A program may compute it. It is that of the text with its heading, if there is one such page,
    and one such text without a page by the rules; or one of each in their language.
    """
    texts: dict[tuple[str, str], list[str]] = defaultdict(list)
    pages: dict[tuple[str, str], list[str]] = defaultdict(list)
    main = source.configuration.language
    for each in placements:
        document = each.document
        known = (former_address(document, source.configuration), *source.former(document.file))
        if not any(page_at(built, path) for path in known if path):
            new = in_language(each.address, each.language, main)
            for language in {"", each.language.lower().partition("-")[0]}:
                texts[folded(document.title or document.heading), language].append(new)
    for address, page in old_pages(built) if texts else ():
        if page is not None:
            for language in {"", page.language}:
                pages[page.heading, language].append(address)
    return {
        addresses[0]: texts[key][0]
        for key, addresses in pages.items()
        if len(addresses) == 1 == len(texts.get(key, ()))
    }


def in_language(address: str, language: str, site_language: str) -> str:
    """Return the address of a page, with its language if that is not the main one.

    >>> in_language("/blog", "ar", "en"), in_language("/blog", "fa", "en")
    ('/ar/blog', '/blog')
    """
    own = Language.parse(language)
    is_main = own in (None, Language.parse(site_language) or Language.EN)
    return address if is_main else f"/{own}{address}"


def former_address(document: SourceDocument, configuration: SiteConfiguration) -> str | None:
    """Return the address by the generator's rules; None if front matter has one, which is read."""
    if document.permalink:
        return None
    own, inherited = document.own, document.inherited
    permalink = own.get("permalink") or own.get("url") or inherited.get("permalink")
    pattern: str | None = document.tree.address
    slug = document.fields.get("slug")
    if isinstance(slug, str) and document.tree.slug_address:
        pattern = document.tree.slug_address
        pattern = pattern.replace(":folders/", "") if slug.startswith("/") else pattern
    if isinstance(permalink, str):
        pattern = configuration.pattern(permalink)
    if not pattern:
        return None
    if document.is_index and not permalink:
        pattern = pattern.replace("/:name.html", "/:name/")
    former = old_address(document, pattern)
    address = former and address_prefix(document, configuration) + configuration.as_address(former)
    return None if address == "/" else address


def address_prefix(document: SourceDocument, configuration: SiteConfiguration) -> str:
    """Return the language with which the address of a text begins, if its tree does not say it."""
    has_prefix = configuration.has_language_prefixes
    language = document.stated_language if has_prefix else document.name_language
    is_main = document.tree.language or language in ("", configuration.language)
    return "" if is_main else f"/{language}"


def place(
    documents: Iterable[SourceDocument], language: str, kinds: Mapping[str, Metadata]
) -> list[Placement]:
    """Place texts; `language` is that of the site, whose texts get their names first."""
    places = _Places(language, kinds)
    main = ("", language or Language.EN)

    def rank(document: SourceDocument) -> tuple[bool, bool]:
        return document.stated_language not in main, not document.is_start

    ordered = sorted(documents, key=rank)
    return [places.placement(document) for document in ordered]


_Identity = tuple[str, ...]
"""The folders and the name of a text, which its translations share."""


class _Places:
    """The names that texts have: each slug belongs to one text and its translations."""

    def __init__(self, language: str, kinds: Mapping[str, Metadata]) -> None:
        self._language = language
        self._parsed = _parser({DOCS: DOCUMENTATION, **kinds})
        self._owners: dict[tuple[str, str], _Identity] = {}
        self._slugs: dict[tuple[str, _Identity], str] = {}
        self._used: set[tuple[object, ...]] = set()
        self._reserved = reserved_slugs(has_countries=False)

    def placement(self, document: SourceDocument) -> Placement:
        path = _path(document, self._language)
        parsed = self._parsed(path)
        tree = document.tree
        if tree.target == DOCS:
            return self._in_folders(document, path, parsed)
        folders = document.shared_folders
        identity = (tree.subfolder, *folders, document.file_name, _foreign(document))
        own = document.fields.get("slug")
        chosen = slugify(own.rstrip("/").rpartition("/")[2]) if isinstance(own, str) else ""
        name = (slugify(document.file_name) if tree.is_numbered else "") or parsed.slug
        slug = self._slug(document, parsed, chosen or name or "page", identity)
        is_renamed = slug not in (chosen, name)
        if parsed.slug != slug and (is_renamed or not self._is_free(parsed, parsed.slug, identity)):
            path = _renamed(path, slug)
        final = self._parsed(path)
        for each in {slug, final.slug}:
            self._owners.setdefault((tree.target, each), identity)
            self._used.add((tree.target, each, final.layer))
        key = slug if slug not in (chosen, "" if chosen else final.slug) else ""
        language = document.language(self._language)
        above = {POSTS: "/blog", PAGES: ""}.get(tree.target, f"/{tree.target}")
        address = f"{above}/{slug}"
        needs = _needs_language(document, final, language, self._language)
        return Placement(document, path, address, key, is_renamed, language, needs)

    def _in_folders(self, document: SourceDocument, path: str, parsed: ContentPath) -> Placement:
        """Return the placement of a text whose slug has those of its folders."""
        wanted = _nested(document)
        wanted = parsed.slug if wanted == DOCS and not document.is_start else wanted
        names = chain([wanted], (f"{wanted}-{number}" for number in count(2)))
        slug = next(each for each in names if (DOCS, each, parsed.layer) not in self._used)
        self._used.add((DOCS, slug, parsed.layer))
        key = "" if slug == parsed.slug else f"/{slug}"
        address = f"/{DOCS}" if slug == DOCS else f"/{DOCS}/{slug}"
        language = document.language(self._language)
        needs = _needs_language(document, parsed, language, self._language)
        return Placement(document, path, address, key, slug != wanted, language, needs)

    def _slug(
        self, document: SourceDocument, parsed: ContentPath, slug: str, identity: _Identity
    ) -> str:
        """Return a slug that no other text has: its own, or one that begins with its folders."""
        owner = (document.tree.target, identity)
        known = self._slugs.get(owner)
        for candidate in chain([known] if known else [], _candidates(document, slug)):
            if document.tree.target == PAGES and candidate in self._reserved:
                continue
            if self._is_free(parsed, candidate, identity):
                break
        self._slugs.setdefault(owner, candidate)
        return candidate

    def _is_free(self, parsed: ContentPath, slug: str, identity: _Identity) -> bool:
        folder = parsed.kind.folder
        if (folder, slug, parsed.layer) in self._used:
            return False
        return self._owners.get((folder, slug), identity) == identity


def _foreign(document: SourceDocument) -> str:
    """Return the language of a text that is no layer, as the service does not have it."""
    stated = document.stated_language
    return "" if not stated or Language.parse(stated) else stated


def _nested(document: SourceDocument) -> str:
    """Return the slug of a text of documentation: that of its front matter, else of its path."""
    own, foreign = document.fields.get("slug"), _foreign(document)
    name = own if isinstance(own, str) and own else document.file_name
    inner = () if "/" in name else document.shared_folders
    own_folders = (*document.tree.subfolder.split("/"), *inner)
    folders = tuple(filter(None, own_folders))
    slug = nested_slug(*folders, *name.split("/")) or DOCS
    return nested_slug(*foreign.split(), *slug.split("/")) if foreign else slug


def _needs_language(
    document: SourceDocument, parsed: ContentPath, language: str, site_language: str
) -> bool:
    """Return whether the language of a text has to be written into it."""
    tag = tag_of(language)
    if tag is None or document.own.get("lang") == tag:
        return False
    if isinstance(tag, Language):
        stated = parsed.layer.language or Language.parse(site_language)
        # English is the language of texts without another one
        return tag is not (stated or Language.EN)
    return tag != parsed.other_language


def _parser(kinds: Mapping[str, Metadata]) -> Callable[[str], ContentPath]:
    """Return what reads the names of files where these kinds are declared."""
    context = ValidationContext(Language.EN)
    made = [made_kind(name, KindFields.parse(each, context)) for name, each in kinds.items()]
    places = Places(kinds=BUILT_IN_KINDS.with_kinds(made))

    def parsed(path: str) -> ContentPath:
        found = parse_content_path(path, places)
        if found is None:
            raise ValueError(f"{path} is not in a folder of documents")
        return found

    return parsed


def _renamed(path: str, slug: str) -> str:
    """Return a path with another file name; a language of the service and the extension stay."""
    folder, _, name = path.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    language = stem.rpartition(".")[2]
    suffix = f".{language}" if "." in stem and Language.parse(language) else ""
    rest, date = split_date(stem) if path.startswith(f"{POSTS}/") else (stem, None)
    dated = stem.removesuffix(rest) if date else ""
    return f"{folder}/{dated}{slug}{suffix}{dot}{extension}"


def _path(document: SourceDocument, language: str) -> str:
    tree = document.tree
    name = document.path.name
    own = Language.parse(document.folder_language)
    if own not in (None, Language.parse(language) or Language.EN):
        name = f"{document.path.stem}.{own}{document.path.suffix}"
    rest = name.partition(".")[2]
    if document.given_name:
        name = f"{document.given_name}.{rest}"
    elif document.is_index:
        # the page of a folder `docs` would be the start of the documentation
        is_second = tree.target == DOCS and not document.is_start and _nested(document) == DOCS
        name = f"{DOCS if is_second else 'index'}.{rest}"
    # without the first characters that hide a folder or a file
    parts = () if document.given_name else document.path.parent.parts
    folders = (part.lstrip("_.") or "folder" for part in parts)
    return "/".join((*folder_of(tree, language), *folders, name.lstrip("_.") or "page.md"))


def folder_of(tree: Tree, language: str) -> Sequence[str]:
    """Return the folders of the content folder in which the files of a tree are written."""
    own = [tree.language] if tree.language not in ("", language) else []
    subfolders = tree.subfolder.split("/") if tree.subfolder else []
    return [tree.target, *own, *(part.lstrip("_.") or "folder" for part in subfolders)]


def _candidates(document: SourceDocument, slug: str) -> Iterator[str]:
    """Yield slugs: with more and more of the folders, then with a number.

    A text in a language that the service does not have is no layer: its slug names the language.
    """
    tree = document.tree
    folders = [*tree.subfolder.split("/"), *document.folders]
    language = [] if Language.parse(tree.language) else [tree.language]
    for start in range(len(folders), -1, -1):
        yield slugify("-".join((*language, *folders[start:], slug)))
    foreign = _foreign(document)
    if foreign and not tree.language and not slug.endswith(f"-{foreign}"):
        yield slugify(f"{slug}-{foreign}")
    for number in count(2):
        yield slugify("-".join((*language, slug, str(number))))


_TOKEN = re.compile(r":([a-z_]+)(?:\[[^][]*\])?")
_SLASHES = re.compile(r"/{2,}")
_NOT_IN_TITLES = re.compile(
    r"[^\w.~!$&'()+,;=@\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670]+"
)
"""What is replaced in the `:title` of Jekyll."""


def old_address(document: SourceDocument, pattern: str) -> str | None:
    """Return the address of a text by its tree's pattern; None if a token has no value."""
    values = _values(document)
    path = pattern
    for match in _TOKEN.finditer(pattern):
        value = values.get(match[1])
        if value is None:
            return None
        path = path.replace(match[0], value, 1)
    return _SLASHES.sub("/", f"/{path}")


def _values(document: SourceDocument) -> Mapping[str, str]:
    date = document.date
    section = document.folders[0] if document.folders else ""
    name, full = document.name, document.full_name
    if document.given_name == "home":  # a name that it has only here
        name = full = ""
    slug = document.fields.get("slug")
    own_slug = slug.strip("/") if isinstance(slug, str) else ""
    titled = slugify(document.title) or name
    own = {
        **dict.fromkeys(("name", "basename"), name),
        **dict.fromkeys(("title", "slug"), _NOT_IN_TITLES.sub("-", name).strip("-")),
        **dict.fromkeys(("filename", "contentbasename"), full),
        **dict.fromkeys(("slugorfilename", "slugorcontentbasename"), own_slug or full),
        **dict.fromkeys(("folders", "sections", "path"), "/".join(document.folders)),
        "titleslug": titled,
        "slugortitle": own_slug or titled,
        "collection": document.tree.subfolder,
        "section": section,
        "categories": "/".join(document.categories),
        "output_ext": ".html",
    }
    if date is None:
        return own
    return own | {
        "year": f"{date:%Y}",
        "short_year": f"{date:%y}",
        "month": f"{date:%m}",
        "monthname": f"{date:%B}".lower(),
        "i_month": str(date.month),
        "day": f"{date:%d}",
        "i_day": str(date.day),
        "y_day": f"{date:%j}",
        "yearday": str(int(f"{date:%j}")),
    }
