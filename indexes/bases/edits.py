"""Edits: the pages that differ from a base, analysed once for all later editions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeVar

from knowledge.edits.reads import changed_keys

_FEW_PAGES = 100
_SMALL_SHARE = 0.02
"""A new base is due if the edits exceed both: pages, and share of the pages of the base."""

Text = TypeVar("Text")


@dataclass(frozen=True, slots=True)
class _Edited(Generic[Text]):
    """A page that differs from the base."""

    version: str
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class EditedPages(Generic[Text]):
    """The pages that were edited or added since a base was made, and those that were removed."""

    edited: Mapping[str, _Edited[Text]]
    removed: frozenset[str]

    @classmethod
    def none(cls) -> EditedPages[Text]:
        """Return no edits."""
        return cls({}, frozenset())

    def next(
        self,
        base: Mapping[str, str],
        before: Mapping[str, str],
        versions: Mapping[str, str],
        analysed: Callable[[str], Iterable[Text]],
    ) -> EditedPages[Text]:
        """Return the edits of the next edition, whose pages had the versions `before`.

        Only pages with new versions are analysed.
        """
        changed = changed_keys(before, versions)
        different = (self.edited.keys() | changed) & versions.keys()
        edited = {
            page: self._edition(page, versions[page], analysed)
            for page in sorted(different)
            if base.get(page) != versions[page]
        }
        gone = (page for page in self.removed | changed if page not in versions)
        return EditedPages(edited, frozenset(base.keys() & gone))

    def _edition(
        self, page: str, version: str, analysed: Callable[[str], Iterable[Text]]
    ) -> _Edited[Text]:
        known = self.edited.get(page)
        if known and known.version == version:
            return known
        return _Edited(version, tuple(analysed(page)))

    @property
    def texts(self) -> Iterable[Text]:
        """The texts of the edited pages."""
        return chain.from_iterable(each.texts for each in self.edited.values())

    @property
    def outdated(self) -> frozenset[str]:
        """The pages whose texts in the base do not count any more."""
        return self.removed.union(self.edited)

    def __len__(self) -> int:
        """Return the number of pages that differ."""
        return len(self.edited) + len(self.removed)


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> int:
    """Return the number of pages that were added, removed or edited.

    >>> differences({"a": "1", "b": "1", "gone": "1"}, {"a": "1", "b": "2", "new": "1"})
    3
    """
    changed = changed_keys(before, after)
    return sum(before.get(page) != after.get(page) for page in changed)


def is_small(differences: int, pages: int) -> bool:
    """Return whether so many pages may differ from a base of so many pages."""
    return differences <= max(_FEW_PAGES, _SMALL_SHARE * pages)
