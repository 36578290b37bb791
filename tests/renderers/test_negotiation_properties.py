"""Property tests of content negotiation, against a literal implementation of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from renderers.representation import (
    API_MEDIA_TYPES,
    NAMED_BY_BROWSERS,
    PAGE_MEDIA_TYPES,
    MediaType,
    choose,
    names_a_media_type,
)

OFFERS = st.sampled_from([PAGE_MEDIA_TYPES, API_MEDIA_TYPES])
TYPES = st.sampled_from(
    [
        *("text/html", "text/markdown", "text/markdown", "application/json", "text/x-markdown"),
        *("text/*", "application/*", "*/*", "*/*", "image/png", "text/plain"),
        *("application/xml", "text/xml", "application/xhtml+xml"),
    ]
)
QUALITIES = st.sampled_from(["", "0", "0.3", "0.30", "0.8", "1", "1.000"])
BROKEN = st.sampled_from(["x", "-1", "1.5", "0.1234", ".5", "1e0", "٠", "", "0 .5"])


@dataclass(frozen=True)
class Range:
    """A range of an Accept header: a media type and its quality as text."""

    media_type: str
    quality: str

    @property
    def weight(self) -> float:
        """The quality as a number; 1 if there is none."""
        return float(self.quality or "1")

    def specificity(self, media_type: MediaType) -> int:
        """Return 3 for an exact match, 2 for `text/*`, 1 for `*/*`, and 0 for no match."""
        aliases = {"text/x-markdown": "text/markdown", "text/xml": "application/xml"}
        name = aliases.get(self.media_type, self.media_type)
        matches = ("*/*", f"{media_type.partition('/')[0]}/*", str(media_type))
        return matches.index(name) + 1 if name in matches else 0

    def __str__(self) -> str:
        return self.media_type + (f";q={self.quality}" if self.quality else "")


ranges = st.lists(st.builds(Range, TYPES, QUALITIES), min_size=1, max_size=7)


def expected_choice(accepted: Sequence[Range], offered: Sequence[MediaType]) -> MediaType | None:
    """Return the media type that the rules in `renderers.representation` select."""

    def quality(media_type: MediaType) -> float:
        """Return the quality of the most specific range; of equally specific ones, the best."""
        matches = [each for each in accepted if each.specificity(media_type)]
        return max((each.specificity(media_type), each.weight) for each in matches)[1]

    def is_named(media_type: MediaType) -> bool:
        return any(each.specificity(media_type) == 3 for each in accepted)

    names = {each.media_type for each in accepted}
    is_browser = not names.isdisjoint(NAMED_BY_BROWSERS)
    matched = [
        media_type
        for media_type in offered
        if not (is_browser and media_type is MediaType.XML)
        if any(each.specificity(media_type) for each in accepted)
    ]
    possible = [media_type for media_type in matched if quality(media_type) > 0]
    best = [
        media_type for media_type in possible if quality(media_type) == max(map(quality, possible))
    ]
    named = [media_type for media_type in best if is_named(media_type)]
    for each in accepted:  # in the client's order
        for media_type in named:
            if each.specificity(media_type) == 3 and each.weight == quality(media_type):
                return media_type
    return best[0] if best else None


def header(accepted: Sequence[Range]) -> str:
    """Return the Accept header with these ranges."""
    return ", ".join(map(str, accepted))


@given(ranges, OFFERS)
def test_the_choice_follows_the_rules(
    accepted: list[Range], offered: tuple[MediaType, ...]
) -> None:
    """Any combination of ranges gives the expected media type."""
    assert choose(header(accepted), offered) == expected_choice(accepted, offered)


@given(
    ranges.flatmap(lambda accepted: st.tuples(st.just(accepted), st.permutations(accepted))), OFFERS
)
def test_order_matters_only_between_named_media_types(
    lists: tuple[list[Range], list[Range]], offered: tuple[MediaType, ...]
) -> None:
    """A client that names at most one media type gets the same response in any order."""
    one, other = (choose(header(accepted), offered) for accepted in lists)
    named = {
        media_type
        for media_type in offered
        for each in lists[0]
        if each.specificity(media_type) == 3
    }
    assert one == other or {one, other} <= named


@given(ranges, OFFERS, st.data())
def test_case_space_and_other_parameters_do_not_matter(
    accepted: list[Range], offered: tuple[MediaType, ...], data: st.DataObject
) -> None:
    """Parameters may contain quoted commas, semicolons and `q=`."""
    space = st.sampled_from(["", " ", "\t", "  "])
    parameter = st.sampled_from(["", ";charset=utf-8", ';x="a, b;q=0"', ";Q2=0", ';x="\\",q=0"'])
    parts = [
        "".join(
            [
                data.draw(space),
                data.draw(st.sampled_from([each.media_type, each.media_type.upper()])),
                data.draw(parameter) + data.draw(space),
                f";{data.draw(space)}{data.draw(st.sampled_from('qQ'))}={each.quality or 1}",
                data.draw(space),
            ]
        )
        for each in accepted
    ]
    accept = data.draw(st.sampled_from([",", ",,", ", ,"])).join(parts)
    assert choose(accept, offered) == expected_choice(accepted, offered)


@given(ranges, st.tuples(TYPES, BROKEN), OFFERS)
def test_an_invalid_quality_is_zero(
    accepted: list[Range], broken: tuple[str, str], offered: tuple[MediaType, ...]
) -> None:
    """A range with an invalid quality excludes its media types."""
    accept = f"{broken[0]};q={broken[1]}, {header(accepted)}"
    assert choose(accept, offered) == expected_choice([Range(broken[0], "0"), *accepted], offered)


@given(ranges, OFFERS)
def test_types_that_are_not_on_offer_change_nothing(
    accepted: list[Range], offered: tuple[MediaType, ...]
) -> None:
    """Ranges of other media types have no effect."""
    accept = f"image/avif, image/webp, text/csv;q=0.1, {header(accepted)}"
    assert choose(accept, offered) == choose(header(accepted), offered)


@given(st.binary(max_size=2_000), OFFERS)
def test_any_bytes_are_accepted(data: bytes, offered: tuple[MediaType, ...]) -> None:
    """HTTP headers are bytes, decoded as Latin-1; none raises an error."""
    accept = data.decode("latin-1")
    assert choose(accept, offered) in (*offered, None)
    assert names_a_media_type(accept) in (True, False)
