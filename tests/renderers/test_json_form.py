"""The JSON form, and the representation that carries it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from conftest import locale_of

from knowledge.locale import Language
from knowledge.resources.base import LocalizedResource, Omittable, Resource
from renderers import json as json_form
from renderers.representation import Representation


class _Sample(Resource):
    """A resource of every sort of field."""

    sort_order: int
    title: str
    city_slug: str | None = None
    summary: Omittable[str] = None
    published_at: Omittable[datetime] = None


WHEN = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
SAMPLE = _Sample(sort_order=1, title="فاتورة", published_at=WHEN)


def test_json_is_compact_utf8_in_the_contract_s_order() -> None:
    """CamelCase keys, letters as they are, null only where the contract has it."""
    form = json_form.render(LocalizedResource(SAMPLE, Language.AR, WHEN, locale_of("sa/ar")))
    expected = (
        '{"sortOrder":1,"title":"فاتورة","citySlug":null,"publishedAt":"2026-05-01T09:30:00Z"}'
    )
    assert form.body.decode() == expected
    assert (form.media_type, form.language, form.updated_at) == ("application/json", "ar", WHEN)


def test_rendering_changes_nothing() -> None:
    """Twice the same bytes and tag."""
    before = SAMPLE.model_dump()
    forms = [json_form.render(LocalizedResource(SAMPLE)) for _ in range(2)]
    assert forms[0].body == forms[1].body
    assert forms[0].tag == forms[1].tag
    assert SAMPLE.model_dump() == before
    assert json.loads(forms[0].body)["title"] == "فاتورة"


def test_a_tag_differs_with_form_language_and_content() -> None:
    """Each of them alone."""
    forms = [
        Representation("application/json", b"x"),
        Representation("text/markdown", b"x"),
        Representation("application/json", b"x", "en"),
        Representation("application/json", b"x", "ar"),
        Representation("application/json", b"y"),
    ]
    assert len({form.tag for form in forms}) == len(forms)
    assert Representation("application/json", b"x").tag == forms[0].tag
