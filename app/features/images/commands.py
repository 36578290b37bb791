"""`majlis images`: makes the smaller variants of images, and diagrams, ahead of a start."""

import asyncio

import click

from app.console import command_settings, output_option
from app.console.output import progress_bar
from app.features.images.pictures import Diagrams, ImageVariants
from app.features.images.settings import ImageSettings
from app.features.images.store import ImageStore
from app.platform.artefacts import Artefacts, NotAdded, open_source
from knowledge.snapshot.loading import load_content
from renderers.images.variants import variants


@click.command()
@output_option
def images(output: Artefacts | None) -> None:
    """Make the smaller variants of all images of CONTENT_DIR in IMAGE_DIR.

    The service makes each at its first request; run this when a deployment has many new ones.
    Those that are there already are not made again, and those of files that are gone are deleted.
    Mermaid diagrams are drawn too, if MERMAID_PROGRAM is installed. Variants that IMAGE_SOURCE has
    are fetched; with --output they are added to such a source.
    """
    settings = command_settings().of(ImageSettings)
    try:
        loaded = load_content(settings.content_dir)
    except OSError as error:
        message = f"Cannot read {settings.content_dir}: {error.strerror}."
        raise click.ClickException(message) from None
    found = loaded.snapshot.images
    wanted = [(image, each) for image in found.by_digest.values() for each in variants(image)]
    store = ImageStore(settings.image_dir, open_source(settings.image_source))
    maker, diagrams = (
        ImageVariants(lambda: settings.content_dir, store),
        Diagrams(store, settings.mermaid_program),
    )
    deleted = maker.prune(found) + diagrams.prune(loaded.snapshot)
    with progress_bar() as bar:
        pictures = [
            maker.make(image, each) for image, each in bar.track(wanted, description="Images")
        ]
    sizes = [len(picture) for picture in pictures if picture is not None]
    size = sum(sizes) / 1_000_000
    missing = diagrams.missing(loaded.snapshot)
    if missing:
        drawn = asyncio.run(diagrams.draw_all(missing))
        click.echo(f"{settings.image_dir}: {drawn} of {len(missing)} diagrams drawn.")
    click.echo(f"{settings.image_dir}: {len(sizes)} variants, {size:.1f} MB; {deleted} deleted.")
    if output:
        names = [each.name for (_, each), made in zip(wanted, pictures, strict=True) if made]
        try:
            for name in names:
                store.put(name, output)
        except NotAdded as error:
            raise click.ClickException(str(error)) from None
        click.echo(f"{len(names)} variants added.")
    if len(sizes) < len(pictures):
        raise click.ClickException("Some images are damaged; majlis check names them.")
