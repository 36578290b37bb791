"""What pages leave out of a document's raw HTML, for `majlis check`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.documents.document import Document
from knowledge.markdown.inline import raw_html
from knowledge.markdown.raw_html import RemovedTags

_SHOWN_LINES = 3


def removed_html(document: Document) -> Iterator[Diagnostic]:
    """Yield one warning for a document whose raw HTML is not shown completely."""
    lines = _removed_lines(document)
    if lines:
        first = min(map(min, lines.values()))
        message = f"Pages leave out this HTML: {_listed(lines)}."
        suggestion = "Write it in markdown, or remove it."
        yield DiagnosticKind.REMOVED_HTML.warning(document.path, message, suggestion, first)


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


def _listed(lines: Mapping[str, Sequence[int]]) -> str:
    """Return names with their lines, as in `<font> (lines 3, 5), onclick (line 7)`."""
    return ", ".join(f"{name} ({_lines(numbers)})" for name, numbers in lines.items())


def _lines(numbers: Sequence[int]) -> str:
    distinct = list(dict.fromkeys(numbers))
    shown = ", ".join(map(str, distinct[:_SHOWN_LINES]))
    rest = len(distinct) - _SHOWN_LINES
    noun = "line" if len(distinct) == 1 else "lines"
    return f"{noun} {shown} and {rest} more" if rest > 0 else f"{noun} {shown}"
