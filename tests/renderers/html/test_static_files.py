"""Static files: hashed paths, size, and styles for right-to-left text."""

from __future__ import annotations

import re

import brotli

from renderers.html import styles


def test_a_file_is_found_only_by_its_hash() -> None:
    """A wrong hash or a path outside the folder finds nothing."""
    path = styles.url("site.css")
    _, folder, digest, name = path.split("/")
    assert folder == "static"
    file = styles.find(digest, name)
    assert file is not None
    assert file.media_type == "text/css; charset=utf-8"
    assert styles.find("0" * len(digest), name) is None
    assert styles.find(digest, "../translation.py") is None


def test_the_stylesheet_links_existing_fonts() -> None:
    """The URLs of the fonts are their hashed paths."""
    css = styles.files()["site.css"].content.decode()
    targets = re.findall(r'url\("([^"]+)"\)', css)
    assert len(targets) == 6
    for target in targets:
        _, _, digest, name = target.split("/")
        assert styles.find(digest, name) is not None


def test_the_stylesheet_is_small() -> None:
    """Compressed it has fewer than 13,000 bytes; properties have their shortest names."""
    css = styles.files()["site.css"].content.decode()
    assert len(brotli.compress(css.encode())) < 13_000
    assert "@import" not in css
    assert "/*" not in css
    assert re.findall(r"(?:block|inline)-size:|block-(?:start|end)[a-z-]*:|#(?:ff){3};", css) == []
    assert "container-type:inline-size" in css
    assert "margin-top:" in css
    assert "{bottom:" in css or ";bottom:" in css


def test_the_stylesheets_use_logical_properties() -> None:
    """As they are written, they have no left or right properties."""
    css = "".join(path.read_text() for path in sorted(styles.FOLDER.glob("*/*.css")))
    physical = (
        r"(?<![\w-])(?:(?:margin|padding|border)-(?:left|right|top|bottom)|left|right|float)\s*:"
    )
    assert re.findall(physical, css) == []
    code = "text-align: left;\n  unicode-bidi: plaintext"  # a line of code begins at the left
    assert re.findall(r"text-align:\s*(?:left|right)", css.replace(code, "")) == []
    assert re.findall(r"(?<![\w-])(?:width|height|min-width|max-width)\s*:", css) == []


def test_the_arabic_fonts_are_small() -> None:
    """Both weights together have at most 70 kB."""
    files = styles.files()
    sizes = [len(files[f"plex-arabic-{weight}.woff2"].content) for weight in (400, 600)]
    assert sum(sizes) <= 70_000


def test_the_fonts_come_with_their_licence() -> None:
    """The licence must be distributed with the fonts."""
    licence = styles.files()["plex-LICENSE.txt"].content.decode()
    assert "SIL Open Font License" in licence
