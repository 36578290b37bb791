"""Laws of choosing a form: what the Accept header means, whichever way it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from renderers.media_types import API_MEDIA_TYPES, PAGE_MEDIA_TYPES, MediaType
from renderers.negotiation import choose, names_a_media_type

OFFERS = st.sampled_from([PAGE_MEDIA_TYPES, API_MEDIA_TYPES])
TYPES = st.sampled_from(
    [
        *("text/html", "text/markdown", "text/markdown", "application/json", "text/x-markdown"),
        *("text/*", "application/*", "*/*", "*/*", "image/png", "text/plain"),
    ]
)
QUALITIES = st.sampled_from(["", "0", "0.3", "0.30", "0.8", "1", "1.000"])
BROKEN = st.sampled_from(["x", "-1", "1.5", "0.1234", ".5", "1e0", "٠", "", "0 .5"])


@dataclass(frozen=True)
class Range:
    """One range as a client means it: a type, and how much it wants it."""

    media_type: str
    quality: str

    @property
    def wanted(self) -> float:
        """Its quality, 1 where none is written, 0 where it is no number of HTTP."""
        return float(self.quality or "1")

    def fits(self, form: MediaType) -> int:
        """How well it names a form: 3 outright, 2 by `text/*`, 1 by `*/*`, 0 not at all."""
        name = {"text/x-markdown": "text/markdown"}.get(self.media_type, self.media_type)
        links = ("*/*", f"{form.partition('/')[0]}/*", str(form))
        return links.index(name) + 1 if name in links else 0

    def __str__(self) -> str:
        return self.media_type + (f";q={self.quality}" if self.quality else "")


ranges = st.lists(st.builds(Range, TYPES, QUALITIES), min_size=1, max_size=7)


def meant(accepted: Sequence[Range], offered: Sequence[MediaType]) -> MediaType | None:
    """The law of agents.md, word by word."""

    def quality(form: MediaType) -> float:
        """That of the most specific range; of those alike the best."""
        return max((each.fits(form), each.wanted) for each in accepted if each.fits(form))[1]

    def is_named(form: MediaType) -> bool:
        return any(each.fits(form) == 3 for each in accepted)

    fitting = [form for form in offered if any(each.fits(form) for each in accepted)]
    possible = [form for form in fitting if quality(form) > 0]
    best = [form for form in possible if quality(form) == max(map(quality, possible))]
    named = [form for form in best if is_named(form)]
    for each in accepted:  # the client's order
        for form in named:
            if each.fits(form) == 3 and each.wanted == quality(form):
                return form
    return best[0] if best else None


def header(accepted: Sequence[Range]) -> str:
    """As a client writes it."""
    return ", ".join(map(str, accepted))


@given(ranges, OFFERS)
def test_the_choice_is_the_law_s(accepted: list[Range], offered: tuple[MediaType, ...]) -> None:
    """Most specific range, zero excludes, highest quality, named, the client's order, default."""
    assert choose(header(accepted), offered) == meant(accepted, offered)


@given(ranges.flatmap(lambda given: st.tuples(st.just(given), st.permutations(given))), OFFERS)
def test_order_matters_between_forms_that_are_named_and_nowhere_else(
    lists: tuple[list[Range], list[Range]], offered: tuple[MediaType, ...]
) -> None:
    """So a client that names one form at most has the same answer in any order."""
    one, other = (choose(header(accepted), offered) for accepted in lists)
    named = {form for form in offered for each in lists[0] if each.fits(form) == 3}
    assert one == other or {one, other} <= named


@given(ranges, OFFERS, st.data())
def test_case_space_and_other_parameters_matter_nowhere(
    accepted: list[Range], offered: tuple[MediaType, ...], data: st.DataObject
) -> None:
    """As HTTP has it; also where a parameter holds commas, semicolons or a q of its own."""
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
    written = data.draw(st.sampled_from([",", ",,", ", ,"])).join(parts)
    assert choose(written, offered) == meant(accepted, offered)


@given(ranges, st.tuples(TYPES, BROKEN), OFFERS)
def test_a_quality_that_is_none_is_zero(
    accepted: list[Range], broken: tuple[str, str], offered: tuple[MediaType, ...]
) -> None:
    """The range excludes what it names."""
    written = f"{broken[0]};q={broken[1]}, {header(accepted)}"
    assert choose(written, offered) == meant([Range(broken[0], "0"), *accepted], offered)


@given(ranges, OFFERS)
def test_types_that_are_not_on_offer_change_nothing(
    accepted: list[Range], offered: tuple[MediaType, ...]
) -> None:
    """However many are named before."""
    written = f"image/avif, image/webp, text/plain;q=0.1, {header(accepted)}"
    assert choose(written, offered) == choose(header(accepted), offered)


@given(st.binary(max_size=2_000), OFFERS)
def test_any_bytes_give_an_answer(data: bytes, offered: tuple[MediaType, ...]) -> None:
    """As they arrive: HTTP headers are bytes, read as Latin-1."""
    written = data.decode("latin-1")
    assert choose(written, offered) in (*offered, None)
    assert names_a_media_type(written) in (True, False)
