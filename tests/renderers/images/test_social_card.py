"""Social cards: PNG of a fixed size, the same for the same page, with Arabic as it is written."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import PIL.Image
import pytest
from cases import cases
from PIL import features

from renderers.images.drawings import HEIGHT, WIDTH, SocialCard, render

CARD = SocialCard("نظام تخطيط الموارد", "واحات", "rtl", "#0c4a4a", "#f6f1e6", "#7ccbc2")
ENGLISH = replace(CARD, title="Prices", brand="Wahat", direction="ltr")
ZERO_WIDTH_NON_JOINER = "\u200c"


def drawn(card: SocialCard) -> PIL.Image.Image:
    """Return the picture of a card."""
    return PIL.Image.open(BytesIO(render(card))).convert("RGB")


def columns(card: SocialCard) -> tuple[int, int]:
    """Return the first and the last column in which the title is."""
    title = drawn(card).crop((0, 200, WIDTH, HEIGHT - 40)).convert("L")
    box = title.point(lambda value: 255 if value > 150 else 0).getbbox()
    assert box
    return box[0], box[2]


def test_a_card_is_a_png_of_the_size_that_networks_ask_for() -> None:
    """The same card has the same bytes; another one has another digest."""
    picture = PIL.Image.open(BytesIO(render(CARD)))
    assert (picture.format, picture.size) == ("PNG", (1200, 630))
    assert render(CARD) == render(replace(CARD))
    for field in ("title", "brand", "direction", "ground", "ink", "accent", "mark"):
        assert replace(CARD, **{field: "other"}).digest != CARD.digest


def test_arabic_letters_are_joined() -> None:
    """Without joining the same letters are wider, and look otherwise."""
    assert features.check("raqm")
    apart = replace(CARD, title=ZERO_WIDTH_NON_JOINER.join("نظام"))
    joined = replace(CARD, title="نظام")
    assert render(apart) != render(joined)
    widths = [last - first for first, last in map(columns, (apart, joined))]
    assert widths[0] > widths[1]


def test_text_begins_where_readers_begin() -> None:
    """English at the left, Arabic at the right."""
    first, last = columns(ENGLISH)
    assert first < 100 < last < WIDTH / 2
    first, last = columns(replace(CARD, title="أسعار"))
    assert WIDTH / 2 < first < WIDTH - 100 < last


def test_mixed_text_keeps_its_order() -> None:
    """A percentage in Arabic is drawn as in English: `15%`, not `%15`."""
    size = (WIDTH - 400, 400, WIDTH, HEIGHT - 40)
    isolated = replace(CARD, title="ضريبة \u206615%\u2069")
    assert drawn(replace(CARD, title="ضريبة 15%")).crop(size) == drawn(isolated).crop(size)


@cases(
    "title",
    [
        pytest.param("Long words " * 60, id="long"),
        pytest.param("W" * 400, id="one word"),
        pytest.param("كلمات كثيرة " * 60, id="Arabic"),
        pytest.param("", id="none"),
        pytest.param(" \n ", id="blank"),
        pytest.param("日本語 ✓", id="letters that the font has not"),
        pytest.param("\u202e\x00\ud800", id="no letters"),
    ],
)
def test_any_title_gives_a_card(title: str) -> None:
    """What does not fit is cut off; what cannot be drawn is left out."""
    for card in (replace(ENGLISH, title=title), replace(CARD, title=title)):
        assert drawn(card).size == (WIDTH, HEIGHT)


def test_a_long_title_stays_above_the_lower_edge_and_below_the_name() -> None:
    """It is smaller, and ends with an ellipsis."""
    picture = drawn(replace(ENGLISH, title="Many long words of a title " * 20, brand=""))
    ground = picture.getpixel((5, 5))
    assert all(picture.getpixel((column, 160)) == ground for column in range(0, WIDTH, 4))
    assert all(picture.getpixel((column, 600)) == ground for column in range(0, WIDTH, 4))
