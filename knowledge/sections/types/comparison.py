"""Comparisons: a table, in whose cells yes and no are ticks and dashes."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.markdown.inline import plain_tokens, tokens_of
from knowledge.markdown.parser import Token
from knowledge.sections.section_type import (
    SECTION_TYPES,
    Fields,
    Lack,
    Reader,
    Section,
    SectionType,
)


def _table(text: str) -> Token | None:
    return next((token for token in tokens_of(text) if token["type"] == "table"), None)


def _fields(section: Section, _: Reader) -> Iterator[Fields]:
    table = _table(section.body)
    if table is None:
        return
    head, *bodies = table["children"]
    labels = [plain_tokens(cell["children"]) for cell in head["children"]]
    for row in bodies[0]["children"] if bodies else ():
        title, *values = [plain_tokens(cell["children"]) for cell in row["children"]]
        pairs = zip(labels[1:], values, strict=False)
        yield {"title": title, "values": [{"label": pair[0], "value": pair[1]} for pair in pairs]}


def _lacks(section: Section) -> Iterator[Lack]:
    if _table(section.body) is None:
        suggestion = "Write one: a line | | Starter | Growth |, a line |---|---|---|, and its rows."
        yield Lack(section.line, "The comparison has no table.", suggestion)


SECTION_TYPES.declare(SectionType(name="comparison", fields=_fields, lacks=_lacks))
