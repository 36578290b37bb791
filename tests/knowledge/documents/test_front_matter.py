"""Front matter in YAML, TOML, JSON and lines of keys."""

from __future__ import annotations

import frontmatter
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from app.platform.settings import SAMPLE_CONTENT
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.files import SourceFile
from knowledge.documents.front_matter import MAX_CHARACTERS, FrontMatter, parse


def parsed(text: str) -> FrontMatter:
    """Return the parts of a file with this text."""
    return parse(SourceFile("posts/a.md", text))


@cases(
    ("text", "metadata", "body"),
    [
        pytest.param("---\na: 1\n---\nText", {"a": "1"}, "Text", id="YAML"),
        pytest.param("+++\na = 1\n+++\nText", {"a": 1}, "Text", id="TOML"),
        pytest.param("---\n---\nText", {}, "Text", id="empty"),
        pytest.param("---\n# note\n---\nText", {}, "Text", id="comment"),
        pytest.param("Text only", {}, "Text only", id="none"),
        pytest.param("---\nA rule, then text", {}, "---\nA rule, then text", id="lone rule"),
        pytest.param("---\na: 1\n---\nx\n\n---\ny", {"a": "1"}, "x\n\n---\ny", id="rule in body"),
        pytest.param("---\na: 1\n---", {"a": "1"}, "", id="no body"),
        pytest.param("\n \n---\na: 1\n---\nx", {"a": "1"}, "x", id="blank lines before"),
        pytest.param("\n    ---\n    a", {}, "---\n    a", id="code after a blank line"),
        pytest.param("    ---\n    a: 1\n    ---", {}, "---\n    a: 1\n    ---", id="code alone"),
        pytest.param("---yaml\na: 1\n---\nx", {"a": "1"}, "x", id="named YAML"),
        pytest.param("---\na: 1\n...\nx\n---\ny", {"a": "1"}, "x\n---\ny", id="closed by dots"),
        pytest.param("---toml\na = 1\n---\nx", {"a": 1}, "x", id="named TOML"),
        pytest.param("+++\n\na = 1\n+++\n+++\n", {"a": 1}, "+++", id="fence in body"),
        pytest.param('---json\n{"a": 1}\n---\nx', {"a": 1}, "x", id="named JSON"),
        pytest.param('{"a": {"b": 1}}\n\nx', {"a": {"b": 1}}, "x", id="JSON of one line"),
        pytest.param('{\n"a": 1\n}\nx\n}\n', {"a": 1}, "x\n}", id="JSON of several lines"),
        pytest.param('{"a": 1} x', {}, '{"a": 1} x', id="text behind JSON"),
        pytest.param('{"a": 1\n\nx', {}, '{"a": 1\n\nx', id="broken JSON"),
        pytest.param(
            "Title: x\nTags: a,\n  b\n\ny", {"Title": "x", "Tags": "a, b"}, "y", id="lines"
        ),
        pytest.param("Title: x\nDate: y", {"Title": "x", "Date": "y"}, "", id="headers alone"),
    ],
)
def test_a_file_is_split_into_metadata_and_body(
    text: str, metadata: dict[str, object], body: str
) -> None:
    """The metadata as written, and the text below it."""
    parts = parsed(text)
    assert parts.metadata == metadata
    assert parts.body.strip() == body


