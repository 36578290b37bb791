"""The stylesheet of a theme: its variables, fonts and path, and the pages that link it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from page_scripts import own_scripts, own_sources

from knowledge.fields.theme_fields import Colour, contrast
from knowledge.resources.palette import Brand, palette
from knowledge.resources.theme import DEFAULT_DARK, DEFAULT_LIGHT
from renderers.html import styles as static_files
from renderers.html.styles import source_of

HTML = {"Accept": "text/html"}
RED = '---\naccent: "#b3122a"\n---\n'
PAGES = ["/ae/en", "/ae/ar", "/ae/en/none", "/developers"]
FONT = b"wOF2" + bytes(60)
OLD = "/static/0123456789abcdef/theme.css"


def linked(site: Visitor, path: str) -> list[str]:
    """Return the stylesheets that a page links."""
    return re.findall(r'<link rel="stylesheet" href="([^"]+)"', site.get(path, HTML).text)


def styles(site: Visitor) -> str:
    """Return the stylesheet of the theme, to which an old path leads."""
    return site.get(site.get(OLD).headers["Location"]).text


def variables(css: str) -> Mapping[str, str]:
    """Return the variables of light pages."""
    light = css.partition("@media")[0]
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", light))


def test_a_site_without_a_theme_links_no_more_styles(shared_visit: Visit) -> None:
    """It looks as it always did; browsers show its paper around the page."""
    site = shared_visit({"pages/a.md": "---\ntitle: A\n---\n"})
    assert len(linked(site, "/ae/en")) == 1
    assert site.get(OLD).status == 404
    html = site.get("/ae/en", HTML).text
    assert re.findall('name="theme-color"[^>]* content="([^"]+)"', html) == ["#ffffff", "#0e1818"]


def test_the_main_colours_of_the_api_are_those_of_the_styles() -> None:
    """The styles have them for light and for dark pages, so that both show one colour."""
    css = static_files.FOLDER.joinpath("site", "colours.css").read_text()
    light, dark = css.split("@media (prefers-color-scheme: dark)")[:2]
    names = re.compile(r"--([\w-]+): (#\w{6});")
    styles = dict(names.findall(light))
    assert DEFAULT_LIGHT.items() <= styles.items()
    assert DEFAULT_DARK.items() <= {**styles, **dict(names.findall(dark.partition("}")[0]))}.items()


DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3">'
    '<style>path{fill:var(--accent,#0f5c5c)}</style><path d="M0 0h4v3z"/></svg>\n'
)
DRAWN: Mapping[str, str] = {
    "pages/a.md": "---\ntitle: A\n---\n![A](/images/a.svg) ![B](/images/b.svg)\n",
    "images/a.svg": DRAWING,
    "images/a-phone.svg": DRAWING,
    "images/b.svg": DRAWING.replace("var(--accent,#0f5c5c)", "#0f5c5c"),
}


def drawings(site: Visitor, path: str) -> Mapping[str, str]:
    """Return the addresses of the drawings of a page, by the names of their files."""
    html = site.get(path, HTML).text
    return {path.split(".")[0]: path for path in re.findall(r'"(/images/[^"]+)"', html)}


def test_a_drawing_has_the_colours_of_the_theme_of_its_page(shared_visit: Visit) -> None:
    """Its address changes with them, and with its file; caches may keep both forever."""
    themes = {"site/theme.md": RED, "site/theme.sa.md": '---\naccent: "#123456"\n---\n'}
    site = shared_visit({**DRAWN, **themes})
    red, blue = drawings(site, "/ae/en/a"), drawings(site, "/sa/en/a")
    assert red.keys() == {"/images/a", "/images/a-phone", "/images/b"}
    assert {name for name in red if red[name] == blue[name]} == {"/images/b"}
    for found, accent in ((red, "#b3122a"), (blue, "#123456")):
        for name in ("/images/a", "/images/a-phone"):
            reply = site.get(found[name])
            light, dark = reply.text.split("prefers-color-scheme:dark")
            assert "immutable" in reply.headers["Cache-Control"]
            assert f"--accent:{accent};" in light
            assert "--accent:" in dark
            assert dark.endswith("</style></svg>\n")
            assert site.get(found[name], {"If-None-Match": reply.headers["ETag"]}).status == 304
    assert site.get(red["/images/b"]).text == DRAWN["images/b.svg"]


def test_a_drawing_at_the_address_of_its_file_has_the_colours_of_the_main_country(
    shared_visit: Visit,
) -> None:
    """They change without the file, so that address is not kept, and the drawing has no date."""
    site = shared_visit({**DRAWN, "site/theme.md": RED})
    for path in ("/images/a.svg", f"/images/a.{'0' * 24}.svg"):
        reply = site.get(path)
        assert "--accent:#b3122a;" in reply.text
        assert "immutable" not in reply.headers["Cache-Control"]
        assert "Last-Modified" not in reply.headers


def test_a_drawing_of_a_site_without_a_theme_is_its_file(shared_visit: Visit) -> None:
    """It has the colours that it names itself."""
    site = shared_visit(dict(DRAWN))
    reply = site.get(drawings(site, "/ae/en/a")["/images/a"])
    assert (reply.text, "immutable" in reply.headers["Cache-Control"]) == (DRAWING, True)


def test_a_theme_gives_every_colour_of_the_styles() -> None:
    """A colour that it left out would be that of another brand."""
    css = static_files.FOLDER.joinpath("site", "colours.css").read_text()
    light = css.partition("@media")[0]
    colours = {name for name, value in re.findall(r"--([\w-]+): ([^;]+);", light) if "#" in value}
    colours |= set(re.findall(r"--([\w-]+): rgb", light))
    red = Colour.parse("#b3122a")
    assert red is not None
    assert colours == set(palette(Brand(red), dark=False)), (
        "add the colour to knowledge/resources/palette.py"
    )


@cases("path", PAGES)
def test_every_page_has_the_theme_after_the_styles(shared_visit: Visit, path: str) -> None:
    """Error pages and the documentation too, in one file; the head names its paper."""
    site = shared_visit({"site/theme.md": '---\naccent: "#b3122a"\npaper: "#fffaf5"\n---\n'})
    (only,) = linked(site, path)
    assert re.fullmatch(r"/static/[0-9a-f]{16}/page-[0-9a-f]+\.css", only)
    css = site.get(only).text
    assert css.index("--display:") < css.index("--accent:#b3122a;")
    assert "#0f5c5c" not in css, "a theme with colours replaces those of the styles"
    html = site.get(path, HTML).text
    assert 'content="#fffaf5"' in html
    assert "style=" not in html


def test_the_stylesheet_is_cached_for_ever_at_a_path_with_its_hash(shared_visit: Visit) -> None:
    """Another theme has another path, so that no browser shows an old one."""
    site = shared_visit({"site/theme.md": RED, "site/theme.sa.md": '---\naccent: "#1a4fa3"\n---\n'})
    paths = {linked(site, each)[-1] for each in ("/ae/en", "/ae/en/none", "/sa/en")}
    assert len(paths) == 3
    for path in paths:
        response = site.get(path)
        assert response.status == 200
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert response.headers["Content-Type"] == "text/css; charset=utf-8"


def test_an_old_path_leads_to_the_present_stylesheet(shared_visit: Visit) -> None:
    """A page in a cache outlives a change of the styles by minutes; it stays usable."""
    site = shared_visit({"site/theme.md": RED})
    for name in ("theme.css", "page-1f.css", "page-x.css", "site.css", "extensions.css"):
        response = site.get(f"/static/0123456789abcdef/{name}")
        assert response.status == 302
        assert "no-store" in response.headers["Cache-Control"]
        css = site.get(response.headers["Location"]).text
        assert "--accent:#b3122a;" in css
        assert (".comparison" in css) == (name != "theme.css"), "others have all rules"
    assert site.get("/static/0123456789abcdef/code.woff2").status == 404


def test_the_colours_of_light_and_dark_pages_follow_the_accent(shared_visit: Visit) -> None:
    """Links, buttons and focus rings are red; corners are as given."""
    css = styles(shared_visit({"site/theme.md": '---\naccent: "#b3122a"\nradius: "0"\n---\n'}))
    light = variables(css)
    assert light["button"] == light["focus"] == light["link"] == "#b3122a"
    assert light["radius"] == "0px"
    assert "@media screen and (prefers-color-scheme: dark){:root{color-scheme:dark;--paper:" in css


def test_a_paper_that_is_always_dark_has_dark_controls(shared_visit: Visit) -> None:
    """Browsers draw scroll bars and fields for it, whatever readers prefer."""
    css = styles(shared_visit({"site/theme.md": '---\npaper: "#0b0b10"\n---\n'}))
    assert css.startswith(":root{color-scheme:dark;--paper:#0b0b10;")


def test_a_dark_site_is_printed_on_white_paper(shared_visit: Visit) -> None:
    """Browsers print no grounds, so that light text could not be read."""
    site = shared_visit({"site/theme.md": '---\npaper: "#0b0b10"\n---\n'})
    css = site.get(linked(site, "/ae/en")[0]).text
    assert "@media print{html:root{color-scheme:light;--paper:#fff;" in css
    assert "html:root{" not in styles(site), "the selector of the theme is weaker"


def test_font_files_are_faces_of_their_script(visit: Visit) -> None:
    """The first font of the page's script is loaded early, instead of the one that it replaces."""
    files = {
        "site/theme.md": "---\nfonts:\n  latin: {body: /f/l.woff2, bold: /f/b.woff2}\n"
        "  arabic: {body: /f/a.woff2, heading: /f/h.woff2}\n---\n",
        **{f"f/{name}.woff2": FONT for name in "lbah"},
    }
    site = visit(files)
    css = styles(site)
    faces = re.findall(r"@font-face\{([^}]+)\}", css)
    assert len(faces) == 4
    for face in faces:
        assert "font-display:swap" in face
        path = re.search(r'url\("([^"]+)"\) format\("woff2"\)', face)
        assert path is not None
        response = site.get(path[1])
        assert (response.status, response.headers["Content-Type"]) == (200, "font/woff2")
        script = "Arabic" if path[1][3] in "ah" else "Latin"
        assert f'font-family:"Theme {script}' in face
        assert ("U+30-39, U+600-6FF" in face) is (script == "Arabic")
    assert variables(css)["latin"].startswith('"Theme Latin", ')
    assert variables(css)["arabic"].startswith('"Theme Arabic", "Theme Latin", ')
    assert variables(css)["arabic-heading"].startswith('"Theme Arabic Heading", "Theme Latin", ')
    for page, font in (("/ae/en", "/f/l.woff2"), ("/ae/ar", "/f/a.woff2")):
        html = site.get(page, HTML).text
        assert re.findall(r'rel="preload" as="font"[^>]* href="([^"]+)"', html) == [font]


