"""Generators whose configuration is a program in Python: Nikola, with texts in markdown."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from unicodedata import combining, normalize

from app.operations.importing.configuration import mapping_at, read_text, text_at, texts_at
from app.operations.importing.document import SourceDocument, withheld_by
from app.operations.importing.source import (
    PAGES,
    POSTS,
    MenuLink,
    Metadata,
    SiteConfiguration,
    Source,
    Tree,
    existing,
)
from knowledge.markdown.slugs import term_slug

_KEY = re.compile(r"^\.\. (\w+):[ \t]*+(.*)$", re.MULTILINE)
_LISTS = ("tags",)
_LIST_PATHS = {"tag": "categories", "category": "categories", "author": "authors"}
_SIGNS = ((r"[^+\w\s-]", ""), (r"[-\s]+", "-"))
_MAX_CHARACTERS = 1_000


def literals(text: str) -> Mapping[str, Any]:
    r"""Return the variables of a program to which a literal is assigned; nothing is run.

    >>> literals("A = B = 'b'\nC: tuple = (('d', 1),)\nD = A + '/c'\nE = f()")
    {'A': 'b', 'B': 'b', 'C': (('d', 1),), 'D': 'b/c'}
    """
    found: dict[str, Any] = {}
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return found
    for node in nodes:
        match node:
            case ast.Assign(targets, value):
                names = [each.id for each in targets if isinstance(each, ast.Name)]
            case ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                names = [name]
            case _:
                continue
        with suppress(ValueError, TypeError, SyntaxError, RecursionError):
            found |= dict.fromkeys(names, _value(value, found))
    return found


def _value(node: ast.expr, found: Mapping[str, Any]) -> Any:
    """Return a literal, a text that is known by its name, or texts put together."""
    match node:
        case ast.Name(name) if isinstance(found.get(name), str):
            return found[name]
        case ast.Dict([*keys], values) if None not in keys:
            pairs = zip(keys, values, strict=True)
            return {_value(key, found): _value(each, found) for key, each in pairs if key}
        case ast.BinOp(left, ast.Add(), right):
            texts = [_value(left, found), _value(right, found)]
            if all(isinstance(each, str) and len(each) < _MAX_CHARACTERS for each in texts):
                return "".join(texts)
    return ast.literal_eval(node)


SLUG = ((r"[^\w\s-]", ""), (r"\A\s*", ""), (r"\s*\Z", ""), (r"[-\s]+", "-"))


def slug_of(text: str, substitutions: object = SLUG, *, is_unicode: bool = False) -> str:
    """Return a slug of Pelican and Nikola; `""` for letters that they transliterate.

    >>> slug_of("C++ 1. What's new?"), slug_of("Été"), slug_of("سلام")
    ('c-1-whats-new', 'ete', '')
    """
    if not is_unicode:
        text = "".join(each for each in normalize("NFKD", text) if not combining(each))
        if any(each.isalpha() and not each.isascii() for each in text):
            return ""
    for entry in substitutions if isinstance(substitutions, tuple | list) else SLUG:
        match entry:
            case [str(pattern), str(new), *_]:
                text = _replaced(pattern, new, text)
    return text.lower().strip()


def _replaced(pattern: str, new: str, text: str) -> str:
    try:
        return re.sub(pattern, new, text, flags=re.IGNORECASE)
    except (re.error, IndexError):
        return text


def read_nikola(root: Path) -> Source | None:
    """Return the source of a Nikola site, or None: its texts are where its configuration says."""
    file = root / "conf.py"
    settings = literals(read_text(file)) if file.is_file() else {}
    if not {"POSTS", "PAGES"} & settings.keys() or "BLOG_TITLE" not in settings:
        return None
    end = "/" if settings.get("PRETTY_URLS", True) else ".html"
    trees = [
        Tree(root / folder, target, f"/{place}/:folders/:name{end}")
        for name, target in (("POSTS", POSTS), ("PAGES", PAGES))
        for folder, place in dict(_places(settings.get(name))).items()
    ]
    for name in ("IMAGE_FOLDERS", "GALLERY_FOLDERS"):
        folders = settings.get(name, {"images": "images"} if name == "IMAGE_FOLDERS" else {})
        trees += [Tree(root / each, PAGES, asset_root=root) for each in texts_at(folders)]
    redirects: dict[str, str] = {}

    def completed(documents: Sequence[SourceDocument]) -> Sequence[SourceDocument]:
        for document in documents:
            redirects.update(() if withheld_by(document) else _lists(document.metadata, settings))
        return documents

    return Source(
        "Nikola",
        root,
        [each for each in trees if each.folder.is_dir()],
        SiteConfiguration(
            title=text_at(settings, "BLOG_TITLE"),
            description=text_at(settings, "BLOG_DESCRIPTION"),
            base_url=text_at(settings, "SITE_URL"),
            language=text_at(settings, "DEFAULT_LANG"),
            time_zone=text_at(settings, "TIMEZONE"),
            menu=list(_menu(settings)),
            redirects=redirects,
        ),
        existing(root / "files"),
        ["Themes, plugins and texts in reStructuredText are not imported."],
        defaults=_metadata,
        completed=completed,
    )


def _menu(settings: Mapping[str, Any]) -> Iterator[MenuLink]:
    """Yield the links to pages of its own, without menus in the menu."""
    links = mapping_at(settings, "NAVIGATION_LINKS").get(text_at(settings, "DEFAULT_LANG"))
    for entry in links if isinstance(links, tuple | list) else ():
        match entry:
            case [str(target), str(label), *_]:
                yield MenuLink(label, target)


def _lists(own: Metadata, settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield where the list of each term of a text was, and where it is."""
    tags = own.get("tags")
    terms = [("tag", str(each)) for each in (tags if isinstance(tags, list) else ())]
    terms += [(key, str(own[key])) for key in ("category", "author") if own.get(key)]
    for kind, name in terms:
        path = text_at(settings, f"{kind.upper()}_PATH") or _LIST_PATHS[kind]
        prefix = settings.get("CATEGORY_PREFIX", "cat_") if kind == "category" else ""
        yield f"/{path}/{prefix}{slug_of(name, _SIGNS)}/", f"/blog/{kind}/{term_slug(name)}"


def _places(entries: object) -> Iterator[tuple[str, str]]:
    """Yield the folder of each pattern of files, and where its texts are published."""
    for entry in entries if isinstance(entries, tuple | list) else ():
        match entry:
            case [str(pattern), str(place), *_] if pattern.endswith(".md"):
                yield pattern.rpartition("/")[0], place.strip("/")


def _metadata(file: Path) -> Metadata:
    """Return what `.meta` beside a text says about it, else the comment at its head."""
    beside = file.with_suffix(".meta")
    text = read_text(beside if beside.is_file() else file)
    head = text if beside.is_file() else text.lstrip().partition("-->")[0]
    is_head = beside.is_file() or head.startswith("<!--")
    found: dict[str, Any] = dict(_KEY.findall(head)) if is_head else {}
    values = {key: value.strip() for key, value in found.items()}
    for key in _LISTS:
        if values.get(key):
            found[key] = [each.strip() for each in values[key].split(",") if each.strip()]
    if "date" in values:
        found["date"] = values["date"].replace(" UTC", "")
    return {**values, **{key: found[key] for key in ("date", *_LISTS) if key in found}}
