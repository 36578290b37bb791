"""Generators configured in JavaScript: Docusaurus, Astro and Starlight, VitePress."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    mapping_at,
    mappings_at,
    menu_links,
    read_configuration,
    read_text,
    read_value,
    text_at,
    texts_at,
)
from app.operations.importing.source import (
    DOCS,
    DOCUMENTATION,
    PAGES,
    PLAIN,
    POST_FOLDERS,
    POSTS,
    REPOSITORY_FILES,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
    anchored,
    existing,
    ignored_paths,
    texts_of,
)


def read_docusaurus(root: Path) -> Source | None:
    """Return the source of a Docusaurus site, or None.

    Its texts are in `docs`, `blog`, `src/pages` and `i18n`, its files in `static`.
    """
    file = _file(root, "docusaurus.config", "js", "ts", "mjs", "cjs", "mts")
    if file is None:
        return None
    settings = read_configuration(file)
    main = next((each for each in _instances(settings, "docs") if not text_at(each, "id")), {})
    published = (each for each in _versions(root, main) if not each.withheld_by)
    versions = [each.folder for each in published if each.folder]
    return Source(
        "Docusaurus",
        root,
        [each for each in _docusaurus_trees(root, settings) if each.folder.is_dir()],
        SiteConfiguration(
            title=text_at(settings, "title"),
            description=text_at(settings, "tagline"),
            base_url=text_at(settings, "url") + text_at(settings, "baseUrl").rstrip("/"),
            language=text_at(settings, "i18n", "defaultLocale"),
            languages=_locales(settings),
            redirects=_client_redirects(settings),
            has_fallbacks=True,
            menu=menu_links(
                mappings_at(settings, "themeConfig", "navbar", "items"), ("label",), ("to", "href")
            ),
        ),
        existing(root / "static"),
        ["Components and pages written in React, and sidebars, are not imported."],
        is_unpublished=_partials(root, settings),
        kinds={DOCS: {**DOCUMENTATION, "versions": versions}} if versions else {},
    )


def _partials(root: Path, settings: Configuration) -> Callable[[Path], bool]:
    """Return a test for the files that are parts of others, or that plugins exclude."""
    excluded = [
        ignored_paths(root / (text_at(each, "path") or kind), anchored(each.get("exclude")))
        for kind in ("docs", "blog", "pages")
        for each in _instances(settings, kind)
    ]

    def is_unpublished(file: Path) -> bool:
        parts = file.relative_to(root).parts if file.is_relative_to(root) else (file.name,)
        is_partial = any(part.startswith("_") for part in parts)
        return is_partial or any(test(file) for test in excluded)

    return is_unpublished


def _docusaurus_trees(root: Path, settings: Configuration) -> Iterator[Tree]:
    for folder in (root, *sorted((root / "i18n").glob("*"))):
        language = "" if folder == root else folder.name
        prefix = f"/{language}" if language else ""
        locales = _locales(settings)
        is_published = folder == root or not locales or language in locales
        reason = "" if is_published else f"the locale {language} is not in the configuration"
        for kind, default in (("docs", "docs"), ("blog", "blog"), ("pages", "src/pages")):
            for options in _instances(settings, kind):
                name = text_at(options, "id")
                base = str(options.get("routeBasePath", kind)).strip("/")
                address = f"{prefix}/{base}" if base and kind != "pages" else prefix
                dated = f"{address}/:year/:month/:day/:name" if kind == "blog" else ""
                tree = Tree(
                    root / (text_at(options, "path") or default),
                    {"docs": DOCS, "blog": POSTS, "pages": PAGES}[kind],
                    dated or address + PLAIN,
                    language,
                    slug_address=f"{address}/:name" if dated else address + PLAIN,
                    subfolder=name,
                    is_root=kind == "pages",
                    is_numbered=kind == "docs",
                    withheld_by=reason,
                )
                translated = (
                    folder / f"docusaurus-plugin-content-{kind}{f'-{name}' if name else ''}"
                )
                if kind != "docs":
                    yield replace(tree, folder=translated) if language else tree
                    continue
                for version in _versions(root, options):
                    place = f"{address}/{version.path}".rstrip("/") + PLAIN
                    own = root / f"{name + '_' if name else ''}versioned_docs" / version.source
                    own = tree.folder if version.source == "current" else own
                    yield replace(
                        tree,
                        folder=translated / version.source if language else own,
                        address=place,
                        slug_address=place,
                        subfolder="/".join(filter(None, (name, version.folder))),
                        withheld_by=reason or version.withheld_by,
                    )


class _Version(NamedTuple):
    """A version of documentation: the folder of its texts there and here, and its path."""

    source: str
    folder: str
    path: str
    withheld_by: str


def _versions(root: Path, options: Configuration) -> Iterator[_Version]:
    """Yield the versions, the one that visitors get first; one without a folder if it is alone."""
    name = text_at(options, "id")
    file = root / f"{name + '_' if name else ''}versions.json"
    listed = texts_of(read_value(file)) if file.is_file() else []
    last = text_at(options, "lastVersion") or next(iter(listed), "current")
    only, is_next = texts_of(options.get("onlyIncludeVersions")), last != "current"
    for each in dict.fromkeys((last, "current", *listed)):
        is_current = each == "current"
        own = "next" if is_current and is_next else each
        usual = "" if each == last else own
        is_left_out = each not in only if only else False
        is_left_out |= is_current and options.get("includeCurrentVersion") is False
        yield _Version(
            "current" if is_current else f"version-{each}",
            own if listed else "",
            text_at(options, "versions", each, "path") or usual,
            f"the version {own} is not in the configuration" if is_left_out else "",
        )


def _client_redirects(settings: Configuration) -> Mapping[str, str]:
    entries = (
        entry
        for options in _plugins(settings, "client-redirects")
        for entry in mappings_at(options, "redirects")
    )
    return {
        former: text_at(entry, "to")
        for entry in entries
        for value in [entry.get("from")]
        for former in (value if isinstance(value, list) else [value])
        if isinstance(former, str)
    }


def _plugins(settings: Configuration, name: str) -> list[Configuration]:
    """Return the options of each instance of an official plugin."""
    found: list[Configuration] = []
    plugins = settings.get("plugins")
    for each in plugins if isinstance(plugins, list) else ():
        match each:
            case [str(plugin), dict(options)] if plugin.endswith(f"plugin-{name}"):
                found.append(options)
    return found


def _instances(settings: Configuration, kind: str) -> list[Configuration]:
    """Return the options of each instance of a content plugin; a preset has the first."""
    named = _plugins(settings, f"content-{kind}")
    own = [] if any(not each.get("id") for each in named) else [_plugin(settings, kind)]
    return [*own, *named]


def _locales(settings: Configuration) -> frozenset[str]:
    listed = mapping_at(settings, "i18n").get("locales")
    return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()


def _plugin(settings: object, name: str) -> Configuration:
    """Return the options of a plugin, which are somewhere in the list of presets."""
    if isinstance(settings, list):
        return next(filter(None, (_plugin(entry, name) for entry in settings)), {})
    options = mapping_at(settings, name)
    return options or (_plugin(settings.get("presets"), name) if isinstance(settings, dict) else {})


_STARLIGHT = re.compile(r"""["']@astrojs/starlight["']""")
_TITLE = re.compile(r"""SITE_TITLE\s*=\s*["'`]([^"'`\n]{1,200})""")
_DESCRIPTION = re.compile(r"""SITE_DESCRIPTION\s*=\s*["'`]([^"'`\n]{1,400})""")


def read_astro(root: Path) -> Source | None:
    """Return the source of an Astro or Starlight site, or None.

    Its texts are in the collections of `src/content` and in `src/pages`, its files in `public`.
    """
    file = _file(root, "astro.config", "mjs", "ts", "js", "mts", "cjs")
    if file is None:
        return None
    settings = read_configuration(file)
    constants = first_file(root / "src", "consts.ts", "consts.js", "config.ts", "site.config.ts")
    text = read_text(constants) if constants else ""
    title, description = _TITLE.search(text), _DESCRIPTION.search(text)
    is_starlight = bool(_STARLIGHT.search(read_text(file)))
    integrations = list(mappings_at(settings, "integrations"))
    languages = [text_at(settings, "i18n", "defaultLocale")]
    for each in integrations if is_starlight else ():
        languages += text_at(each, "locales", "root", "lang"), text_at(each, "defaultLocale")
    return Source(
        "Starlight" if is_starlight else "Astro",
        root,
        list(_astro_trees(root, file)),
        SiteConfiguration(
            title=next(
                filter(None, (text_at(each, "title") for each in integrations)),
                title[1] if title else "",
            ),
            description=description[1] if description else "",
            base_url=f"{text_at(settings, 'site')}/{text_at(settings, 'base').strip('/')}",
            redirects=texts_at(settings, "redirects"),
            language=next(filter(None, languages), ""),
            has_fallbacks=is_starlight,
        ),
        existing(root / "public"),
        ["Components, layouts and pages written in .astro are not imported."],
        is_unpublished=lambda path: any(
            part.startswith("_") for part in path.relative_to(root).parts
        ),
    )


_BASE = re.compile(r"""\bbase:\s*["'`]\.?/?([^"'`$\n]+)["'`]""")
_CONTENT_FILES = ("src/content.config", "src/content/config")


def _astro_trees(root: Path, file: Path) -> Iterator[Tree]:
    content = root / "src" / "content"
    folders = (
        [each for each in sorted(content.iterdir()) if each.is_dir()] if content.is_dir() else []
    )
    names = (f"{name}.{suffix}" for name in _CONTENT_FILES for suffix in ("ts", "js", "mjs", "mts"))
    loaded = first_file(root, *names)
    bases = _BASE.findall(read_text(loaded)) if loaded else []
    for base in dict.fromkeys(each.rstrip("/") for each in bases):
        folder = root / base
        is_known = any(folder.is_relative_to(each) for each in (*folders, file))
        if folder.is_dir() and folder != content and not is_known:
            folders.append(folder)
    for folder in folders:
        name, layout = folder.name, TreeLayout(target=DOCS)
        if name == "docs":
            yield from layout.trees(folder)
        elif name in POST_FOLDERS:
            yield from layout.section(folder.parent, name, "", subfolder=name)
        else:
            own = TreeLayout(post_folders=()).trees(folder, f"/{name}")
            yield from (replace(tree, subfolder=name, is_root=False) for tree in own)
    yield from TreeLayout(post_folders=()).trees(root / "src" / "pages")


_MAX_DEPTH = 3
"""How deep below the root the folder `.vitepress` may be."""


def read_vitepress(root: Path) -> Source | None:
    """Return the source of a VitePress or VuePress site, or None.

    Its texts are beside the folder with the configuration, its files in `public` there.
    """
    folder = next(_configuration_folders(root), None)
    if folder is None:
        return None
    suffixes = ("mts", "ts", "mjs", "js", "cjs")
    file = _file(folder, "config", *suffixes) or _file(folder, "config/index", *suffixes)
    if file is None:
        return None
    settings = read_configuration(file)
    content = folder.parent / text_at(settings, "srcDir")
    root_locale = mapping_at(settings, "locales", "root") or mapping_at(settings, "locales", "/")
    excluded = frozenset({"public", *(REPOSITORY_FILES if content == root else ())})
    return Source(
        "VitePress" if folder.name == ".vitepress" else "VuePress",
        root,
        list(TreeLayout(PLAIN, excluded=excluded, target=DOCS).trees(content)),
        SiteConfiguration(
            title=text_at(settings, "title"),
            description=text_at(settings, "description"),
            language=text_at(settings, "lang") or text_at(root_locale, "lang"),
            menu=menu_links(mappings_at(settings, "themeConfig", "nav"), ("text",), ("link",)),
            as_address=partial(_rewritten, texts_at(settings, "rewrites")),
        ),
        existing(content / "public"),
        ["Components, the theme and sidebars are not imported."],
        is_unpublished=ignored_paths(
            content, [*anchored(settings.get("srcExclude")), r"*\[*\]*.md"]
        ),
    )


_PARAMETER = re.compile(r":(\w+)(\\?\*)?")


def _rewritten(rules: Mapping[str, str], address: str) -> str:
    """Return the address of a page by `rewrites`, whose patterns have parts such as `:rest*`.

    >>> _rewritten({"en/:rest*": ":rest*"}, "/en/guide/x")
    '/guide/x'
    >>> _rewritten({"packages/:name/docs/:page.md": ":name/:page.md"}, "/packages/a/docs/b")
    '/a/b'
    """
    for written, new in rules.items():
        pattern = _PARAMETER.sub(
            lambda part: f"(?P<{part[1]}>{'.*' if part[2] else '[^/]+'})",
            re.escape(f"/{written.removesuffix('.md')}"),
        )
        if found := re.fullmatch(pattern, address):
            address = f"/{new.removesuffix('.md')}"
            for name, part in found.groupdict().items():
                address = address.replace(f":{name}*", part).replace(f":{name}", part)
            break
    return address


def _configuration_folders(root: Path) -> Iterator[Path]:
    for depth in range(_MAX_DEPTH):
        for name in (".vitepress", ".vuepress"):
            yield from sorted(root.glob("*/" * depth + name))


def _file(folder: Path, name: str, *suffixes: str) -> Path | None:
    """Return the first of the configuration files of a name that exists."""
    return first_file(folder, *(f"{name}.{suffix}" for suffix in suffixes))
