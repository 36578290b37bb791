"""Code and comments: what no other step may read is set aside, and comments are removed.

One pass from the start, because a fence in a comment opens no code, and a comment in code is text.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from re import Match, Pattern

from knowledge.markdown.generator_syntax.source import BREAK, BodySource

_RAW_TAG = re.compile(r"\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}")
_LONG_TICKS = re.compile("`{3,}")
_WORD = re.compile(r"[\w+#.-]+")


def set_code_aside(source: BodySource) -> None:
    """Replace code by placeholders, remove comments, and turn highlighting tags into fences."""
    source.text = "".join(_CodeScanner(source).parts())


def _literal(code: str) -> str:
    """Return code without the tags that protect it from another generator.

    Code that is nothing but such a tag shows the tag.
    """
    if "{%" in code:
        unprotected = _RAW_TAG.sub("", code)
        code = unprotected if unprotected.strip("`~ \t\n") else code
    if "/*" in code:
        code = code.replace("{{</*", "{{<").replace("*/>}}", ">}}")
        code = code.replace("{{%/*", "{{%").replace("*/%}}", "%}}")
    return code


_HTML_COMMENT_END = re.compile("-->")
_MDX_COMMENT_END = re.compile(r"\*/\s*\}")
_OBSIDIAN_MARK = re.compile("%%")
_OBSIDIAN_END = re.compile(r"%%[ \t]*$", re.MULTILINE)
_ELEMENT_ENDS = {
    name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("pre", "code", "script", "style")
}

_LANGUAGE = re.compile(r"\b(?:lang|language|type)=[\"']?([\w+#-]+)")


_FENCE = re.compile(
    r"(?P<prefix>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+[ \t>]*+)"
    r"(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+)[^\n]*",
    re.MULTILINE,
)
_CONTAINER = re.compile(r" {0,3}(?:[-*+]\s|\d{1,9}[.)]\s|!!!|\?\?\?|=== |\[\^|:\s|<)")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
_BLANK = re.compile(r"\n[ \t]*\n")

_OPENER = re.compile(
    r"\\.|(?P<ticks>`++)|(?P<comment><!--)|(?P<mdx>\{/\*)|(?P<obsidian>%%)"
    r"|\{%-?\s*(?:(?:set|capture)\s+\w+\s*-?%\}\s*\{%-?\s*(?P<set>raw)|(?P<liquid>raw|verbatim|comment|highlight))\b"
    r"|\{\{[<%]\s*(?P<hugo>highlight|code-toggle|code|codefile|terminal|mermaid|prism)\b"
    r"|(?P<escaped>\{\{[<%]?/\*|\{%/\*)|<(?P<element>pre|code|script|style)\b",
    re.DOTALL,
)
_EXCERPT_END = re.compile(r"<!--\s*(?:more|truncate|excerpt|readmore)\s*-->", re.IGNORECASE)
_MDX_EXCERPT_END = re.compile(r"\{/\*\s*(?:more|truncate|excerpt)\s*\*/\}")
_MDX_HEADING_ID = re.compile(
    r"\{/\*\s*(?P<sign>#?)(?P<id>[\w-]+)\s*\*/\}[ \t]*(?P<end>$)?", re.MULTILINE
)
_TAG_END = re.compile(r"-?%\}")
_CLOSERS = {
    "raw": re.compile(r"\{%-?\s*endraw\s*-?%\}"),
    "verbatim": re.compile(r"\{%-?\s*endverbatim\s*-?%\}"),
    "comment": re.compile(r"\{%-?\s*endcomment\s*-?%\}"),
    "highlight": re.compile(r"\{%-?\s*endhighlight\s*-?%\}"),
}
_HUGO_TAG_END = re.compile(r"[>%]\}\}")
_ESCAPED_CLOSER = re.compile(r"\*/[>%]?\}\}|\*/%\}")
_COMPONENT_SCRIPT = re.compile(
    r"<(?:script|style)(?:[^>]*\s(?:setup|scoped|module|lang=)|>\s*import\s)"
)

_MAX_INDENT = 80
_MAX_HEADING = 300

Step = tuple[str, int]
"""A replacement, and the offset at which the text goes on."""


class _CodeScanner:
    """Walks over a text, line by line, and inside a line from opener to opener."""

    def __init__(self, source: BodySource) -> None:
        self._source = source
        self._text = source.text
        self._after_blank = True
        self._in_container = source.is_mdx
        self._next_opener = _OPENER.search(source.text)
        self._absent: set[object] = set()
        """Closing marks that do not occur any more."""

    def parts(self) -> Iterator[str]:
        """Yield the parts of the new text."""
        position = end = 0
        size = len(self._text)
        while position < size:
            if position == 0 or self._text[position - 1] == "\n":
                block = self._block(position)
                if block:
                    part, position = block
                    yield part
                    continue
            if position >= end:
                end = self._text.find("\n", position) + 1 or size
            opener = self._opener(position)
            if opener is None or opener.start() >= end:
                yield self._text[position:end]
                position = end
                continue
            yield self._text[position : opener.start()]
            part, position = self._opened(opener)
            yield part

    def _opener(self, position: int) -> Match[str] | None:
        """Return the next opener; one that was found in an earlier line is not searched again."""
        found = self._next_opener
        if found is not None and found.start() < position:
            found = self._next_opener = _OPENER.search(self._text, position)
        return found

    def _block(self, start: int) -> Step | None:
        """Read the fenced or indented code that begins at a line's start."""
        end = self._text.find("\n", start) + 1 or len(self._text)
        line = self._text[start:end]
        if not line.strip():
            self._after_blank = True
            return None
        may_be_fence = "```" in line or "~~~" in line
        fence = _FENCE.match(self._text, start) if may_be_fence else None
        if fence and not self._is_indented_code(line):
            self._after_blank = True
            return self._fenced(fence)
        if self._is_indented_code(line):
            return self._source.keep(_literal(line)), end
        if _CONTAINER.match(line):
            self._in_container = True
        elif self._after_blank and not self._source.is_mdx:
            self._in_container = self._in_container and line[0] in " \t"
        self._after_blank = False
        return None

    def _is_indented_code(self, line: str) -> bool:
        return self._after_blank and not self._in_container and bool(_INDENTED.match(line))

    def _fenced(self, fence: Match[str]) -> Step:
        """Read fenced code, to its end or that of the quote that contains it."""
        mark, is_quoted = fence["fence"], ">" in fence["prefix"]
        start = fence.start("fence")
        position = min(fence.end() + 1, len(self._text))
        while position < len(self._text):
            end = self._text.find("\n", position) + 1 or len(self._text)
            line = self._text[position:end].strip()
            if is_quoted and not line.startswith(">"):
                break
            position = end
            rest = line.lstrip("> \t") if is_quoted else line
            if rest.startswith(mark) and not rest.strip(mark[0]):
                break
        return fence["prefix"] + self._source.keep(_literal(self._text[start:position])), position

    def _opened(self, opener: Match[str]) -> Step:
        kind = opener.lastgroup
        if kind is None:
            return opener[0], opener.end()
        read: Callable[[Match[str]], Step | None] = getattr(self, f"_{kind}")
        return read(opener) or (opener[0], opener.end())

    def _find(self, closer: Pattern[str], position: int) -> Match[str] | None:
        """Search a closing mark; it is searched only once if it does not occur any more."""
        if closer in self._absent:
            return None
        match = closer.search(self._text, position)
        if match is None:
            self._absent.add(closer)
        return match

    def _ticks(self, opener: Match[str]) -> Step | None:
        """Read a code span, which ends at the next run of as many backticks in its paragraph."""
        closer = self._find(_ticks(len(opener[0])), opener.end())
        if closer is None or _BLANK.search(self._text, opener.end(), closer.start()):
            return None
        code = _literal(self._text[opener.start() : closer.end()])
        return self._source.keep(code), closer.end()

    def _removed(self, start: int, end: int) -> Step:
        return "\n" * self._text.count("\n", start, end), end

    def _comment(self, opener: Match[str]) -> Step | None:
        """Remove an HTML comment; one that begins a line and never ends reaches to the end."""
        marker = _EXCERPT_END.match(self._text, opener.start())
        if marker:
            return self._source.keep(marker[0]), marker.end()
        closer = self._find(_HTML_COMMENT_END, opener.start() + 2)
        if closer:
            return self._removed(opener.start(), closer.end())
        before = self._text[max(0, opener.start() - _MAX_INDENT) : opener.start()]
        is_block = not before[before.rfind("\n") + 1 :].strip()
        return self._removed(opener.start(), len(self._text)) if is_block else None

    def _mdx(self, opener: Match[str]) -> Step | None:
        marker = _MDX_EXCERPT_END.match(self._text, opener.start())
        if marker:
            return self._source.keep("<!-- truncate -->"), marker.end()
        heading_id = _MDX_HEADING_ID.match(self._text, opener.start())
        if heading_id and (heading_id["sign"] or self._ends_heading(heading_id)):
            return f"{{#{heading_id['id']}}}", heading_id.end()
        closer = self._find(_MDX_COMMENT_END, opener.end())
        return self._removed(opener.start(), closer.end()) if closer else None

    def _ends_heading(self, match: Match[str]) -> bool:
        before = self._text[max(0, match.start() - _MAX_HEADING) : match.start()]
        return match["end"] is not None and before[before.rfind("\n") + 1 :].startswith("#")

    def _obsidian(self, opener: Match[str]) -> Step | None:
        """Remove an Obsidian comment: on one line, or between lines of `%%`."""
        same_line = self._find(_OBSIDIAN_MARK, opener.end())
        if same_line and "\n" not in self._text[opener.end() : same_line.start()]:
            return self._removed(opener.start(), same_line.end())
        begins_line = opener.start() == 0 or self._text[opener.start() - 1] == "\n"
        closer = self._find(_OBSIDIAN_END, opener.end()) if begins_line else None
        return self._removed(opener.start(), closer.end()) if closer else None

    def _liquid(self, opener: Match[str]) -> Step | None:
        name = opener["liquid"]
        tag_end = self._find(_TAG_END, opener.end())
        closer = self._find(_CLOSERS[name], tag_end.end()) if tag_end else None
        if tag_end is None or closer is None:
            return None
        if name == "comment":
            return self._removed(opener.start(), closer.end())
        inner = self._text[tag_end.end() : closer.start()]
        if name == "highlight":
            language = self._text[opener.end() : tag_end.start()]
            return self._source.keep(fence_of(inner, language)), closer.end()
        return self._source.keep(inner), closer.end()

    def _set(self, opener: Match[str]) -> Step | None:
        """Read text that a variable holds as it is: it is set to be shown as code."""
        tag_end = self._find(_TAG_END, opener.end())
        closer = self._find(_CLOSERS["raw"], tag_end.end()) if tag_end else None
        if tag_end is None or closer is None:
            return None
        inner = self._text[tag_end.end() : closer.start()]
        return self._source.keep(fence_of(inner, "")), closer.end()

    def _hugo(self, opener: Match[str]) -> Step | None:
        """Read a shortcode that shows code."""
        tag_end = self._find(_HUGO_TAG_END, opener.end())
        closer = self._find(_hugo_closer(opener["hugo"]), tag_end.end()) if tag_end else None
        if tag_end is None or closer is None:
            return None
        inner = self._text[tag_end.end() : closer.start()]
        named = _LANGUAGE.search(self._text, opener.end(), tag_end.start())
        language = self._text[opener.end() : tag_end.start()]
        if named or opener["hugo"] != "highlight":
            language = named[1] if named else ""
        return self._source.keep(fence_of(inner, language)), closer.end()

    def _escaped(self, opener: Match[str]) -> Step | None:
        """Read a shortcode that is shown, not called: it is written as a comment."""
        closer = self._find(_ESCAPED_CLOSER, opener.end())
        if closer is None:
            return None
        inner = self._text[opener.end() : closer.start()]
        return self._source.keep(opener[0][:-2] + inner + closer[0][2:]), closer.end()

    def _element(self, opener: Match[str]) -> Step | None:
        """Set the code in an HTML element aside; remove the script of a component."""
        name = opener["element"]
        closer = self._find(_ELEMENT_ENDS[name], opener.end())
        if closer is None:
            return None
        is_script = name in ("script", "style")
        if is_script and (
            self._source.is_mdx or _COMPONENT_SCRIPT.match(self._text, opener.start())
        ):
            return self._removed(opener.start(), closer.end())
        code = _literal(self._text[opener.start() : closer.end()])
        return self._source.keep(code), closer.end()


def fence_of(code: str, language: str) -> str:
    """Return code as a fenced block, or as a code span if it is on one line."""
    code = _RAW_TAG.sub("", code)
    if "\n" not in code:
        return f"`` {code.strip()} ``"
    runs = [len(run) + 1 for run in _LONG_TICKS.findall(code)]
    mark, word = "`" * max(3, *runs, 3), _WORD.search(language)
    first, last = code.partition("\n")[0], code.rpartition("\n")[2]
    before, after = (BREAK if line.strip() else "" for line in (first, last))
    return f"{mark}{word[0] if word else ''}{before}{code}{after}{mark}"


@lru_cache(maxsize=64)
def _hugo_closer(name: str) -> Pattern[str]:
    """Return the pattern of the shortcode that closes another."""
    return re.compile(rf"\{{\{{[<%]\s*/\s*{name}\s*[>%]\}}\}}")


@lru_cache(maxsize=64)
def _ticks(count: int) -> Pattern[str]:
    """Return the pattern of a run of exactly so many backticks."""
    return re.compile(f"(?<!`)`{{{count}}}(?!`)")
