"""Styles: static files at paths with their content hash, and the stylesheet of a theme."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path

from markupsafe import Markup

from knowledge.fields.theme_fields import Colour, Fonts, ScriptFonts, is_font_file
from knowledge.locales.locale import Language
from knowledge.resources.palette import Palette, scheme_of
from knowledge.resources.theme import (
    DEFAULT_LIGHT,
    DEFAULT_RADIUS,
    Ground,
    Palettes,
    Theme,
    palettes,
    theme,
)
from knowledge.views.content_view import ContentView, cached_per_snapshot

FOLDER = Path(__file__).parents[1] / "static"
MEDIA_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_CSS_IMPORT = re.compile(rb'^@import "([^"]+)";$', re.MULTILINE)
_CSS_COMMENT = re.compile(rb"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)\s*+")
_CSS_SPACES = re.compile(rb"\s+")
_CSS_OPERATOR = re.compile(rb" ([*/]) (?=[\d-]|var\(|calc\()")
"""A sign of a calculation or a shorthand; in a selector neither follows it."""
_CSS_ZERO = re.compile(rb"(?<![\w.])0(?=\.\d)")
_CSS_COLOUR = re.compile(rb"#([0-9a-f])\1([0-9a-f])\2([0-9a-f])\3\b")
_CSS_LOGICAL = re.compile(
    rb"(?<=[{;])((?:[a-z]+-)*?)(?:inset-)?(block-start|block-end|block-size|inline-size)(?=[a-z-]*:)"
)
_CSS_PHYSICAL = {
    b"block-start": b"top",
    b"block-end": b"bottom",
    b"block-size": b"height",
    b"inline-size": b"width",
}
"""The names of logical properties that are shorter, and the same where lines are horizontal."""
_CSS_URL = re.compile(rb'url\("([^"]+)"\)')


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A static file ready to be sent."""

    name: str
    content: bytes
    media_type: str
    digest: str

    @property
    def url(self) -> str:
        """The path of the file. Its content never changes, so clients may cache it forever."""
        return f"/static/{self.digest}/{self.name}"


@cache
def files() -> Mapping[str, StaticFile]:
    """Return all static files by name. A stylesheet contains those that it imports, no comments."""
    originals = {
        path.name: static_file(path.name, _with_imports(path.read_bytes()))
        for path in sorted(FOLDER.iterdir())
        if path.suffix in MEDIA_TYPES
    }
    stylesheets = {
        name: static_file(name, _with_hashed_urls(file.content, originals))
        for name, file in originals.items()
        if name.endswith(".css")
    }
    return originals | stylesheets


def static_file(name: str, content: bytes) -> StaticFile:
    """Return a file at the path of its hash."""
    digest = blake2b(content, digest_size=8).hexdigest()
    return StaticFile(name, content, MEDIA_TYPES[Path(name).suffix], digest)


def url(name: str) -> str:
    """Return the path of a static file; raise KeyError if it does not exist."""
    return files()[name].url


_SCRIPTS: Mapping[str, re.Pattern[str]] = {
    "code.js": re.compile(r'<pre |class="documentation\b'),
    "copy.js": re.compile(" data-markdown="),
    "playback.js": re.compile('class="playback"'),
    "preset.js": re.compile(" novalidate"),
}
"""The scripts in pages, by what has to be there: they copy code and pages, mark a section, play the
video of a hero, and fill in what a link to a form has in its query."""


_SCHEME = "scheme.js"
"""The script by which visitors choose light or dark pages. It follows the styles, which it reads,
so that nothing is shown in other colours before."""

SUGGEST = "suggest.js"
"""The script that suggests titles of pages in search boxes."""


@cache
def script_of(name: str) -> Markup:
    """Return the text of a script that pages contain."""
    return Markup((FOLDER / "site" / name).read_text(encoding="utf-8"))  # noqa: S704  # ours


