"""`majlis images`: makes the smaller variants of all images ahead of a start."""

from __future__ import annotations

import click

from app.console.reports import progress_bar
from app.console.settings import command_settings
from app.features.images.pictures import ImageStore, ImageVariants
from app.features.images.settings import ImageSettings
from knowledge.snapshot.loading import load_content
from renderers.images.variants import variants


@click.command()
def images() -> None:
    """Make the smaller variants of all images of CONTENT_DIR in IMAGE_DIR.

    The service makes each at its first request; run this when a deployment has many new ones.
    Those that are there already are not made again, and those of files that are gone are deleted.
    """
    settings = command_settings().of(ImageSettings)
    try:
        loaded = load_content(settings.content_dir)
    except OSError as error:
        message = f"Cannot read {settings.content_dir}: {error.strerror}."
        raise click.ClickException(message) from None
    found = loaded.snapshot.images
    wanted = [(image, each) for image in found.by_digest.values() for each in variants(image)]
    maker = ImageVariants(settings.content_dir, ImageStore(settings.image_dir))
    deleted = maker.prune(found)
    with progress_bar() as bar:
        pictures = [
            maker.make(image, each) for image, each in bar.track(wanted, description="Images")
        ]
    sizes = [len(picture) for picture in pictures if picture is not None]
    size = sum(sizes) / 1_000_000
    click.echo(f"{settings.image_dir}: {len(sizes)} variants, {size:.1f} MB; {deleted} deleted.")
    if len(sizes) < len(pictures):
        raise click.ClickException("Some images are damaged; majlis check names them.")
