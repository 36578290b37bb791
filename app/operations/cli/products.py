"""`majlis products`: the products of the content, for portals of others."""

import csv
from collections.abc import Callable, Mapping, Sequence
from io import StringIO

import click

from app.console import command_settings
from app.console.default_view import default_view
from app.console.output import print_file
from app.platform.printable import printable, printable_json
from knowledge.locales.locale import Country, Language, Locale
from knowledge.views.content_view import ContentView
from renderers.feeds.product_feed import FORMS, Row, product_feed


@click.group("products")
def products_group() -> None:
    """Print the products for shopping portals."""


@products_group.command("feed")
@click.option("--country", "code", required=True, help="Country of the buyers, such as sa.")
@click.option(
    "--lang", type=click.Choice([str(each) for each in Language]), help="Language of the texts."
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMS]),
    default="csv",
    help="csv for Google Merchant Center, jsonl for OpenAI.",
)
def feed(code: str, lang: str | None, form: str) -> None:
    """Print a feed of the products on sale, with their prices in a country.

    The price includes VAT, as Google wants it outside of the United States and Canada. Standard
    error has what the portals will not accept.
    """
    settings = command_settings()
    if not settings.base_url:
        raise click.ClickException(
            "BASE_URL is not set. Set it to the public address of the service, such as"
            " https://www.example.com."
        )
    view = default_view(settings)
    country = _country(view, code)
    language = Language(lang) if lang else view.locale.language
    locale = Locale(country if view.snapshot.open.countries else None, language)
    if locale not in view.snapshot.open_locales:
        raise click.BadParameter("The site has no such language.", param_hint="--lang")
    found = product_feed(view.for_locale(locale), country, form)
    if not found.rows:
        raise click.ClickException(f"No product is on sale with a price in {country}.")
    print_file(_TEXTS[form](found.rows))
    for note in found.notes:
        click.echo(printable(note), err=True)


def _csv(rows: Sequence[Row]) -> str:
    lines = StringIO()
    writer = csv.DictWriter(lines, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return lines.getvalue()


_TEXTS: Mapping[str, Callable[[Sequence[Row]], str]] = {
    "csv": _csv,
    "jsonl": lambda rows: "".join(f"{printable_json(row)}\n" for row in rows),
}


def _country(view: ContentView, code: str) -> Country:
    """Return a country of the site, or of the world if the site has no countries."""
    known, country = view.snapshot.open.countries, Country.parse(code.strip())
    if country is None and not known:
        message = f"{printable(code)!r} is no code of a country. Use two letters, such as sa."
        raise click.BadParameter(message, param_hint="--country")
    if country is None or (known and country not in known):
        slugs = ", ".join(each.slug for each in known)
        message = f"The site has no country {printable(code)!r}. It has {slugs}."
        raise click.BadParameter(message, param_hint="--country")
    return country
