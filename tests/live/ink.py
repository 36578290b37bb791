"""Ink: the pixels of a screenshot that differ from its background, as seen by a reader."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image
from playwright.sync_api import Page

_CONTRAST = 60


@dataclass(frozen=True, slots=True)
class Ink:
    """The pixels with ink in an image of `width` and `height`, as pairs of column and row."""

    width: int
    height: int
    pixels: list[tuple[int, int]]

    @property
    def centre(self) -> float:
        """The middle of the ink, as a part of the width: 0 is the left edge, 1 the right edge."""
        return _mean([column for column, _ in self.pixels]) / self.width

    @property
    def chevron(self) -> str:
        """Where the tip of a `›` or `‹` is: the ink at half its height."""
        inner, outer = self._by_height()
        return "right" if _mean(inner) > _mean(outer) else "left"

    @property
    def arrow(self) -> str:
        """Where the tip of a `→` or `←` is: the ink above and below its line."""
        inner, outer = self._by_height()
        return "right" if _mean(outer) > _mean(inner) else "left"

    def _by_height(self) -> tuple[list[int], list[int]]:
        """Return the columns of the ink at half the height, and of all other ink."""
        rows = [row for _, row in self.pixels]
        middle, reach = (min(rows) + max(rows)) / 2, (max(rows) - min(rows)) / 6
        inner = [column for column, row in self.pixels if abs(row - middle) <= reach]
        return inner, [column for column, row in self.pixels if abs(row - middle) > reach]


def ink(page: Page, box: Any) -> Ink:
    """Return the ink of a part of the page: `x`, `y`, `width` and `height` in the viewport."""
    image = Image.open(BytesIO(page.screenshot(clip=box))).convert("L")
    levels = image.tobytes()
    paper = image.histogram().index(max(image.histogram()))
    pixels = [
        (place % image.width, place // image.width)
        for place, level in enumerate(levels)
        if abs(level - paper) > _CONTRAST
    ]
    return Ink(image.width, image.height, pixels)


def _mean(values: list[int]) -> float:
    return sum(values) / len(values)
