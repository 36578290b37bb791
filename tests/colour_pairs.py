"""Pairs of text and ground, and of shape and ground, that must have the contrast of WCAG AA."""

from collections.abc import Mapping

from knowledge.fields.theme_fields import Colour
from knowledge.resources.palette import TRANSLUCENT

Pairs = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
"""Colours of texts, and the grounds on which each of them stands."""

_PAGE = ("paper", "sand", "card")
_CODE = ("code-key", "code-name", "code-text", "code-number", "code-type", "code-gone")
_CALLOUTS = ("tip", "important", "warning", "caution")

TEXT_PAIRS: Pairs = (
    (("ink", "soft", "link", "accent", "clay", "good"), _PAGE),
    (("ink", "soft", "link"), ("tint",)),
    (_CODE, (*_PAGE, "code-line")),
    (("ink", "soft"), ("code-line",)),
    (_CALLOUTS, _PAGE),
    (("paper",), ("accent", *_CALLOUTS)),
    (("on-button",), ("button", "button-hover")),
    (("on-deep", "on-deep-soft", "on-deep-clay"), ("deep", "scrim", "ornament", "ornament-clay")),
    (("on-deep-button",), ("deep-button", "deep-button-hover")),
    (("on-mark",), ("mark",)),
)
SHAPE_PAIRS: Pairs = (
    (("button-line", "focus"), _PAGE),
    (("deep-button",), ("deep", "scrim")),
)


def grounds(colours: Mapping[str, Colour]) -> Mapping[str, Colour]:
    """Return colours as they are seen: translucent ones on what they lie on."""
    seen = {
        name: colours[name].over(colours[ground], opacity)
        for name, (ground, opacity) in TRANSLUCENT.items()
        if name in colours
    }
    return {**colours, **seen}
