"""Content types: a declaration that is not complete is refused at import."""

from __future__ import annotations

import pytest

from knowledge.fields.content_types import ContentType, ContentTypes
from knowledge.fields.front_matter import PageFields


def test_a_required_field_exists_in_the_model() -> None:
    """A wrong name would report every document."""
    with pytest.raises(ValueError, match="PageFields has no key venue"):
        ContentType(folder="events", singular="event", fields=PageFields, required=(("venue",),))


def test_an_alias_stands_for_a_key_of_the_model() -> None:
    """A wrong key would lose the value."""
    with pytest.raises(ValueError, match="PageFields has no key startsAt"):
        ContentType(
            folder="events", singular="event", fields=PageFields, aliases={"begin": "startsAt"}
        )


def test_a_folder_has_one_type() -> None:
    """A second declaration of a folder is refused."""
    types = ContentTypes()
    types.declare(ContentType(folder="events", singular="event", fields=PageFields))
    with pytest.raises(ValueError, match="events/ has two content types"):
        types.declare(ContentType(folder="events", singular="happening", fields=PageFields))
