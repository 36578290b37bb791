"""Components: which of them a document refers to, so that it has no others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
_PREFIX = "#/components/"
_SECURITY = "securitySchemes"


def with_used_components(document: Json) -> Json:
    """Return a document with only those components to which its paths lead."""
    components: Json = document["components"]
    used: set[tuple[str, str]] = {
        (_SECURITY, scheme) for scheme in _security_schemes(document["paths"])
    }
    found = set(_references(document["paths"]))
    while found:
        used |= found
        found = {
            target for kind, name in found for target in _references(components[kind][name])
        } - used
    kept = {
        kind: {name: each for name, each in named.items() if (kind, name) in used}
        for kind, named in components.items()
    }
    return {**document, "components": {kind: named for kind, named in kept.items() if named}}


def _references(value: object) -> Iterator[tuple[str, str]]:
    """Yield kind and name of each component that is referred to."""
    if isinstance(value, dict):
        target = value.get("$ref")
        if isinstance(target, str) and target.startswith(_PREFIX):
            kind, _, name = target.removeprefix(_PREFIX).partition("/")
            yield kind, name
        for child in value.values():
            yield from _references(child)
    elif isinstance(value, list):
        for child in value:
            yield from _references(child)


def _security_schemes(paths: Json) -> Iterator[str]:
    for methods in paths.values():
        for operation in methods.values():
            for requirement in operation["security"]:
                yield from requirement