def source_of(script: str) -> str:
    """Return the source by which a policy allows a script in a page: its hash."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def find(digest: str, name: str) -> StaticFile | None:
    """Return the file at `/static/<digest>/<name>`, or None if the digest does not match."""
    file = files().get(name)
    return file if file and file.digest == digest else None


def site_styles(theme: StaticFile | None) -> str:
    """Return the styles of all pages, without colours if a theme has all of its own."""
    css = files()["site.css"].content
    if theme and b"color-scheme:" in theme.content.partition(b"@media")[0]:
        css = css.replace(_compact((FOLDER / "site" / "colours.css").read_bytes()), b"")
    return css.decode()


def _with_imports(content: bytes) -> bytes:
    return _CSS_IMPORT.sub(lambda match: (FOLDER / match[1].decode()).read_bytes(), content)


def _with_hashed_urls(css: bytes, static_files: Mapping[str, StaticFile]) -> bytes:
    return _CSS_URL.sub(
        lambda match: b'url("%s")' % static_files[match[1].decode()].url.encode(), _compact(css)
    )


def _compact(css: bytes) -> bytes:
    """Return a stylesheet without comments and spaces, and with the shortest names and values."""
    css = _CSS_ZERO.sub(b"", _CSS_SPACES.sub(b" ", _CSS_COMMENT.sub(b"", css)))
    css = _CSS_OPERATOR.sub(rb"\1", css)
    for sign in (b"{", b"}", b";", b",", b">", b"<", b"="):
        css = css.replace(b" " + sign, sign).replace(sign + b" ", sign)
    css = css.replace(b": ", b":").replace(b";}", b"}").strip()
    css = _CSS_LOGICAL.sub(lambda match: match[1] + _CSS_PHYSICAL[match[2]], css)
    return _CSS_COLOUR.sub(rb"#\1\2\3", css)


def stylesheets(content: str) -> tuple[str, ...]:
    """Return the names of the stylesheets for the content of a page."""
    return ("site.css",)


def script(content: str) -> Markup | None:
    """Return the script for the code in a page; None without any."""
    return script_of("code.js") if _SCRIPTS["code.js"].search(content) else None


def scripts(content: str) -> tuple[Markup, ...]:
    """Return the scripts that have something to do in the content of a page."""
    return tuple(script_of(name) for name, pattern in _SCRIPTS.items() if pattern.search(content))


@cached_per_snapshot
def scheme_script(view: ContentView) -> Markup | None:
    """Return the script for the choice of light or dark pages; None where all have one scheme."""
    look = theme(view)
    papers = (Colour.parse(each.paper) for each in (look.light, look.dark))
    schemes = {paper.is_light for paper in papers if paper}
    return script_of(_SCHEME) if len(schemes) > 1 else None


def script_sources(page: str) -> tuple[str, ...]:
    """Return the sources by which a policy allows the scripts of ours in a page."""
    if "<script>" not in page:
        return ()
    ours = map(script_of, (_SCHEME, SUGGEST, *_SCRIPTS))
    return tuple(source_of(each) for each in ours if f"<script>{each}</script>" in page)


NAME = "theme.css"

_NO_FONTS = ScriptFonts()
_LATIN, _ARABIC = "Theme Latin", "Theme Arabic"
_LATIN_HEADING, _ARABIC_HEADING = f"{_LATIN} Heading", f"{_ARABIC} Heading"
_LATIN_FALLBACK = "system-ui, sans-serif"
_ARABIC_FALLBACK = '"Noto Naskh Arabic", "Geeza Pro", Tahoma, sans-serif'
_CLASSES: Mapping[str, re.Pattern[str]] = {
    "serif": re.compile(
        r"(?<!sans)(?<!sans[ -])serif|slab|times|roman\b|georgia|cambria|constantia|garamond"
        r"|palatino|antiqua|baskerville|didot|bodoni|caslon|schoolbook|charter|hoefler|iowan"
        r"|lora\b|merriweather|playfair|crimson|spectral|cormorant|rockwell|libertin|alegreya",
        re.IGNORECASE,
    ),
    "monospace": re.compile(r"mono|courier|consolas|menlo|\bcode\b", re.IGNORECASE),
}
"""The classes of fonts other than sans-serif, by what the names of their families have."""

_NASKH = re.compile(
    r"naskh|amiri|scheherazade|traditional|simplified|sakkal|arabic typesetting|lateef|markazi",
    re.IGNORECASE,
)
"""The Arabic fonts that correspond to serifs."""

_PLEX_ARABIC = '"Plex Arabic", "Like Plex Arabic", "Like Plex Arabic Linux"'
_LIKE_PLEX = '"Like Plex", "Like Plex Linux"'
"""The fonts of Majlis, with the fallbacks that `fonts.css` gives their measures."""

_GENERIC = {"serif", "sans-serif", "monospace", "system-ui", "ui-serif", "ui-sans-serif"}
_RANGES: Mapping[str, str] = {
    _LATIN: "U+0-5FF, U+1E00-2BFF, U+A720-A7FF, U+FB00-FB06, U+FFFD",
    _ARABIC: "U+30-39, U+600-6FF, U+750-77F, U+8A0-8FF, U+200C-200E, U+FB50-FDFF, U+FE70-FEFC",
}
_PLEX: Mapping[Language, tuple[str, str]] = {
    Language.EN: ("plex-latin-400.woff2", "plex-latin-600.woff2"),
    Language.AR: ("plex-arabic-400.woff2", "plex-arabic-600.woff2"),
}


@cached_per_snapshot
def theme_stylesheet(view: ContentView) -> StaticFile | None:
    """Return the stylesheet of the theme in a locale; None if pages look as they come."""
    css = "".join(_rules(theme(view), palettes(view)))
    return static_file(NAME, css.encode()) if css else None


def theme_stylesheets(view: ContentView) -> Iterator[StaticFile]:
    """Yield the stylesheets of the theme, in whichever locale each is used."""
    views = map(view.for_locale, view.snapshot.open_locales)
    return filter(None, map(theme_stylesheet, views))


@cached_per_snapshot
def drawing_styles(view: ContentView) -> bytes:
    """Return the styles that give drawings the main colours of the theme; none if it has none.

    Variables of the drawing itself prevail.
    """
    light, dark = (
        "".join(f"--{name}:{colours[name]};" for name in DEFAULT_LIGHT) if colours else ""
        for colours in palettes(view)
    )
    css = f":where(svg){{{light}}}" if light else ""
    if dark:
        css += f"@media (prefers-color-scheme:dark){{:where(svg){{{dark}}}}}"
    return f"<style>{css}</style>".encode() if css else b""


def drawing_digest(digest: str, drawing_styles: bytes) -> str:
    """Return the digest in the address of a drawing, by that of its file."""
    if not drawing_styles:
        return digest
    return blake2b(drawing_styles, key=digest.encode(), digest_size=12).hexdigest()


def find_drawing_styles(view: ContentView, digest: str, named: str | None) -> bytes:
    """Return the styles of a drawing in whichever locale has its address, else those of the view.

    `digest` is that of its file, `named` the one in its address.
    """
    views = map(view.for_locale, view.snapshot.open_locales) if named else ()
    styles = map(drawing_styles, views)
    found = (each for each in styles if drawing_digest(digest, each) == named)
    return next(found, drawing_styles(view))


def with_styles(drawing: bytes, drawing_styles: bytes) -> bytes:
    """Return a drawing with styles at its end."""
    before, end, after = drawing.rpartition(b"</svg>")
    return before + drawing_styles + end + after if end else drawing


def preloaded_fonts(view: ContentView) -> tuple[str, ...]:
    """Return the paths of the fonts of texts and headings; none if they are of the system."""
    language = view.locale.language
    fonts = theme(view).fonts
    own = fonts.arabic if language is Language.AR else fonts.latin
    body = own.body if own else None
    if body is None:
        return tuple(map(url, _PLEX[language]))
    return (body,) if is_font_file(body) else ()


def _rules(theme: Theme, palettes: Palettes) -> Iterator[str]:
    yield from _font_faces(theme.fonts)
    yield _root({**_colours(palettes.light), **_shapes(theme), **_stacks(theme.fonts)})
    blocks = {".hero": theme.hero.ground, ".foot": theme.footer, ".cta": theme.cta}
    grounds: dict[Ground | None, list[str]] = {}
    for block, ground in {**blocks, ".top": theme.header_ground}.items():
        grounds.setdefault(ground, []).append(block)
    for ground, alike in grounds.items():
        yield from _ground(",".join(alike), ground)
    yield from _layouts(theme)
    light, dark = map(_colours, palettes)
    others = {name: value for name, value in dark.items() if light.get(name) != value}
    if others:
        yield f"@media screen and (prefers-color-scheme: dark){{{_root(others)}}}"


def _root(values: Mapping[str, str]) -> str:
    """Return the rules of variables; pages without code do without those of its colours."""
    of_code = {name: value for name, value in values.items() if _OF_CODE.match(name)}
    others = {name: value for name, value in values.items() if name not in of_code}
    rules = {":root": others, "pre,.callout": of_code}
    return "".join(
        f"{selector}{{{''.join(f'{name}:{value};' for name, value in chosen.items())}}}"
        for selector, chosen in rules.items()
        if chosen
    )


_OF_CODE = re.compile("--(?:code-.*|tip|important|warning|caution)")


def _variables(values: Mapping[str, str]) -> Mapping[str, str]:
    return {f"--{name}": value for name, value in values.items()}


def _colours(palette: Palette | None) -> Mapping[str, str]:
    """Return the colours, and whether controls of the browser are light or dark."""
    if palette is None:
        return {}
    return {"color-scheme": scheme_of(palette), **_variables(palette)}


def _shapes(theme: Theme) -> Mapping[str, str]:
    """Return the variables of corners and of the hero that differ from the default."""
    shapes = {}
    if theme.radius != DEFAULT_RADIUS:
        shapes["radius"] = "0px" if theme.radius == "0" else theme.radius
        shapes["pill"] = "min(2rem, 2 * var(--radius))"
        shapes["small-radius"] = "min(0.6rem, var(--radius))"
    if theme.hero.style != "pattern":
        shapes["pattern"] = "none"
    shapes.update(_SCALES.get(theme.scale or "", {}))
    shapes.update(_COMPACT if theme.density else {})
    return _variables(shapes)


_SCALES: Mapping[str, Mapping[str, str]] = {
    "small": {
        "display": "clamp(1.9rem, 1.4rem + 2vw, 2.75rem)",
        "h1": "clamp(1.65rem, 1.4rem + 1.1vw, 2.25rem)",
        "h2": "clamp(1.25rem, 1.15rem + 0.4vw, 1.45rem)",
        "h3": "1.0625rem",
        "landing": "clamp(1.4rem, 1.15rem + 1vw, 1.8rem)",
    },
    "large": {
        "display": "clamp(2.3rem, 1.2rem + 5vw, 5rem)",
        "h1": "clamp(2rem, 1.2rem + 3.4vw, 3.75rem)",
        "h2": "clamp(1.5rem, 1.2rem + 1.4vw, 2.25rem)",
        "h3": "1.25rem",
        "landing": "clamp(1.75rem, 1.1rem + 2.8vw, 3.1rem)",
    },
}
_COMPACT: Mapping[str, str] = {
    "step": "clamp(0.75rem, 0.55rem + 0.9vw, 1.25rem)",
    "gap": "clamp(2rem, 1.4rem + 2vw, 3.25rem)",
    "inset": "1rem",
}
_ON_PAPER = {
    "deep": "paper",
    "scrim": "paper",
    "on-deep": "ink",
    "on-deep-soft": "soft",
    "on-deep-clay": "clay",
    "deep-line": "line",
    "deep-button": "button",
    "deep-button-hover": "button-hover",
    "on-deep-button": "on-button",
}
_ON_ACCENT = {
    "deep": "button",
    "scrim": "button",
    **dict.fromkeys(("on-deep", "on-deep-soft", "on-deep-clay", "deep-line"), "on-button"),
    **dict.fromkeys(("deep-button", "deep-button-hover"), "on-button"),
    "on-deep-button": "button",
}
"""The variables of a block on another ground, by those whose colours they have there."""


def _ground(block: str, ground: str | None) -> Iterator[str]:
    """Yield the rule of a block on the paper, or on the accent, which would glare on dark pages."""
    if ground is None or ground == "deep":
        return
    names = _ON_ACCENT if ground == "accent" else {**_ON_PAPER, "deep": ground, "scrim": ground}
    values = "".join(f"--{name}:var(--{other});" for name, other in names.items())
    rule = f"{block}{{--pattern:none;--deep-button-line:var(--button-line);{values}}}"
    yield (
        f"@media screen and (prefers-color-scheme: light){{{rule}}}" if ground == "accent" else rule
    )


def _layouts(theme: Theme) -> Iterator[str]:
    """Yield the styles of the layouts that the theme chooses, and last those of its look."""
    is_coloured = theme.header_ground in ("accent", "deep")
    names = (
        f"hero-{theme.hero.layout}",
        f"header-{theme.header}",
        "header-sticky" if theme.sticky_header else "",
        "header-coloured" if is_coloured else f"header-{theme.header_ground}",
        f"cards-{theme.cards}",
        f"blog-{theme.blog}",
        f"sections-{theme.sections}",
        f"look-{theme.look}",
    )
    yield from filter(None, map(layout_files().get, names))


@cache
def layout_files() -> Mapping[str, str]:
    """Return the styles of layouts by name."""
    return {
        path.stem: _compact(path.read_bytes()).decode()
        for path in sorted((FOLDER / "layouts").glob("*.css"))
    }


def _font_faces(fonts: Fonts) -> Iterator[str]:
    scripts = (_LATIN, _LATIN_HEADING, fonts.latin), (_ARABIC, _ARABIC_HEADING, fonts.arabic)
    for name, heading, own in scripts:
        if own is None:
            continue
        if own.body and is_font_file(own.body):
            # Without a file for semibold text, browsers make it from the only one.
            yield _font_face(name, name, own.body, "400")
        if own.bold and is_font_file(own.bold):
            yield _font_face(name, name, own.bold, "600")
        if own.heading and is_font_file(own.heading):
            yield _font_face(heading, name, own.heading, "400 900")


# The fonts of Majlis have fallbacks of their own measures, and are shown only if they are there at
# once. Those of a brand are a part of its look, so that they are shown whenever they arrive.
def _font_face(family: str, script: str, path: str, weight: str) -> str:
    return (
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-display:swap;'
        f'src:url("{path}") format("woff2");unicode-range:{_RANGES[script]};}}'
    )


def _stacks(fonts: Fonts) -> Mapping[str, str]:
    """Return the variables of the fonts of texts and headings that the theme changes."""
    latin, arabic = fonts.latin or _NO_FONTS, fonts.arabic or _NO_FONTS
    stacks = {}
    if latin.body:
        stacks["latin"] = _stack(_with_class(_LATIN, latin.body), _LATIN_FALLBACK)
    if latin.body or arabic.body:
        stacks["arabic"] = _arabic(_LATIN, latin.body, _ARABIC, arabic.body)
    if latin.heading:
        stacks["latin-heading"] = _stack(_with_class(_LATIN_HEADING, latin.heading), "var(--latin)")
    if latin.heading or arabic.heading:
        own = (_LATIN_HEADING, latin.heading) if latin.heading else (_LATIN, latin.body)
        other = (_ARABIC_HEADING, arabic.heading) if arabic.heading else (_ARABIC, arabic.body)
        stacks["arabic-heading"] = _arabic(*own, *other, "var(--arabic)")
    return _variables(stacks)


def _arabic(
    latin_face: str, latin: str | None, arabic_face: str, arabic: str | None, last: str = ""
) -> str:
    """Return the fonts of Arabic text, in which there are Latin words and numbers.

    The Arabic font stands first: its file has the letters of its script and the digits beside
    them only. A family of the reader's system may have both scripts, and gives way to a Latin file.
    """
    is_limited = latin is None or is_font_file(latin)
    own = (_faces if is_limited else _with_class)(latin_face, latin) if latin else '"Plex"'
    other = _faces(arabic_face, arabic) if arabic else _PLEX_ARABIC
    if arabic is None:  # its files have digits, for which those of Latin need not be loaded
        own = own.replace('"Plex"', '"Plex Beside Arabic", "Plex"')
    if arabic and not is_font_file(arabic):
        naskh = ['"Noto Naskh Arabic", "Geeza Pro"'] if _NASKH.search(arabic) else []
        other = _stack(other, *naskh, _PLEX_ARABIC)
    fallback = last or _ARABIC_FALLBACK if latin or last else _stack(_LIKE_PLEX, _ARABIC_FALLBACK)
    gives_way = is_limited and arabic and not is_font_file(arabic)
    return _stack(*((own, other) if gives_way else (other, own)), fallback)


def _with_class(face: str, font: str) -> str:
    """Return the face, then fonts of its class, and those of Majlis where readers lack a family."""
    faces = _faces(face, font)
    if _GENERIC & {*map(str.strip, font.split(","))}:
        return faces
    found = [name for name, pattern in _CLASSES.items() if pattern.search(font)]
    return _stack(faces, *found[:1], *([] if is_font_file(font) else ['"Plex"', _LIKE_PLEX]))


def _faces(face: str, font: str) -> str:
    """Return the quoted name of the face of a file, or of families."""
    names = [face] if is_font_file(font) else map(str.strip, font.split(","))
    return _stack(*(name if name in _GENERIC else f'"{name}"' for name in names))


def _stack(*parts: str) -> str:
    return ", ".join(parts)
