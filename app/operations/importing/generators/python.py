"""Generators whose configuration is a program in Python: Nikola, with texts in markdown."""

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.operations.importing.configuration import read_text, text_at
from app.operations.importing.source import (
    PAGES,
    POSTS,
    Metadata,
    SiteConfiguration,
    Source,
    Tree,
    existing,
)

_KEY = re.compile(r"^\.\. (\w+):[ \t]*+(.*)$", re.MULTILINE)
_LISTS = ("tags",)
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
        case ast.BinOp(left, ast.Add(), right):
            texts = [_value(left, found), _value(right, found)]
            if all(isinstance(each, str) and len(each) < _MAX_CHARACTERS for each in texts):
                return "".join(texts)
    return ast.literal_eval(node)


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
        if (root / folder).is_dir()
    ]
    return Source(
        "Nikola",
        root,
        trees,
        SiteConfiguration(
            title=text_at(settings, "BLOG_TITLE"),
            description=text_at(settings, "BLOG_DESCRIPTION"),
            base_url=text_at(settings, "SITE_URL"),
            language=text_at(settings, "DEFAULT_LANG"),
            time_zone=text_at(settings, "TIMEZONE"),
        ),
        existing(root / "files"),
        ["Themes, plugins and texts in reStructuredText are not imported."],
        defaults=_metadata,
    )


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
            found[key] = [each.strip() for each in values[key].split(",")]
    if "date" in values:
        found["date"] = values["date"].replace(" UTC", "")
    return {**values, **{key: found[key] for key in ("date", *_LISTS) if key in found}}
