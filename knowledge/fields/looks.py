"""The looks of a theme: each is the keys of `site/theme.md` that it sets."""

from collections.abc import Mapping
from dataclasses import fields as fields_of
from dataclasses import is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from knowledge.fields.theme_fields import Fonts, HeroLook, LookName, ScriptFonts, ThemeFields

_Keys = TypeVar("_Keys", bound=Any)


@cache
def looks() -> Mapping[LookName, ThemeFields]:
    """Return the looks by name."""
    return {
        "plain": ThemeFields(
            accent="#20304d",
            ink="#15181e",
            radius="0.5rem",
            hero=HeroLook(style="plain", ground="paper", layout="centred"),
            cta="sand",
            footer="paper",
            sticky_header=True,
            scale="large",
            sections="open",
        ),
        "editorial": ThemeFields(
            accent="#96281b",
            ink="#1d1a17",
            paper="#fdfaf3",
            radius="0",
            fonts=Fonts(
                latin=ScriptFonts(heading="Georgia, Charter, DejaVu Serif"),
                arabic=ScriptFonts(heading="Noto Naskh Arabic, Amiri"),
            ),
            hero=HeroLook(style="plain", ground="paper", layout="split"),
            header="stacked",
            cta="paper",
            footer="sand",
            scale="large",
            blog="magazine",
            sections="lined",
        ),
        "shop": ThemeFields(
            accent="#c2410c",
            ink="#231a16",
            radius="1rem",
            hero=HeroLook(style="pattern", ground="accent", layout="end"),
            header_ground="sand",
            cta="accent",
            density="compact",
            cards="mosaic",
        ),
        "clinic": ThemeFields(
            accent="#0b6b74",
            ink="#1d2b33",
            paper="#fbfdfd",
            radius="1.75rem",
            fonts=Fonts(latin=ScriptFonts(heading="Avenir Next, Nunito, Segoe UI")),
            hero=HeroLook(style="plain", ground="sand", layout="panel"),
            cta="sand",
            footer="sand",
            sticky_header=True,
            sections="boxed",
        ),
        "public": ThemeFields(
            accent="#1c4f8f",
            ink="#141a22",
            radius="0",
            fonts=Fonts(latin=ScriptFonts(body="Arial, Liberation Sans, Helvetica")),
            hero=HeroLook(style="plain", ground="sand"),
            header_ground="accent",
            cta="sand",
            density="compact",
            scale="small",
            cards="list",
            blog="list",
            sections="lined",
        ),
        "night": ThemeFields(
            accent="#8fb4ff",
            ink="#e8ebf2",
            paper="#0c0f16",
            radius="0.25rem",
            hero=HeroLook(style="pattern", ground="paper"),
            cta="accent",
            footer="paper",
            sticky_header=True,
            scale="large",
            cards="mosaic",
            blog="magazine",
            sections="open",
        ),
    }


def with_look(theme: ThemeFields) -> ThemeFields:
    """Return a theme with the keys that its look sets and it does not."""
    return _filled(theme, looks()[theme.look]) if theme.look else theme


def _filled(own: _Keys, others: _Keys) -> _Keys:
    """Return keys with others where they are missing, also in the mappings below them."""
    missing = {}
    for field in fields_of(own):
        value, other = getattr(own, field.name), getattr(others, field.name)
        if value is None:
            missing[field.name] = other
        elif is_dataclass(value) and other is not None:
            missing[field.name] = _filled(value, other)
    return replace(own, **missing)
