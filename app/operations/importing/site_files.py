"""Written files: settings, navigation, home page, redirects, and keys added to front matter."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

import yaml

from app.operations.importing.document import SourceDocument
from app.operations.importing.links import comparable
from app.operations.importing.placement import in_language
from app.operations.importing.source import POSTS, MenuLink, SiteConfiguration, Source, Tree
from knowledge.documents import front_matter
from knowledge.documents.files import SourceFile
from knowledge.documents.publication import time_key
from knowledge.fields.file_types import ASSET_TYPES
from knowledge.locales.locale import Language
from knowledge.markdown.raw_html import text_of
from knowledge.markdown.slugs import slugify


def settings_file(configuration: SiteConfiguration, title: str) -> str:
    """Return `site/settings.md`: the name, the description and the language of the site."""
    seo = {"pageTitle": configuration.title or title}
    if configuration.description:
        seo["metaDescription"] = configuration.description
    settings: dict[str, Any] = {"seo": seo}
    if language := Language.parse(configuration.language):
        settings = {"lang": language.value, **settings}
    return front_matter_text(settings)


def navigation_file(menu: Iterable[MenuLink], new_addresses: Mapping[str, str]) -> str:
    """Return `site/navigation.md`; `new_addresses` has the new address of each old one."""
    pages = {comparable(former): address for former, address in new_addresses.items()}
    labelled = ((" ".join(text_of(label).split()), target) for label, target in menu)
    links = [
        {
            "id": f"header-{slugify(label) or number}",
            "label": label,
            "href": pages.get(comparable(target), target),
            "active": True,
            "sortOrder": 10 * number,
        }
        for number, (label, target) in enumerate(labelled, 1)
    ]
    return front_matter_text({"headerLinks": links})


def moved(configuration: SiteConfiguration, new_addresses: Mapping[str, str]) -> Mapping[str, str]:
    """Return the new address of each address from which the configuration leads to another."""
    pages = {comparable(former): address for former, address in new_addresses.items()}
    found = {}
    for former, target in configuration.redirects.items():
        path, sign, fragment = target.partition("#")
        is_file = PurePosixPath(former).suffix.lower() in ASSET_TYPES
        written = former if is_file or "?" in former else f"{comparable(former)}/"
        found[written] = f"{pages.get(comparable(path), path)}{sign}{fragment}"
    return {
        former: address for former, address in found.items() if address.startswith(("/", "http"))
    }


def home_hero(home: SourceDocument) -> Mapping[str, str]:
    """Return the hero of the home page: the title and the description of the source's one."""
    hero = home.metadata.get("hero")
    block = hero if isinstance(hero, dict) else {}
    own = {
        "title": home.title or block.get("title") or block.get("name"),
        "sub": home.metadata.get("description") or block.get("tagline") or block.get("text"),
    }
    return {key: text for key, text in own.items() if isinstance(text, str) and text}


_SHOWN_BLOCKS = ("hero", "features", "actions")
_UNSHOWN_KEYS = frozenset(
    [
        "link",
        "icon",
        "image",
        "src",
        "theme",
        "target",
        "rel",
        "layout",
        "variant",
        "alt",
        "light",
        "dark",
        "width",
        "height",
        "class",
    ]
)


def home_text(home: SourceDocument) -> str:
    """Return the text of a home page, with the texts of its front matter's blocks."""
    blocks = (home.metadata.get(key) for key in _SHOWN_BLOCKS)
    hero = set(home_hero(home).values())
    lines = (line for block in blocks for line in _texts(block) if line.strip("*") not in hero)
    shown = "".join(f"{line}\n\n" for line in lines)
    if not (shown or "slug" in home.own):
        return home.text
    kept = {key: value for key, value in home.own.items() if key not in _SHOWN_BLOCKS}
    kept.pop("slug", None)  # that of the home page is its address
    return with_keys(f"\n{shown}{home.body.lstrip()}" if shown else home.body, kept)


def _texts(block: object) -> Iterator[str]:
    """Yield the texts in a block of front matter, without addresses and names of icons."""
    if isinstance(block, str):
        yield block.strip()
    elif isinstance(block, list):
        for each in block:
            yield from _texts(each)
    elif isinstance(block, dict):
        for key, value in block.items():
            if key not in _UNSHOWN_KEYS:
                texts = list(_texts(value))
                yield from (f"**{text}**" if key in ("title", "name") else text for text in texts)


