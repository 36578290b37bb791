"""The source of another generator: its files, its trees of documents, and what it leaves out."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from babel.localedata import locale_identifiers
from pathspec import GitIgnoreSpec

from knowledge.fields.content_types import PAGE, POST
from knowledge.locales.locale import Language

REPOSITORY_FILES = frozenset(
    f"{name}{suffix}"
    for name in ("CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "LICENSE", "README", "SECURITY")
    for suffix in ("", ".md")
)
"""Files about the repository, not the site."""


class MenuLink(NamedTuple):
    """An entry of the main menu; `target` is a URL or an address of the source's site."""

    label: str
    target: str


@dataclass(frozen=True, slots=True)
class SiteConfiguration:
    """What the configuration of a source says about the whole site."""

    title: str = ""
    description: str = ""
    base_url: str = ""
    language: str = ""
    languages: Collection[str] = ()
    """The languages that it names, if it does."""

    time_zone: str = ""
    """The zone of dates that state none, such as `Asia/Riyadh`."""

    menu: Sequence[MenuLink] = ()
    redirects: Mapping[str, str] = field(default_factory=dict)
    """The addresses to which it leads from others, by these; both as in links."""

    pattern: Callable[[str], str | None] = str
    """Returns the pattern of a `permalink` in front matter or data."""

    as_address: Callable[[str], str] = str
    """Makes the address of a page from the names of its folders and its file."""

    has_language_prefixes: bool = False
    """Whether the address of each text in another language begins with it."""

    has_fallbacks: bool = False
    """Whether other languages show a text that they do not have in the main one."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder of texts with one target: `posts`, `pages` or `docs`.

    `address` is the pattern of the addresses at which the source's site publishes them (see
    `app.operations.importing.placement`), `language` the language of all its files, `""` if it
    is not said.
    """

    folder: Path
    target: str
    address: str = ""
    language: str = ""
    slug_address: str = ""
    """The pattern for texts whose front matter has a slug, if it is another one."""

    asset_root: Path | None = None
    """The folder from which the addresses of images in it begin, if they have such addresses."""

    subfolder: str = ""
    """The folder below the target in which its files are written."""

    is_root: bool = False
    """Whether the index file at its top is the home page."""

    is_numbered: bool = False
    """Whether numbers before names set the order of pages and are no part of addresses."""

    withheld_by: str = ""
    """Why the generator does not publish its texts; `""` if it does."""

    categories: tuple[str, ...] = ()
    """The categories that its texts have before their own."""

    excluded: frozenset[str] = frozenset()
    """Names directly in the folder that are not content."""


Metadata = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """The checkout of a site: its trees, and folders of files published at the root.

    A file belongs to the innermost tree that contains it.
    """

    generator: str
    root: Path
    trees: Sequence[Tree]
    configuration: SiteConfiguration = field(default_factory=SiteConfiguration)
    static_folders: Sequence[Path] = ()
    not_imported: Sequence[str] = ()
    """What a person has to do, in sentences."""

    is_unpublished: Callable[[Path], bool] = lambda _: False
    """Tells the files that the generator leaves out of the site."""

    defaults: Callable[[Path], Metadata] = lambda _: {}
    """Returns what the configuration or a file of data says about the front matter of a file."""

    completed: Callable[[Sequence[Any]], Sequence[Any]] = lambda documents: documents
    """Returns the documents with what they inherit from each other."""

    has_dated_top: bool = False
    """Whether texts at the top of a tree may be posts."""

    has_lists: bool = False
    """Whether the generator makes a list of each folder of texts."""

    has_folders: bool = False
    """Whether the files of a post may be in a folder of its name, beside it."""

    former: Callable[[Path], Sequence[str]] = lambda _: ()
    """Returns the addresses of a file that no pattern gives."""

    kinds: Mapping[str, Metadata] = field(default_factory=dict)
    """The declarations of kinds of its own, by folder, which are targets of trees."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Further files of the content folder."""

    published: Sequence[str] = ()
    """The main address of each text that visitors can see, as far as an export states it."""

    withheld: Sequence[tuple[str, str]] = ()
    """What was not published and was never read as a text, and why."""


def ignored_paths(root: Path, patterns: Iterable[str]) -> Callable[[Path], bool]:
    """Return a test for the files below a folder that patterns of `.gitignore` name."""
    ignored = GitIgnoreSpec.from_lines(patterns)
    return lambda file: (
        file.is_relative_to(root) and ignored.match_file(file.relative_to(root).as_posix())
    )


