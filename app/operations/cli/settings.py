"""`majlis settings`: prints all variables as Markdown, as `docs/configuration.md` has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from pydantic.fields import FieldInfo

from app.platform.secret_files import secret_variables
from app.platform.settings import SAMPLE_CONTENT, ServiceSettings
from app.settings import GROUPS
from knowledge.fields.json_schemas import field_docstrings

_HEAD = """\
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
    click.echo("\n".join((_HEAD, *(line for group in GROUPS for line in _chapter(group)))))


def _chapter(group: type[ServiceSettings]) -> Iterator[str]:
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
