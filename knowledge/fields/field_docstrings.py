"""Field docstrings: the texts below the fields of a class, which describe them in schemas."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise


def field_docstrings(model: type) -> Mapping[str, str]:
    """Return the docstrings below the fields of a class, its base classes included."""
    texts: dict[str, str] = {}
    for each in reversed(model.__mro__):
        texts |= _by_class(each.__module__).get(each.__qualname__, {})
    return texts


@cache
def _by_class(module: str) -> Mapping[str, Mapping[str, str]]:
    """Return the field docstrings of the top-level classes of a module, by the class's name."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (OSError, TypeError):  # a module of C, or one without its source
        return {}
    classes = (each for each in ast.parse(source).body if isinstance(each, ast.ClassDef))
    return {declared.name: _docstrings(declared) for declared in classes}


def _docstrings(declared: ast.ClassDef) -> Mapping[str, str]:
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(declared.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }
