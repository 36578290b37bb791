"""No regular expression takes more than linear time."""

from __future__ import annotations

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import walk_packages
from time import thread_time
from types import ModuleType
from typing import Any

import pytest
from growth.measuring import FACTOR, MAX_GROWTH, without_collector
from growth.patterns import Pattern
from growth.pumped import mixed, pumped

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PACKAGES = ("app", "indexes", "knowledge", "llms", "renderers")
LEAST_PATTERNS = 430
LENGTHS = (6, 24, 96, 384, 1_024)
"""Of the shorter text of two; they rise, as a text of exponential time must be short."""
FLOOR = 0.005
"""Seconds of CPU time below which the longer text is not judged."""

CALLED = re.compile(r"\b([A-Za-z_]\w*)\.(search|match|fullmatch|sub|subn|split|findall|finditer)\b")
USES = {"compile": "search", **dict.fromkeys(("sub", "subn", "split", "finditer"), "findall")}
"""The methods by which others are judged: `findall` goes on behind a match, and takes all the time
that a search takes."""
METHODS = {"search", "match", "fullmatch", "findall", *USES}


@cache
def methods() -> Mapping[str, set[str]]:
    """Return which methods of a pattern the code names, by the pattern's name and module."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text()
            for name, method in CALLED.findall(text):
                found[name if name[0] != "_" else f"{path}:{name}"].add(method)
    return found


def patterns_in(value: Any) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a constant of a module."""
    if isinstance(value, re.Pattern):
        # A pattern of bytes is judged as the same pattern of characters.
        is_text = isinstance(value.pattern, str)
        yield value if is_text else re.compile(value.pattern.decode("latin-1"), value.flags)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from patterns_in(each)
    elif isinstance(value, tuple | list | frozenset):
        for each in value:
            yield from patterns_in(each)


def modules() -> Iterator[ModuleType]:
    """Yield all modules of the packages."""
    for package in map(import_module, PACKAGES):
        yield package
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                yield import_module(found.name)


def constants(module: ModuleType) -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """Yield the patterns of a module, with the methods that are called on them."""
    for name, value in vars(module).items():
        for pattern in patterns_in(value):
            key = name if name[0] != "_" else f"{module.__file__}:{name}"
            used = {USES.get(each, each) for each in methods().get(key, {"findall"})}
            for method in used - ({"search"} if "findall" in used else set()):
                yield f"{module.__name__}.{name}", method, pattern


def text_of(written: ast.expr, names: Mapping[str, object]) -> object:
    """Return what an expression says, None if it is computed; a variable within it is a number."""
    match written:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return names.get(name)
        case ast.JoinedStr(parts):
            return "".join(str(text_of(part, names) or 2) for part in parts)
        case ast.FormattedValue(value):
            return text_of(value, names)
    return None


def calls(module: ModuleType) -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """Yield the patterns that a module writes anywhere, in functions and classes too."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), method), [written, *_]):
                text = text_of(written, vars(module))
            case _:
                continue
        if method in METHODS and isinstance(text, str | bytes):
            flags = re.NOFLAG
            for each in ast.walk(node):
                if isinstance(each, ast.Attribute) and each.attr.isupper():
                    flags |= getattr(re, each.attr)
            for pattern in patterns_in(re.compile(text, flags)):
                yield f"{module.__name__}:{node.lineno}", USES.get(method, method), pattern


@cache
def judged() -> frozenset[tuple[str, str, re.Pattern[str]]]:
    """Return all patterns, each with the ways in which it is used."""
    found: set[tuple[str, str, re.Pattern[str]]] = set()
    for module in modules():
        named = [*constants(module)]
        known = {pattern for _, _, pattern in named}
        found.update(named, (each for each in calls(module) if each[2] not in known))
    return frozenset(found)


def seconds(call: Callable[[str], object], text: str) -> float:
    """Return the CPU time in seconds of one call."""
    started = thread_time()
    call(text)
    return thread_time() - started


def growth(call: Callable[[str], object], text: Pattern) -> float:
    """Return how much longer a text of four times the length takes, or 0 if it takes no time."""
    for length in LENGTHS:
        whole = text.text(FACTOR * length)
        long = seconds(call, whole)
        if long < FLOOR:
            continue
        short = max(min(seconds(call, text.text(length)) for _ in range(3)), 1e-6)
        if long >= MAX_GROWTH * short:  # seldom, so the long text is measured again only then
            long = min(long, *(seconds(call, whole) for _ in range(2)))
        if long >= FLOOR and long / short >= MAX_GROWTH:
            return long / short
    return 0.0


def superlinear(pattern: re.Pattern[str], method: str) -> Pattern | None:
    """Return the first text for which a method of a pattern takes superlinear time."""
    call = getattr(pattern, method)
    return next(
        (text for text in chain(pumped(pattern), mixed(pattern)) if growth(call, text)), None
    )


def test_all_patterns_are_judged() -> None:
    """Those of the modules, and those that functions write."""
    assert len({pattern for _, _, pattern in judged()}) >= LEAST_PATTERNS


@pytest.mark.parametrize("package", PACKAGES)
def test_no_regular_expression_is_superlinear(package: str) -> None:
    """As the code uses it: a search begins at each place, a match at one."""
    own = (each for each in judged() if re.split(r"[.:]", each[0])[0] == package)
    with without_collector():
        slow = {
            f"{place}.{method}": text.name
            for place, method, pattern in sorted(own, key=str)
            if (text := superlinear(pattern, method))
        }
    assert slow == {}


@pytest.mark.parametrize(
    "expression",
    [
        r"\s*$",
        r"(?=\w*\d)\w{32,}",
        r"(?<![@\w.])[a-z0-9-]+\.com",
        r"(a|aa)+$",
        r"\d+[-_.]",
        r"<[^>]*>",
        r"a\s*-?\s*b",
        r"(?<![@\w.])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.com\b|(?<![@\w.])[a-z0-9-]++",
        r'"(?:[^"\\]|\\.)*"|[^\s"]+',
    ],
)
def test_a_superlinear_expression_is_found(expression: str) -> None:
    """A test of the texts: of each kind that was found in the code."""
    pattern = re.compile(expression)
    with without_collector():
        assert superlinear(pattern, "findall")