@pytest.mark.parametrize(("page", "script"), [("/ae/en", "latin"), ("/ae/ar", "arabic")])
def test_texts_and_headings_have_the_fonts_of_majlis_on_the_first_page(
    visit: Visit, page: str, script: str
) -> None:
    """A font that is asked for late would be used from the second page on only."""
    html = visit({"pages/a.md": "---\ntitle: A\n---\nText.\n"}).get(page, HTML).text
    fonts = re.findall(r'rel="preload" as="font"[^>]* href="[^"]+/([^"]+)"', html)
    assert fonts == [f"plex-{script}-{weight}.woff2" for weight in (400, 600)]


def test_a_family_of_the_system_is_not_loaded(visit: Visit) -> None:
    """In Arabic text it stands behind the Arabic font, as it may have Arabic letters too."""
    site = visit({"site/theme.md": "---\nfonts: {latin: {body: 'Segoe UI, serif'}}\n---\n"})
    css = styles(site)
    assert variables(css)["latin"] == '"Segoe UI", serif, system-ui, sans-serif'
    assert variables(css)["arabic"].startswith(
        '"Plex Arabic", "Like Plex Arabic", "Like Plex Arabic Linux", "Segoe UI", serif, "Noto'
    )
    assert "@font-face" not in css
    assert 'rel="preload"' not in site.get("/ae/en", HTML).text
    assert "plex-arabic-400" in site.get("/ae/ar", HTML).text


