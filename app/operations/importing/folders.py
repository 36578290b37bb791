"""Dated folders: a folder most of whose texts have a date is one of posts, at any depth."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath, PurePosixPath

from app.operations.importing.document import SourceDocument
from app.operations.importing.source import DOCS, PAGES, POST_FOLDERS, POSTS, Source, Tree
from knowledge.documents.content_path import split_date

_Folder = tuple[Tree, PurePosixPath]
"""A tree, and the path of a folder in it."""

_ENOUGH = 2
_TOP = PurePosixPath()


class DatedFolders:
    """The folders of a source that become posts, though they are in a tree of pages."""

    def __init__(self, documents: Iterable[SourceDocument], source: Source) -> None:
        groups: dict[_Folder, list[SourceDocument]] = {}
        for document in documents:
            if document.tree.target in (PAGES, DOCS) and not document.path.name.startswith(
                "_index."
            ):
                groups.setdefault(_folder_of(document), []).append(document)
        self._has_dated_top = source.has_dated_top
        self._trees: Mapping[_Folder, Tree] = {
            folder: replace(texts[0].tree, target=POSTS, is_root=False)
            for folder, texts in groups.items()
            if self._is_dated(folder[1], texts)
        }

    def _is_dated(self, folder: PurePosixPath, texts: list[SourceDocument]) -> bool:
        if folder == _TOP and texts[0].tree.is_root and not self._has_dated_top:
            return False
        dated = [each for each in texts if each.date]
        is_named = folder.name in POST_FOLDERS or any(
            split_date(each.path.name)[1] for each in dated
        )
        return 2 * len(dated) > len(texts) and (is_named or len(dated) >= _ENOUGH)

    @property
    def lists(self) -> Iterator[Tree]:
        """Yield the folders of posts as trees whose address is that of their list."""
        for (_, folder), tree in self._trees.items():
            address = tree.address.partition(":")[0]
            if folder != _TOP and address:
                names = "/".join(folder.parts)
                yield replace(tree, folder=tree.folder / folder, address=f"{address}{names}/")

    def tree_of(self, tree: Tree, path: PurePath) -> Tree:
        """Return the tree of a file: that of the nearest folder of posts, else its own."""
        return next(self._found(tree, PurePosixPath(path.as_posix()).parents), tree)

    def _found(self, tree: Tree, folders: Iterable[PurePosixPath]) -> Iterator[Tree]:
        for folder in folders:
            found = self._trees.get((tree, folder))
            if found:
                yield found

    def moved(self, document: SourceDocument) -> SourceDocument:
        """Return a text in its new tree; the page of a folder of posts stays a page."""
        own = self._trees.get(_folder_of(document))
        is_section = document.path.name.startswith("_index.")
        is_top = document.is_index and document.path.parent == _TOP
        return replace(document, tree=own) if own and not (is_section or is_top) else document


def _folder_of(document: SourceDocument) -> _Folder:
    """Return the folder whose page a text is; one with a folder of its own belongs above."""
    folder = document.path.parent
    if document.is_index and folder != _TOP:
        folder = folder.parent
    return document.tree, folder
