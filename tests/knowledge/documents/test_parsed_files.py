"""Parsed files on disk: what is read is exactly what was written, in values and types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from conftest import Content
from msgspec import msgpack

from knowledge.documents.parsed_files import (
    KnownFiles,
    LoadedFile,
    ParsedFiles,
    parsing_version,
)
from knowledge.fields.blog_fields import Author
from knowledge.fields.front_matter import PageSeo
from knowledge.fields.merging import with_value
from knowledge.fields.settings_fields import Stats
from knowledge.locales.locale import Country, Language, OtherLanguage
from knowledge.snapshot.loading import LoadedContent, load_content

LATER_NS = 2**62
SEO = PageSeo(title={"en": "A"})
MIDDLE = "posts/b.md"


@pytest.fixture
def root(content: Content) -> Path:
    """Return a folder of three posts."""
    names = ("a", "b", "c")
    files = {f"posts/{name}.md": f"---\ntitle: {name}\n---\nText." for name in names}
    return content(files, countries=False)


@pytest.fixture
def loaded(root: Path) -> LoadedContent:
    """Return its content."""
    return load_content(root)


@pytest.fixture
def parsed(tmp_path: Path, root: Path) -> ParsedFiles:
    """Return what is kept of it: nothing yet."""
    return ParsedFiles(tmp_path / "cache", root)


def write(parsed: ParsedFiles, known: KnownFiles) -> None:
    """Keep files."""
    parsed.write(known, frozenset(), LATER_NS, lambda: None)


def with_template(loaded: LoadedContent, value: object) -> KnownFiles:
    """Return the files, of which the middle one has this value in its front matter."""
    file = loaded.files[MIDDLE]
    assert file.document is not None
    document = replace(file.document, fields=with_value(file.document.fields, "template", value))
    files = {**loaded.files, MIDDLE: replace(file, document=document)}
    return loaded.read.known._replace(files=files)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param([], id="none"),
        pytest.param([None, None], id="missing"),
        pytest.param([1, 2**63, 0.5, True, "a", None], id="plain"),
        pytest.param([datetime(2026, 5, 1, tzinfo=UTC), Decimal("1.10")], id="date, amount"),
        pytest.param([datetime(2026, 5, 1, tzinfo=timezone(timedelta(hours=3)))], id="offset"),
        pytest.param([Country("SA"), Language.AR, OtherLanguage("fr")], id="codes"),
        pytest.param([None, SEO, PageSeo(keywords={"ar": "ب"}), Stats()], id="models"),
        pytest.param([SEO, "a"], id="a model or not"),
        pytest.param([{"seo": SEO}, {}], id="a model in a mapping"),
        pytest.param([[Author(name={"en": "Sara"})], None, []], id="lists of models"),
    ],
)
def test_values_come_back_as_they_were(
    root: Path, loaded: LoadedContent, parsed: ParsedFiles, value: list[Any]
) -> None:
    """Equal, and of the same types."""
    write(parsed, with_template(loaded, value))
    document = parsed.read(root, loaded.scanned).files[MIDDLE].document
    assert document is not None
    read: Any = document.fields.template
    assert read == value
    assert [type(each) for each in read] == [type(each) for each in value]
    assert repr(read) == repr(value)


@pytest.mark.parametrize(
    "value",
    [
        object(),
        date(2026, 5, 1),
        {1: "a"},
    ],
)
def test_a_file_whose_values_have_no_form_is_left_out(
    root: Path, loaded: LoadedContent, parsed: ParsedFiles, value: object
) -> None:
    """The others are kept."""
    write(parsed, with_template(loaded, [value]))
    assert {*parsed.read(root, loaded.scanned).files} == {"posts/a.md", "posts/c.md"}


def read_records(
    tmp_path: Path, root: Path, loaded: LoadedContent, records: list[object]
) -> Mapping[str, LoadedFile]:
    """Return the files of records that were written by somebody else."""
    (file,) = (tmp_path / "cache").glob("*.parsed")
    encoded = (parsing_version().encode(), *map(msgpack.encode, records), b"")
    file.write_bytes(
        b"".join(
            len(each).to_bytes(4, "big") + crc32(each).to_bytes(4, "big") + each for each in encoded
        )
    )
    return ParsedFiles(tmp_path / "cache", root).read(root, loaded.scanned).files


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([[0, [msgpack.Ext(0, b"\xa2XX")], {}, "en"]], id="no country"),
        pytest.param([[0, [], {}]], id="a short site"),
        pytest.param([[0, [], {}, "en"], ["posts/a.md"]], id="a short file"),
        pytest.param([[0, [], {}, "en"], [msgpack.Ext(99, b"\xc0")]], id="no form"),
        pytest.param([[0, [], {}, "en"], [msgpack.Ext(10, b"\x91\xa2os")]], id="no class"),
    ],
)
def test_other_records_are_damage(
    tmp_path: Path,
    root: Path,
    loaded: LoadedContent,
    parsed: ParsedFiles,
    records: list[object],
) -> None:
    """No file is made of them, and nothing is raised."""
    write(parsed, loaded.read.known)
    assert len(parsed.read(root, loaded.scanned).files) == 3
    assert read_records(tmp_path, root, loaded, records) == {}
