"""Mends all files of a content folder together, as ids come from other files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from knowledge.checks.mending.documents import MendedFile, mend_file
from knowledge.checks.mending.edits import Edit
from knowledge.snapshot.loading import LoadedContent
from knowledge.snapshot.snapshot import build_snapshot
from knowledge.snapshot.translations import missing_ids, translations


@dataclass(frozen=True, slots=True)
class Mend:
    """What was mended in one file: its text before and after, and the edits in their order."""

    path: str
    before: str
    after: str
    edits: tuple[Edit, ...]

    @property
    def notes(self) -> Iterator[tuple[int, str]]:
        """Yield line and description of each mended fault."""
        for edit in sorted(self.edits, key=lambda each: each.line):
            if edit.note:
                yield edit.line, edit.note


def mend_folder(loaded: LoadedContent, read: Callable[[str], str | None]) -> Iterator[Mend]:
    """Yield the files that can be mended; `read` returns a text with its line ends, or None."""
    texts = {path: text for path in loaded.files if (text := read(path)) is not None}
    mended = {
        path: file
        for path, text in texts.items()
        if (file := mend_file(path, text, loaded.files[path].name)) is not None
    }
    for path, file in _with_ids(loaded, mended).items():
        if file.text != texts[path]:
            yield Mend(path, texts[path], file.text, file.edits)


def _with_ids(loaded: LoadedContent, mended: Mapping[str, MendedFile]) -> Mapping[str, MendedFile]:
    """Add the ids that translations lack."""
    documents = {path: file.document for path, file in mended.items()}
    snapshot, _ = build_snapshot(documents, loaded.places, loaded.snapshot.assets)
    files = dict(mended)
    for entry, translation in snapshot.by_path.values():
        for original, each in translations(entry) if entry.kind.has_sections else ():
            if each is translation:
                files[each.path] = files[each.path].with_ids(missing_ids(original, each))
    return files