@cases(
    ("text", "line", "words"),
    [
        pytest.param("---\ntitle: x\nText", 1, "never closed", id="YAML never closed"),
        pytest.param("+++\ntitle = 1\nText", 1, "never closed", id="TOML never closed"),
        pytest.param("\n\n---\na: 1\na: 2\n---\n", 5, "Duplicate key", id="after blank lines"),
        pytest.param("\n---\ntitle: x\n", 1, "never closed", id="never closed after a blank"),
        pytest.param("---\n- a\n- b\n---\n", 2, "not a mapping", id="list"),
        pytest.param("---\na: 1\nb: ]\n---\n", 3, "Invalid YAML", id="broken YAML"),
        pytest.param("+++\na = 1\nb = \n+++\n", 3, "Invalid TOML", id="broken TOML"),
        pytest.param("+++\na = 1\na = 2\n+++\n", 3, "Invalid TOML", id="duplicate in TOML"),
        pytest.param("---\n\n\na: 1\na: 2\n---\n", 5, "Duplicate key", id="line after blanks"),
        pytest.param("\n+++\n\na = \n+++\n", 4, "Invalid TOML", id="line after blanks in TOML"),
        pytest.param('---json\n{"a": 1,\nb}\n---\n', 3, "Invalid JSON", id="broken named JSON"),
        pytest.param("\n---json\n[1]\n---\n", 3, "not a mapping", id="list in JSON"),
        pytest.param(f"+++\na = {'1' * 5000}\n+++\n", 1, "Invalid TOML", id="endless integer"),
        pytest.param(f"+++\na = 0x{'f' * 5000}\n+++\n", 1, "Invalid TOML", id="endless hex"),
        pytest.param(f"+++\na = {'[' * 5000}\n+++\n", 1, "nested too deeply", id="deep TOML"),
        pytest.param(f"+++\n{'a.' * 5000}a = 1\n+++\n", 1, "nested too deeply", id="long TOML key"),
        pytest.param(f"+++\n[{'a . ' * 64}a]\n+++\n", 1, "nested too deeply", id="long TOML table"),
        pytest.param(f"---\na: {'x' * MAX_CHARACTERS}\n---\n", 1, "longer than", id="too long"),
    ],
)
def test_errors_are_reported_with_their_line(text: str, line: int, words: str) -> None:
    """The line number counts from the start of the file, not of the block."""
    with pytest.raises(ContentFileError) as caught:
        parsed(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.line == line
    assert words in diagnostic.message


@cases(
    ("text", "path", "line"),
    [
        pytest.param("---\na: 1\nb:\n  c: 2\n---\n", ("b", "c"), 4, id="YAML"),
        pytest.param("+++\na = 1\nb = 2\n+++\n", ("b",), 3, id="TOML"),
        pytest.param("text", ("b",), 1, id="none"),
    ],
)
def test_line_of_returns_the_line_of_a_key(text: str, path: tuple[str, ...], line: int) -> None:
    """Diagnostics of values point to the key."""
    assert parsed(text).line_of(path) == line


@cases(
    "text",
    [
        pytest.param("---\na: 1\n---\n\nFirst", id="YAML"),
        pytest.param("\n\n---\na: 1\n---\n    First\n\n", id="indented"),
        pytest.param("+++\na = 1\n+++   \n\n\nFirst\nFirst", id="TOML"),
        pytest.param('{"a": 1}\n First', id="JSON"),
        pytest.param("Title: x\nDate: y\n\nFirst", id="headers"),
        pytest.param("\n\nFirst", id="none"),
    ],
)
def test_the_body_is_verbatim_and_its_line_known(text: str) -> None:
    """Line `body_line` of the file is line 1 of the body."""
    parts = parsed(text)
    assert text.endswith(parts.body)
    (first, *_) = (at for at, line in enumerate(parts.body.split("\n")) if "First" in line)
    assert text.split("\n")[parts.body_line - 1 + first] == parts.body.split("\n")[first]
    assert "First" not in "\n".join(text.split("\n")[: parts.body_line - 1 + first])


def test_each_document_of_the_sample_is_split_as_by_python_frontmatter_alone() -> None:
    """Our handlers add limits and lines, and find the same front matter and body."""
    texts = [each.read_text("utf-8") for each in sorted(SAMPLE_CONTENT.rglob("*.md"))]
    for text in texts:
        metadata, body = frontmatter.parse(text)
        parts = parsed(text)
        assert (parts.metadata.keys(), parts.body.strip()) == (metadata.keys(), body)
    assert len(texts) > 100


@given(st.sampled_from(["---", "+++"]), st.text(max_size=120), st.booleans())
def test_any_text_between_fences_is_parsed_or_reported(fence: str, text: str, closed: bool) -> None:
    """The parser raises no exception but ContentFileError."""
    end = f"\n{fence}\nbody" if closed else ""
    try:
        parts = parsed(f"{fence}\n{text}{end}")
    except ContentFileError as broken:
        diagnostics = broken.diagnostics
    else:
        diagnostics = ()
        assert isinstance(parts.metadata, dict)
    assert all(
        diagnostic.path == "posts/a.md" and diagnostic.line >= 1 for diagnostic in diagnostics
    )
