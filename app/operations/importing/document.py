"""The texts of a source: place, front matter, language and date of each; and folders of posts.

A folder most of whose texts have a date is one of posts, at any depth.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from functools import cache, cached_property
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, NamedTuple

from app.operations.importing.source import (
    DOCS,
    PAGES,
    POST_FOLDERS,
    POSTS,
    Source,
    Tree,
    is_language,
)
from knowledge.addresses.link_index import INDEX_NAMES
from knowledge.diagnostics.diagnostic import ContentFileError, DiagnosticKind
from knowledge.documents import front_matter
from knowledge.documents.body import count_words
from knowledge.documents.content_path import split_date
from knowledge.documents.files import SourceFile, read_document
from knowledge.documents.publication import Publication, Verdict
from knowledge.fields.content_types import CONTENT_TYPES, PAGE, AnyContentType
from knowledge.fields.moments import AmbiguousMoment, parse_moment
from knowledge.locales.cldr import language_of_script
from knowledge.locales.locale import Language, OtherLanguage
from knowledge.markdown.generator_syntax import read_syntax
from knowledge.markdown.raw_html import text_of
from knowledge.markdown.slugs import slugify

Metadata = Mapping[str, object]

_DAY_IN_PATH = re.compile(r"(?:^|/)(\d{4})/(\d{1,2})/(\d{1,2})(?:/|$)")
_NUMBERED = re.compile(r"(?<!\d)\d+[-_.]\s*(?=\D)")
_TAG = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_LANGUAGE_KEYS = ("lang", "language", "locale")
_HEADING = re.compile(r"^# +(.+)$", re.MULTILINE)
_OPENING = 2_000
_CODE_LETTERS = 2
_ARABIC_SHARE = 0.5


@dataclass(frozen=True)
class SourceDocument:
    """A text of a source. `path` is relative to the tree's folder."""

    tree: Tree
    path: PurePosixPath
    own: Metadata
    """Its front matter as written."""

    inherited: Metadata = field(default_factory=dict)
    """What its folder or the configuration says about it, unless its front matter does."""

    opening: str = ""
    """The first characters of its body; a large site is not held in memory."""

    written: str | None = None
    """Its text, if it is another one than that of the file."""

    given_name: str = ""
    """The name that it gets, as the home page has none of its own."""

    withheld_by: str = ""
    """Why the generator does not publish it, apart from its front matter."""

    has_double_keys: bool = False
    """Whether its front matter had a key twice."""

    languages: Collection[str] = ()
    """The languages that the configuration names, of which one may end the name of a file."""

    folder_language: str = ""
    """The name of a folder of translations below that of its tree."""

    @property
    def text(self) -> str:
        """Its front matter and body."""
        if self.written is not None:
            return self.written
        text = read_document(self.tree.folder, self.path.as_posix()).text
        return with_last_keys(text) if self.has_double_keys else text

    @property
    def body(self) -> str:
        """Its text without front matter."""
        return front_matter.parse_or_body(SourceFile(self.path.name, self.text)).body

    def rewritten(self, text: str) -> SourceDocument:
        """Return the document with another text."""
        document = replace(self, written=text)
        return replace(document, opening=document.body[:_OPENING])

    @property
    def kind(self) -> AnyContentType:
        """The type of document that it becomes."""
        return CONTENT_TYPES.of_folder(self.tree.target) or PAGE

    @property
    def metadata(self) -> Metadata:
        """Its front matter with what it inherits."""
        return {**self.inherited, **self.own}

    @cached_property
    def fields(self) -> Mapping[str, Any]:
        """Its front matter by our keys."""
        return front_matter.normalize_keys(self.kind, self.metadata)[0]

    @cached_property
    def publication(self) -> Publication:
        """What its front matter says about its publication."""
        return front_matter.publication(self.kind, self.metadata)

    @property
    def permalink(self) -> str:
        """The address that its front matter states, `""` if it has none or a template."""
        values = (self.own.get(key) for key in ("permalink", "url"))
        return next((each for each in values if isinstance(each, str) and "{{" not in each), "")

    @property
    def is_index(self) -> bool:
        """Whether the file is the page of its folder."""
        return slugify(self.path.name.partition(".")[0]) in INDEX_NAMES

    @property
    def is_start(self) -> bool:
        """Whether the file is the page of its tree."""
        return self.is_index and self.path.parent == PurePosixPath()

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the page's address."""
        parts = self.path.parent.parts
        return tuple(map(self._unnumbered, parts[:-1] if self.is_index else parts))

    @property
    def shared_folders(self) -> tuple[str, ...]:
        """The folders without that of its language, as its translations have them."""
        return tuple(each for each in self.folders if each != self.folder_language)

    @property
    def name(self) -> str:
        """The last part of the page's address; `""` for the page of the tree itself."""
        slug = self.fields.get("slug")
        return slug.strip("/") if isinstance(slug, str) and slug.strip() else self.file_name

    @property
    def file_name(self) -> str:
        """The name of the file or, of an index file, its folder, without suffixes.

        The date at its beginning is part of the name of a page, and not of that of a post.
        """
        is_post = self.tree.target == POSTS and not self.is_index
        return split_date(self.full_name)[0] if is_post else self.full_name

    @property
    def full_name(self) -> str:
        """The name of the file or folder, with its date."""
        if self.given_name:
            return self.given_name
        name = self.path.parent.name if self.is_index else self.path.stem
        has_suffix = self.name_language and not self.is_index
        return self._unnumbered(name.rpartition(".")[0] if has_suffix else name)

    def _unnumbered(self, name: str) -> str:
        return _NUMBERED.sub("", name, count=1) if self.tree.is_numbered else name

    @property
    def name_language(self) -> str:
        """The language that ends the name of the file, as in `index.fa.md`; `""` without one."""
        ending = self.path.stem.rpartition(".")[2] if "." in self.path.stem else ""
        if not _TAG.fullmatch(ending):
            return ""
        if ending in self.languages:
            return ending
        if self.languages and not self.is_index:
            return ending if ending in ("en", "ar") else ""
        is_code = len(ending) == _CODE_LETTERS and ending.islower()
        return ending if is_code and tag_of(ending) else ""

    @property
    def stated_language(self) -> str:
        """The language that its folder, name or front matter states, or `""`."""
        stated = self.tree.language or self.name_language or self.folder_language
        values = (self.metadata.get(key) for key in _LANGUAGE_KEYS)
        return stated or next(
            (each for each in values if isinstance(each, str) and tag_of(each)), ""
        )

    def language(self, site_language: str) -> str:
        """Return its language: stated, else found from its letters, else that of the site."""
        if self.stated_language:
            return self.stated_language
        sample = f"{self.title} {self.opening}"
        if sample.isascii():
            return site_language
        letters = [each for each in sample if each.isalpha()]
        arabic = sum("\u0600" <= each <= "\u06ff" for each in letters)
        is_arabic = arabic > _ARABIC_SHARE * len(letters)
        if is_arabic and tag_of(site_language) not in (None, Language.EN):
            return site_language
        found = language_of_script(sample)
        if found and not (tag_of(site_language) or "").startswith(found.partition("-")[0]):
            return found
        return Language.AR.value if is_arabic else site_language

    @property
    def title(self) -> str:
        """The title in the front matter, or `""`."""
        title = self.fields.get("title")
        return title if isinstance(title, str) else ""

    @property
    def heading(self) -> str:
        """The text of the first heading in the first characters of its body, or `""`."""
        found = _HEADING.search(self.opening)
        return text_of(found[1]).strip() if found else ""

    @property
    def file(self) -> Path:
        """The path of the file."""
        return self.tree.folder / self.path

    @property
    def words(self) -> int:
        """The number of words of its body."""
        return count_words(read_syntax(self.body, self.path.name).text)

    @property
    def stated_date(self) -> datetime | None:
        """The date in the front matter."""
        return as_date(self.fields.get("publishedAt"))

    @property
    def written_date(self) -> datetime | None:
        """The date in the front matter, else in the file's name."""
        return self.stated_date or split_date(self.path.name)[1]

    @property
    def date(self) -> datetime | None:
        """The written date, else that in the address that the front matter sets."""
        path = self.metadata.get("path")
        day = _DAY_IN_PATH.search(path) if isinstance(path, str) else None
        return self.written_date or (as_date("-".join(day.groups())) if day else None)

    @property
    def categories(self) -> list[str]:
        """The names of its categories, as in addresses."""
        value = self.metadata.get("categories", self.metadata.get("category"))
        names = value.split() if isinstance(value, str) else value
        own = [str(name).lower() for name in names] if isinstance(names, list) else []
        return [*dict.fromkeys((*self.tree.categories, *own))]

    def inheriting(self, metadata: Metadata) -> SourceDocument:
        """Return the text with more that it inherits; what is nearer to it counts."""
        return replace(self, inherited={**metadata, **self.inherited}) if metadata else self


