"""Texts in the content folder that are not read, and why: none is ignored without a word."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.files import DirectoryScan, is_copy
from knowledge.documents.site_files import GLOSSARY_FILE
from knowledge.fields.content_types import ContentTypes
from knowledge.fields.file_types import FOREIGN_SUFFIXES, OWN_FILE, STATIC_FOLDER

_KIND = DiagnosticKind.UNKNOWN_FOLDER


def ignored_files(scanned: DirectoryScan) -> Iterator[Diagnostic]:
    """Report texts that are ignored by their names, or are not markdown: once each."""
    static = sorted(path for path in scanned.ignored if path.startswith(f"{STATIC_FOLDER}/"))
    foreign = [path for path in scanned.ignored if path.lower().endswith(FOREIGN_SUFFIXES)]
    by_name = scanned.ignored.keys() - {*foreign, *static, GLOSSARY_FILE}
    copies = sorted(path for path in by_name if is_copy(path.rpartition("/")[2]))
    ignored = sorted(by_name - {*copies})
    if static:
        message = Text("{} not served, because of the type", _count(static))
        text = Text("{}: {}.", message, _examples(static))
        advice = Text("Keep stylesheets, fonts, images and downloads in _static/, nothing else.")
        yield DiagnosticKind.UNSERVED_FILE.warning(static[0], text, advice)
    for path in sorted(filter(OWN_FILE.match, scanned.assets)):
        message = Text("The file is not served, as the service has files of its own at such paths.")
        advice = Text("Rename the file or its folder.")
        yield DiagnosticKind.UNSERVED_FILE.error(path, message, advice)
    if ignored:
        message = Text("{} ignored, because of a name that begins with “_”", _count(ignored))
        yield _notice(ignored, message, Text("Rename what you want to publish."))
    if copies:
        message = Text("{} ignored, as a copy that a program has made", _count(copies))
        yield _notice(copies, message, Text("Delete it, or rename what you want to publish."))
    if foreign:
        message = Text("{} ignored, because only markdown is read", _count(foreign))
        yield _notice(
            foreign, message, Text("Convert what you want to publish, for example by pandoc.")
        )


_NAMED = 3
"""How many files a diagnostic names."""

_NO_FOLDER = Text("The file is not in a content folder")


def outside_folders(
    scanned: DirectoryScan, read: Mapping[str, object], types: ContentTypes
) -> Iterator[Diagnostic]:
    """Report documents that are in no folder of a content type; many of one folder at once."""
    groups: dict[str, list[str]] = {}
    known = tuple(f"{kind}/" for kind in types)
    for path in sorted(scanned.documents.keys() - read.keys()):
        folder, slash, _ = path.partition("/")
        groups.setdefault(folder if slash else "", []).append(path)
    for folder, paths in groups.items():
        message = Text("Unknown content folder “{}”", folder) if folder else _NO_FOLDER
        if len(paths) > _NAMED:
            text = Text("{}: {} not read, {}.", message, _count(paths), _examples(paths))
            yield _warning(paths[0], text, Text("Move them to one of {}.", known))
            continue
        for path in paths:
            yield _warning(path, Text("{}.", message), Text("Move it to one of {}.", known))


def _warning(path: str, message: Text, suggestion: Text) -> Diagnostic:
    return _KIND.warning(path, message, suggestion)


def _notice(paths: Sequence[str], message: Text, suggestion: Text) -> Diagnostic:
    text = Text("{}: {}.", message, _examples(paths))
    return _KIND.notice(paths[0], text, suggestion)


def _count(paths: Collection[str]) -> Text:
    return Text("1 file is") if len(paths) == 1 else Text("{} files are", len(paths))


def _examples(paths: Sequence[str]) -> str:
    more = ", …" if len(paths) > _NAMED else ""
    return ", ".join(paths[:_NAMED]) + more
