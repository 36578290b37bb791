"""The folder `_templates/` of a site: templates and blocks that replace built-in ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import Content, Visit
from contract.visitor import Visitor

from app.operations.cli.rendering import rendering
from app.platform.clock import utc_now
from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.snapshot.loading import load_content

HTML = {"Accept": "text/html"}
PAGES = {
    "pages/about.md": "---\ntitle: About\n---\nWho we are.\n\n## More\n\nText.\n",
    "pages/secret.md": "---\ntitle: Secret plan\npublished: false\n---\nNot yet.\n",
    "posts/hello.md": "---\ntitle: Hello\n---\nA post.\n",
    "site/settings.md": "---\nsiteSettings:\n  linkedinUrl: https://www.linkedin.com/company/a\n---\n",
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
}
EXTENDED = '{% extends "majlis/content.html" %}'


def page(visitor: Visitor, path: str = "/ae/en/about") -> str:
    """Return a page as HTML."""
    return visitor.get(path, HTML).text


def problems(content: Content, templates: Mapping[str, str]) -> list[str]:
    """Return what `majlis check` says of templates, with their places."""
    files = {f"_templates/{name}": text for name, text in templates.items()}
    loaded = load_content(content(PAGES | files, countries=False))
    with rendering(loaded.snapshot, utc_now()) as rendered:
        found = {*loaded.diagnostics, *rendered}
    return sorted(str(each) for each in found if each.kind is DiagnosticKind.INVALID_TEMPLATE)


def test_a_file_of_the_same_name_replaces_a_template(visit: Visit) -> None:
    """On all pages that use it, within all others."""
    visitor = visit(PAGES | {"_templates/parts/footer.html": "<footer>{{ site_name }}!</footer>"})
    for path in ("/ae/en/about", "/ae/ar", "/ae/en/blog", "/ae/en/nothing"):
        assert "<footer>www.wahat.example!</footer>" in page(visitor, path)


def test_a_block_changes_a_part_of_the_built_in_template(visit: Visit) -> None:
    """`super()` is what was there; other pages stay as they are."""
    block = "{% block main %}<p>Before</p>{{ super() }}{% endblock %}"
    visitor = visit(PAGES | {"_templates/content.html": EXTENDED + block})
    text = page(visitor)
    assert text.index("<p>Before</p>") < text.index("Who we are.")
    assert "<p>Before</p>" not in page(visitor, "/ae/en/blog/hello")


def test_values_are_escaped(visit: Visit) -> None:
    """As in all templates."""
    block = "{% block main %}{{ resource.page.title }}{% endblock %}"
    pages = {"pages/about.md": "---\ntitle: <b>A</b>\n---\nText.\n"}
    visitor = visit(pages | {"_templates/content.html": EXTENDED + block})
    assert "&lt;b&gt;A&lt;/b&gt;" in page(visitor)


@pytest.mark.parametrize(
    "expression",
    [
        "page.view.snapshot.entries",
        "page['view']['snapshot']",
        "(page|attr('view')).base_url",
        "[page]|map(attribute='view.base_url')|list",
        "resource.parse_file('/etc/passwd')",
        "resource.model_construct()",
        "().__class__.__base__.__subclasses__()",
        "''.__class__.__mro__",
        "page.__init__.__globals__",
        "shown.__globals__",
        "locale.country.parse.__func__",
        "range(10000000)|list",
        "lipsum()",
        "resource.model_fields_set",
        "resource.model_extra",
        "resource.dict()",
        "resource.parse_raw('{}', proto='pickle', allow_pickle=True)",
    ],
)
def test_a_template_reads_nothing_private(visit: Visit, expression: str) -> None:
    """The built-in template is shown instead."""
    block = f"{{% block main %}}<p>Own {{{{ {expression} }}}}</p>{{% endblock %}}"
    visitor = visit(PAGES | {"_templates/content.html": EXTENDED + block})
    text = page(visitor)
    assert "<p>Own" not in text
    assert "Who we are." in text


@pytest.mark.parametrize(
    "expression",
    [
        "contact.model_config",
        "contact.profiles.clear()",
        "contact.profiles.append(1)",
        "(contact|attr('profiles')).reverse()",
        "([contact.profiles]|map(attribute='clear')|first)()",
    ],
)
def test_a_template_changes_nothing_that_pages_share(visit: Visit, expression: str) -> None:
    """What it would remove stays on all pages, in both languages: the built-in footer is shown."""
    footer = f"<footer>Own {{{{ contact.profiles|length }}}} {{{{ {expression} }}}}</footer>"
    visitor = visit(PAGES | {"_templates/parts/footer.html": footer})
    for path in ("/ae/en/about", "/ae/en/blog/hello", "/ae/ar/blog", "/sa/en"):
        text = page(visitor, path)
        assert "Own" not in text
        assert 'href="https://www.linkedin.com/company/a"' in text


def test_a_template_of_a_section_that_raises_takes_no_section_away(visit: Visit) -> None:
    """The built-in one is shown, and health names the template."""
    visitor = visit(PAGES | {"_templates/parts/sections/richText.html": "{{ section.nothing }}"})
    assert "Who we are." in page(visitor)
    error = visitor.get("/api/public/v1/health").json["bootstrapError"]
    assert error.startswith("_templates/parts/sections/richText.html:1: The template does not fit")


def test_a_template_that_raises_takes_no_page_away(
    visit: Visit, caplog: pytest.LogCaptureFixture
) -> None:
    """The built-in one is shown, with the same ids, and the log has one line about it."""
    broken = EXTENDED + "{% block main %}\n{{ super() }}{{ resource.page.nothing }}{% endblock %}"
    visitor = visit(PAGES | {"_templates/content.html": broken})
    reply = visitor.get("/ae/en/about", HTML)
    page(visitor, "/sa/en/about")
    assert reply.status == 200
    assert 'id="more"' in reply.text
    (line,) = [each for each in caplog.messages if "_templates/" in each]
    assert "_templates/content.html:2 " in line
    assert "nothing" in line


def test_an_edited_template_is_seen_after_a_reload(content: Content) -> None:
    """Of that file alone; unchanged templates are the same object, so that they stay compiled."""
    root: Path = content(PAGES | {"_templates/content.html": "One"})
    first = load_content(root)
    assert load_content(root, first) is first
    (root / "pages/about.md").write_text("---\ntitle: Other\n---\nText.\n")
    second = load_content(root, first, {"pages/about.md"})
    assert second.snapshot.templates is first.snapshot.templates
    (root / "_templates/content.html").write_text("Number two")
    third = load_content(root, second, {"_templates/content.html"})
    assert third.snapshot.templates.texts == {"content.html": "Number two"}
    (root / "_templates/content.html").unlink()
    assert load_content(root, third, {"_templates/content.html"}).snapshot.templates.texts == {}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        pytest.param(
            "content.html",
            EXTENDED + "\n{% block mian %}x{% endblock %}",
            "_templates/content.html:2: The extended template has no block “mian”. "
            "Did you mean “main”?",
            id="a block that is gone",
        ),
        pytest.param(
            "content.html",
            EXTENDED + "{% block main %}\n\n{% if false %}{{ resorce.x }}{% endif %}{% endblock %}",
            "_templates/content.html:3: There is no variable “resorce”. Did you mean “resource”?",
            id="a variable in a part that is not rendered",
        ),
        pytest.param(
            "content.html",
            EXTENDED
            + "{% block main %}\n{% if false %}{{ page.updated }}{% endif %}{% endblock %}",
            "_templates/content.html:2: “page” has no attribute “updated”. "
            "Did you mean “updated_at”?",
            id="an attribute in a part that is not rendered",
        ),
        pytest.param(
            "content.html",
            EXTENDED + "{% block main %}{% if page.locale.cuntry %}x{% endif %}{% endblock %}",
            "_templates/content.html:1: “page.locale” has no attribute “cuntry”. "
            "Did you mean “country”?",
            id="an attribute of an attribute",
        ),
        pytest.param(
            "content.html",
            EXTENDED + "{% block main %}\n\n{{ locale.path|markdwon }}{% endblock %}",
            "_templates/content.html:3: There is no filter “markdwon”. Did you mean “markdown”?",
            id="an unknown filter",
        ),
        pytest.param(
            "content.html",
            EXTENDED + "{% block main %}\n{{ resource.page.nothing }}{% endblock %}",
            "_templates/content.html:2: The template does not fit: 'knowledge.resources.",
            id="an attribute that is gone",
        ),
        pytest.param(
            "content.html",
            "{% block main %}\n{% if %}",
            "_templates/content.html:2: Expected an expression",
            id="a mistake in the syntax",
        ),
        pytest.param(
            "content.html",
            '{% extends "majlis/contents.html" %}',
            "_templates/content.html:1: There is no template “majlis/contents.html”. "
            "Did you mean “majlis/content.html”?",
            id="an unknown template",
        ),
        pytest.param(
            "contents.html",
            "x",
            "_templates/contents.html:1: No page uses this template. Did you mean “content.html”?",
            id="a template that no page uses",
        ),
        pytest.param(
            "error.html",
            "{{ page.path }}",
            "_templates/error.html:1: The template does not fit: 'page' is undefined.",
            id="the page of an error",
        ),
        pytest.param(
            "parts/contact_form.html",
            "{{ form.labels }}",
            "_templates/parts/contact_form.html:1: The template does not fit: ",
            id="the contact form",
        ),
    ],
)
def test_check_names_what_does_not_fit(
    content: Content, name: str, text: str, problem: str
) -> None:
    """With file, line and the nearest name."""
    found = problems(content, {name: text})
    assert any(each.startswith(problem) for each in found), found


def test_check_accepts_templates_that_fit(content: Content) -> None:
    """Also one that others include."""
    templates = {
        "content.html": EXTENDED
        + '{% block main %}{% include "own/note.html" %}{{ super() }}{% endblock %}',
        "own/note.html": "{% set greeting = words.send %}<p>{{ greeting }} {{ locale.path }}</p>",
        "layout.html": '{% extends "majlis/layout.html" %}',
    }
    assert problems(content, templates) == []


def test_a_template_replaces_a_type_of_blocks_and_shows_those_of_a_place(visit: Visit) -> None:
    """The macros of the built-in parts are there without an import."""
    main = (
        '{% block main %}{{ anchored(1, "Own", blocks.anchor) }}{{ shown("text") }}{% endblock %}'
    )
    files = {
        "_templates/content.html": EXTENDED + main,
        "_templates/blocks/links.html": "<p>{{ block.heading }}: our links</p>",
        "modules/sales.md": "---\ntitle: Sales\n---\nSell it.\n",
        "modules/stock.md": "---\ntitle: Stock\n---\nCount it.\n",
    }
    text = page(visit(PAGES | files))
    assert '<h1 id="about">Own' in text
    assert "Who we are." in text
    files["_templates/content.html"] = EXTENDED
    assert "<p>See also: our links</p>" in page(visit(PAGES | files), "/ae/en/modules/stock")


def test_a_template_reads_the_variables_that_blocks_replaced(visit: Visit) -> None:
    """The built-in templates need them no more."""
    block = (
        "{% block main %}{% for each in tags %}<b>{{ each.title }}</b>{% endfor %}{% endblock %}"
    )
    files = {
        "posts/hello.md": "---\ntitle: Hello\ntags: [vat]\n---\nA post.\n",
        "_templates/post.html": '{% extends "majlis/post.html" %}' + block,
    }
    assert "<b>vat</b>" in page(visit(PAGES | files), "/ae/en/blog/hello")


def test_a_macro_of_a_site_reads_the_variables_of_the_page(visit: Visit) -> None:
    """The built-in one does not, and is shared by all pages."""
    macro = "{% macro table_of_contents(entries) %}<nav>{{ page.path }}!</nav>{% endmacro %}"
    files = {
        "_templates/parts/table_of_contents.html": macro,
        "pages/about.md": "---\ntitle: About\n---\nWho.\n\n## A\n\n## B\n\n## C\n\nText.\n",
    }
    assert "<nav>/ae/en/about!</nav>" in page(visit(PAGES | files))
