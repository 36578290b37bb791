"""Configurations of other generators: YAML, TOML, JSON, and JavaScript that only states values."""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import tree_sitter_typescript
import yaml
from tree_sitter import Language, Node, Parser

from app.operations.importing.source import MenuLink
from knowledge.fields.yaml import BoundedLoader

Configuration = Mapping[str, Any]

_TEXT, _MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"


class _Loader(BoundedLoader):
    """A loader with texts as keys, which reads the tags of generators as null: they name code.

    Otherwise the language Norwegian, `no`, would be the key False.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping, of which each scalar key is the text as it is written."""
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
                key.tag = _TEXT
        return super().construct_mapping(node, deep)


_Loader.add_multi_constructor("!", lambda *_: None)
_Loader.add_multi_constructor("tag:", lambda *_: None)


class InvalidConfiguration(Exception):
    """A configuration file cannot be parsed; the message names the file and the reason."""


def read_configuration(path: Path) -> Configuration:
    """Return the settings of a TOML, YAML, JSON or JavaScript file.

    Of a JavaScript file only the literals are read. Raises InvalidConfiguration.
    """
    return mapping_at(read_value(path))


def read_value(path: Path) -> object:
    """Return what such a file has, which may be no mapping; raises InvalidConfiguration."""
    try:
        return _parse(path.suffix, read_text(path))
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise InvalidConfiguration(f"{path} cannot be parsed: {error}") from None


def read_text(path: Path) -> str:
    """Return the text of a configuration file; raises InvalidConfiguration."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidConfiguration(f"{path} cannot be read: {error}") from None


def _parse(suffix: str, text: str) -> object:
    match suffix:
        case ".toml":
            return tomllib.loads(text)
        case ".yaml" | ".yml":
            return yaml.load(text, _Loader)  # noqa: S506  # of SafeLoader
        case ".json":
            return json.loads(text)
    return object_literals(text)


def first_file(root: Path, *names: str) -> Path | None:
    """Return the first of these files that exists in a folder, or None."""
    return next((root / name for name in names if (root / name).is_file()), None)


def text_at(settings: object, *path: str) -> str:
    """Return the text at a path of keys, or `""` if there is none.

    >>> text_at({"params": {"description": " Notes "}}, "params", "description")
    'Notes'
    """
    for key in path:
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings.strip() if isinstance(settings, str) else ""


def first_text(settings: object, *keys: str) -> str:
    """Return the text of the first of these keys that has one, or `""`."""
    return next(filter(None, (text_at(settings, key) for key in keys)), "")


def mapping_at(settings: object, *path: str) -> Configuration:
    """Return the mapping at a path of keys, or an empty one."""
    for key in path:
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings if isinstance(settings, dict) else {}


def texts_at(settings: object, *path: str) -> dict[str, str]:
    """Return the entries of the mapping at a path of keys whose values are texts."""
    entries = mapping_at(settings, *path).items()
    return {str(key): each for key, each in entries if isinstance(each, str)}


def mappings_at(settings: object, *path: str) -> Iterator[Configuration]:
    """Yield the mappings in the list at a path of keys."""
    entries = mapping_at(settings, *path[:-1]).get(path[-1])
    if isinstance(entries, list):
        yield from (entry for entry in entries if isinstance(entry, dict))


def menu_links(
    entries: Iterable[Configuration], labels: Sequence[str], targets: Sequence[str]
) -> list[MenuLink]:
    """Return the menu entries that have a label and a target, each in the first of its keys."""
    links = (MenuLink(first_text(each, *labels), first_text(each, *targets)) for each in entries)
    return [link for link in links if all(link)]


_CONSTANTS = {"true": True, "false": False, "null": None}
_WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})
_MISSING = object()


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_typescript.language_typescript()))


def object_literals(text: str) -> dict[str, Any]:
    """Return the entries of all outermost object literals; of equal keys the first counts.

    Values that have to be computed are left out.

    >>> object_literals('export default define({ title: "Notes", on: f(), nav: [{ to: `/a` }] })')
    {'title': 'Notes', 'nav': [{'to': '/a'}]}
    """
    entries: dict[str, Any] = {}
    for node in _outermost_objects(_parser().parse(text.encode()).root_node):
        entries = _object(node) | entries
    return entries


def _outermost_objects(root: Node) -> Iterator[Node]:
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.type == "object":
            yield node
        else:
            nodes.extend(reversed(node.named_children))


def _object(node: Node) -> dict[str, Any]:
    entries = {}
    for pair in node.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if pair.type == "pair" and key and value:
            literal = _literal(value)
            if literal is not _MISSING:
                entries[_string(key) if key.type == "string" else _text(key)] = literal
    return entries


def _literal(node: Node) -> Any:
    if node.type in _CONSTANTS:
        return _CONSTANTS[node.type]
    if node.type in _WRAPPERS:
        return _literal(node.named_children[0])
    read = _READERS.get(node.type)
    return read(node) if read else _MISSING


def _array(node: Node) -> list[Any]:
    return [entry for entry in map(_literal, node.named_children) if entry is not _MISSING]


def _call(node: Node) -> Any:
    """Return the options that a function is called with, as in `starlight({...})`."""
    arguments = node.child_by_field_name("arguments")
    first = arguments.named_children[:1] if arguments else []
    return _object(first[0]) if first and first[0].type == "object" else _MISSING


def _template(node: Node) -> Any:
    """Return the text of a template literal, unless a part of it has to be computed."""
    is_plain = all(child.type == "string_fragment" for child in node.named_children)
    return _string(node) if is_plain else _MISSING


def _string(node: Node) -> str:
    """Return the value of a string literal, with its escapes decoded."""
    return "".join(
        _escape(_text(child)) if child.type == "escape_sequence" else _text(child)
        for child in node.named_children
    )


def _escape(sequence: str) -> str:
    try:
        return str(json.loads(f'"{sequence}"'))
    except ValueError:  # JavaScript has escapes that JSON does not have, such as \'
        return sequence[1:]


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


_READERS: Mapping[str, Callable[[Node], Any]] = {
    "object": _object,
    "array": _array,
    "call_expression": _call,
    "string": _string,
    "template_string": _template,
}
