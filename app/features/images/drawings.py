"""Drawings: the pictures that the service draws itself, social cards and icons."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from app.features.images.store import ImageStore
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.images import Image, open_image
from renderers.images.drawings import Icon, SocialCard, draw, favicon, render, touch_icon

CARD, ICON = "card-", "icon-"
"""How the names of files begin."""

MAX_CARDS = 4_000
"""The cards that were made last are kept: they take about 20 kB each."""

_MAX_MARK_BYTES = 2 * 1024 * 1024
_MARK_SIDE = 144


class Drawings:
    """Draws cards and icons, each once; the mark of the site is a file of the content folder."""

    def __init__(self, content_dir: Path, store: ImageStore) -> None:
        self._content_dir = content_dir
        self._store = store

    def card(self, card: SocialCard, icon: Icon, mark: Image | None) -> bytes:
        """Return a card as PNG, with the mark if there is one. Blocks."""
        return self._store.get(f"{CARD}{card.digest}.png", partial(self._card, card, icon, mark))

    def favicon(self, icon: Icon, mark: Image | None) -> bytes:
        """Return the icon as ICO. Blocks."""
        icon = self._with_mark(icon, mark)
        return self._store.get(f"{ICON}{icon.digest}.ico", partial(favicon, icon))

    def touch_icon(self, icon: Icon, mark: Image | None) -> bytes:
        """Return the icon as PNG. Blocks."""
        icon = self._with_mark(icon, mark)
        return self._store.get(f"{ICON}{icon.digest}.png", partial(touch_icon, icon))

    def prune(self) -> int:
        """Delete the oldest cards if there are too many; return how many."""
        return self._store.prune_oldest((CARD, ICON), MAX_CARDS)

    def _card(self, card: SocialCard, icon: Icon, mark: Image | None) -> bytes:
        if mark is None:
            return render(card)
        return render(card, draw(self._with_mark(icon, mark), _MARK_SIDE))

    def _with_mark(self, icon: Icon, mark: Image | None) -> Icon:
        if mark is None:
            return icon
        try:
            with open_image(self._content_dir, mark.path) as file:
                return replace(icon, mark=file.read(_MAX_MARK_BYTES))
        except (OSError, ContentFileError):
            return icon
