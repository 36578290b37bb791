"""Static files: small, found by content, and free of what right-to-left text would break."""

from __future__ import annotations

import re

from renderers import static_files


def test_a_file_is_found_only_under_its_own_content() -> None:
    """So that it may be kept for ever, and no path leads out of the folder."""
    path = static_files.url("site.css")
    _, folder, digest, name = path.split("/")
    assert folder == "static"
    found = static_files.find(digest, name)
    assert found is not None
    assert found.media_type == "text/css; charset=utf-8"
    assert static_files.find("0" * len(digest), name) is None
    assert static_files.find(digest, "../interface.py") is None


def test_the_stylesheet_names_fonts_that_are_there() -> None:
    """By their own hashed paths."""
    css = static_files.files()["site.css"].content.decode()
    targets = re.findall(r'url\("([^"]+)"\)', css)
    assert len(targets) == 4
    for target in targets:
        _, _, digest, name = target.split("/")
        assert static_files.find(digest, name) is not None


def test_the_stylesheet_is_small_and_logical() -> None:
    """Nothing in it knows left from right."""
    css = static_files.files()["site.css"].content.decode()
    assert len(css) < 25_000
    physical = (
        r"(?<![\w-])(?:(?:margin|padding|border)-(?:left|right|top|bottom)|left|right|float)\s*:"
    )
    assert re.findall(physical, css) == []
    assert re.findall(r"text-align:\s*(?:left|right)", css) == []
    assert re.findall(r"(?<![\w-])(?:width|height|min-width|max-width)\s*:", css) == []


def test_the_fonts_come_with_their_licence() -> None:
    """As the licence asks."""
    licence = static_files.files()["plex-LICENSE.txt"].content.decode()
    assert "SIL Open Font License" in licence
