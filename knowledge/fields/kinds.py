"""Kinds of documents that a site declares: each with its content type and its page types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from weakref import WeakValueDictionary

from pydantic.alias_generators import to_snake

from knowledge.diagnostics.messages import Text
from knowledge.fields.content_types import (
    CONTENT_TYPES,
    KIND,
    AnyContentType,
    ContentTypes,
    kind_type,
    with_fields,
)
from knowledge.fields.front_matter import Common
from knowledge.fields.kind_fields import FieldDeclaration, KindFields
from knowledge.fields.merging import merge
from knowledge.fields.moments import Span
from knowledge.fields.own_fields import OwnField, declared_fields
from knowledge.fields.page_type import PAGE_TYPES, PageGroup, PageType, PageTypes, SiteText

_AFTER_PRODUCTS = 45
"""The place of the chapters of declared kinds in llms.txt."""

_CITY = "/cities/{city}"
_WORD = re.compile("[a-z0-9]+")
_USE_WHEN = {"en": "the question is about “%(title)s”", "ar": "يكون السؤال عن «%(title)s»"}
USE_LIST_WHEN = {
    "en": "you need an overview: %(title)s",
    "ar": "تريد نظرة عامة على «%(title)s»",
}
"""When to read the list of a kind that a site names, after “use when”."""

PAGE_PARAMETER, SORT_PARAMETER = RESERVED_PARAMETERS = ("page", "sort")
"""The parameters of a list besides those of its filters."""


def moved_path(path: str, moves: Mapping[str, str]) -> str:
    """Return the path that a path has after moves of what is above it; the longest one counts.

    >>> moved_path("/blog/tag/vat", {"/blog": "/news"}), moved_path("/blogs", {"/blog": "/news"})
    ('/news/tag/vat', '/blogs')
    """
    above = [old for old in moves if path == old or path.startswith(f"{old}/")]
    old = max(above, key=len, default="")
    return moves[old] + path[len(old) :] if old else path


def base_path(content_type: AnyContentType) -> str | None:
    """Return the path below which a built-in kind has its pages; None if it cannot move."""
    page = PAGE_TYPES.by_content_type.get(content_type)
    if page is not None:
        return page.path.rpartition("/")[0] or None
    listed = PAGE_TYPES.lists.get(content_type)
    return listed.path if listed else None


def _adapted(
    page: PageType, changed: Mapping[str, Kind], moves: Mapping[str, str], own: frozenset[str]
) -> PageType:
    """Return a built-in page type as a site declares the kinds at and above its path.

    `changed` are kinds by the paths of their lists.
    """
    if page.path == "/{slug}":
        return _with_overviews(page, moves, own)
    adapted = _moved(page, moves)
    for base, kind in changed.items():
        if f"{page.path}/".startswith(f"{base}/"):
            adapted = _declared(adapted, kind)
    return adapted


def _moved(page: PageType, moves: Mapping[str, str]) -> PageType:
    return replace(
        page,
        path=moved_path(page.path, moves),
        parent=page.parent and moved_path(page.parent, moves),
        above_parent=page.above_parent and moved_path(page.above_parent, moves),
    )


def _declared(page: PageType, kind: Kind) -> PageType:
    """Return a page type with what a site declares besides names, which are interface texts."""
    declared, has_pages = kind.declared, kind.content_type in PAGE_TYPES.by_content_type
    if declared.chapter:
        page = replace(page, group=PageGroup(page.group.order, SiteText(declared.chapter)))
    if declared.parent and page.lists == kind.content_type:
        page = replace(page, parent=declared.parent)
    elif declared.parent and kind.content_type in page.content_types:
        page = replace(page, above_parent=declared.parent)
    shown = page.content_types if has_pages else (page.lists,)
    if declared.use_when and kind.content_type in shown:
        page = replace(page, reason=SiteText(declared.use_when))
    return page


def _with_overviews(page: PageType, moves: Mapping[str, str], own: frozenset[str]) -> PageType:
    """Return the type of content pages, of which some stand above the documents of a kind."""
    lists = {each.path for each in PAGE_TYPES.all if each.is_list}
    above = [path for path in moves if path not in lists and path.count("/") == 1]
    types = {moves[path][1:]: page.slug_schema_types[path[1:]] for path in above}
    return replace(
        page,
        slug_paths={path[1:]: moves[path] for path in above if moves[path] not in own},
        slug_schema_types={**page.slug_schema_types, **types},
    )


@dataclass(frozen=True, eq=False)
class Kind:
    """One declared kind, or the further fields of a built-in one, which has no pages here."""

    name: str
    declared: KindFields
    content_type: AnyContentType
    page: PageType | None = None
    list_page: PageType | None = None
    city_page: PageType | None = None

    @property
    def fields(self) -> tuple[OwnField, ...]:
        """The declared fields, in their order."""
        return declared_fields(self.declared)

    @property
    def filters(self) -> tuple[OwnField, ...]:
        """The fields by which visitors filter the list."""
        return tuple(each for each in self.fields if each.declaration.filter)

    @property
    def sorts(self) -> tuple[OwnField, ...]:
        """The fields by which visitors sort the list."""
        return tuple(each for each in self.fields if each.declaration.sort)

    @property
    def sort(self) -> tuple[str, bool]:
        """The attribute by which lists are sorted, `""` for none, and whether the last is first."""
        key = self.declared.sort or ""
        return to_snake(key.removeprefix("-")), key.startswith("-")

    @property
    def date(self) -> str:
        """The attribute with the date of a document, `""` without one."""
        return to_snake(self.declared.date or "")

    @property
    def has_calendar(self) -> bool:
        """Whether documents are events."""
        return self.declared.has_calendar

    @property
    def group(self) -> OwnField | None:
        """The field by which the list and its menu are grouped."""
        return next((each for each in self.fields if each.key == self.declared.group_by), None)

    @property
    def location(self) -> OwnField | None:
        """The field with the place of an event: that of schema.org, else the first place."""
        places = [each for each in self.fields if each.type in ("place", "address")]
        named = (each for each in self.fields if each.declaration.schema_property == "location")
        return next(named, places[0] if places else None)

    @property
    def schema_type(self) -> str:
        """The type of schema.org that a document describes, `""` for none."""
        return self.declared.schema_type or ("Event" if self.has_calendar else "")

    def dates(self, fields: Common) -> tuple[datetime | None, ...]:
        """Return the date of a document and, if its kind has one, the end."""
        keys = (self.declared.date, self.declared.end_date)
        return tuple(getattr(fields, to_snake(key)) for key in keys if key)

    def span(self, fields: Common) -> Span | None:
        """Return when a document takes place; None if it is no event, or has no date."""
        if not self.has_calendar:
            return None
        starts_at, *ends_at = self.dates(fields)
        return Span(starts_at, *ends_at) if starts_at else None


@dataclass(frozen=True, eq=False)
class SiteKinds:
    """The content types and page types of one site: the built-in ones, and what it declares."""

    by_name: Mapping[str, Kind] = field(default_factory=dict)
    content_types: ContentTypes = CONTENT_TYPES
    page_types: PageTypes = PAGE_TYPES
    moves: Mapping[str, str] = field(default_factory=dict)
    """The present paths of lists by their former ones."""

    own_lists: frozenset[str] = frozenset()
    """The paths of moved kinds at which the site has a page of its own."""

    absent: frozenset[AnyContentType] = frozenset()
    """The built-in kinds that the site does not have."""

    _without: dict[frozenset[AnyContentType], SiteKinds] = field(default_factory=dict, repr=False)

    def without(self, absent: frozenset[AnyContentType]) -> SiteKinds:
        """Return the kinds of a site that has none of these built-in ones, nor their pages.

        Equal sites get the same object, by which loads are compared.
        """
        if not absent:
            return self
        if absent not in self._without:
            bases = tuple(f"{base_path(kind)}/" for kind in absent)
            hidden = {
                page
                for page in self.page_types.all
                if f"{page.path}/".startswith(bases) and (page.in_city or not page.kind)
            }
            pages = self.page_types.without(hidden)
            self._without[absent] = replace(self, page_types=pages, absent=absent, _without={})
        return self._without[absent]

    @cached_property
    def declared(self) -> tuple[Kind, ...]:
        """The kinds that are not built in."""
        return tuple(kind for kind in self.by_name.values() if kind.page)

    def has_target(self, field: FieldDeclaration) -> bool:
        """Return whether a field refers to no kind that the site has not."""
        return all(field.to != kind.folder for kind in self.absent)

    def built_in(self, content_type: AnyContentType) -> Kind:
        """Return a built-in kind with what the site declares of it."""
        own, built_in = self.by_name.get(content_type.folder), content_type.declared or KindFields()
        fields = {
            key: each for key, each in (built_in.fields or {}).items() if self.has_target(each)
        }
        declared = replace(built_in, fields=fields)
        if own is not None:
            content_type, declared = own.content_type, merge((declared, own.declared))
        return Kind(content_type.folder, declared, content_type)

    @cached_property
    def renamed(self) -> Mapping[str, KindFields]:
        """The names of built-in kinds that the site calls otherwise, by folder."""
        kinds = self.by_name.values()
        return {
            each.name: each.declared for each in kinds if not each.page and each.declared.plural
        }

    @cached_property
    def version(self) -> str:
        """The names on which texts of pages depend besides the documents; `""` without any."""
        names = sorted((name, each.plural) for name, each in self.renamed.items())
        return repr(names) if names else ""

    def present_path(self, path: str) -> str | None:
        """Return the present path of a page by its former one; None if its kind did not move."""
        found = moved_path(path, self.moves)
        return None if found == path else found

    def listed_at(self, path: str) -> AnyContentType | None:
        """Return the built-in type whose documents stand below a page that is no list."""
        return self._overviews.get(path)

    @cached_property
    def _overviews(self) -> Mapping[str, AnyContentType]:
        lists = {page.path for page in self.page_types.all if page.is_list}
        paths = {moved_path(base_path(kind) or "", self.moves): kind for kind in CONTENT_TYPES}
        return {path: kind for path, kind in paths.items() if path and path not in lists}

    def with_kinds(self, kinds: Iterable[Kind], own: frozenset[str] = frozenset()) -> SiteKinds:
        """Return the built-in types with these kinds; raises ValueError if two contradict.

        `own` are the paths of moved kinds at which the site has a page of its own.
        """
        by_name = {kind.name: kind for kind in kinds}
        types = CONTENT_TYPES.extended(kind.content_type for kind in by_name.values())
        bases = {base_path(kind.content_type): kind for kind in by_name.values() if not kind.page}
        changed = {base: kind for base, kind in bases.items() if base}
        paths = {base: kind.declared.path for base, kind in changed.items()}
        moves = {base: path for base, path in paths.items() if path and base != path}
        pages = PageTypes(
            _adapted(page, changed, moves, own) if changed else page for page in PAGE_TYPES.all
        )
        for kind in by_name.values():
            in_city = kind.city_page and _moved(kind.city_page, moves)
            for page in (kind.list_page, kind.page, in_city):
                if page is not None:
                    pages.declare(page)
        if sum(each.has_root for each in types) > 1:
            message = Text("folder: two kinds have the files of the content folder itself")
            raise ValueError(message)
        former = {
            alias.rstrip("/"): kind.declared.path or base_path(kind.content_type) or f"/{kind.name}"
            for kind in by_name.values()
            for alias in kind.declared.aliases or ()
        }
        return SiteKinds(by_name, types, pages, {**former, **moves}, own)


BUILT_IN_KINDS = SiteKinds()
"""The kinds of a site that declares none."""


_MADE: WeakValueDictionary[tuple[str, str], Kind] = WeakValueDictionary()
"""The kinds in use, by name and version: equal declarations are one kind."""


def made_kind(name: str, declared: KindFields) -> Kind:
    """Return the kind of a declaration without faults."""
    version = blake2b(repr(declared).encode(), digest_size=8).hexdigest()
    kind = _MADE.get((name, version))
    if kind is None:
        kind = _MADE[name, version] = _made(name, declared, version)
    return kind


def declared_type(key: str) -> AnyContentType:
    """Return a content type in use by what `type_key` says; raises KeyError for another one."""
    name, _, version = key.partition("@")
    return _MADE[name, version].content_type if version else CONTENT_TYPES.named(name)


def type_key(content_type: AnyContentType) -> str:
    """Return the folder of a content type, with the version of its declaration."""
    version = content_type.declaration
    return f"{content_type}@{version}" if version else str(content_type)


def _made(name: str, declared: KindFields, version: str) -> Kind:
    built_in = CONTENT_TYPES.of_folder(name)
    if built_in is not None:
        return Kind(name, declared, with_fields(built_in, declared, version))
    english = (declared.singular or {}).get("en", "").lower()
    singular = "-".join(_WORD.findall(english)) or name
    if singular in {each.singular for each in CONTENT_TYPES}:
        singular = name
    content_type = kind_type(
        name,
        singular,
        declared,
        version,
        has_dated_names=bool(declared.date),
        is_nested=bool(declared.nested),
        has_root=declared.folder is not None,
    )
    return Kind(name, declared, content_type, *_pages(name, declared, content_type))


def _pages(
    name: str, declared: KindFields, content_type: AnyContentType
) -> tuple[PageType, PageType, PageType]:
    """Return the types of the pages of the documents, of their list, and of those in a city."""
    path, plural = declared.path or f"/{name}", SiteText(declared.plural or {})
    group = PageGroup(_AFTER_PRODUCTS, SiteText(declared.chapter or declared.plural or {}))
    page = PageType(
        name=name,
        path=f"{path}/{{slug}}",
        content_types=(content_type,),
        parent=path,
        above_parent=declared.parent,
        group=group,
        reason=SiteText(declared.use_when or _USE_WHEN),
        rank=1,
        by_date=bool(declared.date),
        is_nested=bool(declared.nested),
        layout=declared.layout or "",
        versions=tuple("-".join(_WORD.findall(each.lower())) for each in declared.versions or ()),
        kind=name,
    )
    fields = declared_fields(declared)
    filters = chain.from_iterable(each.parameters for each in fields if each.declaration.filter)
    sorts = (SORT_PARAMETER,) if any(each.declaration.sort for each in fields) else ()
    list_page = PageType(
        name=f"{name}-list",
        path=path,
        content_types=(content_type, KIND) if declared.nested else (KIND,),
        singleton=name,
        title=plural,
        parent=declared.parent,
        group=group,
        reason=SiteText(USE_LIST_WHEN),
        schema_type="CollectionPage",
        lists=content_type,
        lists_pages=True,
        parameters=(*filters, *sorts, PAGE_PARAMETER),
        is_dated=bool(declared.date),
        has_calendar=declared.has_calendar,
        layout=declared.layout or "",
        kind=name,
    )
    city_page = replace(
        page,
        name=f"{name}-city",
        path=f"{_CITY}{page.path}",
        parent=_CITY,
        above_parent=None,
        rank=2,
    )
    return page, list_page, city_page
