"""`majlis settings`, `commands` and `templates`: guides that are made of the code, as Markdown."""

from __future__ import annotations

import inspect
import re
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
from pydantic.fields import FieldInfo

from app.operations.cli.content import load_or_fail
from app.operations.cli.rendering import render_examples
from app.platform.secret_files import secret_variables
from app.platform.settings import SAMPLE_CONTENT, ServiceSettings
from app.settings import GROUPS
from knowledge.fields.json_schemas import field_docstrings
from knowledge.locales.locale import Language
from renderers.html.lazy_variables import ALL_MACROS, MODULES, LazyContext
from renderers.html.site_templates import built_in_trees
from renderers.html.template_types import attributes, models_in, type_name, type_of
from renderers.html.templating import environment

_SETTINGS_HEAD = """\
---
group: run
sortOrder: 130
shortDescription: All settings, with their defaults.
---

# Configuration

Set environment variables, or the same names in a file `.env` in the working directory. With an
invalid value the service does not start, and names it. `majlis settings` prints this page.

A secret may be in a file instead, as containers get it: where the table names a second variable,
which ends in `_FILE`, set that to the path of the file. The service reads it at its start. It does
not start if both are set, or if the file is missing or empty; `majlis doctor` warns of a file that
all users of the machine may read.

## Five settings for production

- `BASE_URL`: links, sitemaps and mails name this address. Without it they name one that only this
  machine reaches.
- `CONTENT_DIR`: the folder of your site. Without it the sample is served. To publish a repository,
  set `CONTENT_GIT` instead.
- `DATABASE_URL`: leads and orders are kept there. The default is a file below the working
  directory, so name a place that has backups.
- `TRUSTED_PROXIES`: behind a proxy, all visitors have its address until it is named here, and then
  they use up the limits of one visitor.
- `METRICS_PORT`: `/ready` tells a load balancer whether the service can answer, and `/metrics` has
  the numbers for alerts. The public port has neither."""


@click.command()
def settings() -> None:
    """Print the variables of the service and of its features, as Markdown."""
    click.echo(
        "\n".join((_SETTINGS_HEAD, *(line for group in GROUPS for line in _setting_lines(group))))
    )


def _setting_lines(group: type[ServiceSettings]) -> Iterator[str]:
    """Yield the lines of a group, with its own variables, by topic."""
    own = [name for name in group.__annotations__ if name in group.model_fields]
    title = (group.__doc__ or "").partition("\n")[0].removesuffix(".")
    topics = group.topics if own[0] in group.topics else {own[0]: title}
    meanings = field_docstrings(group)
    files = secret_variables(group)
    for name in own:
        if name in topics:
            head = ("| Variable | Default | Meaning |", "|---|---|---|")
            yield from ("", f"## {topics[name]}", "", *head)
        meaning = " ".join(meanings[name].split())
        variable = name.upper()
        if variable in files:
            meaning += f" Or `{files[variable]}`."
        yield f"| `{variable}` | {_default(group.model_fields[name])} | {meaning} |"


def _default(field: FieldInfo) -> str:
    """Return the default value as an operator would write it."""
    value = field.get_default()
    if value in (None, "", ()):
        return "none"
    if isinstance(value, bool):
        return "`on`" if value else "`off`"
    if value == SAMPLE_CONTENT:
        value = Path(*SAMPLE_CONTENT.parts[-2:])
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


_COMMANDS_HEAD = """\
---
group: run
sortOrder: 140
shortDescription: All commands, with their options.
---

# Commands

`majlis` is in `.venv/bin` of a checkout, and on the PATH after an installation. Its commands read
the same [variables](configuration.md) as the service, and files `.env` in the working directory.
`--help` after a command prints what this page says of it; `majlis commands` prints this page."""


@click.command()
@click.pass_context
def commands(context: click.Context) -> None:
    """Print all commands with their options, as Markdown."""
    main = context.find_root().command
    root = click.Context(main, info_name="majlis", **main.context_settings)
    click.echo("\n".join((_COMMANDS_HEAD, *_command_lines(main, root))))


def _command_lines(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines of a command, and of those in it."""
    if context.parent:
        yield from ("", f"{'#' * (1 + context.command_path.count(' '))} {context.command_path}")
        for part in inspect.cleandoc(command.help or "").split("\n\n"):
            yield from ("", _one_line(part))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield from _command_lines(
                    inner, click.Context(inner, parent=context, info_name=name)
                )
        return
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    yield from ("", f"`{usage}`")
    records = [each.get_help_record(context) for each in command.params]
    options = [f"- `{each[0]}`: {_one_line(each[1])}" for each in records if each and each[1]]
    if options:
        yield from ("", *options)


def _one_line(text: str) -> str:
    """Return a text for a terminal as one line of Markdown, which shows the same."""
    return re.sub(r"[*<]", r"\\\g<0>", " ".join(text.split()))


_TEMPLATES_HEAD = """\
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
    click.echo("\n".join(_template_lines(values)))


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


def _template_lines(values: Recorded) -> Iterator[str]:
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
    yield from (_TEMPLATES_HEAD, "", "## All pages", "", *_table("Variable", shared))
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
        bound = inspect.unwrap(function.func if is_partial else function)  # also of cached ones
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
