"""The declarations of built-in kinds, in `declarations/`: each as a site would write it.

A site that has documents of such a kind need not declare it: its own file of that name adds to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic.alias_generators import to_snake

from knowledge.fields.kind_fields import FieldDeclaration, KindFields

Declaration = TypeVar("Declaration", KindFields, FieldDeclaration)
DECLARATIONS = Path(__file__).parent / "declarations"


def built_in_declaration(name: str) -> KindFields:
    """Return the declaration of a built-in kind.

    A test validates the files. Here they are not, as the validators take longer to make than a
    start may.
    """
    text = (DECLARATIONS / f"{name}.yaml").read_text(encoding="utf-8")
    return _made(KindFields, yaml.load(text, yaml.CSafeLoader))


def _made(model: type[Declaration], values: Mapping[str, Any]) -> Declaration:
    found = {to_snake(key): each for key, each in values.items()}
    fields = found.pop("fields", {})
    made = {key: _made(FieldDeclaration, each) for key, each in fields.items()}
    return model(**found, fields=made or None)
