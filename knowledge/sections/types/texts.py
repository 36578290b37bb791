"""Types whose text is shown as it is written: lists, figures, a picture with its caption."""

from __future__ import annotations

from knowledge.sections.section_type import SECTION_TYPES, SectionType

SECTION_TYPES.declare(SectionType(name="bulletList"))
SECTION_TYPES.declare(SectionType(name="featureGrid", has_terms=True))
SECTION_TYPES.declare(SectionType(name="image"))
SECTION_TYPES.declare(SectionType(name="stats"))
