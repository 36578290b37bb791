"""Failed markdown: what looks like markup, but is shown as the author typed it."""

import re
from collections.abc import Iterator
from re import Match, Pattern

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import Document
from knowledge.markdown.generator_syntax.code import set_code_aside
from knowledge.markdown.generator_syntax.source import BodySource
from knowledge.markdown.inline import plain_text

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
