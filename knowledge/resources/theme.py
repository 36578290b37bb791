"""The theme: the colours, shapes, fonts, logo and hero in which the pages of a site appear."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TypeVar
from urllib.parse import quote

from knowledge.addresses.links import is_external, resolve_link
from knowledge.fields.content_types import SETTINGS, THEME
from knowledge.fields.field_types import Omittable
from knowledge.fields.looks import with_look
from knowledge.fields.theme_fields import (
    SERVED_FONT,
    BlogLayout,
    CardLayout,
    Colour,
    DarkColours,
    Density,
    Fonts,
    HeaderLayout,
    HeroLayout,
    HeroLook,
    HeroStyle,
    LogoForms,
    LookName,
    Scale,
    ScriptFonts,
    SectionLayout,
    ThemeFields,
    is_font_file,
)
from knowledge.resources.base import Resource
from knowledge.resources.palette import Brand, Palette, palette, scheme_of
from knowledge.views.content_view import ContentView, cached_per_snapshot

_Choice = TypeVar("_Choice", bound=str)
_THEME_PATH = "site/theme.md"
_SETTINGS_PATH = "site/settings.md"


class ThemeColours(Resource):
    """The main colours of light or of dark pages, as `#rrggbb`.

    Texts in `accent`, `link`, `ink` and `soft` can be read on `paper` and `sand`, `onButton` on
    `button` and `onDeep` on `deep`, with the contrast of WCAG AA.
    """

    accent: str
    """Colour of the brand."""
    link: str
    """Colour of links."""
    ink: str
    """Colour of texts."""
    soft: str
    """Colour of less important texts."""
    paper: str
    """Background of pages."""
    sand: str
    """Background of blocks."""
    line: str
    """Colour of lines."""
    button: str
    """Background of buttons."""
    on_button: str
    """Colour of texts on buttons."""
    deep: str
    """Background of the footer and of dark blocks."""
    on_deep: str
    """Colour of texts on it."""


class Ground(StrEnum):
    """The ground of a block: of buttons, a deep shade, of pages, or a hint of the accent."""

    ACCENT = "accent"
    DEEP = "deep"
    PAPER = "paper"
    SAND = "sand"


class ThemeHero(Resource):
    """What is behind the text of the hero."""

    style: HeroStyle
    """Style of the background."""
    image: Omittable[str] = None
    """Path or URL of the picture."""
    video: Omittable[str] = None
    """Path of its video."""
    ground: Omittable[Ground] = None
    """Ground, unless `deep`."""
    layout: Omittable[HeroLayout] = None
    """Layout, unless `start`."""


class Theme(Resource):
    """Theme of a site; fonts are families or paths of woff2 files."""

    look: Omittable[LookName] = None
    """Look of the theme."""
    accent: str
    """Colour of the brand as given: on some grounds too pale for text."""

    light: ThemeColours
    """Colours of light pages."""
    dark: ThemeColours
    """Colours of dark pages."""
    radius: str
    """Radius of corners, as a CSS length."""
    fonts: Fonts
    """Fonts of each script."""
    logo: LogoForms
    """Forms of the logo."""
    hero: ThemeHero
    """What is behind its text."""
    footer: Omittable[Ground] = None
    """Ground of the footer, unless `deep`."""
    header: Omittable[HeaderLayout] = None
    """Layout of header, unless `row`."""
    density: Omittable[Density] = None
    """Room in pages, unless `comfortable`."""
    scale: Omittable[Scale] = None
    """Sizes of headings, unless `medium`."""
    cta: Omittable[Ground] = None
    """Ground of calls to action, unless `deep`."""
    header_ground: Omittable[Ground] = None
    """Ground of the header, unless `paper`."""
    sticky_header: Omittable[bool] = None
    """Whether the header stays in view."""
    cards: Omittable[CardLayout] = None
    """Layout of cards, unless `grid`."""
    blog: Omittable[BlogLayout] = None
    """Layout of posts, unless `grid`."""
    sections: Omittable[SectionLayout] = None
    """What separates sections, unless `tinted`."""


class Palettes(NamedTuple):
    """All colours of light and of dark pages; None where they are those of the styles."""

    light: Palette | None
    dark: Palette | None


DEFAULT_RADIUS = "0.75rem"

DEFAULT_LIGHT: Palette = {
    "accent": "#0f5c5c",
    "link": "#0c5a5a",
    "ink": "#1a2828",
    "soft": "#4c5d5d",
    "paper": "#ffffff",
    "sand": "#f8f4ec",
    "line": "#ded6c6",
    "button": "#0f5c5c",
    "on-button": "#ffffff",
    "deep": "#0c4a4a",
    "on-deep": "#f6f1e6",
}
DEFAULT_DARK: Palette = {
    "accent": "#7ccbc2",
    "link": "#86d3ca",
    "ink": "#e9efec",
    "soft": "#a9bbb7",
    "paper": "#0e1818",
    "sand": "#132020",
    "line": "#2e4141",
    "button": "#86d3ca",
    "on-button": "#06201f",
    "deep": "#0f3434",
    "on-deep": "#f6f1e6",
}
"""The main colours of a site without a theme; a test compares them with the styles."""


@cached_per_snapshot
def theme(view: ContentView) -> Theme:
    """Return the theme for the readers of a locale; without `site/theme.md` the default one."""
    fields = _fields(view)
    light, dark = palettes(view)
    return Theme(
        look=fields.look,
        accent=fields.accent or DEFAULT_LIGHT["accent"],
        light=_colours(light or DEFAULT_LIGHT),
        dark=_colours(dark or DEFAULT_DARK),
        radius=fields.radius or DEFAULT_RADIUS,
        fonts=_fonts(view, fields.fonts or Fonts()),
        logo=_logo(view, fields.logo or LogoForms(), light or DEFAULT_LIGHT),
        hero=_hero(view, fields.hero or HeroLook()),
        footer=_own(fields.footer, "deep"),
        header=_own(fields.header, "row"),
        density=_own(fields.density, "comfortable"),
        scale=_own(fields.scale, "medium"),
        cta=_own(fields.cta, "deep"),
        header_ground=_own(fields.header_ground, "paper"),
        sticky_header=fields.sticky_header or None,
        cards=_own(fields.cards, "grid"),
        blog=_own(fields.blog, "grid"),
        sections=_own(fields.sections, "tinted"),
    )


@cached_per_snapshot
def palettes(view: ContentView) -> Palettes:
    """Return the colours that the theme gives, and those derived from them."""
    fields = _fields(view)
    own, dark = (fields.accent, fields.ink, fields.paper), fields.dark or DarkColours()
    own_dark = (dark.accent, dark.ink, dark.paper)
    brand = _brand(fields.accent or DEFAULT_LIGHT["accent"], fields.ink, fields.paper)
    return Palettes(
        palette(brand, dark=False) if any(own) else None,
        palette(_dark_brand(brand, dark), dark=True) if any((*own, *own_dark)) else None,
    )


def _fields(view: ContentView) -> ThemeFields:
    resolved = view.singleton(THEME)
    return with_look(resolved.fields) if resolved else ThemeFields()


def _brand(accent: str, ink: str | None, paper: str | None) -> Brand:
    parse = Colour.parse
    return Brand(parse(accent) or Colour(0, 0, 0), parse(ink or ""), parse(paper or ""))


def _dark_brand(brand: Brand, dark: DarkColours) -> Brand:
    """Return the colours of dark pages; a paper that is dark already is theirs too."""
    given = _brand(dark.accent or brand.accent.hex, dark.ink, dark.paper)
    if given.paper is None and brand.paper and not brand.paper.is_light:
        return given._replace(paper=brand.paper, ink=given.ink or brand.ink)
    return given


def _colours(colours: Palette) -> ThemeColours:
    values: Mapping[str, str] = {
        name: colours[name.replace("_", "-")] for name in ThemeColours.model_fields
    }
    return ThemeColours(**values)


def _file(view: ContentView, path: str | None, source: str = _THEME_PATH) -> str | None:
    """Return the site path of an asset, or None if there is none."""
    if not path or is_external(path):
        return path or None
    found = resolve_link(view.snapshot, source, path)
    return quote(found) if isinstance(found, str) else None


def _fonts(view: ContentView, fonts: Fonts) -> Fonts:
    scripts = (fonts.latin or ScriptFonts(), fonts.arabic or ScriptFonts())
    latin, arabic = (_script_fonts(view, script) for script in scripts)
    return Fonts(latin=latin, arabic=arabic)


def _script_fonts(view: ContentView, fonts: ScriptFonts) -> ScriptFonts | None:
    found = ScriptFonts(
        body=_font(view, fonts.body),
        bold=_font(view, fonts.bold),
        heading=_font(view, fonts.heading),
    )
    return found if found != ScriptFonts() else None


def _font(view: ContentView, font: str | None) -> str | None:
    """Return a family, or the path of a font file that can be served, or None."""
    if font is None or not is_font_file(font):
        return font
    path = None if is_external(font) else _file(view, font)
    return path if path and path.endswith(SERVED_FONT) else None


def _logo(view: ContentView, logo: LogoForms, colours: Palette) -> LogoForms:
    """Return the forms of the logo; on a paper that is always dark, the dark one for both."""
    light = _file(view, logo.light) or _settings_logo(view)
    dark = _file(view, logo.dark) or _dark_twin(view, light)
    if scheme_of(colours) == "dark":
        light = dark or light
    return LogoForms(light=light, dark=dark, square=_file(view, logo.square))


def _settings_logo(view: ContentView) -> str | None:
    settings = view.singleton(SETTINGS)
    header = settings.fields.header if settings else None
    path = header.logo_url if header else None
    return view.path(path, _SETTINGS_PATH) if path else None


def _dark_twin(view: ContentView, logo: str | None) -> str | None:
    """Return the logo beside another one for dark grounds: `logo-dark.svg` for `logo.svg`."""
    stem, dot, suffix = (logo or "").rpartition(".")
    path = f"{stem}-dark{dot}{suffix}"
    return path if path.removeprefix("/") in view.snapshot.assets else None


def _hero(view: ContentView, hero: HeroLook) -> ThemeHero:
    image = _file(view, hero.image)
    style: HeroStyle = hero.style or ("picture" if image else "pattern")
    layout = _own(hero.layout, "start")
    if image is None and style == "picture":
        style = "pattern"
    if style != "picture":
        return ThemeHero(style=style, ground=_own(hero.ground, "deep"), layout=layout)
    ground = _own(hero.ground, "deep") if layout == "split" else None
    video = _file(view, hero.video)
    return ThemeHero(style=style, image=image, video=video, ground=ground, layout=layout)


def _own(choice: _Choice | None, default: str) -> _Choice | None:
    """Return a choice if it is not the default one."""
    return None if choice == default else choice
