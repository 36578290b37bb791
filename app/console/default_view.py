"""The content for commands, as readers of the default locale see it now."""

import click

from app.platform.clock import utc_now
from app.platform.settings import ServiceSettings
from app.publishing.content.store import ContentStore
from knowledge.views.content_view import ContentView


def default_view(settings: ServiceSettings) -> ContentView:
    """Load the content and return its view; content that cannot be loaded ends the command."""
    content_store = ContentStore(settings.content_dir)
    content_store.reload()
    if not content_store.loaded:
        raise click.ClickException(f"CONTENT_DIR: {content_store.first_error}")
    snapshot = content_store.current.snapshot
    return ContentView(snapshot, snapshot.locales.default, utc_now(), settings.public_url)
