"""Checks of one document: what pages leave out of its HTML, its formulas, and its translations."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import category, name, normalize

from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import Document
from knowledge.locales.cldr import script
from knowledge.markdown.blocks import ParsedBlock, parse_blocks, split_anchor
from knowledge.markdown.inline import formulas, raw_html
from knowledge.markdown.math import MAX_CHARACTERS, mathml
from knowledge.markdown.raw_html import RemovedTags
from knowledge.snapshot.layer_resolution import Entry

_SHOWN_LINES = 3
_MAX_FORMULA_CHARACTERS = 60


def removed_html(document: Document) -> Iterator[Diagnostic]:
    """Yield one warning for a document whose raw HTML is not shown completely."""
    lines = _removed_lines(document)
    if lines:
        first = min(map(min, lines.values()))
        listed = ", ".join(f"{tag} ({_lines(numbers)})" for tag, numbers in lines.items())
        message = Text("Pages leave out this HTML: {}.", listed)
        suggestion = Text("Write it in markdown, or remove it.")
        yield Kind.REMOVED_HTML.warning(document.path, message, suggestion, first)


def unclear_addresses(document: Document) -> Iterator[Diagnostic]:
    """Report names and former addresses of a document that look like other ones."""
    fields = document.fields
    yield from unclear_address(document.path, document.path)
    for text in filter(None, (fields.slug, *(fields.aliases or ()))):
        yield from unclear_address(document.path, text)


_WORD = re.compile(r"[^\W\d_\u0640]+")
"""Letters; the Arabic sign of length joins an article to a word in Latin script, as a hyphen."""
_WITHIN_WORDS = ("Cf", "Mn", "Mc")
_SCRIPTS_IN_WORDS = {
    **dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"), "CJK"),
    **dict.fromkeys(("MODIFIER", "MICRO", "FEMININE", "MASCULINE"), ""),
}
"""Scripts that are written in one word, and letters that are of no script."""
_OF_EAST_ASIA = {"CJK", "LATIN"}


def unclear_address(path: str, text: str) -> Iterator[Diagnostic]:
    """Report words of two scripts (Unicode UTS 39) and invisible characters in an address."""
    if text.isascii():
        return
    for each in dict.fromkeys(each for each in text if category(each) == "Cf"):
        message = Text(
            "“{}” has the invisible character U+{} ({}).",
            text,
            f"{ord(each):04X}",
            name(each, "unnamed"),
        )
        yield Kind.INVISIBLE_CHARACTER.warning(path, message, Text("Remove it."))
    shown = (each for each in normalize("NFC", text) if category(each) not in _WITHIN_WORDS)
    for word in _WORD.findall("".join(shown)):
        scripts = {_SCRIPTS_IN_WORDS.get(script(each), script(each)) for each in word} - {""}
        if len(scripts) > 1 and scripts != _OF_EAST_ASIA:
            mixed = " and ".join(sorted(map(str.capitalize, scripts)))
            message = Text("The word “{}” of “{}” has {} letters.", word, text, mixed)
            advice = Text("Write it in one script, or put a hyphen between two scripts.")
            yield Kind.MIXED_SCRIPTS.warning(path, message, advice)


def unreadable_formulas(document: Document) -> Iterator[Diagnostic]:
    """Report the formulas that are shown as code."""
    for tex in dict.fromkeys(formulas(document.body)):
        if mathml(tex, is_block=True) is None:
            before = document.body.count("\n", 0, document.body.find(tex))
            shown = " ".join(tex.split())[:_MAX_FORMULA_CHARACTERS]
            message = Text("The formula “{}” cannot be read; it is shown as code.", shown)
            suggestion = Text(
                "Use other commands of LaTeX, and at most {} characters.", MAX_CHARACTERS
            )
            path, line = document.path, document.file_line(before + 1)
            yield Kind.UNREADABLE_FORMULA.notice(path, message, suggestion, line)


def _removed_lines(document: Document) -> Mapping[str, Sequence[int]]:
    """Return what is left out, with its lines in the file."""
    body, removed = document.body, RemovedTags()
    lines: defaultdict[str, list[int]] = defaultdict(list)
    line, position = 1, 0
    for html in raw_html(body):
        # Raw HTML in a list or quote may have lost its indentation; its line is then the last one.
        start = body.find(html.split("\n", 1)[0], position)
        if start >= 0:
            line += body.count("\n", position, start)
            position = start
        for part in removed.read(html):
            lines[part.name].append(document.file_line(line + html.count("\n", 0, part.offset)))
    return lines


def _lines(numbers: Sequence[int]) -> str:
    """Return line numbers, as in `lines 3, 5` or `line 7`."""
    distinct = list(dict.fromkeys(numbers))
    shown = ", ".join(map(str, distinct[:_SHOWN_LINES]))
    rest = len(distinct) - _SHOWN_LINES
    noun = "line" if len(distinct) == 1 else "lines"
    return f"{noun} {shown} and {rest} more" if rest > 0 else f"{noun} {shown}"


@dataclass(frozen=True, slots=True)
class MissingId:
    """A section of a translation without the id that the original sets; `line` is in the file."""

    line: int
    id: str
    is_directive: bool

    @property
    def text(self) -> str:
        """What sets the id: the end of a heading line, or an option below a directive's."""
        return f":id: {self.id}" if self.is_directive else f"{{#{self.id}}}"


@dataclass(frozen=True, slots=True)
class _Opening:
    """The line that opens a section: a level-2 heading, or a directive of some name."""

    line: int
    directive: str | None
    id: str | None


def translations(entry: Entry) -> Iterator[tuple[Document, Document]]:
    """Yield each original, a file without language suffix, and each of its translations."""
    originals = {
        (document.layer.country, document.layer.city): document
        for document in entry.documents
        if document.layer.language is None
    }
    for document in entry.documents:
        original = originals.get((document.layer.country, document.layer.city))
        if original is not None and document.language is not original.language:
            yield original, document


def missing_ids(original: Document, translation: Document) -> list[MissingId]:
    """Return the ids that a translation lacks; none if its sections are not the same ones."""
    ours, theirs = _openings(original), _openings(translation)
    pairs = list(zip(ours, theirs, strict=False))
    if len(ours) != len(theirs) or not all(_is_same(*pair) for pair in pairs):
        return []
    return [
        MissingId(translation.body_line + each.line - 1, first.id, bool(each.directive))
        for first, each in pairs
        if first.id is not None and each.id is None
    ]


def _is_same(original: _Opening, translation: _Opening) -> bool:
    same_type = original.directive == translation.directive
    return same_type and translation.id in (None, original.id)


def _openings(document: Document) -> Sequence[_Opening]:
    openings = map(_opening, parse_blocks(document.body))
    return [opening for opening in openings if opening is not None]


def _opening(block: ParsedBlock) -> _Opening | None:
    if block.directive is not None:
        options, (_, anchor) = block.directive.options, split_anchor(block.directive.title)
        return _Opening(block.line, block.directive.name, options.get("id") or anchor or None)
    if block.type == "heading" and block.level == 2:
        return _Opening(block.line, None, block.anchor or None)
    return None
