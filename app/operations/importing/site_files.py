"""Site files of an import: settings, navigation, the home page, redirects from old addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.operations.importing.document import SourceDocument
from app.operations.importing.placement import in_language
from app.operations.importing.source import POSTS, MenuLink, SiteConfiguration, Source, Tree
from app.operations.importing.written_keys import front_matter_text, with_keys
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
    pages = {_comparable(former): address for former, address in new_addresses.items()}
    labelled = ((" ".join(text_of(label).split()), target) for label, target in menu)
    links = [
        {
            "id": f"header-{slugify(label) or number}",
            "label": label,
            "href": pages.get(_comparable(target), target),
            "active": True,
            "sortOrder": 10 * number,
        }
        for number, (label, target) in enumerate(labelled, 1)
    ]
    return front_matter_text({"headerLinks": links})


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


def home_text(home: SourceDocument) -> tuple[str, str]:
    """Return the file and the body of a home page, with the texts of its front matter's blocks."""
    blocks = (home.metadata.get(key) for key in _SHOWN_BLOCKS)
    hero = set(home_hero(home).values())
    lines = (line for block in blocks for line in _texts(block) if line.strip("*") not in hero)
    shown = "".join(f"{line}\n\n" for line in lines)
    body = f"\n{shown}{home.body.lstrip()}" if shown else home.body
    kept = {key: value for key, value in home.own.items() if key not in _SHOWN_BLOCKS}
    kept.pop("slug", None)  # that of the home page is its address
    if not (shown or "slug" in home.own):
        return home.text, body
    return with_keys(body, kept), body


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
    posts = (tree for tree in trees if tree.target == POSTS and not tree.is_root)
    found = (
        (_list_address(tree), in_language("/blog", tree.language, site_language)) for tree in posts
    )
    return {former: address for former, address in found if former}


def _list_address(tree: Tree) -> str:
    """Return the address of the list of posts of a tree, `""` if it has none of its own."""
    prefix = tree.address.partition(":")[0]
    if not tree.address or tree.folder.name.startswith("_"):
        return ""
    return prefix if prefix.strip("/") else f"/{tree.folder.name}/"


def own_redirects(source: Source) -> str:
    """Return the redirects that the source has for Netlify and others."""
    folders = (source.root, *source.static_folders)
    files = (folder / "_redirects" for folder in folders)
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file())
    return "".join(f"{text.rstrip()}\n" for text in texts)


def _comparable(address: str) -> str:
    """Return an address in the form in which addresses are compared.

    >>> _comparable("Docs/Start.html"), _comparable("/docs/start/")
    ('/docs/start', '/docs/start')
    """
    path = address.partition("#")[0].strip("/").lower()
    path = path.removesuffix(".html").removesuffix(".md").removesuffix(".mdx")
    return "/" + path.removesuffix("index").rstrip("/")


def redirects_file(new_addresses: Mapping[str, str]) -> str:
    """Return `_redirects`, which leads readers of old addresses to the new ones."""
    return "".join(
        f"{former.replace(' ', '%20')} {address} 301\n"
        for former, address in sorted(new_addresses.items())
        if former.rstrip("/") != address
    )
