"""Section declarations: imports every module of `knowledge/sections/types/`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from knowledge.sections import types as section_types
from knowledge.sections.section_type import SECTION_TYPES, SectionTypes


def _declare_all() -> SectionTypes:
    for module in iter_modules(section_types.__path__):
        import_module(f"{section_types.__name__}.{module.name}")
    return SECTION_TYPES


DECLARED_SECTIONS = _declare_all()
"""The section types of the service, complete."""