PLEX = '"Plex", "Like Plex", "Like Plex Linux"'


@cases(
    ("font", "stack"),
    [
        ("Georgia", f'"Georgia", serif, {PLEX}, system-ui, sans-serif'),
        ("Source Serif 4", f'"Source Serif 4", serif, {PLEX}, system-ui, sans-serif'),
        ("Segoe UI", f'"Segoe UI", {PLEX}, system-ui, sans-serif'),
        ("Gill Sans", f'"Gill Sans", {PLEX}, system-ui, sans-serif'),
        ("Cascadia Code", f'"Cascadia Code", monospace, {PLEX}, system-ui, sans-serif'),
        ("'Avenir, sans-serif'", '"Avenir", sans-serif, system-ui, sans-serif'),
    ],
)
def test_a_font_that_a_reader_lacks_falls_back_within_its_class(
    shared_visit: Visit, font: str, stack: str
) -> None:
    """Then to the font of Majlis, unless the site names what comes next."""
    site = shared_visit({"site/theme.md": f"---\nfonts: {{latin: {{body: {font}}}}}\n---\n"})
    assert variables(styles(site))["latin"] == stack


def test_an_arabic_font_that_a_reader_lacks_falls_back_within_its_class(
    shared_visit: Visit,
) -> None:
    """Latin words keep the class of their font, and take no letter from the Arabic one."""
    shipped = '"Plex Arabic", "Like Plex Arabic", "Like Plex Arabic Linux"'
    fonts = "fonts: {latin: {body: Georgia}, arabic: {body: Amiri, heading: Dubai}}"
    found = variables(styles(shared_visit({"site/theme.md": f"---\n{fonts}\n---\n"})))
    naskh = '"Amiri", "Noto Naskh Arabic", "Geeza Pro"'
    assert found["arabic"].startswith(f'{naskh}, {shipped}, "Georgia", serif, "Plex"')
    assert found["arabic-heading"].startswith(f'"Dubai", {shipped}, "Georgia", serif, "Plex"')