def texts_of(value: object) -> list[str]:
    """Return the texts of a list or a tuple, or the only one."""
    values = value if isinstance(value, list | tuple) else [value]
    return [each for each in values if isinstance(each, str)]


def anchored(patterns: object) -> list[str]:
    """Return the patterns of a list, or of one text, that name paths from the top."""
    texts = (each.strip().removeprefix("./") for each in texts_of(patterns))
    return [each if each.startswith(("**", "/", "!")) else f"/{each}" for each in texts if each]


def existing(*folders: Path) -> list[Path]:
    """Return those of the folders that exist."""
    return [folder for folder in folders if folder.is_dir()]


POST_FOLDERS = ("posts", "post", "blog", "blogs", "news", "articles", "article")
"""Names that authors give to the folders of dated texts."""

PRETTY = "/:folders/:name/"
DATED = "/:folders/:slugorfilename/"
"""With the date at the beginning of the names of files."""

PLAIN = "/:folders/:name"

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z]{2,4})?")

_PACKAGES = "node_modules"


POSTS = POST.folder
PAGES = PAGE.folder
DOCS = "docs"
"""The folder of documentation, whose texts keep their folders."""

DOCUMENTATION: Mapping[str, Any] = {
    "singular": {"en": "Page", "ar": "صفحة"},
    "plural": {"en": "Documentation", "ar": "التوثيق"},
    "layout": "documentation",
    "nested": True,
}
"""The front matter of `_kinds/docs.md`."""


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """How a generator lays out a folder of texts.

    `address` is the pattern of addresses; `section_addresses` has others for folders of posts.
    """

    address: str = PRETTY
    section_addresses: Mapping[str, str] = field(default_factory=dict)
    asset_root: Path | None = None
    excluded: frozenset[str] = frozenset()
    post_folders: Collection[str] = POST_FOLDERS
    target: str = PAGES

    def trees(self, folder: Path, prefix: str = "", language: str = "") -> Iterator[Tree]:
        """Yield the trees of a folder; `prefix` begins the addresses of its texts."""
        if not folder.is_dir():
            return
        if not language:
            for name in language_folders(folder):
                yield from self.trees(folder / name, f"{prefix}/{name}", name)
        sections = [name for name in self.post_folders if (folder / name).is_dir()]
        for section in sections:
            subfolder = section if section != sections[0] else ""
            yield from self.section(folder, section, prefix, language, subfolder)
        yield Tree(
            folder,
            self.target,
            self._address("/", prefix),
            language,
            asset_root=self.asset_root,
            is_root=True,
            excluded=self.excluded,
        )

    def section(
        self, folder: Path, name: str, prefix: str, language: str = "", subfolder: str = ""
    ) -> Iterator[Tree]:
        """Yield the trees of a folder of posts, of which folders may have a language."""
        for own in () if language else language_folders(folder / name):
            address = self._address(name, f"{prefix}/{name}/{own}")
            yield Tree(folder / name / own, POSTS, address, own, subfolder=subfolder)
        address = self._address(name, f"{prefix}/{name}")
        yield Tree(folder / name, POSTS, address, language, subfolder=subfolder)

    def _address(self, section: str, prefix: str) -> str:
        """Return the pattern of a section; `""` if the generator publishes no addresses."""
        own = self.section_addresses.get(section)
        return own or (prefix + self.address if self.address else "")


def language_folders(folder: Path) -> list[str]:
    """Return the folders named like languages.

    A single one is a language only if the service has it: `it` may be a folder about computers.
    """
    names = [
        each.name for each in sorted(folder.iterdir()) if each.is_dir() and is_language(each.name)
    ]
    return names if len(names) > 1 else [name for name in names if Language.parse(name)]


def is_language(name: str) -> bool:
    """Return whether a folder is named like a language, such as `pt-BR`."""
    return bool(_LANGUAGE.fullmatch(name)) and name.partition("-")[0] in _languages()


@cache
def _languages() -> frozenset[str]:
    return frozenset(name.partition("_")[0] for name in locale_identifiers())


class UnsupportedSource(Exception):
    """A source that cannot be imported; the message is the name of its generator."""


def files_below(folder: Path, excluded: Collection[str] = ()) -> Iterator[Path]:
    """Yield the files in a folder and its folders, without hidden ones and links.

    `excluded` has names directly in the folder that are left out. A link to a file counts as one.
    """
    for entry in sorted(folder.iterdir()):
        name = entry.name
        if name.startswith(".") or name in excluded or name == _PACKAGES:
            continue
        if entry.is_dir():
            yield from () if entry.is_symlink() else files_below(entry)
        elif entry.is_file():
            yield entry
