"""The stylesheet of a page: one file with the rules that can match something in it.

Styles and theme are written as a whole. A page links those of their rules for which it has the
classes. The address names these, so that every process can make the file.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from knowledge.views.content_view import ContentView
from renderers.html import styles
from renderers.html.styles import StaticFile

_NAME = re.compile("page-([0-9a-f]{1,128})[.]css")
_CLASSES = re.compile("""class(?:Name: |=)["']?([^"'>]*)""")
"""The classes in a page, and those that its scripts give to what they add."""

_ARABIC = re.compile(' lang="ar"(?! dir="rtl" hreflang)')
"""Arabic text; a link to a page in Arabic has rules of its own."""

_RARE = ("blockquote", "code", "figure", "mark", "math", "pre", "table", "textarea")
"""The elements that most pages do not have, and of which rules without a class are."""

_ELEMENTS = re.compile(f"<(?:{'|'.join(_RARE)})")

_COMMON = ("back", "later", "on")
"""Classes of small rules that only some pages of a type have, which would divide their files."""

_WITHIN = {"figcaption": "figure", "mtd": "math", **dict.fromkeys(("td", "th", "tr"), "table")}
_LANG_AR = ".lang-ar"
_OF_ARABIC = re.compile(r':lang\(ar\)|\[lang="ar"\]')
_BRACES = re.compile(r"([^{}]*+)([{}]|\Z)")
_SELECTOR = re.compile(r"(?:[^,()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+")
_ATTRIBUTE = re.compile(r"\[[^][]*\]")
_INNERMOST = re.compile(r":([\w-]+)\(([^()]*)\)")
_WORDS = re.compile(r"\.[A-Za-z][\w-]*|(?<![\w.:-])[a-z]+(?![\w-])")
Words = frozenset[str]
"""Classes as `.card`, rare elements as `<pre`, and `.lang-ar` for Arabic text."""


class _Rule(NamedTuple):
    """A rule, the at-rules around it, and by its selectors the words that alternatives need."""

    around: tuple[str, ...]
    selectors: dict[str, set[Words]]
    block: str


def with_page_styles(page: str, theme: StaticFile | None) -> str:
    """Return a page that links one stylesheet of its own for all styles and the theme.

    One that links others, by a template of the site, keeps them.
    """
    links = "".join(map(_link, filter(None, (styles.files()["site.css"], theme))))
    before, found, after = page.partition(links)
    if not found:
        return page
    arabic = [_LANG_AR] if _ARABIC.search(page) else []
    words = _deciding(frozenset((*_CLASSES.findall(page), *_ELEMENTS.findall(page), *arabic)))
    return before + _link(_file(words, theme)) + after


def find_stylesheet(view: ContentView, digest: str, name: str) -> StaticFile | None:
    """Return the stylesheet of a page or a theme, in whichever locale; None if there is none.

    One from before a change of the styles is the present one, with all rules.
    """
    if not name.endswith(".css"):
        return None
    match, vocabulary = _NAME.fullmatch(name), _vocabulary()
    bits = int(match[1], 16) if match else 0
    words = frozenset(word for number, word in enumerate(vocabulary) if bits >> number & 1)
    themes = {*styles.theme_stylesheets(view)}
    known = chain(themes, (_file(words, theme) for theme in (None, *themes)))
    own = styles.theme_stylesheet(view)
    found = next((file for file in known if (file.digest, file.name) == (digest, name)), None)
    return found or (own if name == styles.NAME else _file(frozenset(vocabulary), own))


def _link(file: StaticFile) -> str:
    return f'<link rel="stylesheet" href="{file.url}">\n'


@lru_cache(maxsize=128)
def _file(words: Words, theme: StaticFile | None) -> StaticFile:
    """Return the rules of the styles and of a theme that need no other words."""
    sheets = styles.site_styles(theme), theme.content.decode() if theme else ""
    css = "".join([_chosen(_rules(sheet), words) for sheet in sheets])
    bits = sum([1 << number for number, word in enumerate(_vocabulary()) if word in words])
    return styles.static_file(f"page-{bits:x}.css", css.encode())


def _chosen(rules: tuple[_Rule, ...], words: Words) -> str:
    chosen = [
        (rule, selector)
        for rule in rules
        for selector, needs in rule.selectors.items()
        if any(map(words.issuperset, needs))
    ]
    css, around = "", ("",)
    for rule, found in groupby(chosen, itemgetter(0)):
        if rule.around != around:
            css += "}" * (len(around) - 1) + "{".join(rule.around)
            around = rule.around
        css += ",".join(map(itemgetter(1), found)) + f"{{{rule.block}}}"
    return css + "}" * (len(around) - 1)


@lru_cache(maxsize=128)
def _deciding(values: Words) -> Words:
    """Return the words of a page, by values of attributes, for which it has more rules."""
    words = {f".{name}" for name in (*" ".join(values).split(), *_COMMON)} | values
    return frozenset([word for need in _all_needs() if need <= words for word in need])


@cache
def _all_needs() -> frozenset[Words]:
    """Return what the rules of the styles and of all layouts need."""
    sheets = (styles.site_styles(None), *styles.layout_files().values())
    rules = (rule for sheet in sheets for rule in _rules(sheet))
    return frozenset(need for rule in rules for needs in rule.selectors.values() for need in needs)


@cache
def _vocabulary() -> tuple[str, ...]:
    return tuple(sorted({word for need in _all_needs() for word in need}))


@lru_cache(maxsize=64)
def _rules(css: str) -> tuple[_Rule, ...]:
    """Return the rules of a compact stylesheet, in their order."""
    around: list[str] = []
    prelude, rules = "", []
    for text, brace in _BRACES.findall(css):
        if brace == "{" and text.startswith(("@media", "@supports")):
            around.append(text)
        elif brace == "{":
            prelude = text
        elif prelude:
            selectors = {each: {*_needs(each)} for each in _SELECTOR.findall(prelude)}
            if prelude[0] == "@":
                selectors = {prelude: {frozenset((_LANG_AR,) if "Arabic" in text else ())}}
            rules.append(_Rule((*around, ""), selectors, text))
            prelude = ""
        elif around:
            around.pop()
    return tuple(rules)


def _needs(selector: str) -> Iterator[Words]:
    """Yield the words that each alternative of a selector needs.

    >>> [sorted(words) for words in _needs(".a:is(.b, pre):not(.c)")]
    [['.a', '.b'], ['.a', '<pre']]
    """
    selector = _ATTRIBUTE.sub("", _OF_ARABIC.sub(_LANG_AR, selector))
    function = _INNERMOST.search(selector)
    if function is None:
        names = (_WITHIN.get(name, name) for name in _WORDS.findall(selector))
        yield frozenset(
            f"<{name}" if name in _RARE else name
            for name in names
            if name[0] == "." or name in _RARE
        )
        return
    is_choice = function[1] in ("is", "where", "has")
    for each in function[2].split(",") if is_choice else ("",):
        yield from _needs(f"{selector[: function.start()]} {each} {selector[function.end() :]}")
