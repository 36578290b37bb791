"""Tag sets: which combinations of tags the posts of a locale have, by each of their tags.

Posts are far more than the combinations of their tags, so that those most like a post are found by
these, without a look at each post that has one of its tags.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain

Tags = tuple[str, ...]
"""The slugs of the tags of a post, sorted."""

TagSets = Mapping[str, frozenset[Tags]]

_NONE: frozenset[Tags] = frozenset()


def updated_tag_sets(
    before: TagSets, removed: AbstractSet[Tags], added: AbstractSet[Tags]
) -> TagSets:
    """Return the tag sets without those that no post has any more, and with new ones."""
    removed_by_tag, added_by_tag = _by_tag(removed), _by_tag(added)
    updated = dict(before)
    for tag in removed_by_tag.keys() | added_by_tag.keys():
        remaining = updated.pop(tag, _NONE).difference(removed_by_tag.get(tag, ()))
        if together := remaining.union(added_by_tag.get(tag, ())):
            updated[tag] = together
    return updated


def most_shared(tag_sets: TagSets, tags: Tags) -> Iterator[list[Tags]]:
    """Yield the tag sets that share the most of some tags, then those that share fewer.

    >>> tag_sets = updated_tag_sets({}, set(), {("a", "b"), ("b",), ("c",)})
    >>> list(most_shared(tag_sets, ("a", "b")))
    [[('a', 'b')], [('b',)]]
    """
    shared = Counter(chain.from_iterable(tag_sets.get(tag, ()) for tag in tags))
    by_count: defaultdict[int, list[Tags]] = defaultdict(list)
    for other, count in shared.items():
        by_count[count].append(other)
    return (by_count[count] for count in sorted(by_count, reverse=True))


def _by_tag(tag_sets: Iterable[Tags]) -> Mapping[str, list[Tags]]:
    by_tag: defaultdict[str, list[Tags]] = defaultdict(list)
    for tags in tag_sets:
        for tag in tags:
            by_tag[tag].append(tags)
    return by_tag
