"""Sections of an llms.txt, and what to do with those that are too long for one file.

Each gets a fair share of the room: short sections stay whole, and what they leave is shared out
among the long ones. The rest goes into further files, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class LlmsSection:
    """A level-2 heading and its lines, each one bullet."""

    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The section as it stands in the file, with the blank line before it."""
        return f"\n## {self.heading}\n\n" + "".join(f"{line}\n" for line in self.lines)

    def split(self, room: int) -> tuple[LlmsSection, LlmsSection]:
        """The lines that fit into so many characters, and the others."""
        sizes = accumulate((len(line) + 1 for line in self.lines), initial=self._envelope)
        fitting = max(sum(size <= room for size in sizes) - 1, 0)
        shown, rest = self.lines[:fitting], self.lines[fitting:]
        return LlmsSection(self.heading, shown), LlmsSection(self.heading, rest)

    @property
    def _envelope(self) -> int:
        return len(LlmsSection(self.heading, ()).text)


def fit(sections: Sequence[LlmsSection], room: int) -> tuple[list[LlmsSection], list[LlmsSection]]:
    """What stands in a file with room for so many characters, and what does not."""
    shares = fair_shares([len(section.text) for section in sections], room)
    halves = [section.split(share) for section, share in zip(sections, shares, strict=True)]
    return _filled(shown for shown, _ in halves), _filled(rest for _, rest in halves)


def pack(sections: Iterable[LlmsSection], room: int) -> Iterator[list[LlmsSection]]:
    """The sections in order, as few at a time as fit into so many characters."""
    pack: list[LlmsSection] = []
    left = room
    for section in sections:
        rest = section
        while rest.lines:
            shown, rest = rest.split(left)
            pack += _filled([shown])
            left -= len(shown.text)
            if rest.lines:
                yield pack
                pack, left = [], room
    if pack:
        yield pack


def fair_shares(wanted: Sequence[int], supply: int) -> list[int]:
    """Nobody gets more than they want, and nobody less than another who wants as much.

    >>> fair_shares([10, 500, 90], 200)
    [10, 100, 90]
    """
    shares = [0] * len(wanted)
    modest_first = sorted(range(len(wanted)), key=lambda index: wanted[index])
    for served, index in enumerate(modest_first):
        shares[index] = min(wanted[index], supply // (len(wanted) - served))
        supply -= shares[index]
    return shares


def _filled(sections: Iterable[LlmsSection]) -> list[LlmsSection]:
    return [section for section in sections if section.lines]
