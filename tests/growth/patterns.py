"""Patterns for texts of any length that an attacker would try."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """A unit that is repeated, with an optional closing text for each, and texts around them.

    In a unit, `{n}` is the index of the repetition, and `{s}` is `sign` repeated that many times.
    """

    unit: str
    closing: str = ""
    before: str = ""
    between: str = ""
    after: str = ""
    sign: str = ""

    @property
    def name(self) -> str:
        """Return the name for reports."""
        closing = f"({self.closing})*" if self.closing else ""
        parts = (self.before, f"({self.unit})*", self.between, closing, self.after, self.sign)
        return ascii("".join(parts))

    def text(self, length: int) -> str:
        """Return a text of about this length."""
        if "{n}" in self.unit or self.sign:
            return self.before + self._numbered(length) + self.after
        times = max(1, length // len(self.unit + self.closing))
        middle = self.unit * times + self.between + self.closing * times
        return self.before + middle + self.after

    def _numbered(self, length: int) -> str:
        units: list[str] = []
        while length > 0:
            number = len(units)
            unit = self.unit.replace("{n}", str(number)).replace("{s}", self.sign * number)
            units.append(unit)
            length -= len(unit)
        return "".join(units)


_SINGLE = (
    *"*_~`#>-+=|[](){}<>!\\:\"'&/.,;%@^$?",
    *(" ", "\t", "\n", "0", "a", "A", "×"),
    *("ا", "ل", "و", "\u064e", "\u0640", "٣", "é", "\u0301", "ß", "中", "😀"),
    *("\u00a0", "\u200f", "\u0085", "\x01", "\ufeff"),
)
"""Characters with a meaning in some grammar, and letters of several scripts."""

_MARKDOWN = (
    *(
        "[](",
        "![",
        "](",
        "[a](",
        "[a](b ",
        "[a](<b",
        '[a](b "',
        "[a][",
        "[a]: b\n",
        "[a",
        "![a](b)",
    ),
    *("**a", "*a**", "_a_", "*a _b ", "**a* ", "***a", "`a", "``a`", "\\`", "~~a", "a_b"),
    *(
        "# ",
        "#a\n",
        "a\n=\n",
        "- ",
        "- a\n",
        "1. ",
        "1.\n",
        "- - ",
        "* a\n  ",
        "> ",
        "> a\n",
        ">\n- ",
    ),
    *(
        "```\n",
        "~~~a\n",
        ":::{faq}\n",
        ":::",
        ":::{faq} a\n:::\n",
        ":a: b\n",
        "    a\n",
        "---\n",
        "***\n",
    ),
    *("|", "|a", "|a|\n|-|\n", "a|b\n-|-\n", "|-", "| \\|"),
    *("<a ", "<a b=", "<!--", "<![CDATA[", "<?", "</a>", "<a>", "<http://a", "<a@a"),
    *("<div>", "<h2>", "<kbd>a</kbd> ", "<svg>", "<script>", '<div title="\n\n', "<div>\n\na\n\n"),
    *("https://a.b/", "://", "www.a.b)", "~a~ ", "a@b.c "),
    *("&amp;", "&#", "&#x1", "&a", "\\\n", "  \n", "a\n\n", "\n \n", "a  ", "{#a} ", "{#", " {#a"),
)

_WORDS = (
    *("1,", "1.", "1 = ", "1 =", "1×", "1 ", "+1", "+97 ", "+1(", "1-", "٣٫", "12:30 "),
    *("ال", "لل", "وال", "فَ", "اَ", "بال", "هاه"),
    *("a-", "a'", "a.b,", "a/", "a1", "aA", "ing", "ational"),
    *("1:", "a)", "((a", "a=b ", "%ZZ", ".a/", "a\r", "=\n"),
    *("y", "ie", "'s", "a b ", "word ", "wörd ", "لا ", "e‑m"),
)  # fmt: skip

_WIRE = (
    *("%", "%2", "%C3", "%20", "../", "./", "//", "/a", "?a=", "#a", "a:", "http://", "mailto:a@"),
    *("a;q=0.1,", "a/b;", "text/html;q=1, ", 'a="', '"\\', '";', "*/*,", "gzip,", 'W/"a",', "en-"),
    *("1.1.1.1, ", "::1,", "[::1]:1,", ":::", "a=b&", "a&", "a=b;", "a.", "a..", "-a", "a@a."),
    *("a: b\n", "a:\n ", "- - ", "? ", "&a *a ", "[{", "{a: ", "- ["),
    *("!!a ", "on, ", "1.10, ", "@a", "'a", "a = 1\n", "[a.b]\n", "a.b."),
    *("a, ", "keep: a\n", "2026-", "0:0", "Bearer ", '{"a":', "[[", '"a",', "1e9"),
)  # fmt: skip

_PAIRS = ("[]", "()", "{}", "<>", "**", "__", "``", '""', "''")
_NESTED = (
    *(Pattern(opening, closing, between="a") for opening, closing in map(tuple, _PAIRS)),
    Pattern("[a](", ")"),
    Pattern("![", "](b)"),
    Pattern("[", "](b)"),
    Pattern("[", "][a]", after="\n\n[a]: b\n"),
    Pattern("**a ", " a**"),
    Pattern("*a **b ", "** *"),
    Pattern("<b>", "</b>"),
    Pattern("<div>", "</div>"),
    Pattern("<b id={n}><p>"),
    Pattern("(", ")", before="https://a.b/"),
    Pattern('{"a":', "}", between="1"),
    Pattern(":::{faq}\n", ":::\n", between="a\n"),
)

_FRAMED = (
    Pattern("a", before="`", after="``"),
    Pattern("``` ", before="```\n"),
    Pattern("a\n", before="~~~\n"),
    Pattern(" ", before="#", after="a"),
    Pattern(" ", before="# a", after="#a"),
    Pattern("#", before="# a ", after="a"),
    Pattern(" ", before="a", after="a"),
    Pattern("\t", before="- a\n", after="b"),
    Pattern("\n", before="- a", after="b"),
    Pattern(" ", before="[a](", after="b)"),
    Pattern(" ", before="[a](b", after='"c'),
    Pattern("a", before='[a](b "', after="c)"),
    Pattern("\\", before="[", after="](b)"),
    Pattern("-", before="|a|\n|", after="x\n"),
    Pattern("|a", before="|a|b|\n|-|-|\n"),
    Pattern("a", before="<!--", after="--"),
    Pattern(" a", before="<a", after="<"),
    Pattern(" a='b'", before="<a", after="'"),
    Pattern("a ", before=":::{faq} ", after="\n"),
    Pattern(":a: b\n", before=":::{faq}\n", after="c\n"),
    Pattern("[a] ", after="\n\n[a]: b\n"),
    Pattern("[a]: b\n", after="\n[a]"),
    Pattern("a{#b} ", before="## "),
    Pattern(" ", before="## a", after="{#b}c"),
    Pattern("## a\n\nb\n\n"),
    Pattern("### a\n\nb\n\n", before=":::{faq}\n", after=":::\n"),
    Pattern("![a](b)\n\n"),
    Pattern("1,", after="="),
    Pattern("1 ", before="+", after="x"),
    Pattern(" ", before="1", after="x"),
    Pattern("a" * 61 + ".", before="a@", after="!"),
    Pattern("a.", before="", after="@"),
    Pattern(" ", before="Bearer", after="\n"),
    Pattern('"\\"', before='a;b="', after=","),
    Pattern("a: [\n", before="a: b\n"),
    Pattern(" a", before='a: "', after="\n"),
    Pattern("  ", before="a:\n", after="b: c"),
)

_NUMBERED = (
    *(
        Pattern(unit)
        for unit in ("a{n} ", "a{n}", "a{n}\n\n", "{n},", "{n}. a\n", "a.{n}.", "/{n}")
    ),
    Pattern("[a{n}](b{n}) "),
    Pattern("![a{n}](b{n}.png)\n\n"),
    Pattern("[a{n}]: b{n}\n", after="\n[a0] [a1]"),
    Pattern("[a{n}] ", after="\n\n[a1]: b\n"),
    Pattern("[a{n}](#b{n})\n\n"),
    Pattern("## a{n}\n\nb\n\n"),
    Pattern("## a {#b{n}}\n\n"),
    Pattern(":::{a{n}} b\nc\n:::\n"),
    Pattern("k{n}: v\n"),
    Pattern("k{n} = 1\n"),
    Pattern("a{n}=1&"),
    Pattern("a{n}/b;q=0.{n}, "),
    Pattern('W/"{n}", '),
    Pattern("<a{n}>"),
    Pattern("|a{n}", after="|\n|-|\n"),
    Pattern("a, b{n}\n"),
    *(Pattern("{s}a", sign=sign) for sign in ("`", "*", "_", "~", "[", "<", "#", "\\", '"', "'")),
    *(Pattern("{s}a\n", sign=sign) for sign in ("> ", " ", "- ", "`", "~", ":", "#", "|", "  ")),
    Pattern("{s}- a\n", sign="  "),
    Pattern("{s}1. a\n", sign="   "),
    Pattern("{s} a\n\n", sign=">"),
    Pattern("{s}{a}\n", before=":::{a}\n", sign=":"),
    Pattern("{s}a: b\n", sign=" "),
)

_TABLES = (
    Pattern("a|b\n-|-\n", after="a|b|c\n"),
    Pattern("|a|b|\n|-|-|\n", after="|a|b|c|\n"),
    Pattern("a|b\n", before="a|b\n-|-\n", after="a|b|c\n"),
    Pattern("a|b\n-|-\n\n"),
    Pattern("|-", before="|a" * 3 + "|\n", after="|\n"),
    Pattern(":-: | ", before="a|b\n"),
)

_TAGS = ("<!-- ", "{% a ", "{{ a ", "{{< a ", "{{% a ", "[[a", "%%a ", "<A ", "{/* ", "{: #a ")
_CODE_TAGS = ("{% raw %}", "{% highlight a %}\n", "{{< highlight a >}}\n", "<code>", "~~~\n")
_COMPONENTS = ("<A a={", '<A a="', "<A a=", "<T>\n  ", "</T>\n", "<T a={ ", "import a\n")
_LINES = ("!!! a\n    ", '=== "a"\n    ', "::: tab\n", "--8<-- a\n", ":::\n", "::: a.b\n  ")
_SIGNS = ("- a\n{:toc", "# a {: #b", "# a {.b ", "$a_", "@[a](", "<<<a\n", "![[a", "^abcd ", "==a")
_GENERATORS = tuple(
    Pattern(unit)
    for unit in (*_TAGS, *_CODE_TAGS, *_COMPONENTS, *_LINES, *_SIGNS, "export const a = {\n")
)

PATTERNS = (
    *(Pattern(unit) for unit in dict.fromkeys((*_SINGLE, *_MARKDOWN, *_WORDS, *_WIRE))),
    *_NESTED,
    *_FRAMED,
    *_NUMBERED,
    *_TABLES,
    *_GENERATORS,
)
"""All patterns."""