def list_addresses(trees: Iterable[Tree], site_language: str) -> Mapping[str, str]:
    """Return the address of the blog for each address of a list of posts."""
    return {
        list_address(tree): in_language("/blog", tree.language, site_language)
        for tree in trees
        if tree.target == POSTS and not tree.is_root
        if tree.address and not tree.folder.name.startswith("_")
    }


def list_address(tree: Tree) -> str:
    """Return the address of the list of a tree, which is that of its files."""
    prefix = tree.address.partition(":")[0]
    return prefix if prefix.strip("/") or tree.is_root else f"/{tree.folder.name}/"


def own_redirects(source: Source) -> str:
    """Return the redirects that the source has for Netlify and others."""
    tops = (tree.folder for tree in source.trees if tree.is_root)
    folders = dict.fromkeys((source.root, *source.static_folders, *tops))
    files = (folder / "_redirects" for folder in folders)
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file())
    return "".join(f"{text.rstrip()}\n" for text in texts)


def redirects_file(new_addresses: Mapping[str, str]) -> str:
    """Return `_redirects`, which leads readers of old addresses to the new ones."""
    return "".join(
        f"{former.replace(' ', '%20')} {address} 301\n"
        for former, address in sorted(new_addresses.items())
        if former.rstrip("/") != address
    )


def with_keys(text: str, keys: Mapping[str, Any]) -> str:
    r"""Return a text with further keys in its front matter, which replace equal ones.

    >>> with_keys("+++\ntitle = 'A'\n+++\nText", {"slug": "b"})
    '+++\nslug = "b"\ntitle = \'A\'\n+++\nText'
    >>> with_keys("Text", {"published": False})
    '---\npublished: false\n---\n\nText'
    >>> with_keys("---\nslug: a\n---\nText", {"slug": "b"})
    '---\nslug: b\n---\nText'
    """
    if not keys:
        return text
    parts = front_matter.parse_or_body(SourceFile("", text))
    is_open = parts.is_yaml or parts.is_toml
    if is_open and not keys.keys() & parts.metadata.keys() and _is_flat(keys):
        sign = ":" if parts.is_yaml else " ="
        lines = text.split("\n")
        lines[parts.raw_line : parts.raw_line] = (
            f"{key}{sign} {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()
        )
        return "\n".join(lines)
    if not parts.raw:
        return f"{front_matter_text(keys)}\n{text}"
    body = parts.body if parts.body.startswith("\n") else f"\n{parts.body}"
    return front_matter_text({**parts.metadata, **keys}).rstrip("\n") + body


def _is_flat(keys: Mapping[str, Any]) -> bool:
    """Return whether the values are written alike in YAML and TOML."""
    values = [each if isinstance(each, list) else [each] for each in keys.values()]
    return all(isinstance(each, str | bool | int) for value in values for each in value)


class _Dumper(yaml.SafeDumper):
    """A dumper that writes every subclass of a text as a text."""

    def ignore_aliases(self, _: object) -> bool:
        return True


_Dumper.add_multi_representer(str, lambda dumper, text: dumper.represent_str(str(text)))


def front_matter_text(metadata: Mapping[str, Any]) -> str:
    """Return front matter in YAML."""
    text = yaml.dump(
        dict(metadata), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1_000
    )
    return f"---\n{text}---\n"


_NOT_INHERITED = (None, "published", "aliases", "permalink", "url", "path")
"""Keys about the address of one text, and what an import writes by itself."""


def inherited_keys(document: SourceDocument) -> dict[str, Any]:
    """Return the keys that a text inherits and that are read here, apart from its address."""
    own = {key.lower() for key in document.own}
    fields = front_matter.normalize_keys(document.kind, document.own)[0]
    found = {}
    for key, value in document.inherited.items():
        target = front_matter.known_key(document.kind, key)
        if target in _NOT_INHERITED or key.lower() in own:
            continue
        # of several times of publication the latest counts
        is_open = fields.get(target) is None or bool(time_key(key))
        if is_open and value not in (None, ""):
            found[key] = value
    return found