def test_the_hero_shows_the_picture_of_the_theme(shared_visit: Visit) -> None:
    """It is decoration, so that it has an empty alternative text."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="6"/>'
    theme = "---\nhero: {style: picture, image: /p.svg}\n---\n"
    home = {"site/home.md": "---\nhero: {title: Hello}\n---\n"}
    html = shared_visit({"site/theme.md": theme, "p.svg": svg, **home}).get("/ae/en", HTML).text
    picture = re.search('<img class="backdrop"[^>]*>', html)
    assert picture is not None
    assert re.search(r'src="/p\.[0-9a-f]{24}\.svg"', picture[0])
    assert 'alt=""' in picture[0]


def test_the_hero_has_a_video_that_its_script_plays(shared_visit: Visit) -> None:
    """The page itself has the picture, and a button that nobody sees without the script."""
    files = {"p.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>', "v.mp4": "v"}
    home = {"site/home.md": "---\nhero: {title: Hello}\n---\n"}
    theme = {"site/theme.md": "---\nhero: {image: /p.svg, video: /v.mp4}\n---\n"}
    reply = shared_visit({**files, **home, **theme}).get("/ae/ar", HTML)
    assert '<img class="backdrop" src="/p.' in reply.text
    assert "<video" not in reply.text
    assert re.search('<button class="playback"[^>]* data-src="/v.mp4"[^>]* hidden>', reply.text)
    (script,) = own_scripts(reply.text)
    assert own_sources(reply.headers) == {source_of(script)}
    plain = shared_visit({**files, **home, "site/theme.md": "---\nhero: {video: /v.mp4}\n---\n"})
    assert "playback" not in plain.get("/ae/ar", HTML).text


@pytest.mark.parametrize(("style", "shown"), [("plain", "none"), ("pattern", None)])
def test_the_hero_is_plain_or_has_a_pattern(
    shared_visit: Visit, style: str, shown: str | None
) -> None:
    """The pattern is the default."""
    theme = f'---\naccent: "#b3122a"\nhero: {{style: {style}}}\n---\n'
    site = shared_visit(
        {"site/theme.md": theme, "site/home.md": "---\nhero: {title: Hello}\n---\n"}
    )
    assert variables(styles(site)).get("pattern") == shown
    assert "backdrop" not in site.get("/ae/en", HTML).text


@cases(
    ("theme", "rules"),
    [
        pytest.param("footer: paper", [".foot{", "--deep:var(--paper);"], id="footer"),
        pytest.param(
            "hero: {ground: accent}",
            ["(prefers-color-scheme: light){.hero{", "--deep:var(--button);"],
            id="hero",
        ),
        pytest.param("header: stacked", [".bar{display:grid;"], id="header"),
        pytest.param("footer: sand", [".foot{", "--deep:var(--sand);"], id="a hint of the accent"),
        pytest.param("cta: paper", [".cta{", "--deep:var(--paper);"], id="call to action"),
        pytest.param("headerGround: deep", [".top{background:var(--deep)}"], id="header on deep"),
        pytest.param("stickyHeader: true", [".top{position:sticky;"], id="sticky header"),
        pytest.param("hero: {layout: centred}", ["text-align:center"], id="centred hero"),
        pytest.param("hero: {layout: end}", [".hero>.wrap>figure{order:-1}"], id="hero at the end"),
        pytest.param("hero: {layout: panel}", [".hero{width:min(76rem"], id="hero panel"),
        pytest.param("hero: {layout: split}", ["grid-template-columns:7fr 5fr"], id="split hero"),
        pytest.param("cards: list", [".grid:not(.plans>*)>.card"], id="cards as a list"),
        pytest.param("cards: mosaic", ["grid-area:span 2 / span 3"], id="mosaic"),
        pytest.param("blog: magazine", ["grid-template-columns:2fr 1fr 1fr"], id="magazine"),
        pytest.param("blog: list", [".grid>.post>img{display:none}"], id="posts as a list"),
        pytest.param("sections: lined", [".band{background:none}"], id="lines"),
        pytest.param("sections: boxed", [".band>.wrap{"], id="boxes"),
        pytest.param("sections: open", [".stats>linked-heading{text-align:center}"], id="room"),
        pytest.param("density: compact", ["--gap:", "--step:", "--inset:"], id="density"),
        pytest.param("scale: large", ["--display:", "--h1:", "--h2:", "--h3:"], id="scale"),
        pytest.param(
            "fonts: {latin: {heading: Didot}}",
            ['--latin-heading:"Didot", serif, "Plex",', " var(--latin);", ", var(--arabic);"],
            id="a family that may be missing",
        ),
    ],
)
def test_blocks_have_the_ground_room_and_sizes_of_the_theme(
    shared_visit: Visit, theme: str, rules: list[str]
) -> None:
    """What the theme gives is in its stylesheet; what is the default is not."""
    css = styles(shared_visit({"site/theme.md": f"---\n{theme}\n---\n"}))
    assert [rule for rule in rules if rule not in css] == []
    default = "hero: {ground: deep}\nfooter: deep\nheader: row\ndensity: comfortable\nscale: medium"
    default += "\ncta: deep\nheaderGround: paper\ncards: grid\nblog: grid\nsections: tinted"
    site = shared_visit({"site/theme.md": f"---\n{default}\n---\n"})
    assert site.get(OLD).status == 404


def test_the_footer_has_the_logo_for_its_ground(shared_visit: Visit) -> None:
    """On the paper and on a light accent that for light grounds; the dark form on dark pages."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="6"/>'
    for keys, shown in (("", "d"), ("footer: paper", "l"), ("footer: accent", "l")):
        theme = f'---\naccent: "#ffd60a"\nlogo: {{light: /l.svg, dark: /d.svg}}\n{keys}\n---\n'
        site = shared_visit({"site/theme.md": theme, "l.svg": svg, "d.svg": svg})
        footer = site.get("/ae/en", HTML).text.partition("<footer")[2]
        assert re.search(rf'<img src="/{shown}\.[0-9a-f]{{24}}\.svg"', footer), keys
        assert ('<source srcset="/d.' in footer) is (shown == "l")


