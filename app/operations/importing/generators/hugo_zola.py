"""Hugo and Zola: their configuration, what sections say about their pages, what is no page."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any
from unicodedata import category

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    first_text,
    mapping_at,
    mappings_at,
    menu_links,
    read_configuration,
    text_at,
)
from app.operations.importing.document import SourceDocument
from app.operations.importing.source import (
    DATED,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
    existing,
    ignored_paths,
    texts_of,
)
from knowledge.markdown.slugs import slugify

_SUFFIXES = ("toml", "yaml", "yml", "json")
_HUGO = tuple(f"{name}.{suffix}" for name in ("hugo", "config") for suffix in _SUFFIXES)
_PARTS = ("languages", "permalinks", "params", "cascade")
"""Parts of the configuration that may be files of their own."""


def read_hugo(root: Path) -> Source | None:
    """Return the source of a Hugo site, or None. Its texts are in `content`."""
    file = first_file(root, *_HUGO) or first_file(root / "config" / "_default", *_HUGO)
    if file is None:
        return None
    settings = dict(read_configuration(file))
    keys = {str(key).lower() for key in settings}
    has_keys = (root / "content").is_dir() and bool(keys & {"baseurl", "languagecode", "theme"})
    if not (file.name.startswith("hugo") or has_keys):
        return None
    for name in _PARTS:
        beside = first_file(file.parent, *(f"{name}.{suffix}" for suffix in _SUFFIXES))
        if beside and beside != file:
            settings.setdefault(name, read_configuration(beside))
    languages = mapping_at(settings, "languages")
    language = first_text(settings, "defaultContentLanguage") or next(
        iter(languages), first_text(settings, "languageCode", "locale")
    )
    own = mapping_at(settings, "languages", language)
    ignored = [re.compile(each) for each in _patterns(settings.get("ignoreFiles"))]
    return Source(
        "Hugo",
        root,
        list(_trees(root, settings)),
        SiteConfiguration(
            title=text_at(own, "title") or text_at(settings, "title"),
            description=text_at(own, "params", "description")
            or text_at(settings, "params", "description"),
            base_url=first_text(settings, "baseURL", "baseurl"),
            language=language,
            languages=frozenset(map(str, languages)),
            time_zone=first_text(settings, "timeZone", "timezone"),
            menu=_menu(settings, file),
            as_address=str
            if settings.get("disablePathToLower")
            else lambda path: hugo_path(path.lower()),
        ),
        existing(root / "static", root / "assets"),
        ["Templates, shortcodes and styles of layouts/ and themes/ are not imported."],
        is_unpublished=lambda path: any(each.search(path.as_posix()) for each in ignored),
        has_lists=True,
        completed=lambda documents: list(_completed(documents, settings)),
    )


def _patterns(value: object) -> Iterator[str]:
    for each in value if isinstance(value, list) else ():
        try:
            re.compile(str(each))
        except re.error:
            continue
        yield str(each)


def _trees(root: Path, settings: Configuration) -> Iterator[Tree]:
    content = root / (text_at(settings, "contentDir") or "content")
    permalinks = mapping_at(settings, "permalinks")  # by section; `/` has that of all others
    patterns = {**permalinks, **mapping_at(permalinks, "page")}
    layout = TreeLayout(
        DATED,
        section_addresses={
            key: _by_title(each) for key, each in patterns.items() if isinstance(each, str)
        },
    )
    folders: dict[Path, Tree] = {}  # the folder of a language may lie in that of all
    for language, own in mapping_at(settings, "languages").items():
        folder = text_at(own, "contentDir")
        if folder and root / folder != content:
            is_default = language == text_at(settings, "defaultContentLanguage")
            prefix = "" if is_default else f"/{language}"
            folders |= {each.folder: each for each in layout.trees(root / folder, prefix, language)}
    for tree in layout.trees(content):
        folders.setdefault(tree.folder, tree)
    for tree in folders.values():
        yield replace(tree, withheld_by=_disabled(tree.language, settings))


def hugo_path(path: str) -> str:
    """Return a path as Hugo makes it of names: without most signs, and with - for spaces.

    >>> hugo_path("posts/A: b - c (d)/")
    'posts/A-b-c-d/'
    """
    found: list[str] = []
    is_open = False
    for sign in path:
        if sign.isalnum() or sign in "./\\_#+~-@%" or category(sign).startswith("M"):
            if is_open and sign != "-":
                found.append("-")
            is_open = False
            found.append(sign)
        elif sign.isspace() and found and found[-1] != "-":
            is_open = True
    return "".join(found)


def _by_title(pattern: str) -> str:
    """Return a pattern whose `:slug` and `:title` are made from the title, as Hugo does."""
    return re.sub(r":title\b", ":titleslug", re.sub(r":slug\b", ":slugortitle", pattern))


def _disabled(language: str, settings: Configuration) -> str:
    """Return why the texts of a language are not published, `""` if they are."""
    listed = settings.get("disableLanguages")
    own = mapping_at(settings, "languages", language)
    is_disabled = own.get("disabled") is True or (isinstance(listed, list) and language in listed)
    return f"the language {language} is disabled" if language and is_disabled else ""


def _completed(
    documents: Sequence[SourceDocument], settings: Configuration
) -> Iterator[SourceDocument]:
    """Yield the documents with what `cascade` of their sections gives them.

    A markdown file beside `index.md` is a file of that page, and no page of its own.
    """
    bundles = {
        (each.tree.folder / each.path).parent
        for each in documents
        if each.is_index and not each.path.name.startswith("_")
    }
    cascades = [
        (document.file.parent, target, values)
        for document in documents
        if document.path.name.startswith("_index.")
        for target, values in _cascade(document.own.get("cascade"))
    ]
    tops = list(_cascade(settings.get("cascade")))
    for document in documents:
        found: dict[str, Any] = {}
        for target, values in tops:
            found |= values if _is_target(document, target) else {}
        for folder, target, values in sorted(cascades, key=lambda each: len(each[0].parts)):
            if document.file.is_relative_to(folder) and _is_target(document, target):
                found |= values
        withheld_by = _disabled(document.name_language, settings)
        if not withheld_by and _is_resource(document, bundles):
            withheld_by = "a file of the page beside it"
        yield replace(document.inheriting(found), withheld_by=withheld_by)


def _is_resource(document: SourceDocument, bundles: set[Path]) -> bool:
    folder = document.file.parent
    above = [
        each for each in (folder, *folder.parents) if each.is_relative_to(document.tree.folder)
    ]
    inside = above[1:] if document.is_index else above
    return any(each in bundles and each != document.tree.folder for each in inside)


def _cascade(value: object) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yield the targets of a cascade with the values for them."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            target = each.get("_target", each.get("target"))
            own = {
                key: one for key, one in each.items() if key not in ("_target", "target", "params")
            }
            params = each.get("params")
            yield (
                target if isinstance(target, dict) else {},
                {**own, **(params if isinstance(params, dict) else {})},
            )


def _is_target(document: SourceDocument, target: Mapping[str, Any]) -> bool:
    path = PurePosixPath("/", document.file.relative_to(document.tree.folder.parent)).with_suffix(
        ""
    )
    section = (
        f"/{document.tree.folder.name}{str(path).removeprefix('/' + document.tree.folder.name)}"
    )
    wanted = str(target.get("path", "")).strip("{}")
    kind = str(target.get("kind", "page")).strip("{}")
    is_page = "page" in kind
    plain = str(path).removeprefix("/content")
    pattern = wanted.replace("**", "*")
    return is_page and (
        not wanted or any(fnmatchcase(each, pattern) for each in (plain, section, f"{plain}/"))
    )


def _menu(settings: Configuration, file: Path) -> list[MenuLink]:
    menus = settings.get("menu") or settings.get("menus")
    if not menus:
        names = [f"menus{end}.{suffix}" for end in ("", ".en") for suffix in _SUFFIXES]
        beside = first_file(file.parent, *names)
        menus = read_configuration(beside) if beside else {}
    entries = sorted(mappings_at({"menus": menus}, "menus", "main"), key=_weight)
    return menu_links(entries, ("name", "title"), ("pageRef", "url"))


def _weight(entry: Configuration) -> int:
    weight = entry.get("weight")
    return weight if isinstance(weight, int) else 0


def read_zola(root: Path) -> Source | None:
    """Return the source of a Zola site, or None. Its texts are in `content`."""
    file, content = root / "config.toml", root / "content"
    if not file.is_file() or not content.is_dir():
        return None
    settings = read_configuration(file)
    if "base_url" not in settings:
        return None
    entries = (
        entry
        for key in ("menu_items", "main_menu", "menu", "menu_links")
        for entry in mappings_at(settings, "extra", key)
    )
    return Source(
        "Zola",
        root,
        list(TreeLayout().trees(content)),
        SiteConfiguration(
            title=text_at(settings, "title"),
            description=text_at(settings, "description"),
            base_url=text_at(settings, "base_url"),
            language=text_at(settings, "default_language"),
            languages=frozenset(map(str, mapping_at(settings, "languages"))),
            menu=[
                link._replace(target=link.target.replace("$BASE_URL", "") or "/")
                for link in menu_links(entries, ("name",), ("url",))
            ],
            as_address=lambda path: "/".join(map(slugify, path.split("/"))),
        ),
        existing(root / "static"),
        ["Templates, shortcodes and styles of templates/, themes/ and sass/ are not imported."],
        # a sign `*` of Zola stands for folders, too
        is_unpublished=ignored_paths(
            content, (each.removeprefix("*/") for each in texts_of(settings.get("ignored_content")))
        ),
        completed=lambda documents: list(_without_drafts(documents)),
        has_dated_top=True,
    )


def _without_drafts(documents: Sequence[SourceDocument]) -> Iterator[SourceDocument]:
    """Yield the documents; those of a section that is a draft are withheld with it."""
    drafts = [
        each.file.parent
        for each in documents
        if each.path.name.startswith("_index.") and str(each.own.get("draft")).lower() == "true"
    ]
    for document in documents:
        is_inside = any(document.file.is_relative_to(folder) for folder in drafts)
        yield replace(document, withheld_by="its section is a draft") if is_inside else document