def withheld_by(document: SourceDocument) -> str:
    """Return why a text stays unpublished, `""` if it is public."""
    publication = document.publication
    if document.withheld_by or document.tree.withheld_by:
        return document.withheld_by or document.tree.withheld_by
    found = publication.withheld_by or next(iter(publication.findings), None)
    if found is None:
        return ""
    is_secret = found.verdict is Verdict.RESTRICTED
    return found.name if is_secret else f"{found.name}: {found.value}"


@cache
def tag_of(text: str) -> str | None:
    """Return the BCP 47 tag of a language, without a region of those that the service has.

    >>> tag_of("ar_SA"), tag_of("fa-IR"), tag_of("none")
    (<Language.AR: 'ar'>, 'fa-IR', None)
    """
    return Language.parse(text) or OtherLanguage.parse(text)


def as_date(value: object) -> datetime | None:
    """Return the date of a value in front matter, None if it is none."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    try:
        return parse_moment(value) if isinstance(value, str) else None
    except AmbiguousMoment:
        return None


_TOP_KEY = re.compile(r"([\w-]+)[ \t]*:(?=\s|$)")


def with_last_keys(text: str) -> str:
    r"""Return a text whose front matter has each key once: the last one counts, as in Jekyll.

    >>> with_last_keys("---\na: 1\nb:\n - 2\na: 3\n---\nText")
    '---\nb:\n - 2\na: 3\n---\nText'
    """
    fence, *lines = text.split("\n")
    end = next((number for number, line in enumerate(lines) if line.rstrip() == "---"), 0)
    entries: dict[str, list[str]] = {"": [fence]}
    key = ""
    for line in lines[:end]:
        if match := _TOP_KEY.match(line):
            key = match[1]
            entries.pop(key, None)
        entries.setdefault(key, []).append(line)
    return "\n".join([*(line for entry in entries.values() for line in entry), *lines[end:]])


def read_source_document(
    tree: Tree, file: Path, languages: Collection[str] = (), inherited: Metadata | None = None
) -> SourceDocument:
    """Read a text; raises ContentFileError if it is not one, such as an empty file."""
    source = read_document(tree.folder, file.relative_to(tree.folder).as_posix())
    is_double = False
    try:
        front_matter.parse(source)
    except ContentFileError as error:
        is_double = error.diagnostics[0].kind is DiagnosticKind.DUPLICATE_KEY
    if is_double:
        source = SourceFile(source.path, with_last_keys(source.text))
    parts = front_matter.parse_or_body(source)  # faults are reported for the imported file
    path = PurePosixPath(source.path)
    return SourceDocument(
        tree,
        path,
        parts.metadata,
        inherited or {},
        parts.body[:_OPENING],
        has_double_keys=is_double,
        languages=languages,
    )


_PAGES = frozenset((".html", ".htm", ".xhtml", ".njk", ".liquid", ".hbs"))
_COMPONENTS = frozenset((".astro", ".vue", ".svelte", ".jsx", ".tsx", ".pug", ".haml"))
_TEXTS = frozenset((".adoc", ".asciidoc", ".org", ".rst", ".txt", ".ipynb"))
_TEMPLATE = re.compile(
    r"\{%.{0,500}?%\}|\{\{.{0,500}?\}\}|\{#.{0,500}?#\}|<%.{0,500}?%>", re.DOTALL
)
_BETWEEN_TAGS = re.compile(r">([^<>{}=;]+)<")
_ABOUT_SITE = frozenset(("robots.txt", "humans.txt", "security.txt", "ads.txt", "404.html"))
"""Files for programs, and the page of a missing address, which every site has."""


class Omission(NamedTuple):
    """A file that is left out, the number of its words, and the reason."""

    path: str
    words: int
    reason: str


def words_of(file: Path) -> int:
    """Return the number of words that a file of another type shows to readers."""
    suffix = file.suffix.lower()
    is_text = suffix in _PAGES | _COMPONENTS | _TEXTS
    if not is_text or file.name in _ABOUT_SITE or "requirements" in file.name:
        return 0
    text = file.read_text(encoding="utf-8", errors="replace")
    parts = front_matter.parse_or_body(SourceFile(file.name, text))
    text = parts.body if parts.is_yaml else text  # a notebook is an object in JSON
    if suffix in _COMPONENTS:
        return count_words(" ".join(_BETWEEN_TAGS.findall(text)))
    if suffix in _PAGES:
        return count_words(text_of(_TEMPLATE.sub(" ", text)))
    return count_words(text)


def with_folder_languages(documents: Sequence[SourceDocument]) -> Iterator[SourceDocument]:
    """Yield the documents; those in a folder of translations, at any depth, have its language.

    It is named like a language, and most of its texts are also in the folder above, or in another
    such folder beside it. An index file says nothing, as each folder may have one.
    """
    files = Counter(each.file for each in documents)
    texts: dict[Path, list[Path]] = defaultdict(list)
    for document in documents:
        for folder in _named_like_languages(document):
            if not document.is_index or folder != document.file.parent:
                texts[folder].append(folder.parent / document.file.relative_to(folder))
    files.update(each for own in texts.values() for each in own)
    found = {
        folder
        for folder, own in texts.items()
        if 2 * sum(files[each] > 1 for each in own) > len(own)
    }
    for document in documents:
        own = next((each for each in _named_like_languages(document) if each in found), None)
        yield replace(document, folder_language=own.name) if own else document


def _named_like_languages(document: SourceDocument) -> Iterator[Path]:
    """Yield the folders of a text, if its tree has no language, that may be one."""
    above = () if document.tree.language else document.path.parents
    yield from (document.tree.folder / each for each in above if is_language(each.name))


_Folder = tuple[Tree, PurePosixPath]
"""A tree, and the path of a folder in it."""

_ENOUGH = 2
_TOP = PurePosixPath()


class DatedFolders:
    """The folders of a source that become posts, though they are in a tree of pages."""

    def __init__(self, documents: Iterable[SourceDocument], source: Source) -> None:
        groups: dict[_Folder, list[SourceDocument]] = {}
        for document in documents:
            if document.tree.target in (PAGES, DOCS) and not document.path.name.startswith(
                "_index."
            ):
                groups.setdefault(_folder_of(document), []).append(document)
        self._has_dated_top = source.has_dated_top
        self._trees: Mapping[_Folder, Tree] = {
            folder: replace(texts[0].tree, target=POSTS, is_root=False)
            for folder, texts in groups.items()
            if self._is_dated(folder[1], texts)
        }

    def _is_dated(self, folder: PurePosixPath, texts: list[SourceDocument]) -> bool:
        if folder == _TOP and texts[0].tree.is_root and not self._has_dated_top:
            return False
        dated = [each for each in texts if each.date]
        is_named = folder.name in POST_FOLDERS or any(
            split_date(each.path.name)[1] for each in dated
        )
        return 2 * len(dated) > len(texts) and (is_named or len(dated) >= _ENOUGH)

    @property
    def lists(self) -> Iterator[Tree]:
        """Yield the folders of posts as trees whose address is that of their list."""
        for (_, folder), tree in self._trees.items():
            address = tree.address.partition(":")[0]
            if folder != _TOP and address:
                names = "/".join(folder.parts)
                yield replace(tree, folder=tree.folder / folder, address=f"{address}{names}/")

    def tree_of(self, tree: Tree, path: PurePath) -> Tree:
        """Return the tree of a file: that of the nearest folder of posts, else its own."""
        return next(self._found(tree, PurePosixPath(path.as_posix()).parents), tree)

    def _found(self, tree: Tree, folders: Iterable[PurePosixPath]) -> Iterator[Tree]:
        for folder in folders:
            found = self._trees.get((tree, folder))
            if found:
                yield found

    def moved(self, document: SourceDocument) -> SourceDocument:
        """Return a text in its new tree; the page of a folder of posts stays a page."""
        own = self._trees.get(_folder_of(document))
        is_section = document.path.name.startswith("_index.")
        is_top = document.is_start
        return replace(document, tree=own) if own and not (is_section or is_top) else document


def _folder_of(document: SourceDocument) -> _Folder:
    """Return the folder whose page a text is; one with a folder of its own belongs above."""
    folder = document.path.parent
    if document.is_index and folder != _TOP:
        folder = folder.parent
    return document.tree, folder
