"""Files of the site itself: its stylesheet, its templates, and its word lists for search.

The stylesheet is `_static/site.css`, the templates are in `_templates/`. Their texts travel with
the snapshot, so that an edit is seen without a restart and no request opens a file.
`renderers/html/site_templates.py` renders them.

A line of the word lists contains synonyms, separated by commas or equals signs, as in
`POS = point of sale = نقطة بيع`. They are words or phrases, in any script. A word alone matches
only itself, even if the built-in list gives it synonyms. A line `keep: …` contains words that are
not stemmed, a line `root: …` Arabic words whose first letter is never a particle. `#` starts a
comment.
"""

import logging
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.assets import read_asset
from knowledge.documents.files import FileFingerprint, fingerprint_of, read_text
from knowledge.fields.file_types import STATIC_FOLDER

SITE_STYLESHEET = f"{STATIC_FOLDER}/site.css"


@dataclass(frozen=True, slots=True)
class SiteStylesheet:
    """One version of the stylesheet."""

    fingerprint: FileFingerprint
    digest: str

    @property
    def url(self) -> str:
        """The path with which pages link it; another text has another path."""
        return f"/{SITE_STYLESHEET}?v={self.digest}"


def load_stylesheet(
    root: Path, fingerprint: FileFingerprint | None, before: SiteStylesheet | None = None
) -> SiteStylesheet | None:
    """Return the stylesheet, or None if there is none; the previous one if it did not change."""
    if fingerprint is None:
        return None
    if before is not None and before.fingerprint == fingerprint:
        return before
    try:
        content = read_asset(root, SITE_STYLESHEET)
    except ContentFileError:
        return before
    return SiteStylesheet(fingerprint, blake2b(content, digest_size=8).hexdigest())


log = logging.getLogger(__name__)

TEMPLATES_FOLDER = "_templates"
MAX_TEMPLATE_BYTES = 256 * 1024
MAX_TEMPLATES = 200
_SUFFIX = ".html"


class TemplateFaults:
    """The places of templates that failed while a page was rendered; each is logged once."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, int], str] = {}

    def note(self, path: str, line: int, reason: str) -> None:
        """Record the first error at a line of a template."""
        if (path, line) not in self._faults:
            self._faults[path, line] = reason
            log.error("%s:%s does not fit; the built-in template is used: %s", path, line, reason)

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield the diagnostics for `majlis check` and health."""
        for (path, line), reason in [*self._faults.items()]:  # another thread may add one
            yield template_fault(path, line, Text("The template does not fit: {}.", reason))


def template_fault(
    path: str, line: int, message: Text, suggestion: Text | None = None
) -> Diagnostic:
    """Return the diagnostic of a template; its pages are shown with the built-in one."""
    advice = suggestion or Text(
        "Correct it, or delete the file; until then the built-in one is used."
    )
    return DiagnosticKind.INVALID_TEMPLATE.warning(path, message, advice, line)


@dataclass(frozen=True, eq=False, slots=True)
class TemplateFiles:
    """The templates of a site by name, such as `post.html` or `parts/header.html`."""

    fingerprints: Mapping[str, FileFingerprint] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    faults: TemplateFaults = field(default_factory=TemplateFaults)


NO_TEMPLATES = TemplateFiles()


def template_path(name: str) -> str:
    """Return the path of a template in the content folder."""
    return f"{TEMPLATES_FOLDER}/{name}"


def load_templates(root: Path, before: TemplateFiles = NO_TEMPLATES) -> TemplateFiles:
    """Return the templates of a site; the previous ones if no file changed.

    A file that cannot be read keeps its last good text.
    """
    names = sorted(_names(root / TEMPLATES_FOLDER, ""))[:MAX_TEMPLATES]
    found = {name: fingerprint_of(root, template_path(name)) for name in names}
    fingerprints = {name: each for name, each in found.items() if each is not None}
    if fingerprints == before.fingerprints:
        return before
    texts: dict[str, str] = {}
    diagnostics: list[Diagnostic] = []
    for name, fingerprint in fingerprints.items():
        if before.fingerprints.get(name) == fingerprint and name in before.texts:
            texts[name] = before.texts[name]
            continue
        try:
            texts[name] = read_text(root, template_path(name), MAX_TEMPLATE_BYTES).text
        except ContentFileError as broken:
            diagnostics += broken.diagnostics
            texts |= {name: before.texts[name]} if name in before.texts else {}
    return TemplateFiles(fingerprints, texts, tuple(diagnostics))


