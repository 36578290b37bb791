"""The strict YAML reader."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from knowledge.fields.yaml import (
    MAX_DEPTH,
    MAX_NODES,
    BoundedLoader,
    UnquotedScalar,
    YamlError,
    key_line,
    load,
)


@cases(
    ("text", "value"),
    [
        pytest.param("a: no", {"a": "no"}, id="no is text"),
        pytest.param("a: 12:30", {"a": "12:30"}, id="a clock time is text"),
        pytest.param("a: 1.10", {"a": "1.10"}, id="a version keeps its zero"),
        pytest.param("a: 0755", {"a": "0755"}, id="an octal is text"),
        pytest.param("a: 2026-05-01", {"a": "2026-05-01"}, id="a date is text"),
        pytest.param("a: ~\nb: null\nc:\n", {"a": None, "b": None, "c": None}, id="nulls"),
        pytest.param(
            "a: ''\nb: \"null\"", {"a": "", "b": "null"}, id="quoted texts are never null"
        ),
        pytest.param("1: x", {"1": "x"}, id="number as key"),
        pytest.param("a: [x, {b: c}]", {"a": ["x", {"b": "c"}]}, id="flow style"),
        pytest.param("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}, id="block text"),
        pytest.param("a: &x [1]\nb: *x", {"a": ["1"], "b": ["1"]}, id="an alias"),
        pytest.param("", None, id="empty"),
        pytest.param("# only a comment", None, id="comment"),
        pytest.param("just text", "just text", id="scalar"),
        pytest.param("عنوان: مرحبا", {"عنوان": "مرحبا"}, id="Arabic"),
    ],
)
def test_scalars_stay_text(text: str, value: object) -> None:
    """Only nulls are converted."""
    assert load(text) == value


@cases(
    ("text", "ambiguous"),
    [
        pytest.param("no", True, id="unquoted no"),
        pytest.param("'no'", False, id="quoted no"),
        pytest.param("12:30", True, id="sexagesimal"),
        pytest.param("1.10", True, id="float"),
        pytest.param("1.1", False, id="float that keeps its digits"),
        pytest.param("true", False, id="true means true"),
        pytest.param("hello", False, id="word"),
    ],
)
def test_ambiguous_scalars_are_marked(text: str, ambiguous: bool) -> None:
    """So that the schema can warn if the field is a text."""
    assert isinstance(load(text), UnquotedScalar) is ambiguous


@cases(
    ("text", "line", "words"),
    [
        pytest.param("a: 1\nb: 2\na: 3", 3, "Duplicate key", id="duplicate key"),
        pytest.param("a: 1\nb: ]", 2, "Invalid YAML", id="list never opened"),
        pytest.param("a: b: c", 1, "Invalid YAML", id="colon in value"),
        pytest.param("a: *x", 1, "has no anchor", id="alias without anchor"),
        pytest.param("a: 1\n---\nb: 2", 2, "more than one", id="two documents"),
        pytest.param("? [a]\n: b", 1, "key is a list", id="list as key"),
        pytest.param("a: \x07", 1, "Invalid YAML", id="control character"),
        pytest.param("[" * (MAX_DEPTH + 1), 1, "nested more than", id="too deep"),
        pytest.param("[" * 200_000, 1, "nested more than", id="deep enough for a stack overflow"),
    ],
)
def test_errors_have_a_line_and_a_suggestion(text: str, line: int, words: str) -> None:
    """Every error contains its location and reason."""
    with pytest.raises(YamlError) as caught:
        load(text)
    assert caught.value.line == line
    assert words in caught.value.message
    assert caught.value.suggestion


def test_an_alias_bomb_is_refused() -> None:
    """Aliases count with the size of their values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(YamlError, match=str(MAX_NODES)):
        load("\n".join(lines))


def test_a_self_reference_is_refused() -> None:
    """A tree that contains itself would be infinite."""
    with pytest.raises(YamlError, match="has no anchor"):
        load("a: &a [*a]")


@given(st.text(max_size=200))
def test_any_text_gives_a_value_or_a_yaml_error(text: str) -> None:
    """The reader raises no other exception."""
    line = 1
    try:
        load(text)
    except YamlError as error:
        line = error.line
    assert line >= 1


@given(st.text(alphabet="ab:-[]{}&*!|>'\"#%@\n\t ,?0~\\", max_size=60))
def test_any_punctuation_gives_a_value_or_a_yaml_error(text: str) -> None:
    """Texts of YAML indicators reach its edge cases."""
    try:
        value = load(text)
    except YamlError:
        return
    assert plain(value)


def plain(value: Any) -> bool:
    """Return whether a tree consists only of dicts with string keys, lists, strings and None."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and plain(child) for key, child in value.items())
    if isinstance(value, list):
        return all(map(plain, value))
    return value is None or isinstance(value, str)


def test_key_line_follows_the_path_as_far_as_possible() -> None:
    """If a part does not exist, it returns the line of the last existing one."""
    text = "a: 1\nb:\n  - x\n  - c: 2\n"
    assert key_line(text, ("b", 1, "c")) == 4
    assert key_line(text, ("b", 9)) == 2
    assert key_line(text, ("z",)) == 1


@cases(
    "text",
    [
        pytest.param(f"a: &a {{k: v}}\nb: {{<<: [{'*a, ' * MAX_NODES}]}}", id="merges"),
        pytest.param(f"a: &a [{'1,' * 200}]\nb: [{'*a,' * 200}]", id="lists"),
        pytest.param("a: &a {<<: [*a, *a], b: 1}", id="an alias of what it is in"),
    ],
)
def test_the_aliases_of_others_are_bounded(text: str) -> None:
    """Before anything is merged."""
    with pytest.raises(yaml.YAMLError, match=f"the aliases expand to more than {MAX_NODES}"):
        yaml.load(text, BoundedLoader)  # noqa: S506  # of SafeLoader


def test_the_yaml_of_others_may_be_long_and_merge() -> None:
    """Only what aliases add is limited."""
    text = f"a: &a {{x: 1, y: no}}\nb: {{<<: *a, y: 2}}\nc: [{'1,' * 2 * MAX_NODES}]"
    read = yaml.load(text, BoundedLoader)  # noqa: S506  # of SafeLoader
    assert read["b"] == {"x": 1, "y": 2}
    assert len(read["c"]) == 2 * MAX_NODES
