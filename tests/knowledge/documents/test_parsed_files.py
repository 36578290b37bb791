"""Parsed files as columns: what is not exactly what was parsed is not used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Content
from msgspec import msgpack

from knowledge.documents.loaded_file import LoadedFile
from knowledge.documents.parsed_files import KnownFiles, parts, read_parts
from knowledge.fields.merging import with_value
from knowledge.snapshot.loading import LoadedContent, load_content

LATER_NS = 2**62


@pytest.fixture
def loaded(content: Content) -> LoadedContent:
    """Return three posts."""
    names = ("a", "b", "c")
    files = {f"posts/{name}.md": f"---\ntitle: {name}\n---\nText." for name in names}
    return load_content(content(files, countries=False))


def kept(known: KnownFiles) -> list[bytes]:
    """Return what is kept of files."""
    return [*parts(known, frozenset(), LATER_NS)]


def known(encoded: list[bytes], loaded: LoadedContent) -> Mapping[str, LoadedFile]:
    """Return the files that need not be parsed."""
    return read_parts(Path(), encoded).known(loaded.scanned).files


def test_a_file_whose_values_cannot_be_kept_is_left_out(loaded: LoadedContent) -> None:
    """The others of its part are kept."""
    file = loaded.files["posts/b.md"]
    assert file.document is not None
    fields = with_value(file.document.fields, "template", object())
    other = replace(file, document=replace(file.document, fields=fields))
    encoded = kept(loaded.read.known._replace(files={**loaded.files, "posts/b.md": other}))
    assert {*known(encoded, loaded)} == {"posts/a.md", "posts/c.md"}


def test_columns_of_unequal_length_are_not_used(loaded: LoadedContent) -> None:
    """Whichever it is, no file gets a value of another one."""
    site, part = kept(loaded.read.known)
    columns = msgpack.decode(part)
    assert len(known([site, part], loaded)) == 3
    for number, column in enumerate(columns):
        if isinstance(column, list):
            damaged = [*columns[:number], column[:-1], *columns[number + 1 :]]
            assert known([site, msgpack.encode(damaged)], loaded) == {}, number


@pytest.mark.parametrize(
    "site", [[0, ["XX"], {}, "en", 0, []], [0, [], {}, "xx", 0, []]], ids=["country", "language"]
)
def test_an_unknown_place_is_damage(loaded: LoadedContent, site: list[object]) -> None:
    """What the names of files mean is not known then."""
    _, part = kept(loaded.read.known)
    assert known([msgpack.encode(site), part], loaded) == {}
