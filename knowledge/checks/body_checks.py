"""Checks of one document: failed markdown, HTML left out of pages, formulas, translations."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from re import Match, Pattern
from unicodedata import category, name, normalize

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import Document
from knowledge.locales.cldr import script
from knowledge.markdown.generator_syntax.code import set_code_aside
from knowledge.markdown.generator_syntax.source import BodySource
from knowledge.markdown.inline import formulas, plain_text, raw_html
from knowledge.markdown.math import MAX_CHARACTERS, mathml
from knowledge.markdown.parsed_blocks import ParsedBlock, parse_blocks, split_anchor
from knowledge.markdown.raw_html import RemovedTags
from knowledge.snapshot.layer_resolution import Entry

_SHOWN_LINES = 3
_MAX_FORMULA_CHARACTERS = 60


def removed_html(document: Document) -> Iterator[Diagnostic]:
    """Yield one warning for a document whose raw HTML is not shown completely."""
    lines = _removed_lines(document)
    if lines:
        first = min(map(min, lines.values()))
        listed = tuple(f"{tag} ({_lines(numbers)})" for tag, numbers in lines.items())
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


_MARKS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_MAX_SHOWN = 40

_FAILED: tuple[tuple[Pattern[str], Text, Text], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), what, advice)
    for pattern, what, advice in (
        (
            r"^ {0,3}#{2,6}[^\s#\0].*$",
            Text("is no heading"),
            Text("Write a space after the number signs."),
        ),
        (
            r"^ {0,3}#{1,6}[\u00a0\u2007\u202f].*$",
            Text("is no heading, because a no-break space follows the number signs"),
            Text("Write a plain space."),
        ),
        (
            rf"^[ \t]*[{_MARKS}]+[ \t]*(?:[-*+][ \t]|#{{1,6}}[ \t]|\d+[.)][ \t]).*$",
            Text("is no list or heading, because an invisible mark of direction begins the line"),
            Text("Remove the mark."),
        ),
        (
            r"!\[[^\]\n]{0,300}\]\([^)\s]{1,300}[ \t]{1,9}=\d{0,5}x\d{0,5}\)",
            Text("is no image"),
            Text("Remove the size; pages size images by themselves."),
        ),
        (
            r"!\[[^\]|\n]{0,300}\|\d{1,5}(?:x\d{1,5})?\]\([^)\n]{1,300}\)",
            Text("has a size in its alternative text"),
            Text("Remove the size; pages size images by themselves."),
        ),
        (
            r"\]\((?!<)[^()<>\"'\s\0]{1,99}[ \t][^()<>\"'=\0\n]{0,99}\.\w{1,9}(?:#[^()\s]{,99})?\)",
            Text("is no link, because its target has a space"),
            Text("Put the target into angle brackets: [text](<my file.md>)."),
        ),
        (
            r"(?<!\])\^\[[^\]\n]{1,300}\]",
            Text("is no note"),
            Text("Write a footnote: [^1], and [^1]: with its text."),
        ),
        (
            r"\\\((?=[^()\n]{0,300}?(?:[\^_=]|\\[A-Za-z]))[^()\n]{0,300}\\\)",
            Text("is no formula"),
            Text("Write it between dollar signs."),
        ),
        (
            r"^ {0,3}\([\w.:-]+\)=[ \t]*$",
            Text("is a target of MyST, which is not read"),
            Text("Write an id behind the heading: ## Heading {#id}."),
        ),
        (
            r"\{[A-Za-z][\w:+-]*\}(?=\0s\d+;)",
            Text("is a role of MyST, which is not read"),
            Text("Write a link, or only the text."),
        ),
        (
            r"^(?:<{7}|>{7})(?: .*)?$",
            Text("is the mark of a conflict in Git"),
            Text("Resolve the conflict, and remove its marks."),
        ),
    )
)
_BOLD = re.compile(
    r"(?P<before>[^\W\d_]\*\*[«“‘‹\"'(\[])[^*\n]*(?:\*\*)?"
    r"|\*\*[^\s*][^*\n]*(?P<after>[»”’›\"')\].,:;!?…،؛؟]\*\*[^\W\d_])"
)
"""Stars between a letter and a sign: by CommonMark they may begin or end no bold text."""


_SHORTCODE = re.compile(r"(?<![\w:/]):[a-z][a-z0-9_+-]{1,40}:(?![\w:])")
_OPTIONS = re.compile(r"(?:^:[a-z]+:[ \t].*\n?)+", re.MULTILINE)
"""The options of a directive, below its opening line."""


def failed_markdown(document: Document) -> Iterator[Diagnostic]:
    """Report each kind of failed markup once, at its first place."""
    source = BodySource(document.body)
    set_code_aside(source)
    text = source.text
    for pattern, what, advice in _FAILED:
        found = pattern.search(text)
        if found:
            yield _diagnostic(document, source, found, what, advice)
    plain = _OPTIONS.sub(lambda match: _blanked(text, match), text)
    emoji = next(filter(_is_emoji, _SHORTCODE.finditer(plain)), None)
    if emoji:
        yield _diagnostic(
            document, source, emoji, Text("is shown as it is"), Text("Write the emoji itself.")
        )
    bold = next((each for each in _BOLD.finditer(text) if _is_shown(text, each)), None)
    if bold:
        what, advice = (
            Text("is not bold"),
            Text("Write the signs outside of the stars, as in و«**الاسم**»."),
        )
        yield _diagnostic(document, source, bold, what, advice)
    directive = next(_directives(document.body), None)
    if directive:
        number, shown = directive
        message = Text("“{}” is a directive of MyST, which is shown as code.", shown)
        advice = Text("Write a call-out, such as > [!NOTE], or plain markdown.")
        line = document.file_line(number)
        yield DiagnosticKind.FAILED_MARKDOWN.warning(document.path, message, advice, line)


_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}+|~{3,}+)(?P<info>[^`\n]*)")
_DIRECTIVE = re.compile(
    r"\{(?:admonition|attention|card|caution|code-block|code-cell|contents|danger|dropdown|error|"
    r"eval-rst|figure|glossary|grid|hint|image|important|include|list-table|literalinclude|math|note|"
    r"seealso|tab-item|tab-set|tableofcontents|tip|toctree|versionadded|versionchanged|warning)\}.*"
)
"""A directive of MyST in place of a language; others, such as `{r}`, are code of notebooks."""


def _directives(body: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the head of each directive; those within code are examples."""
    opened = ""
    for number, line in enumerate(body.split("\n") if "{" in body else (), 1):
        fence = _FENCE.fullmatch(line)
        if fence and not opened:
            opened, info = fence["marks"], fence["info"].strip()
            if _DIRECTIVE.fullmatch(info):
                yield number, info
        elif fence and fence["marks"].startswith(opened) and not fence["info"].strip():
            opened = ""


