"""The report: figures as a terminal table, JSON, a chart and a page of the records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from xml.sax.saxutils import escape

from benchmarks.figures import Figure, Group
from benchmarks.records import RECORDS, measured_on, put
from rich.console import Console
from rich.table import Table

_RESULTS = RECORDS / "performance.json"
_ROW, _BAR, _LEFT, _LONGEST = 22, 14, 400, 320


def show(group: Group) -> None:
    """Print one group."""
    table = Table(title=group.title, caption=group.method)
    for heading in ("Subject", "Measurement", "Result", "Ratio", "Bound"):
        right = heading in ("Result", "Ratio", "Bound")
        table.add_column(heading, justify="right" if right else "left")
    for figure in group.figures:
        style = None if figure.holds else "red"
        ratio = f"{figure.ratio:.2f}"
        cells = (figure.subject, figure.what, figure.written, ratio, figure.bound)
        table.add_row(*cells, style=style)
    Console().print(table)


def write(group: Group, titles: Sequence[str]) -> None:
    """Put a group into `performance.json`, its chart, and the tables of `performance.md`.

    Groups that were measured before stay, in the order of `titles`; groups with other titles go.
    """
    groups = {each.title: each for each in (*_written(), group) if each.title in titles}
    ordered = sorted(groups.values(), key=lambda each: titles.index(each.title))
    _RESULTS.write_text(json.dumps(list(map(asdict, ordered)), indent=1, ensure_ascii=False) + "\n")
    (RECORDS / "performance.svg").write_text(_chart([f for g in ordered for f in g.figures]))
    put("performance", _tables(ordered))


def _written() -> Iterator[Group]:
    for group in json.loads(_RESULTS.read_text()):
        yield Group(**group | {"figures": tuple(Figure(**each) for each in group["figures"])})


def _tables(groups: Iterable[Group]) -> Iterator[str]:
    for group in groups:
        yield f"### {group.title}\n\n{group.method}\n"
        yield f"{measured_on(group.taken, group.commit, group.machine)}\n"
        yield "| Subject | Measurement | Result | Ratio | Bound |"
        yield "|---|---|---:|---:|---:|"
        for figure in group.figures:
            ratio = f"{figure.ratio:.2f}{'' if figure.holds else ' (missed)'}"
            cells = (figure.subject, figure.what, figure.written, ratio, figure.bound)
            yield f"| {' | '.join(cells)} |"
        yield ""


def _chart(figures: Sequence[Figure]) -> str:
    """Return an SVG chart: a bar for each ratio with a bound, and a line at the bound."""
    bounded = [each for each in figures if each.bound]
    scale = _LONGEST / max((max(e.ratio, _bound(e)) for e in bounded), default=1.0)
    rows = "\n".join(_bar(each, 30 + n * _ROW, scale) for n, each in enumerate(bounded))
    height = 40 + len(bounded) * _ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" '
        'font-family="system-ui, sans-serif" font-size="12" role="img" '
        'aria-label="Ratios of make bench and their bounds">\n'
        f'<rect width="800" height="{height}" fill="#fff"/>\n'
        '<text x="10" y="18" font-weight="bold">Ratios and their bounds</text>\n'
        f"{rows}\n</svg>\n"
    )


def _bar(figure: Figure, top: int, scale: float) -> str:
    width, bound = figure.ratio * scale, _LEFT + _bound(figure) * scale
    colour = "#1a7f5a" if figure.holds else "#b3261e"
    base = top + _BAR - 3
    return (
        f'<text x="{_LEFT - 8}" y="{base}" text-anchor="end">'
        f"{escape(f'{figure.subject}: {figure.what}'[:62])}</text>"
        f'<rect x="{_LEFT}" y="{top}" width="{width:.1f}" height="{_BAR}" fill="{colour}"/>'
        f'<line x1="{bound:.1f}" x2="{bound:.1f}" y1="{top - 2}" y2="{top + _BAR + 2}" '
        'stroke="#222" stroke-width="2"/>'
        f'<text x="{max(_LEFT + width, bound) + 6:.1f}" y="{base}">{figure.ratio:.2f} '
        f"({escape(figure.bound)})</text>"
    )


def _bound(figure: Figure) -> float:
    bound = figure.at_least if figure.at_least is not None else figure.at_most
    return bound or 0.0
