"""`majlis templates`: prints what templates can use as Markdown, as `docs/templates.md` has it."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
from jinja2 import nodes
from jinja2.runtime import Macro

from app.operations.cli.content import load_or_fail
from app.operations.cli.rendering import render_examples
from knowledge.fields.json_schemas import field_docstrings
from knowledge.locales.locale import Language
from renderers.html.lazy_variables import ALL_MACROS, MODULES, LazyContext
from renderers.html.site_templates import built_in_trees
from renderers.html.template_types import attributes, models_in, type_name, type_of
from renderers.html.templating import environment

_HEAD = """\
---
group: look
sortOrder: 80
shortDescription: The variables, filters and types of each template.
---

# What templates can use

[Templates of your own](branding.md#templates-of-your-own) read what this page lists. The
command `majlis templates` makes it from the code, and from pages of each type. With `none` a page
may be without the value."""

_NOW = datetime(2026, 8, 1, tzinfo=UTC)
_JINJA = "https://jinja.palletsprojects.com/en/stable/templates/"

Recorded = defaultdict[str, defaultdict[str, list[object]]]
"""The values of variables, by template and variable."""


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
def templates(folders: tuple[Path, ...]) -> None:
    """Print blocks, variables and filters of the templates, by the pages of FOLDERS."""
    values: Recorded = defaultdict(lambda: defaultdict(list))
    with _recorded(values):
        for folder in folders:
            render_examples(load_or_fail(folder).snapshot, _NOW)
    click.echo("\n".join(_lines(values)))


@contextmanager
def _recorded(values: Recorded) -> Iterator[None]:
    """Record the variables of all English templates that are rendered."""
    env = environment(Language.EN)

    class RecordedContext(LazyContext):
        def __init__(self, env: Any, parent: Any, name: Any, *args: Any, **kwargs: Any) -> None:
            super().__init__(env, parent, name, *args, **kwargs)
            for variable in parent.keys() - env.globals.keys() - ALL_MACROS:
                values[name][variable].append(self.resolve(variable))

    env.context_class = RecordedContext
    try:
        yield
    finally:
        env.context_class = LazyContext


def _lines(values: Recorded) -> Iterator[str]:
    pages = [name for name in values if "/" not in name]
    common = set.intersection(*({*values[name]} for name in pages))
    shared = {
        each: type_of(value for name in pages for value in values[name][each]) for each in common
    }
    shared |= dict.fromkeys(ALL_MACROS, Macro) | dict.fromkeys(MODULES, object)
    own = {
        name: {each: type_of(found[each]) for each in found.keys() - common}
        for name, found in values.items()
    }
    yield from (_HEAD, "", "## All pages", "", *_table("Variable", shared))
    for name, tree in sorted(built_in_trees().items()):
        blocks = dict.fromkeys(f"`{block.name}`" for block in tree.find_all(nodes.Block))
        if blocks or own.get(name):
            yield from ("", f"## `{name}`")
        if blocks:
            yield from ("", f"Blocks: {', '.join(blocks)}.")
        if own.get(name):
            yield from ("", *_table("Variable", own[name]))
    yield from (
        "",
        "## Filters",
        "",
        f"Besides [those of Jinja]({_JINJA}#list-of-builtin-filters):",
    )
    yield from ("", *_functions(environment(Language.EN).filters))
    yield from ("", "## Functions", "", *_functions(environment(Language.EN).globals))
    for model in _reached(hint for types in (shared, *own.values()) for hint in types.values()):
        yield from ("", f"## {model.__name__}", "")
        yield from _table("Attribute", attributes(model), field_docstrings(model))


def _table(head: str, types: Mapping[str, Any], meanings: Mapping[str, str] = {}) -> Iterator[str]:
    yield f"| {head} | Type |" + (" Meaning |" if meanings else "")
    yield "|---|---|" + ("---|" if meanings else "")
    for name in sorted(types):
        meaning = " ".join(meanings.get(name, "").replace("|", r"\|").split())
        yield f"| `{name}` | {type_name(types[name])} |" + (f" {meaning} |" if meanings else "")


def _functions(known: Mapping[str, Any]) -> Iterator[str]:
    """Yield the functions that are ours, with their parameters and what they do."""
    for name, function in sorted(known.items()):
        is_partial = isinstance(function, partial)
        bound = function.func if is_partial else function
        if not inspect.isfunction(bound) or bound.__module__.startswith(("jinja2", "markupsafe")):
            continue
        given = {"context", *(function.keywords if is_partial else ())}
        names = [*inspect.signature(bound).parameters][len(function.args) if is_partial else 0 :]
        meaning = (inspect.getdoc(bound) or "").partition("\n")[0]
        shown = ", ".join(each for each in names if each not in given)
        yield f"- `{name}({shown})`" + (f": {meaning}" if meaning else "")


def _reached(hints: Iterable[Any]) -> list[type]:
    """Return the models of types, and those of their attributes, by name."""
    found: dict[str, type] = {}
    waiting = [model for hint in hints for model in models_in(hint)]
    while waiting:
        model = waiting.pop()
        if model.__name__ not in found:
            found[model.__name__] = model
            waiting += (each for hint in attributes(model).values() for each in models_in(hint))
    return [found[name] for name in sorted(found)]
