"""Redirect rules: the operator's file `_redirects` of the content folder.

A line is `/old /new`, with a status of 301 (the default), 302, 307, 308 or 410 after it, as
Netlify and Cloudflare read it. `*` at the end of the old path matches the rest, which is `:splat`
in the new one; `:name` matches one part, or what other text in it leaves, as in `/:slug.html`. The
old path may name parameters of the query, as in `/?p=20` or, as Netlify writes it, `/ p=20`. An
earlier line wins. `#` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.snapshot.old_addresses import normal_path

REDIRECTS_FILE = "_redirects"
MAX_REDIRECTS_BYTES = 32 * 1024 * 1024
GONE = 410
_MOVED = 301
_STATUSES = frozenset({_MOVED, 302, 307, 308, GONE})
_INVALID = re.compile(r"[\\\x00-\x1f\x7f]")
_NAME = re.compile(r":([A-Za-z]\w*)")
PLACEHOLDER = re.compile(rf"(?:(?<!\w)|(?<=%[0-9A-Fa-f]{{2}})){_NAME.pattern}")
"""A placeholder of an old path; a colon within a word, as in `/Help:Contents`, is none."""

_PARAMETER = re.compile(r"[\w.~%-]+=")
"""The begin of a query parameter, which Netlify has as a word of its own."""

_COMPLETE_URL = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?(?:[/?#]|$)")
_MAX_CHARACTERS = 2_048
_SPLAT = "splat"
_URL_SAFE = "/?#&=%:@+,;~!$'()*[]"

Values = Mapping[str, str]
"""What the placeholders of a rule matched."""


@dataclass(frozen=True, eq=False, slots=True)
class RedirectRule:
    """One line: the old path, and the new path or URL; `target` is empty if the page is gone."""

    line: int
    source: str
    target: str
    status: int
    query: frozenset[tuple[str, str]] = frozenset()
    """The parameters that the query of a request has to have."""

    @property
    def is_external(self) -> bool:
        """Whether the target is on another site."""
        return "://" in self.target

    @property
    def has_placeholders(self) -> bool:
        """Whether the new path depends on what the old one matched."""
        return not self._names.isdisjoint(_NAME.findall(self.target))

    @property
    def unknown_placeholders(self) -> list[str]:
        """The names of placeholders in the new path that the old one does not have."""
        return [name for name in PLACEHOLDER.findall(self.target) if name not in self._names]

    @property
    def _names(self) -> set[str]:
        """The names that a match gives a value."""
        splat = {_SPLAT} if self.source.endswith("*") else set()
        return splat.union(PLACEHOLDER.findall(self.source))

    @property
    def target_path(self) -> str:
        """The decoded path of the target, without query."""
        return unquote(self.target.partition("#")[0].partition("?")[0])

    def location(self, values: Values) -> str:
        """Return the target with what its placeholders matched, percent-encoded."""
        target = quote(self.target, safe=_URL_SAFE)
        encoded = {name: quote(value, safe="/") for name, value in values.items()}
        return _NAME.sub(lambda match: encoded.get(match[1], match[0]), target)


class RuleMatch(NamedTuple):
    """The rule that a path matches, and what its placeholders matched."""

    rule: RedirectRule
    values: Values


@dataclass(eq=False, slots=True)
class _Node:
    """The rules whose old paths begin with the same parts."""

    children: dict[str, _Node] = field(default_factory=dict)
    placeholder: _Node | None = None
    mixed: dict[tuple[str, ...], _Node] = field(default_factory=dict)
    """Those with a part of placeholders and texts, by the texts around the placeholders."""

    exact: tuple[RedirectRule, tuple[str, ...]] | None = None
    splat: tuple[RedirectRule, tuple[str, ...]] | None = None


@dataclass(frozen=True, eq=False)
class RedirectRules:
    """All rules of a file, in its order."""

    rules: tuple[RedirectRule, ...] = ()
    literal: Mapping[str, RedirectRule] = field(default_factory=dict)
    """The rules without placeholders, by normalized path."""

    queries: Mapping[str, Sequence[RedirectRule]] = field(default_factory=dict)
    """The rules that name query parameters, by normalized path."""

    patterns: _Node = field(default_factory=_Node)
    last: Mapping[RedirectRule, RedirectRule] = field(default_factory=dict)
    """The end of each chain of rules, for rules whose target is the old path of another one."""

    loops: frozenset[RedirectRule] = frozenset()
    """The rules that lead back to themselves."""

    shadowed: tuple[tuple[RedirectRule, RedirectRule], ...] = ()
    """The rules that an earlier one with the same path hides, with that one."""

    def of_query(self, path: str, asked: AbstractSet[tuple[str, str]]) -> RedirectRule | None:
        """Return the first rule for a path whose parameters are all asked for, or None."""
        rules = self.queries.get(normal_path(path), ())
        return next((rule for rule in rules if rule.query <= asked), None)

    def match(self, path: str) -> RuleMatch | None:
        """Return the first rule of the file that matches a decoded path."""
        path = normal_path(path)
        rule = self.literal.get(path)
        best = RuleMatch(rule, {}) if rule else None
        for match in _matches(self.patterns, path.split("/")[1:]):
            if best is None or match.rule.line < best.rule.line:
                best = match
        return best


NO_REDIRECTS = RedirectRules()


def _matches(root: _Node, parts: list[str]) -> Iterator[RuleMatch]:
    """Yield what matches the parts of a path, at most one rule a node of the tree."""
    stack: list[tuple[_Node, int, tuple[str, ...]]] = [(root, 0, ())]
    while stack:
        node, position, matched = stack.pop()
        if node.splat:
            rule, names = node.splat
            rest = "/".join(parts[position:])
            yield RuleMatch(rule, dict(zip(names, (*matched, rest), strict=True)))
        if position == len(parts):
            if node.exact:
                rule, names = node.exact
                yield RuleMatch(rule, dict(zip(names, matched, strict=True)))
            continue
        part = parts[position]
        if part in node.children:
            stack.append((node.children[part], position + 1, matched))
        if node.placeholder and part:
            stack.append((node.placeholder, position + 1, (*matched, part)))
        for texts, child in node.mixed.items():
            if found := _between(texts, part):
                stack.append((child, position + 1, (*matched, *found)))


def _between(texts: tuple[str, ...], part: str) -> tuple[str, ...] | None:
    """Return what a part has between texts, if all of it has a letter; None if it differs.

    An earlier placeholder takes as much as it can, as in the patterns of Cloudflare.

    >>> _between(("", "-", ".html"), "2019-hello-world.html"), _between(("", ".html"), ".html")
    (('2019-hello', 'world'), None)
    """
    first, *middle, last = texts
    if not (part.startswith(first) and part.endswith(last)):
        return None
    found: list[str] = []
    end = len(part) - len(last)
    for text in reversed(middle):
        begin = part.rfind(text, len(first), max(0, end - 1))
        if begin < 0:
            return None
        found.append(part[begin + len(text) : end])
        end = begin
    return (part[len(first) : end], *reversed(found)) if end > len(first) else None


def parse_redirects(
    text: str, path: str = REDIRECTS_FILE
) -> tuple[RedirectRules, tuple[Diagnostic, ...]]:
    """Parse the rules of a file; invalid lines are ignored and reported."""
    rules: list[RedirectRule] = []
    diagnostics: list[Diagnostic] = []
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.partition(" #")[0].split()
        if not words or words[0].startswith("#"):
            continue
        try:
            rules.append(_rule(number, words))
        except ValueError as error:
            problem, suggestion = error.args
            message = Text("{} The line is ignored.", problem)
            invalid = DiagnosticKind.INVALID_REDIRECT.warning(path, message, suggestion, number)
            diagnostics.append(invalid)
    return _indexed(tuple(rules)), tuple(diagnostics)


def _rule(number: int, words: list[str]) -> RedirectRule:
    """Return the rule of a line; raises ValueError with what is wrong, and what to do."""
    if len(words) == 2 and words[1] == str(GONE):
        words = [words[0], "/", words[1]]
    while len(words) > 2 and _PARAMETER.match(words[1]):
        sign = "&" if "?" in words[0] else "?"
        words = [f"{words[0]}{sign}{words[1]}", *words[2:]]
    if len(words) not in (2, 3):
        raise ValueError(
            Text("A redirect has an old and a new address."), Text("Write /old /new 301.")
        )
    source, target, *rest = words
    query = _query(source)
    code = (rest[0] if rest else str(_MOVED)).removesuffix("!")  # Netlify's, without effect
    if not code.isdecimal() or (status := int(code)) not in _STATUSES:
        raise ValueError(
            Text("The status {} is not supported.", _shown(code)), Text("Use 301, 302 or 410.")
        )
    _check_source(source)
    if status != GONE:
        _check_target(target)
    return RedirectRule(number, source, "" if status == GONE else target, status, query)


def _query(source: str) -> frozenset[tuple[str, str]]:
    """Return the parameters that an old address names."""
    return frozenset(parse_qsl(source.partition("?")[2], keep_blank_values=True))


def _check_source(source: str) -> None:
    if len(source) > _MAX_CHARACTERS or _INVALID.search(unquote(source)):
        raise ValueError(
            Text("The old address has invalid characters or is too long."), Text("Correct it.")
        )
    path, sign, _ = source.partition("?")
    if not source.startswith("/") or source.startswith("//") or "#" in source:
        problem = Text("The old address {} is not a path.", _shown(source))
        raise ValueError(problem, Text("Write it as /old or /?p=20, without host."))
    if sign and (not _query(source) or "*" in path or PLACEHOLDER.search(source)):
        problem = Text("The query of the old address {} cannot be read.", _shown(source))
        raise ValueError(problem, Text("Write all of it, as in /?p=20, without placeholders."))
    if "*" in source.removesuffix("/*"):
        raise ValueError(Text("A * is not at the end of the old address."), Text("Write /old/*."))


def _check_target(target: str) -> None:
    """Refuse a target on another site unless its host is written out."""
    if len(target) > _MAX_CHARACTERS or _INVALID.search(unquote(target)):
        raise ValueError(
            Text("The new address has invalid characters or is too long."), Text("Correct it.")
        )
    is_path = target.startswith("/") and not unquote(target).startswith("//")
    if not is_path and not _COMPLETE_URL.match(target):
        problem = Text("The new address {} is neither a path nor a complete URL.", _shown(target))
        raise ValueError(problem, Text("Write it as /new or https://example.com/new."))


def _shown(text: str) -> str:
    return f"“{text[:100]}”"


def _indexed(rules: tuple[RedirectRule, ...]) -> RedirectRules:
    """Index rules by their old paths; an earlier one wins."""
    literal: dict[str, RedirectRule] = {}
    patterns = _Node()
    shadowed = []
    queries: dict[str, list[RedirectRule]] = {}
    for rule in rules:
        parts = normal_path(rule.source).split("/")[1:]
        if rule.query:
            same = queries.setdefault(normal_path(unquote(rule.source.partition("?")[0])), [])
            first = next((each for each in same if each.query <= rule.query), rule)
            same.append(rule)
        elif not any(part == "*" or PLACEHOLDER.search(part) for part in parts):
            first = literal.setdefault(normal_path(unquote(rule.source)), rule)
        else:
            first = _add(patterns, parts, rule)
        if first is not rule:
            shadowed.append((rule, first))
    last, loops = _chains(literal)
    return RedirectRules(rules, literal, queries, patterns, last, loops, tuple(shadowed))


def _add(node: _Node, parts: list[str], rule: RedirectRule) -> RedirectRule:
    """Add a rule to the tree, unless there is one already; return the one that is there."""
    names: tuple[str, ...] = ()
    for part in parts:
        if part == "*":
            node.splat = node.splat or (rule, (*names, _SPLAT))
            return node.splat[0]
        pieces = PLACEHOLDER.split(part)
        names = (*names, *pieces[1::2])
        texts = tuple(map(unquote, pieces[::2]))
        if len(texts) == 1:
            node = node.children.setdefault(texts[0], _Node())
        elif any(texts):
            node = node.mixed.setdefault(texts, _Node())
        else:
            node.placeholder = node.placeholder or _Node()
            node = node.placeholder
    node.exact = node.exact or (rule, names)
    return node.exact[0]


def _chains(
    literal: Mapping[str, RedirectRule],
) -> tuple[Mapping[RedirectRule, RedirectRule], frozenset[RedirectRule]]:
    """Return the last rule of each chain, and the rules that lead in a circle."""
    following = {
        rule: literal[target]
        for rule in literal.values()
        if (target := normal_path(unquote(rule.target))) in literal and rule.target
    }
    last: dict[RedirectRule, RedirectRule] = {}
    loops: set[RedirectRule] = set()
    for rule in following:
        chain: dict[RedirectRule, None] = {}
        end = rule
        while end in following and end not in chain and end not in last and end not in loops:
            chain[end] = None
            end = following[end]
        if end in chain or end in loops:
            loops.update(chain)
        else:
            last.update(dict.fromkeys(chain, last.get(end, end)))
    return last, frozenset(loops)
