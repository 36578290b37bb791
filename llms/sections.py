"""Sections of an llms.txt, and their distribution over several files.

Each section gets a fair share of the first file: short sections are complete, and long sections
share the remaining space. The other lines follow in further files, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile


@dataclass(frozen=True, slots=True)
class LlmsSection:
    """A level-2 heading and its lines; each line is one bullet."""

    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text of the section, including the blank line before it."""
        return f"\n## {self.heading}\n\n" + "".join(f"{line}\n" for line in self.lines)

    def split(self, size: int) -> tuple[LlmsSection, LlmsSection]:
        """Split into the lines that fit into `size` characters, and the other lines."""
        end = self._end(0, size)
        return self._part(0, end), self._part(end, len(self.lines))

    def packed(self, remaining: int, size: int) -> Iterator[LlmsSection]:
        """Yield parts of at most `size` characters, the first one of at most `remaining`.

        Each line fits into a part; only the first part may be without lines.
        """
        start = self._end(0, remaining)
        yield self._part(0, start)
        while start < len(self.lines):
            end = self._end(start, size)
            yield self._part(start, end)
            start = end

    def _end(self, start: int, size: int) -> int:
        """Return the end of the lines that fit, from the line `start` on."""
        rest = map(self.lines.__getitem__, range(start, len(self.lines)))
        totals = accumulate((len(line) + 1 for line in rest), initial=self._heading_size)
        return start + max(sum(1 for _ in takewhile(lambda total: total <= size, totals)) - 1, 0)

    def _part(self, start: int, end: int) -> LlmsSection:
        return LlmsSection(self.heading, self.lines[start:end])

    def lines_up_to(self, size: int) -> LlmsSection:
        """Return the section with only those lines that would fit into `size` characters alone."""
        space = size - self._heading_size
        return LlmsSection(self.heading, tuple(line for line in self.lines if len(line) < space))

    @property
    def _heading_size(self) -> int:
        return len(LlmsSection(self.heading, ()).text)


def fit(sections: Sequence[LlmsSection], size: int) -> tuple[list[LlmsSection], list[LlmsSection]]:
    """Split the sections into what fits into a file of `size` characters, and the rest."""
    shares = fair_shares([len(section.text) for section in sections], size)
    parts = [section.split(share) for section, share in zip(sections, shares, strict=True)]
    return _non_empty(shown for shown, _ in parts), _non_empty(rest for _, rest in parts)


def pack(sections: Iterable[LlmsSection], size: int) -> Iterator[list[LlmsSection]]:
    """Yield the sections of each file in order; a file has at most `size` characters.

    A line that fits into no file is omitted.
    """
    file: list[LlmsSection] = []
    remaining = size
    for section in sections:
        for number, part in enumerate(section.lines_up_to(size).packed(remaining, size)):
            if number:
                yield file
                file, remaining = [], size
            if part.lines:
                file.append(part)
                remaining -= len(part.text)
    if file:
        yield file


def fair_shares(demands: Sequence[int], supply: int) -> list[int]:
    """Distribute a supply fairly: small demands are met, large ones get equal shares.

    >>> fair_shares([10, 500, 90], 200)
    [10, 100, 90]
    """
    shares = [0] * len(demands)
    smallest_first = sorted(range(len(demands)), key=lambda index: demands[index])
    for served, index in enumerate(smallest_first):
        shares[index] = min(demands[index], supply // (len(demands) - served))
        supply -= shares[index]
    return shares


def _non_empty(sections: Iterable[LlmsSection]) -> list[LlmsSection]:
    return [section for section in sections if section.lines]
