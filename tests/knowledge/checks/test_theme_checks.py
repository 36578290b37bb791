"""What `majlis check` says about a theme: its kind, its line, and what to do."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from conftest import NOW, Content

from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.snapshot.loading import load_content


def problems(
    content: Content, theme: str, files: Mapping[str, str | bytes] | None = None
) -> list[Diagnostic]:
    """Return the diagnostics of `site/theme.md`, with more files by path."""
    loaded = load_content(content({"site/theme.md": theme, **(files or {})}))
    return [each for each in check_content(loaded, NOW) if each.path.startswith("site/theme")]


@pytest.mark.parametrize(
    ("text", "code", "line", "words"),
    [
        pytest.param(
            'radius: 0\naccent: "teal"', "invalid-colour", 3, "accent: invalid colour “teal”",
            id="a colour that is no colour",
        ),
        pytest.param(
            'dark:\n  ink: "#12"', "invalid-colour", 3, "dark.ink: invalid colour “#12”",
            id="a dark colour that is no colour",
        ),
        pytest.param(
            'accent: "#ffe27a"', "low-contrast", 2,
            "#ffe27a on the paper #ffffff has a contrast of 1.28 to 1",
            id="an accent that is too light",
        ),
        pytest.param(
            'paper: "#808080"\nink: "#777777"', "low-contrast", 3, "ink: #777777",
            id="ink that is like the paper",
        ),
        pytest.param(
            'dark:\n  paper: "#111111"\n  accent: "#333333"', "low-contrast", 4, "dark.accent",
            id="a dark accent that is too dark",
        ),
        pytest.param(
            "fonts:\n  latin:\n    body: /fonts/none.woff2", "missing-font", 4,
            "fonts.latin.body: the file /fonts/none.woff2",
            id="a font file that does not exist",
        ),
        pytest.param(
            "fonts:\n  arabic:\n    heading: /a.ttf", "invalid-font", 4, "/a.ttf is no .woff2 file",
            id="a font in another format",
        ),
        pytest.param(
            'fonts:\n  latin:\n    body: "a{b}"', "invalid-font", 4, "invalid font “a{b}”",
            id="a name that is no font",
        ),
        pytest.param(
            "logo:\n  light: /l.svg\n  square: /none.svg", "missing-logo", 4,
            "logo.square: the file /none.svg",
            id="a logo that does not exist",
        ),
        pytest.param(
            "hero:\n  image: /none.jpg", "broken-image", 3, "hero.image: the file /none.jpg",
            id="a picture that does not exist",
        ),
        pytest.param(
            "hero:\n  style: picture", "missing-field", 3, "hero.image is missing",
            id="no picture",
        ),
        pytest.param(
            "hero:\n  video: /none.mp4\n  image: /l.svg", "broken-link", 3,
            "hero.video: the file /none.mp4",
            id="a video that does not exist",
        ),
        pytest.param(
            "hero:\n  image: /l.svg\n  video: /l.svg", "invalid-value", 4, "invalid video “/l.svg”",
            id="a video that is a picture",
        ),
        pytest.param(
            "hero:\n  video: https://a.test/b.mp4", "invalid-value", 3, "invalid video",
            id="a video of another site",
        ),
        pytest.param(
            "hero:\n  video: /v.mp4", "missing-field", 3, "hero.image is missing",
            id="a video without a picture",
        ),
        pytest.param(
            "look: nihgt", "invalid-value", 2, "look: invalid value “nihgt”",
            id="an unknown look",
        ),
        pytest.param(
            'look: night\naccent: "#223344"', "low-contrast", 3, "on the paper #0c0f16",
            id="an accent that is too dark for the paper of the look",
        ),
        pytest.param(
            "accent: #b3122a", "unquoted-value", 2, "“#b3122a” is not quoted",
            id="a colour that YAML takes for a comment",
        ),
    ],
)  # fmt: skip
def test_each_fault_is_reported_with_its_line(
    content: Content, text: str, code: str, line: int, words: str
) -> None:
    """It is the only one."""
    found = problems(content, f"---\n{text}\n---\n", {"l.svg": "<svg/>", "v.mp4": "v"})
    assert [(each.kind, each.line) for each in found] == [(code, line)]
    assert words in found[0].message


def test_the_nearest_colour_that_passes_is_proposed(content: Content) -> None:
    """With it, check is content."""
    [found] = problems(content, '---\naccent: "#ffe27a"\n---\n')
    better = found.suggestion.split('"')[1]
    assert problems(content, f'---\naccent: "{better}"\n---\n') == []


def test_colours_of_a_layer_are_compared_with_those_of_the_base(content: Content) -> None:
    """The layer gives the ink, the base the paper."""
    found = problems(
        content,
        '---\npaper: "#101010"\nink: "#eeeeee"\n---\n',
        {"site/theme.sa.md": '---\nink: "#222222"\n---\n'},
    )
    assert [each.location for each in found] == ["site/theme.sa.md:2"]


def test_a_theme_without_faults_has_no_diagnostics(content: Content) -> None:
    """All keys in use."""
    theme = """---
accent: "#b3122a"
ink: "#1d1d1f"
paper: "#fffdfa"
dark: {accent: "#ff9a96", ink: "#f2f2f2", paper: "#141011"}
radius: 8px
fonts:
  latin: {body: /f.woff2, bold: /f.woff2, heading: Georgia}
  arabic: {body: Noto Naskh Arabic}
logo: {light: /l.svg, dark: /l.svg, square: /l.svg}
hero: {style: picture, image: /l.svg}
---
"""
    assert problems(content, theme, {"l.svg": "<svg/>", "f.woff2": b"wOF2"}) == []