def _blanked(text: str, options: Match[str]) -> str:
    before = text.rfind("\n", 0, max(options.start() - 1, 0)) + 1
    is_below = text[before : options.start()].lstrip().startswith(":::")
    return re.sub(r"[^\n]", " ", options[0]) if is_below else options[0]


def _is_shown(text: str, stars: Match[str]) -> bool:
    """Return whether the paragraph of the stars shows them."""
    start, end = text.rfind("\n\n", 0, stars.start()) + 1, text.find("\n\n", stars.end())
    paragraph = text[start : end if end >= 0 else len(text)].replace("\0", "")
    return (stars["before"] or stars["after"]) in plain_text(paragraph)


def _is_emoji(match: Match[str]) -> bool:
    # Few texts have one, and its library takes 10 ms to import.
    from rich.emoji import Emoji  # noqa: PLC0415

    return Emoji.replace(match[0]) != match[0]


def _diagnostic(
    document: Document, source: BodySource, match: Match[str], what: Text, advice: Text
) -> Diagnostic:
    line = document.file_line(source.text.count("\n", 0, match.start()) + 1)
    shown = source.plain(match[0].removeprefix("]"))
    shown = "".join(each if each.isprintable() else "�" for each in shown[:_MAX_SHOWN])
    message = Text("“{}” {}.", shown, what)
    return DiagnosticKind.FAILED_MARKDOWN.warning(document.path, message, advice, line)
