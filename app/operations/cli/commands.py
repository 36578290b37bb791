"""`majlis commands`: prints all commands as Markdown, as `docs/commands.md` has them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

_HEAD = """\
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
    click.echo("\n".join((_HEAD, *_chapter(main, root))))


def _chapter(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines of a command, and of those in it."""
    if context.parent:
        yield from ("", f"{'#' * (1 + context.command_path.count(' '))} {context.command_path}")
        for part in inspect.cleandoc(command.help or "").split("\n\n"):
            yield from ("", _markdown(part))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield from _chapter(inner, click.Context(inner, parent=context, info_name=name))
        return
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    yield from ("", f"`{usage}`")
    records = [each.get_help_record(context) for each in command.params]
    options = [f"- `{each[0]}`: {_markdown(each[1])}" for each in records if each and each[1]]
    if options:
        yield from ("", *options)


def _markdown(text: str) -> str:
    """Return a text for a terminal as one line of Markdown, which shows the same."""
    return re.sub(r"[*<]", r"\\\g<0>", " ".join(text.split()))
