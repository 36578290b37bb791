"""What search engines require of the things that a site declares, and its declarations lack."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from knowledge.diagnostics.messages import Text
from knowledge.fields.kinds import Kind
from knowledge.resources.described_things import described_properties

_FOLDER = "https://developers.google.com/search/docs/appearance/structured-data/"


class RichResult(NamedTuple):
    """What Google requires of a type for a rich result, and the URL that says so."""

    required: Sequence[str]
    one_of: Sequence[str]
    source: str


@cache
def rich_results() -> Mapping[str, RichResult]:
    """Return the requirements by type of schema.org."""
    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    return {
        name: RichResult(row["required"], row.get("oneOf", ()), _FOLDER + row["source"])
        for row in yaml.load(text, yaml.CSafeLoader)
        for name in row["types"]
    }


def lacking(type_: str, has: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the properties that a thing lacks, each with the URL that requires it."""
    found = rich_results().get(type_)
    if found is None:
        return
    yield from ((name, found.source) for name in found.required if name not in has)
    if found.one_of and has.isdisjoint(found.one_of):
        yield " / ".join(found.one_of), found.source


def unmarked(kind: Kind) -> Iterator[tuple[Text, Text]]:
    """Yield what the declaration of a kind lacks, and what to do."""
    for name, source in lacking(kind.schema_type, described_properties(kind)):
        message = Text("schemaType: Google requires {} of {}.", name, kind.schema_type)
        if name == "datePosted":
            yield message, Text("Add date: publishedAt. See {}.", source)
        else:
            first = name.partition(" ")[0]
            yield message, Text("Add a field with schemaProperty: {}. See {}.", first, source)
