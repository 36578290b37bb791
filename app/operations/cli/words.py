"""`majlis words`: prints the words of the interface, as `site/words.md` has them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from pydantic.alias_generators import to_camel

from app.console import command_settings
from app.operations.cli.content import load_or_fail
from app.platform.clock import utc_now
from app.platform.printable import printable
from knowledge.fields.content_types import WORDS as DOCUMENT
from knowledge.fields.site_fields import WORDS
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import written_words


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--missing", is_flag=True, help="Only words that the site has not set.")
def words(folder: Path | None, missing: bool) -> None:
    """Print the words of the interface by key, each with its text in all languages of the site.

    They are lines for `site/words.md` in FOLDER (default: CONTENT_DIR). With --missing, only the
    words that this file does not set in each language.
    """
    snapshot = load_or_fail(folder or command_settings().content_dir).snapshot
    view = ContentView(snapshot, snapshot.default_locale, utc_now(), "")
    own = set(_set_by_site(snapshot)) if missing else set()
    for key, texts in written_words(view).items():
        if key not in own:
            click.echo(printable(f"{key}: {_mapping(texts)}"))


def _mapping(texts: Mapping[str, str]) -> str:
    pairs = (
        f"{language}: {json.dumps(text, ensure_ascii=False)}" for language, text in texts.items()
    )
    return f"{{ {', '.join(pairs)} }}"


def _set_by_site(snapshot: Snapshot) -> Iterator[str]:
    """Yield the words that the site has set in each of its languages, or removed."""
    entry = snapshot.singleton(DOCUMENT)
    everywhere = (
        [each.fields for each in entry.documents if not each.layer.country] if entry else []
    )
    for name in WORDS:
        texts: dict[str, str] = {}
        for fields in everywhere:
            texts |= getattr(fields, name) or {}
        if "" in texts.values() or texts.keys() >= set(snapshot.locales.languages):
            yield to_camel(name)
