"""The stable surface of docs/stability.md as plain data, and what a newer one takes from it."""

from __future__ import annotations

import inspect
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from command_line import run_majlis
from live.documents import ROOT

from app.factory import create_app
from app.operations.cli import main
from app.settings import GROUPS
from knowledge.checks.front_matter_schema import front_matter_schema, schema_names

RELEASED = Path(__file__).with_name("released.json")
"""The surface of the last release; written when a version is released."""

_PROSE = {"description", "example", "examples", "pattern", "summary", "tags", "title"}
"""What may change in a schema: texts, and patterns, which list what else is in the schema."""
_UPPER = {"maximum", "maxItems", "maxLength"}
_LOWER = {"minimum", "minItems", "minLength"}


def surface() -> dict[str, dict[str, Any]]:
    """Return everything that stays as it is in 1.x, by kind and name."""
    document = _openapi()
    taken = _referenced(
        [
            operation.get("requestBody")
            for path in document["paths"].values()
            for operation in path.values()
        ],
        document["components"]["schemas"],
    )
    return {
        "api": {path: _schema(item) for path, item in document["paths"].items()},
        "api aliases": {path: sorted(item) for path, item in _openapi("--legacy")["paths"].items()},
        "api components": {
            f"{kind}/{name}": _schema(each, taken=name in taken)
            for kind, components in document["components"].items()
            for name, each in components.items()
            if kind in ("parameters", "responses", "schemas")
        },
        "commands": dict(_commands(main, click.Context(main), "majlis")),
        "settings": {
            name.upper(): json.loads(json.dumps(field.get_default(), default=_portable))
            for group in GROUPS
            for name, field in group.model_fields.items()
        },
        "content": {
            name: _schema(front_matter_schema(name), taken=True) for name in schema_names()
        },
        "templates": _templates(),
        "python": {"app.factory:create_app": {"needed": _needed(create_app)}},
    }


def _needed(function: Callable[..., object]) -> list[str]:
    """Return the parameters that a caller must give."""
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.default is each.empty]


def _portable(default: object) -> str:
    """Write a path of the checkout as one of any machine."""
    return str(default).removeprefix(f"{ROOT}/")


def _openapi(*options: str) -> dict[str, Any]:
    printed = run_majlis("openapi", *options, folder=ROOT / "tests").stdout
    document: dict[str, Any] = json.loads(printed)
    return document


def _referenced(value: object, schemas: dict[str, Any]) -> set[str]:
    """Return the names of schemas that a value refers to, also through others."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        names = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(waiting.pop())))
        waiting += [schemas[name] for name in names - found]
        found |= names
    return found


def _schema(value: Any, *, taken: bool = False) -> Any:
    """Return a schema without its prose; `taken` marks one of what the service is given.

    Lists of schemas and parameters become objects by name, so that their order does not count.
    """
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        names = [*map(_name, value)]
        return {
            name if names.count(name) == 1 else _whole(each): _schema(each, taken=taken)
            for name, each in zip(names, value, strict=True)
        }
    if not isinstance(value, dict):
        return value
    return {
        "needed" if taken and key == "required" else key: (
            {name: _schema(each, taken=taken) for name, each in inner.items()}
            if key in ("properties", "$defs")
            else _schema(inner, taken=taken or key == "requestBody")
        )
        for key, inner in value.items()
        if key not in _PROSE
    }


def _name(item: dict[str, Any]) -> str:
    name = item.get("name") or item.get("$ref") or item.get("type") or item.get("const")
    return str(name or _whole(item))


def _whole(item: dict[str, Any]) -> str:
    return json.dumps(_schema(item), sort_keys=True)


def _commands(
    command: click.Command, context: click.Context, name: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    yield (
        name,
        {
            "parameters": {
                max(each.opts, key=len): {
                    "required": each.required,
                    "choices": sorted(map(str, getattr(each.type, "choices", ()))),
                }
                for each in command.get_params(context)
            }
        },
    )
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            inner = command.get_command(context, part)
            assert inner
            yield from _commands(inner, click.Context(inner, context), f"{name} {part}")


def _templates() -> dict[str, dict[str, str]]:
    """Return what docs/templates.md lists, which a test compares with the templates.

    What all pages have, each template has.
    """
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    heading = ""
    for line in (ROOT / "docs" / "templates.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ").strip("`")
        elif line.startswith("Blocks: "):
            found[heading] |= dict.fromkeys(re.findall(r"`(\w+)`", line), "block")
        elif row := re.match(r"\| `(\w+)` \| (.+?) \|", line):
            found[heading][row[1]] = row[2]
        elif function := re.match(r"- `(\w+)\((.*?)\)`", line):
            found[heading][function[1]] = function[2]
    common = found["All pages"]
    return {
        name: {**common, **own} if name.endswith(".html") else own for name, own in found.items()
    }


def losses(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Yield what is missing, narrower or newly required in `new`, each with its place."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            inner = f"{place} > {key}" if place else str(key)
            if key in new:
                yield from losses(value, new[key], inner)
            elif key != "needed":  # nothing is needed any more
                yield f"{inner} is gone"
        for key in new.keys() - old.keys():
            if place.endswith("parameters") and new[key].get("required"):
                yield f"{place} > {key} is new and required"
            elif key in _UPPER | _LOWER | {"enum", "const", "needed"}:
                yield f"{place} > {key} is a new limit"
    elif isinstance(old, list) and isinstance(new, list):
        gone = [each for each in old if each not in new]
        added = [each for each in new if each not in old]
        yield from (f"{place} > {each} is gone" for each in gone if not place.endswith("needed"))
        yield from (f"{place} > {each} is new" for each in added if place.endswith("needed"))
    elif old != new and not _is_wider(place, old, new):
        yield f"{place} is {new!r}, and was {old!r}"


def _is_wider(place: str, old: Any, new: Any) -> bool:
    """Return whether a value allows more; more pages may use a part of a template."""
    key = place.rpartition(" > ")[2]
    if key == "blocks" or re.match(r"(templates > )?(blocks|parts)/", place):
        return {*re.split(",? or ", old)} <= {*re.split(",? or ", new)}
    if key == "required":
        return not new
    return (key in _UPPER and new >= old) or (key in _LOWER and new <= old)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def written(value: dict[str, dict[str, Any]]) -> str:
    """Return a surface as JSON with a line for each name, which a reader of a diff can follow."""
    kinds = (
        f" {json.dumps(kind)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {_line(each)}" for name, each in sorted(names.items()))
        + "\n }"
        for kind, names in value.items()
    )
    return "{\n" + ",\n".join(kinds) + "\n}"


if __name__ == "__main__":
    print(written(surface()))  # noqa: T201  # a command of the release