def _names(folder: Path, prefix: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in found:
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir():
            yield from _names(folder / entry.name, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            yield f"{prefix}{entry.name}"


GLOSSARY_FILE = "_glossary.md"
WORD_LISTS_FILE = "_synonyms.txt"
_KEEP, _ROOT = "keep:", "root:"
_SEPARATOR = re.compile("[,،=]")
_MAX_SYNONYMS = 20
_MAX_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class WordLists:
    """Groups of synonyms, each a word or a phrase, and exceptions from the stemming rules."""

    groups: tuple[tuple[str, ...], ...] = ()
    protected: tuple[str, ...] = ()
    initial_root_letters: tuple[str, ...] = ()


NO_WORD_LISTS = WordLists()


def parse_word_lists(
    text: str, path: str = WORD_LISTS_FILE
) -> tuple[WordLists, tuple[Diagnostic, ...]]:
    r"""Parse the lists of a file; invalid lines are ignored and reported.

    >>> parse_word_lists("tax, taxes  # plural\nkeep: busy")[0]
    WordLists(groups=(('tax', 'taxes'),), protected=('busy',), initial_root_letters=())
    """
    groups: list[tuple[str, ...]] = []
    exceptions: dict[str, list[str]] = {_KEEP: [], _ROOT: []}
    diagnostics = []
    for number, line in enumerate(text.splitlines(), start=1):
        text_of_line = line.partition("#")[0].strip()
        kind = next((kind for kind in exceptions if text_of_line.startswith(kind)), "")
        synonyms = _synonyms(text_of_line.removeprefix(kind))
        problem = _problem(kind, synonyms) if text_of_line else None
        if problem:
            message = Text("{} The line is ignored.", problem)
            advice = Text("Write synonyms on one line, separated by commas or equals signs.")
            invalid = DiagnosticKind.INVALID_SYNONYMS.warning(path, message, advice, number)
            diagnostics.append(invalid)
        elif kind:
            exceptions[kind].extend(synonyms)
        elif synonyms:
            groups.append(synonyms)
    protected, roots = exceptions.values()
    return WordLists(tuple(groups), tuple(protected), tuple(roots)), tuple(diagnostics)


def _synonyms(text: str) -> tuple[str, ...]:
    phrases = (" ".join(phrase.split()) for phrase in _SEPARATOR.split(text))
    return tuple(phrase for phrase in phrases if phrase)


def _problem(kind: str, synonyms: tuple[str, ...]) -> str | None:
    if not synonyms:
        return Text("The line contains no words.")
    if len(synonyms) > _MAX_SYNONYMS:
        return Text("The line has more than {} words or phrases.", _MAX_SYNONYMS)
    if not kind and len(synonyms) == 1 and " " in synonyms[0]:
        return Text("“{}” is a phrase without a synonym.", synonyms[0])
    return next(filter(None, (_synonym_problem(kind, synonym) for synonym in synonyms)), None)


def _synonym_problem(kind: str, synonym: str) -> str | None:
    if kind and " " in synonym:
        return Text("“{}” is more than one word, and “{}” takes single words.", synonym, kind)
    if len(synonym) > _MAX_CHARACTERS:
        return Text(
            "“{}…” is longer than {} characters.", synonym[:_MAX_CHARACTERS], _MAX_CHARACTERS
        )
    if not any(char.isalnum() for char in synonym):
        return Text("“{}” contains no letter or digit.", synonym)
    return None
