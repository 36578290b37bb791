"""One rule for all texts of front matter: some are markdown on pages, all others have no links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints

from conftest import Visit, document_of
from pydantic.alias_generators import to_camel

from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.fields.content_types import CONTENT_TYPES
from knowledge.fields.field_types import BilingualString
from knowledge.fields.front_matter import Fields
from knowledge.resources import declarations

LINKED = "A [link](/about) and **more**"
HTML = {"Accept": "text/html"}
assert declarations  # declares all content types


def filled(hint: Any, *above: Any) -> Any:
    """Return a value of a type with a link in each text; None for a type without texts.

    A type within itself has none.
    """
    if hint is BilingualString:
        return {"en": LINKED}
    if hint in above:
        return None
    if isinstance(hint, type) and issubclass(hint, Fields):
        hints, above = get_type_hints(hint), (*above, hint)
        values = {to_camel(name): filled(hints[name], *above) for name in hint.field_names}
        return {key: value for key, value in values.items() if value is not None} or None
    inner = [value for each in get_args(hint) if (value := filled(each, *above)) is not None]
    if not inner:
        return None
    if get_origin(hint) is list:
        return inner[:1]
    return {"AED": inner[-1]} if get_origin(hint) is dict else inner[0]


def texts(fields: Fields) -> Iterator[tuple[str, bool, str]]:
    """Yield each text of a model with its field, and whether it is markdown."""
    for name in fields.field_names:
        yield from _texts(getattr(fields, name), f"{type(fields).__name__}.{name}", name, fields)


def _texts(value: Any, place: str, name: str, owner: Fields) -> Iterator[tuple[str, bool, str]]:
    if isinstance(value, Fields):
        yield from texts(value)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, place, name, owner)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each, place, name, owner)
    elif isinstance(value, str) and "link" in value:
        yield place, name in type(owner).prose, value


def test_a_text_that_is_no_markdown_has_no_link() -> None:
    """Of all fields of all schemas; a text that is markdown keeps it."""
    seen: dict[str, bool] = {}
    for kind in CONTENT_TYPES:
        models = kind.singletons or {"it": kind.fields}
        for slug, model in models.items():
            hints = get_type_hints(model)
            for name in model.field_names:
                value = filled(hints[name])
                if value is None:
                    continue
                front = json.dumps({to_camel(name): value})
                try:
                    document = document_of(f"{kind}/{slug}.md", f"---json\n{front}\n---\nBody.\n")
                except ContentFileError:  # a block needs what is no text, a word its placeholders
                    continue
                for place, is_markdown, text in texts(document.fields):
                    seen[place] = is_markdown
                    assert ("](" in text) == is_markdown, place
                    assert ("**" in text) == is_markdown, place
    assert len(seen) > 100
    assert {name for name, is_markdown in seen.items() if is_markdown} >= {
        *("About.paragraphs", "Hero.sub", "Hero.body", "cities.focus", "PostCallToAction.text"),
        *(
            "testimonials.quote",
            "CompanySettings.enquiry_reply",
            "FormDeclaration.thanks_text",
        ),
    }


def linked(number: int) -> str:
    """Return a text with a link of a number of its own."""
    return f"Text [link{number}](/about) of it"


SITE = {
    "site/settings.md": {"lang": "en", "siteSettings": {"enquiryReply": linked(0)}},
    "site/home.md": {
        "hero": {"title": linked(10), "sub": linked(1), "body": f"{linked(2)}\n\nMore."},
        "stats": {"title": linked(11), "items": [{"value": "1", "label": linked(12)}]},
        "about": {"title": linked(13), "paragraphs": [linked(3), f"- {linked(4)}\n- Two"]},
        "testimonials": {"enabled": True},
        "demoCta": {"enabled": True, "title": linked(14)},
    },
    "site/blog.md": {"postCta": {"enabled": True, "title": linked(15), "text": linked(5)}},
    "testimonials/a.md": {
        "customerName": linked(16),
        "quote": linked(6),
        "featuredOnHomepage": True,
    },
    "posts/a.md": {"title": linked(17), "excerpt": linked(18), "date": "2026-01-02"},
    "pages/about.md": {"title": linked(19), "shortDescription": linked(20)},
    "registry/contact.md": {"title": "Contact"},
    "forms/visit.md": {
        "title": linked(21),
        "fields": {"email": {"type": "email", "required": True, "help": linked(7)}},
    },
}
PAGES = ("", "/about", "/testimonials", "/blog", "/blog/a", "/contact", "/visit")


def test_what_markdown_shows_as_markdown_is_markdown_in_html(visit: Visit) -> None:
    """Links above all: those of one form are those of the other, and none is raw."""
    files = {path: f"---json\n{json.dumps(keys)}\n---\nBody.\n" for path, keys in SITE.items()}
    visitor = visit(files, countries=False)
    shown: set[str] = set()
    for path in PAGES:
        html = visitor.get(f"/en{path}", HTML).text
        markdown = visitor.get(f"/en{path or '/index'}.md").text
        assert "](" not in re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL), path
        in_html = set(re.findall(r"<a [^>]*>(link\d+)</a>", html))
        assert set(re.findall(r"\[(link\d+)\]\(", markdown)) <= in_html, path
        shown |= in_html
    assert shown >= {f"link{number}" for number in range(1, 8)}
