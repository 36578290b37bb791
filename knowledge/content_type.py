"""Content types: what each folder of the content tree holds, declared as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from knowledge.schemas import Common

Fields_co = TypeVar("Fields_co", bound=Common, covariant=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class ContentType(Generic[Fields_co]):
    """The type of the documents in one folder.

    `singular` names one document in the API's `contentType` and in ids. `fields` is the model of
    the front matter; `singletons` has other models by slug, for a folder whose documents all
    differ. A type that does not fall back is shown only in languages that have a text of their
    own. Of each tuple in `required`, a document sets at least one field. If `page_slugs` is not
    empty, only these documents have a page of their own.
    """

    folder: str
    fields: type[Fields_co]
    singular: str = ""
    singletons: Mapping[str, type[Common]] = field(default_factory=dict)
    falls_back: bool = True
    required: tuple[tuple[str, ...], ...] = ()
    page_slugs: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the name of the folder."""
        return self.folder

    def __lt__(self, other: ContentType[Common]) -> bool:
        """Order types by folder."""
        return self.folder < other.folder

    def model_for(self, slug: str) -> type[Common]:
        """Return the front matter model of a document."""
        return self.singletons.get(slug, self.fields)


AnyContentType = ContentType[Common]
"""A content type whose front matter model is not known."""


class ContentTypes:
    """All content types by folder, in the order of their declaration."""

    def __init__(self) -> None:
        self._by_folder: dict[str, AnyContentType] = {}

    def declare(self, content_type: ContentType[Fields_co]) -> ContentType[Fields_co]:
        """Add a type and return it; raises ValueError if its folder is taken."""
        if content_type.folder in self._by_folder:
            raise ValueError(f"The folder {content_type.folder}/ has two content types.")
        self._by_folder[content_type.folder] = content_type
        return content_type

    def of_folder(self, folder: str) -> AnyContentType | None:
        """Return the type of a folder, or None."""
        return self._by_folder.get(folder)

    def named(self, folder: str) -> AnyContentType:
        """Return the type of a folder; raises KeyError if there is none."""
        return self._by_folder[folder]

    def __iter__(self) -> Iterator[AnyContentType]:
        """Iterate over all types."""
        return iter(self._by_folder.values())


CONTENT_TYPES = ContentTypes()
