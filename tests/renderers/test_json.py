"""The JSON renderer, and the ETag of representations."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from conftest import locale_of

from knowledge.fields.field_types import Omittable
from knowledge.locales.locale import Language
from knowledge.resources.base import LocalizedResource, Resource
from renderers import json as json_renderer
from renderers.representation import Representation


class _Sample(Resource):
    """A resource with all kinds of fields."""

    sort_order: int
    title: str
    city_slug: str | None = None
    summary: Omittable[str] = None
    published_at: Omittable[datetime] = None


WHEN = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
SAMPLE = _Sample(sort_order=1, title="فاتورة", published_at=WHEN)


def test_json_is_compact_utf8_in_contract_order() -> None:
    """Keys are camelCase, letters are not escaped, and omittable fields are not null."""
    representation = json_renderer.render(
        LocalizedResource(SAMPLE, Language.AR, WHEN, locale_of("sa/ar"))
    )
    expected = (
        '{"sortOrder":1,"title":"فاتورة","citySlug":null,"publishedAt":"2026-05-01T09:30:00Z"}'
    )
    assert representation.body.decode() == expected
    assert representation.media_type == "application/json"
    assert (representation.language, representation.updated_at) == ("ar", WHEN)


def test_rendering_is_pure() -> None:
    """Rendering does not modify the resource, and repeats the same bytes and tag."""
    before = SAMPLE.model_dump()
    representations = [json_renderer.render(LocalizedResource(SAMPLE)) for _ in range(2)]
    assert representations[0].body == representations[1].body
    assert representations[0].tag == representations[1].tag
    assert SAMPLE.model_dump() == before
    assert json.loads(representations[0].body)["title"] == "فاتورة"


def test_the_tag_depends_on_media_type_language_and_body() -> None:
    """A change in any of them gives another tag."""
    representations = [
        Representation("application/json", b"x"),
        Representation("text/markdown", b"x"),
        Representation("application/json", b"x", "en"),
        Representation("application/json", b"x", "ar"),
        Representation("application/json", b"y"),
    ]
    assert len({each.tag for each in representations}) == len(representations)
    assert Representation("application/json", b"x").tag == representations[0].tag
