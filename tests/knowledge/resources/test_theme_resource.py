"""The theme of a site: its defaults, its layers, and what stands for missing files."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from conftest import BASE_URL, NOW, Content, ViewOf, locale_of

from knowledge.fields.looks import looks
from knowledge.fields.theme_fields import Colour, LookName, contrast
from knowledge.resources.site import site_settings
from knowledge.resources.theme import DEFAULT_DARK, DEFAULT_LIGHT, palettes, theme
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'


def test_a_site_without_a_theme_has_the_default_one(view_of: ViewOf) -> None:
    """Its styles need no colours of a theme."""
    view = view_of(
        {"site/settings.md": "---\ntitle: Brand\nheader: {logoUrl: /images/logo.svg}\n---\n"}
    )
    assert palettes(view) == (None, None)
    body = theme(view).model_dump()
    assert body["accent"] == body["light"]["accent"] == DEFAULT_LIGHT["accent"]
    assert body["dark"]["onDeep"] == DEFAULT_DARK["on-deep"]
    assert body["radius"] == "0.75rem"
    assert body["hero"] == {"style": "pattern"}
    assert body["logo"] == {"light": "/images/logo.svg"}


def test_all_colours_follow_the_given_accent(view_of: ViewOf) -> None:
    """In light and in dark; the accent stays as given where it can be read."""
    view = view_of({"site/theme.md": '---\naccent: "#b3122a"\n---\n'})
    body = theme(view)
    assert body.accent == body.light.accent == body.light.button == "#b3122a"
    assert not set(body.light.model_dump().values()) & {DEFAULT_LIGHT["deep"], "#f8f4ec"}
    assert body.dark.accent not in ("#b3122a", DEFAULT_DARK["accent"])


def test_given_dark_colours_change_dark_pages_only(view_of: ViewOf) -> None:
    """Light pages keep the colours of the styles."""
    view = view_of({"site/theme.md": '---\ndark: {paper: "#000000", accent: "#ff8a8f"}\n---\n'})
    light, dark = palettes(view)
    assert light is None
    assert dark is not None
    assert (dark["paper"], dark["accent"]) == ("#000000", "#ff8a8f")


def test_a_dark_paper_is_that_of_dark_pages_too(view_of: ViewOf) -> None:
    """A site that is always dark has one paper, and shows the logo for dark grounds."""
    files = {
        "site/theme.md": '---\npaper: "#0a0a0c"\nink: "#eeeeee"\nlogo: {light: /l.svg}\n---\n',
        **dict.fromkeys(("l.svg", "l-dark.svg"), LOGO),
    }
    body = theme(view_of(files))
    assert body.logo.light == body.logo.dark == "/l-dark.svg"
    assert (body.light.paper, body.dark.paper) == ("#0a0a0c", "#0a0a0c")
    assert (body.light.ink, body.dark.ink) == ("#eeeeee", "#eeeeee")


def test_a_theme_has_layers_like_every_document(view_of: ViewOf) -> None:
    """An Arabic logo, and another accent in one country; notes below it are in no language."""
    files = {
        "site/theme.md": "---\naccent: b3122a\nlogo: {light: /l.svg, dark: /d.svg}\n---\nNote.\n",
        "site/theme.ar.md": "---\nlogo: {light: /arabic.svg}\n---\n",
        "site/theme.sa.md": '---\naccent: "#1a4fa3"\n---\n',
        **dict.fromkeys(("l.svg", "d.svg", "arabic.svg"), LOGO),
    }
    view = view_of(files)
    english, saudi = (theme(view.for_locale(locale_of(each))) for each in ("ae/en", "sa/ar"))
    assert (english.accent, saudi.accent) == ("#b3122a", "#1a4fa3")
    assert (english.logo.light, saudi.logo.light) == ("/l.svg", "/arabic.svg")
    assert site_settings(view).theme == english
    assert site_settings(view).header.logo_url == "/l.svg"


def test_the_api_has_what_differs_from_the_default(view_of: ViewOf) -> None:
    """A picture has the deep ground, on which its text can be read."""
    keys = "footer: paper\nheader: stacked\ndensity: compact\nscale: small\n"
    files = {"site/theme.md": f"---\n{keys}hero: {{image: /p.svg, ground: paper}}\n---\n"}
    body = theme(view_of({**files, "p.svg": LOGO})).model_dump()
    assert body["hero"] == {"style": "picture", "image": "/p.svg"}
    given = {name: body[name] for name in ("footer", "header", "density", "scale")}
    assert given == {"footer": "paper", "header": "stacked", "density": "compact", "scale": "small"}
    keys = "---\nhero: {ground: paper}\n---\n"
    assert theme(view_of({"site/theme.md": keys})).hero.ground == "paper"


def test_a_look_sets_what_the_theme_does_not(view_of: ViewOf) -> None:
    """Each key of the theme prevails, also one below another key, and in a layer."""
    files = {
        "site/theme.md": "---\nlook: editorial\nradius: 8px\nfooter: deep\n"
        "hero: {layout: end}\nfonts: {latin: {body: Didot}}\n---\n",
        "site/theme.sa.md": "---\nlook: night\n---\n",
    }
    view = view_of(files)
    editorial, night = (theme(view.for_locale(locale_of(each))) for each in ("ae/en", "sa/en"))
    body = editorial.model_dump()
    assert (body["look"], body["radius"], body["header"]) == ("editorial", "8px", "stacked")
    assert "footer" not in body
    assert body["hero"] == {"style": "plain", "ground": "paper", "layout": "end"}
    assert body["fonts"]["latin"]["body"] == "Didot"
    assert body["fonts"]["latin"]["heading"].startswith("Georgia")
    assert (night.light.paper, night.radius, night.hero.layout) == ("#0c0f16", "8px", "end")


def test_each_look_can_be_read() -> None:
    """Its accent and its ink have the contrast of texts on its paper."""
    assert set(looks()) == set(get_args(LookName))
    for name, look in looks().items():
        paper = Colour.parse(look.paper or "#ffffff")
        for text in (Colour.parse(look.accent or ""), Colour.parse(look.ink or "")):
            assert paper is not None
            assert text is not None
            assert contrast(text, paper) >= 4.5, name


def test_a_missing_file_is_replaced_by_the_default(view_of: ViewOf) -> None:
    """No page links a logo, font or picture that does not exist."""
    view = view_of(
        {
            "site/settings.md": "---\ntitle: Brand\nheader: {logoUrl: /images/logo.svg}\n---\n",
            "site/theme.md": "---\nlogo: {light: /none.svg, dark: /none.svg, square: /none.svg}\n"
            "fonts: {latin: {body: /none.woff2, heading: /brand.ttf}}\n"
            "hero: {style: picture, image: /none.png}\n---\n",
            "images/logo.svg": LOGO,
            "images/logo-dark.svg": LOGO,
        }
    )
    body = theme(view).model_dump()
    assert body["logo"] == {"light": "/images/logo.svg", "dark": "/images/logo-dark.svg"}
    assert body["fonts"] == {}
    assert body["hero"] == {"style": "pattern"}


def test_fonts_are_families_or_files_of_the_content_folder(view_of: ViewOf) -> None:
    """A path may be relative to the file of the theme."""
    view = view_of(
        {
            "site/theme.md": "---\nfonts:\n  latin: {body: brand.woff2, heading: Georgia}\n"
            "  arabic: {body: Noto Naskh Arabic, heading: https://cdn.test/a.woff2}\n---\n",
            "site/brand.woff2": b"wOF2",
        }
    )
    assert theme(view).model_dump()["fonts"] == {
        "latin": {"body": "/site/brand.woff2", "heading": "Georgia"},
        "arabic": {"body": "Noto Naskh Arabic"},
    }


@pytest.mark.parametrize("colour", ["#b3122a", '"#B3122A"', "b3122a", '"#b3122a"  # red'])
def test_a_colour_is_read_in_every_spelling(view_of: ViewOf, colour: str) -> None:
    """Also without quotes, where YAML takes it for a comment."""
    assert theme(view_of({"site/theme.md": f"---\naccent: {colour}\n---\n"})).accent == "#b3122a"


def test_a_theme_that_breaks_keeps_its_last_good_colours(content: Content) -> None:
    """An author who saves half a colour changes no page."""
    path = "site/theme.md"
    root = content({path: '---\naccent: "#b3122a"\n---\n'})
    before = load_content(root)
    content({path: '---\naccent: "#b31\n---\n'})
    snapshot = load_content(root, before, {path}).snapshot
    assert theme(ContentView(snapshot, locale_of("ae/en"), NOW, BASE_URL)).accent == "#b3122a"


@pytest.mark.parametrize(
    "value",
    ["accent: red", "radius: 900", "fonts: {latin: {body: 'x; } a {'}}", "hero: {style: loud}"],
)
def test_a_broken_theme_leaves_the_default_one(view_of: ViewOf, value: str) -> None:
    """A file that cannot be used takes no page down."""
    body = theme(view_of({"site/theme.md": f"---\n{value}\n---\n"}))
    assert body.light.accent == DEFAULT_LIGHT["accent"]
    assert re.fullmatch(r"#[0-9a-f]{6}", body.accent)
