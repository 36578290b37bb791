"""Edited mappings are like edited copies of dictionaries, and compared by their edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from knowledge.edits import edited_mapping
from knowledge.edits.changed_keys import changed_keys, have_same_keys
from knowledge.edits.edited_mapping import EditedMapping, copied, edited


class Version:
    """A value, which is compared by its identity."""


EDITS = st.lists(st.sets(st.integers(0, 12), max_size=4), max_size=8)


def versions(
    edits: Iterable[set[int]],
) -> tuple[list[Mapping[int, Version]], list[dict[int, Version]]]:
    """Return the mappings after each edit, and the same as dictionaries."""
    plain: dict[int, Version] = {number: Version() for number in range(10)}
    mappings: list[Mapping[int, Version]] = [plain]
    dictionaries = [plain]
    for keys in edits:
        values = {key: Version() for key in sorted(keys)}
        mappings.append(edited(mappings[-1], values))
        dictionaries.append({**dictionaries[-1], **values})
    return mappings, dictionaries


@given(EDITS, st.sampled_from([0, 100]), st.sampled_from([3, 100]))
def test_an_edited_mapping_is_like_an_edited_copy(
    edits: list[set[int]], min_size: int, max_edits: int
) -> None:
    """It has the same keys in the same order, and the same values; so do earlier ones."""
    with patch.multiple(edited_mapping, MIN_SIZE=min_size, MAX_EDITS=max_edits):
        mappings, dictionaries = versions(edits)
    for mapping, dictionary in zip(mappings, dictionaries, strict=True):
        assert list(mapping.items()) == list(dictionary.items())
        assert list(mapping) == list(mapping.keys()) == list(dictionary)
        assert list(mapping.values()) == list(dictionary.values())
        assert len(mapping) == len(dictionary)
        assert all(mapping[key] is dictionary[key] for key in dictionary)
        assert all((key in mapping) == (key in dictionary) for key in range(14))
        assert [mapping.get(key) for key in range(14)] == [dictionary.get(key) for key in range(14)]
        assert mapping == dictionary
        assert copied(mapping) == dictionary


@given(EDITS, st.sampled_from([0, 100]), st.sampled_from([3, 100]), st.data())
def test_any_two_versions_are_compared(
    edits: list[set[int]], min_size: int, max_edits: int, data: st.DataObject
) -> None:
    """By the identity of their values; also those that do not share a base."""
    with patch.multiple(edited_mapping, MIN_SIZE=min_size, MAX_EDITS=max_edits):
        mappings, dictionaries = versions(edits)
    first, second = (data.draw(st.integers(0, len(mappings) - 1)) for _ in range(2))
    before, after = dictionaries[first], dictionaries[second]
    expected = {
        key for key in before.keys() | after.keys() if before.get(key) is not after.get(key)
    }
    assert changed_keys(mappings[first], mappings[second]) == expected
    assert have_same_keys(mappings[first], mappings[second]) == (before.keys() == after.keys())
    assert (mappings[first] == mappings[second]) == (before == after)


def test_an_edit_of_a_large_mapping_copies_nothing() -> None:
    """Until there are so many that each comparison would take longer."""
    base = dict.fromkeys(range(edited_mapping.MIN_SIZE), 0)
    mapping: Mapping[int, int] = base
    for number in range(edited_mapping.MAX_EDITS):
        mapping = edited(mapping, {number: 1})
        assert isinstance(mapping, EditedMapping)
        assert mapping.base is base
    mapping = edited(mapping, {edited_mapping.MAX_EDITS: 1})
    assert isinstance(mapping, dict)
    assert sum(mapping.values()) == edited_mapping.MAX_EDITS + 1
