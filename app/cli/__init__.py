"""The command line: `majlis`."""

from __future__ import annotations

import click

from app.cli.check import check
from app.cli.database import database_group
from app.cli.deliveries import deliveries_group
from app.cli.leads import leads
from app.cli.openapi import openapi
from app.cli.orders import orders_group
from app.cli.serve import serve
from app.version import VERSION


@click.group()
@click.version_option(VERSION, prog_name="majlis")
def main() -> None:
    """Publish a company's knowledge from markdown files."""


main.add_command(serve)
main.add_command(check)
main.add_command(leads)
main.add_command(database_group)
main.add_command(orders_group)
main.add_command(deliveries_group)
main.add_command(openapi)
