"""Generators that read a folder as it is: MkDocs, Eleventy, Obsidian, and none at all."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

from app.operations.importing.configuration import (
    Configuration,
    InvalidConfiguration,
    first_file,
    first_text,
    mapping_at,
    read_configuration,
    read_text,
    text_at,
    texts_at,
)
from app.operations.importing.document import SourceDocument
from app.operations.importing.source import (
    DOCS,
    PLAIN,
    POSTS,
    REPOSITORY_FILES,
    MenuLink,
    Metadata,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
    anchored,
    existing,
    files_below,
    ignored_paths,
    texts_of,
)
from knowledge.fields.file_types import ASSET_TYPES, DOCUMENT_SUFFIXES, FOREIGN_SUFFIXES


def read_mkdocs(root: Path) -> Source | None:
    """Return the source of an MkDocs site, or None. Its texts are in `docs`."""
    file = first_file(root, "mkdocs.yml", "mkdocs.yaml")
    if file is None:
        return None
    settings = read_configuration(file)
    content = root / (text_at(settings, "docs_dir") or "docs")
    if not content.is_dir():
        return None
    blog = _plugin(settings, "material/blog") or _plugin(settings, "blog")
    place = (text_at(blog, "blog_dir") or "blog").strip("./")
    pattern = _blog_pattern(blog)
    is_blog = (content / place / "posts").is_dir()
    folders = (content / place / "posts", content / place) if is_blog else ()
    posts = [Tree(each, POSTS, f"/{place}/{pattern}/") for each in folders if each != content]
    return Source(
        "MkDocs",
        root,
        [*posts, *TreeLayout(post_folders=(), target=DOCS).trees(content)],
        SiteConfiguration(
            title=text_at(settings, "site_name"),
            description=text_at(settings, "site_description"),
            base_url=text_at(settings, "site_url"),
            language=text_at(settings, "theme", "language"),
            menu=list(_mkdocs_menu(settings)),
            redirects=texts_at(_plugin(settings, "redirects"), "redirect_maps"),
        ),
        not_imported=["The theme, plugins and the nested parts of the navigation."],
        is_unpublished=ignored_paths(
            content,
            [
                *_lines(settings.get("exclude_docs")),
                *anchored(_plugin(settings, "exclude").get("glob")),
            ],
        ),
        defaults=_mkdocs_defaults(content, settings),
        completed=lambda documents: list(_titled(documents, settings)),
    )


def _lines(value: object) -> list[str]:
    return value.splitlines() if isinstance(value, str) else []


def _plugin(settings: Configuration, name: str) -> Configuration:
    """Return the options of a plugin."""
    plugins = settings.get("plugins")
    options = [mapping_at(each, name) for each in plugins] if isinstance(plugins, list) else []
    return next(filter(None, options), mapping_at(plugins, name))


def _mkdocs_defaults(content: Path, settings: Configuration) -> Callable[[Path], Metadata]:
    """Return a function that gives what `.meta.yml` of the folders says, and `draft_docs`."""
    is_draft = ignored_paths(content, _lines(settings.get("draft_docs")))

    @cache
    def of_folder(folder: Path) -> Metadata:
        above = of_folder(folder.parent) if folder not in (content, folder.parent) else {}
        file = first_file(folder, ".meta.yml", ".meta.yaml")
        return {**above, **(read_configuration(file) if file else {})}

    return lambda file: {**of_folder(file.parent), **({"draft": True} if is_draft(file) else {})}


def _mkdocs_menu(settings: Configuration) -> Iterator[MenuLink]:
    entries = settings.get("nav")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            yield from (MenuLink(str(label), to) for label, to in entry.items() if _is_text(to))


_WIKILINK = re.compile(r"!?\[\[[^\[\]\n]+\]\]")
_ENOUGH_LINKS = 3
_EXPLICIT = re.compile(r"^[ \t]*+Plugin\.ExplicitPublish\(", re.MULTILINE)
_TEMPLATES = ("templates", "template", "_templates")


_DATES = {"yyyy": ":year", "MM": ":month", "dd": ":day"}
_NOT_IN_SLUGS = re.compile(r"[^\w\- ]")


def _blog_pattern(blog: Configuration) -> str:
    """Return the pattern of the addresses of posts of the theme Material."""
    date = text_at(blog, "post_url_date_format") or "yyyy/MM/dd"
    tokens = {"{date}": date, **_DATES, "{slug}": ":name", "{file}": ":contentbasename"}
    pattern = text_at(blog, "post_url_format") or "{date}/{slug}"
    for written, token in {**tokens, "{categories}": ":categories"}.items():
        pattern = pattern.replace(written, token)
    return pattern


def _titled(
    documents: Sequence[SourceDocument], settings: Configuration
) -> Iterator[SourceDocument]:
    """Yield the documents; one without a title and a heading has that of the navigation.

    The slug of a post is made of its title, as Material does.
    """
    titles: dict[str, str] = {}
    entries = [settings.get("nav")]
    while entries:
        entry = entries.pop()
        if isinstance(entry, list):
            entries += entry
        elif isinstance(entry, dict):
            titles |= {to: str(label) for label, to in entry.items() if _is_text(to)}
            entries += entry.values()
    for document in documents:
        title = titles.get(document.path.as_posix(), "")
        own = document.title or document.heading
        if document.tree.target == POSTS and own and not document.is_start:
            slug = _NOT_IN_SLUGS.sub("", own.lower()).strip().replace(" ", "-")
            yield document.inheriting({"slug": slug})
        else:
            yield document if own or not title else document.inheriting({"title": title})


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)


def read_obsidian(root: Path) -> Source | None:
    """Return the notes of a vault of Obsidian, or None.

    A vault is a folder with `.obsidian`, or one whose notes link each other as `[[note]]`.
    """
    if not ((root / ".obsidian").is_dir() or _has_wikilinks(root)):
        return None
    templates = _template_folders(root)
    return Source(
        "Obsidian",
        root,
        list(TreeLayout(address="").trees(root)),
        SiteConfiguration(title=root.resolve().name),
        not_imported=["Canvases, queries of plugins, and notes in other formats."],
        is_unpublished=lambda file: any(file.is_relative_to(folder) for folder in templates),
    )


def read_quartz(root: Path) -> Source | None:
    """Return the notes of a garden of Quartz, or None. They are in `content`."""
    file, content = first_file(root, "quartz.config.ts", "quartz.config.js"), root / "content"
    if file is None or not content.is_dir():
        return None
    settings = mapping_at(read_configuration(file), "configuration")
    base = text_at(settings, "baseUrl")
    is_explicit = bool(_EXPLICIT.search(read_text(file)))
    return Source(
        "Quartz",
        root,
        list(TreeLayout(address=PLAIN, post_folders=()).trees(content)),
        SiteConfiguration(
            title=text_at(settings, "pageTitle"),
            base_url=f"https://{base}" if base else "",
            language=text_at(settings, "locale").partition("-")[0],
            as_address=lambda path: path.replace(" ", "-"),
        ),
        not_imported=["The layout and components of Quartz are not imported."],
        is_unpublished=ignored_paths(content, texts_of(settings.get("ignorePatterns"))),
        completed=lambda documents: [
            replace(each, withheld_by="publish is not true")
            if is_explicit and str(each.metadata.get("publish")).lower() != "true"
            else each
            for each in documents
        ],
    )


def _has_wikilinks(root: Path) -> bool:
    """Return whether most notes are of a vault: some link to others as Obsidian does."""
    notes = [file for file in files_below(root) if file.suffix == ".md"]
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in notes)
    linking = sum(bool(_WIKILINK.search(text)) for text in texts)
    return linking >= _ENOUGH_LINKS and linking * 5 >= len(notes)


def _template_folders(root: Path) -> list[Path]:
    """Return the folders with templates of notes: those of the settings, else the usual ones."""
    files = (root / ".obsidian" / "templates.json",)
    plugin = root / ".obsidian" / "plugins" / "templater-obsidian" / "data.json"
    settings = [read_configuration(file) for file in (*files, plugin) if file.is_file()]
    named = [first_text(each, "folder", "templates_folder") for each in settings]
    folders = [root / name for name in named if name]
    usual = [each for each in root.iterdir() if each.name.lower() in _TEMPLATES and each.is_dir()]
    return folders or usual


_READMES = frozenset({"README", "README.md"})
_READ = (*DOCUMENT_SUFFIXES, *FOREIGN_SUFFIXES, *ASSET_TYPES)


def read_markdown(root: Path) -> Source | None:
    """Return the markdown files of a folder without a generator, or None without such files.

    They become documentation, with the README as its first page.
    """
    files = files_below(root, REPOSITORY_FILES)
    if not any(file.suffix.lower() in DOCUMENT_SUFFIXES for file in files):
        return None
    layout = TreeLayout(address="", excluded=REPOSITORY_FILES - _READMES, target=DOCS)
    patterns = first_file(root, ".gitignore")
    is_ignored = ignored_paths(root, read_text(patterns).splitlines() if patterns else ())
    return Source(
        "Markdown",
        root,
        list(layout.trees(root)),
        SiteConfiguration(title=root.resolve().name),
        is_unpublished=lambda file: file.suffix.lower() not in _READ or is_ignored(file),
    )


_METADATA = ("metadata.json", "site.json", "metadata.js", "site.js")
_DATA_SUFFIXES = (
    *(f".11tydata.{suffix}" for suffix in ("js", "cjs", "mjs", "json")),
    *(".json", ".yml", ".yaml"),
)
_IGNORED = re.compile(r"""\.ignores\.add\(\s*["'`]([^"'`]+)["'`]""")
_UNREAD = ("layout", "templateEngineOverride")
"""Data about how a page is built, as are the `tags` of a folder, which name its collection."""


def read_eleventy(root: Path) -> Source | None:
    """Return the source of an Eleventy site, or None. Its texts are in its input folder."""
    names = (f"eleventy.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts"))
    file = first_file(root, ".eleventy.js", *names)
    if file is None:
        return None
    settings = read_configuration(file)
    content = root / text_at(settings, "dir", "input")
    folders = [text_at(settings, "dir", key) for key in ("includes", "layouts", "data", "output")]
    excluded = {Path(name).name for name in folders if name}
    excluded |= {"_includes", "_layouts", "_data", "_site", "public", *REPOSITORY_FILES}
    layout = TreeLayout(asset_root=content, excluded=frozenset(excluded))
    places = (root, content, root / "_data", content / "_data")
    data = next(filter(None, (first_file(folder, *_METADATA) for folder in places)), None)
    metadata = read_configuration(data) if data else {}
    patterns = [*_ignored(root, content), *_IGNORED.findall(read_text(file))]
    return Source(
        "Eleventy",
        root,
        list(layout.trees(content)),
        SiteConfiguration(
            title=first_text(metadata, "title", "name"),
            description=text_at(metadata, "description"),
            base_url=text_at(metadata, "url"),
            language=first_text(metadata, "language", "lang"),
            pattern=template_pattern,
        ),
        existing(*{root / "public", content / "public"}),
        ["Templates, layouts and data files are not imported."],
        is_unpublished=ignored_paths(root, patterns),
        defaults=_defaults(content),
    )


def _ignored(root: Path, content: Path) -> Iterator[str]:
    for file in (root / ".gitignore", root / ".eleventyignore", content / ".eleventyignore"):
        if file.is_file():
            yield from file.read_text(encoding="utf-8", errors="replace").splitlines()


def _defaults(content: Path) -> Callable[[Path], Configuration]:
    """Return a function that gives the data of a file: of its folders, then of its own."""

    @cache
    def of_folder(folder: Path) -> Configuration:
        above = (
            of_folder(folder.parent) if folder.is_relative_to(content) and folder != content else {}
        )
        own = _data(folder, folder.name)
        return {**above, **{key: each for key, each in own.items() if key != "tags"}}

    return lambda file: {**of_folder(file.parent), **_data(file.parent, file.stem)}


def _data(folder: Path, name: str) -> Configuration:
    """Return the data in the files of a name, without what is computed."""
    found: dict[str, Any] = {}
    for suffix in reversed(_DATA_SUFFIXES):
        file = folder / f"{name}{suffix}"
        if file.is_file():
            try:
                found |= read_configuration(file)
            except InvalidConfiguration:
                continue
    found |= mapping_at(found, "eleventyComputed")
    return {key: value for key, value in found.items() if key not in _UNREAD}


_OUTPUT = re.compile(r"\{\{-?\s{0,9}([^{}\n]{0,200}?)\s{0,9}-?\}\}")
_NAMES = {
    "page.fileslug": ":name",
    "page.fileSlug": ":name",
    "page.filePathStem": ":folders/:name",
    "slug": ":slug",
    "title": ":titleslug",
}
_STRFTIME = {"%Y": ":year", "%m": ":month", "%d": ":day", "%y": ":short_year", "%-d": ":i_day"}
_QUOTED = re.compile(r"[\"\']([^\"\']*)[\"\']")


def template_pattern(permalink: str) -> str | None:
    """Return the pattern of a `permalink` of Eleventy; None if it has to be computed.

    >>> template_pattern("/{{ page.date | date: '%Y/%m' }}/{{ page.fileSlug }}/")
    '/:year/:month/:name/'
    >>> template_pattern("/{{ page.date | toDatePath }}/{{ title | slugify }}/index.html")
    '/:year/:month/:day/:titleslug/index.html'
    """
    parts = [(match, _pattern_of(match[1])) for match in _OUTPUT.finditer(permalink)]
    if "{%" in permalink or any(pattern is None for _, pattern in parts):
        return None
    for match, pattern in parts:
        permalink = permalink.replace(match[0], str(pattern), 1)
    return permalink


def _pattern_of(expression: str) -> str | None:
    value, *filters = (part.strip() for part in expression.split("|"))
    if value in ("page.date", "date"):
        text = " ".join(filters)
        written = _QUOTED.search(text)
        if written is None:
            name = text.lower()
            return (
                ":year"
                if name.endswith("year")
                else ":year/:month/:day"
                if "path" in name
                else None
            )
        found = written[1]
        for sign, token in (_STRFTIME if "%" in found else _DATES).items():
            found = found.replace(sign, token)
        return found if ":" in found else None
    return _NAMES.get(value)