@pytest.mark.parametrize(
    ("keys", "shown"),
    [("headerGround: deep", "d"), ("headerGround: sand", "l"), ("look: public", "d")],
)
def test_the_header_has_the_logo_for_its_ground(shared_visit: Visit, keys: str, shown: str) -> None:
    """On the deep ground and on a dark accent the dark form, in light and in dark."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="6"/>'
    theme = f"---\n{keys}\nlogo: {{light: /l.svg, dark: /d.svg}}\n---\n"
    site = shared_visit({"site/theme.md": theme, "l.svg": svg, "d.svg": svg})
    header = site.get("/ae/en", HTML).text.partition("</header>")[0].partition("<header")[2]
    assert re.search(rf'<img src="/{shown}\.[0-9a-f]{{24}}\.svg"', header)


def test_the_logo_has_a_form_for_each_language_and_scheme(shared_visit: Visit) -> None:
    """The header shows the dark form to readers in dark mode."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="6"/>'
    files = {
        "site/theme.md": "---\nlogo: {light: /l.svg, dark: /d.svg}\n---\n",
        "site/theme.ar.md": "---\nlogo: {light: /la.svg, dark: /da.svg}\n---\n",
        **{f"{name}.svg": svg for name in ("l", "d", "la", "da")},
    }
    site = shared_visit(files)
    in_dark = r' media="\(prefers-color-scheme: dark\)">'
    for path, light, dark in (("/ae/en", "l", "d"), ("/ae/ar", "la", "da")):
        html = site.get(path, HTML).text
        assert re.search(rf'<source srcset="/{dark}\.[0-9a-f]{{24}}\.svg"{in_dark}', html)
        assert re.search(rf'<img src="/{light}\.[0-9a-f]{{24}}\.svg"', html)


def test_a_theme_that_cannot_be_read_takes_no_page_down(shared_visit: Visit) -> None:
    """Pages have the colours of the styles."""
    site = shared_visit({"site/theme.md": "---\naccent: nonsense\n---\n"})
    response = site.get("/ae/en", HTML)
    assert response.status == 200
    assert "--accent:#0f5c5c;" in site.get(linked(site, "/ae/en")[0]).text
    assert site.get(OLD).status == 404


def test_text_on_a_picture_can_be_read_on_its_lightest_part() -> None:
    """The picture is multiplied with the ground, so that white shows the ground itself."""
    css = static_files.FOLDER.joinpath("site", "colours.css").read_text()
    light, dark = css.split("@media (prefers-color-scheme: dark)")
    base = dict(re.findall(r"--([\w-]+): (#\w{6});", light))
    for own in (base, {**base, **dict(re.findall(r"--([\w-]+): (#\w{6});", dark))}):
        ground = Colour.parse(own["scrim"])
        for name in ("on-deep", "on-deep-soft", "on-deep-clay"):
            text = Colour.parse(own[name])
            assert ground is not None
            assert text is not None
            assert contrast(text, ground) >= 4.5
