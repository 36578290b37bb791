"""Page types: what stands at each public path below a locale, declared as values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

from knowledge.diagnostics.messages import Text
from knowledge.fields.content_types import AnyContentType
from knowledge.locales.locale import Language, localized_text

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SHAPE = re.compile(r"(?:/[a-z-]+|/\{(?:slug|city)\})*")


ENTRY, ENTRIES = "entry", "entries"
DOCUMENTATION, DOCUMENTATION_LIST = "documentation", "documentation_list"
"""The forms of the pages of declared kinds: of their documents, and of their lists."""


class SiteText(str):  # noqa: SLOT000  # a `str` with a length has no slots of its own
    """A text of a page type that the site declares, in English if it has it in English."""

    by_language: Mapping[str, str]

    def __new__(cls, by_language: Mapping[str, str]) -> Self:
        """Return the text of these languages."""
        text = str.__new__(cls, localized_text(by_language, Language.EN))
        text.by_language = by_language
        return text

    def say(self, language: Language, values: Mapping[str, object]) -> str:
        """Return the text in a language, else the other one, with its placeholders filled."""
        return filled(localized_text(self.by_language, language), values)


def filled(text: str, values: Mapping[str, object]) -> str:
    """Return a text of a site with its placeholders filled; any other percent sign stays."""
    for name, value in values.items():
        text = text.replace(f"%({name})s", str(value))
    return text


class PageGroup(NamedTuple):
    """A chapter of llms.txt: its place in the file, and its heading in English."""

    order: int
    heading: str


@dataclass(frozen=True, eq=False, kw_only=True)
class PageType:
    """The type of the pages at one path below each locale.

    `path` has the placeholders `{slug}` and `{city}`; a path without placeholders is a list, which
    exists even without a document and needs a `title`. The document is the first one found in
    `content_types`, or `singleton` of `site/`. `parent` is the path of the page above it in the
    breadcrumbs. `group` and `reason` are for llms.txt: “use when …”; a reason may hold
    `%(site)s` and `%(country)s`, and with `%(title)s` it stands on the line of each page, else
    once for all of them. `slug_reasons` are those of single pages. Texts are English and marked
    with `_()` for the translation catalogs.
    """

    name: str
    path: str
    group: PageGroup
    reason: str
    content_types: tuple[AnyContentType, ...] = ()
    singleton: str = ""
    title: str = ""
    parent: str | None = None
    above_parent: str | None = None
    """The path of the page above the parent in the breadcrumbs."""

    slug_reasons: Mapping[str, str] = field(default_factory=dict)
    reason_anywhere: str = ""
    """The reason on a site without countries, if `reason` names the country."""

    index_title: str = ""
    """The title of a list in llms.txt, if it differs from `title`."""

    rank: int = 0
    """The place among the types of a group; types with the same rank are sorted by path."""

    schema_type: str = "WebPage"
    """The schema.org type of the page."""

    slug_schema_types: Mapping[str, str] = field(default_factory=dict)
    """The schema.org types of single pages."""

    is_indexed: bool = True
    """Whether the sitemap lists these pages and search engines may index them."""

    lists: AnyContentType | None = None
    """The content type that a list shows; without any document of it, no map has the list."""

    lists_pages: bool = False
    """Whether the text repeats other pages, so that a text of all pages leaves it out."""

    by_date: bool = False
    """Whether lists sort these pages by date, newest first."""

    needs_posts: int = 0
    """How many posts of its category or tag a locale needs to list a page."""

    kind: str = ""
    """The kind that the site declares, `""` for a built-in one."""

    layout: str = ""
    """How pages of a declared kind look, `""` for the usual way."""

    is_nested: bool = False
    """Whether slugs are paths, as of documents in folders; the list has the slug of its name."""

    versions: tuple[str, ...] = ()
    """The slugs of the folders with the versions of all documents, the newest first."""

    is_dated: bool = False
    """Whether the list of a declared kind has feeds, as its documents have a date."""

    has_calendar: bool = False
    """Whether the list of a declared kind has a calendar, as its documents are events."""

    parameters: tuple[str, ...] = ()
    """The names of the query parameters that select what a list shows; first that of a search."""

    slug_paths: Mapping[str, str] = field(default_factory=dict)
    """The paths of single documents that stand elsewhere, by slug."""

    def __post_init__(self) -> None:
        """Raise ValueError that names the first thing missing."""
        for problem in self._problems():
            raise ValueError(f"The page type “{self.name}” {problem}.")

    def _problems(self) -> Iterator[str]:
        if not _SHAPE.fullmatch(self.path):
            yield f"has the path “{self.path}”: use /words, {{slug}} and {{city}}"
        if self.is_indexed and not self.reason:
            yield "has no reason: say when to read such a page, after “use when”"
        if self.is_list and not self.title:
            yield "is a list without a title: add title=_(…)"
        if self.is_list and self.content_types and not self.singleton:
            yield "is a list of no single document: name the singleton of site/ that it shows"
        if not self.is_list and not self.content_types:
            yield "shows no document: add its content_types"

    def __eq__(self, other: object) -> bool:
        """Compare by name: a site may have a built-in type at another path."""
        return self is other or (isinstance(other, PageType) and other.name == self.name)

    def __hash__(self) -> int:
        """Hash by name."""
        return hash(self.name)

    def __lt__(self, other: PageType) -> bool:
        """Order types by path."""
        return self.path < other.path

    @cached_property
    def is_list(self) -> bool:
        """Whether there is one page of this type, which exists even without a document."""
        return "{" not in self.path

    @cached_property
    def form(self) -> str:
        """The name under which the resource and the look of its pages are declared."""
        if self.layout:
            return DOCUMENTATION_LIST if self.is_list else DOCUMENTATION
        return (ENTRIES if self.is_list else ENTRY) if self.kind else self.name

    @cached_property
    def shares_reason(self) -> bool:
        """Whether the reason names no page, so that llms.txt says it once for all of them."""
        return not self.is_list and "%(title)s" not in self.reason

    @cached_property
    def in_city(self) -> bool:
        """Whether a page shows a document of the whole country as a city's readers see it."""
        return "{city}" in self.path and "{slug}" in self.path

    @cached_property
    def is_direct(self) -> bool:
        """Whether each document of its one content type has exactly one page."""
        return len(self.content_types) == 1 and "{slug}" in self.path and not self.in_city

    @cached_property
    def order(self) -> tuple[PageGroup, int, str]:
        """The sort key of llms.txt and, after the lists, of the sitemap."""
        return self.group, self.rank, self.path

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the paths of this type."""
        characters = "." if self.is_nested else "[^/]"
        return re.compile(_PLACEHOLDER.sub(rf"(?P<\1>{characters}+)", self.path))

    @cached_property
    def specificity(self) -> tuple[bool, ...]:
        """The sort key for matching: words come before placeholders."""
        return tuple(segment.startswith("{") for segment in self.path.split("/"))


def _shape(path: str) -> str:
    """Return a path with the same name for all placeholders."""
    return _PLACEHOLDER.sub("{}", path)


class PageTypes:
    """All page types; two types may not contradict each other."""

    def __init__(self, pages: Iterable[PageType] = ()) -> None:
        self.all: tuple[PageType, ...] = ()
        """All types in the order in which a path is matched: words before placeholders."""
        self.hidden: tuple[PageType, ...] = ()
        """The types of which the site has no page."""
        self.by_content_type: dict[AnyContentType, PageType] = {}
        """The type of the pages that show the documents of a content type."""
        self.lists: dict[AnyContentType, PageType] = {}
        """The type of the page that lists the documents of a content type."""
        self._by_name: dict[str, PageType] = {}
        self._by_path: dict[str, tuple[PageType, str]] = {}
        for page in pages:
            self.declare(page)

    def declare(self, page: PageType) -> PageType:
        """Add a type and return it; raises ValueError if it contradicts another one."""
        for other in self.all:
            if other.name == page.name:
                raise ValueError(f"Two page types have the name “{page.name}”: rename one.")
            paths = {*map(_shape, (other.path, *other.slug_paths.values()))}
            for path in map(_shape, (page.path, *page.slug_paths.values())):
                if path in paths:
                    problem = Text("The path {} has two page types: {} has it.", path, other.name)
                    raise ValueError(problem)
        for content_type in page.content_types if not page.is_list and not page.in_city else ():
            other = self.by_content_type.setdefault(content_type, page)
            if other is not page:
                message = f"Documents of {content_type}/ have two page types: {other.name} and "
                raise ValueError(f"{message}{page.name}. Remove the type from one of them.")
        self.all = tuple(sorted((*self.all, page), key=lambda each: each.specificity))
        if page.lists is not None:
            self.lists.setdefault(page.lists, page)
        self._by_name[page.name] = page
        self._by_path |= {path: (page, slug) for slug, path in page.slug_paths.items()}
        return page

    def without(self, hidden: Collection[PageType]) -> PageTypes:
        """Return these types for a site that has no page of some; `own` still knows those."""
        shown = copy(self)
        shown.all = tuple(page for page in self.all if page not in hidden)
        shown.hidden = tuple(page for page in self.all if page in hidden)
        return shown

    def own(self, page: PageType) -> PageType:
        """Return a built-in type as the site has it."""
        return self._by_name[page.name]

    def at(self, path: str) -> tuple[PageType, Mapping[str, str]] | None:
        """Return the type of a path below a locale, with its slug and city; None without one."""
        trimmed = path.rstrip("/")
        if trimmed in self._by_path:
            page, slug = self._by_path[trimmed]
            return page, {"slug": slug}
        for page in self.all:
            match = page.pattern.fullmatch(trimmed)
            if match and not (page.is_nested and match["slug"] == page.kind):
                values = match.groupdict()
                return None if values.get("slug") in page.slug_paths else (page, values)
        return None

    @property
    def listed(self) -> list[PageType]:
        """The types of pages that the sitemap lists, in its order: single pages first."""
        listed = (page for page in self.all if page.is_indexed)
        return sorted(listed, key=lambda page: (not page.is_list, page.order))


PAGE_TYPES = PageTypes()
"""The page types of the service; `knowledge.resources.declarations` completes them."""
