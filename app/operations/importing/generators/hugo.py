"""Hugo: `hugo.toml` or `config.toml`, texts in `content`, files in `static`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    mapping_at,
    mappings_at,
    read_configuration,
    text_at,
)
from app.operations.importing.source import MenuLink, SiteConfiguration, Source, Tree, TreeLayout

_SUFFIXES = ("toml", "yaml", "yml", "json")
_NAMES = tuple(f"{name}.{suffix}" for name in ("hugo", "config") for suffix in _SUFFIXES)


def read(root: Path) -> Source | None:
    """Return the source of a Hugo site, or None."""
    file = first_file(root, *_NAMES) or first_file(root / "config" / "_default", *_NAMES)
    if file is None or not (file.name.startswith("hugo") or _has_hugo_keys(root, file)):
        return None
    settings = read_configuration(file)
    return Source(
        "Hugo",
        root,
        list(_trees(root, settings)),
        _configuration(settings, file),
        [folder for name in ("static", "assets") if (folder := root / name).is_dir()],
        ["Templates, shortcodes and styles of layouts/ and themes/ are not imported."],
    )


def _has_hugo_keys(root: Path, file: Path) -> bool:
    keys = {key.lower() for key in read_configuration(file)}
    return (root / "content").is_dir() and bool(keys & {"baseurl", "languagecode", "theme"})


def _trees(root: Path, settings: Configuration) -> Iterator[Tree]:
    content = root / (text_at(settings, "contentDir") or "content")
    languages = mapping_at(settings, "languages")
    layout = TreeLayout(section_addresses=_patterns(settings))
    for language, own in languages.items():
        folder = text_at(own, "contentDir")
        if folder and root / folder != content:
            is_default = language == text_at(settings, "defaultContentLanguage")
            yield from layout.trees(root / folder, "" if is_default else f"/{language}", language)
    yield from layout.trees(content)


def _patterns(settings: Configuration) -> dict[str, str]:
    """Return the patterns of addresses by section; `/` is that of all others."""
    permalinks = mapping_at(settings, "permalinks")
    return {key: text for key, text in permalinks.items() if isinstance(text, str)} | {
        key: text for key, text in mapping_at(permalinks, "page").items() if isinstance(text, str)
    }


def _configuration(settings: Configuration, file: Path) -> SiteConfiguration:
    language = text_at(settings, "defaultContentLanguage") or text_at(settings, "languageCode")
    own = mapping_at(settings, "languages", language)
    return SiteConfiguration(
        title=text_at(own, "title") or text_at(settings, "title"),
        description=text_at(own, "params", "description")
        or text_at(settings, "params", "description"),
        base_url=text_at(settings, "baseURL") or text_at(settings, "baseurl"),
        language=language,
        menu=list(_menu(settings, file)),
    )


def _menu(settings: Configuration, file: Path) -> Iterator[MenuLink]:
    menus = settings.get("menu") or settings.get("menus") or _menus_beside(file)
    entries = mappings_at({"menus": menus}, "menus", "main")
    for entry in sorted(entries, key=_weight):
        target = text_at(entry, "pageRef") or text_at(entry, "url")
        label = text_at(entry, "name") or text_at(entry, "title")
        if target and label:
            yield MenuLink(label, target)


def _menus_beside(file: Path) -> Configuration:
    names = [f"menus{end}.{suffix}" for end in ("", ".en") for suffix in _SUFFIXES]
    menus = first_file(file.parent, *names)
    return read_configuration(menus) if menus else {}


def _weight(entry: Configuration) -> int:
    weight = entry.get("weight")
    return weight if isinstance(weight, int) else 0
