"""The reports of `majlis check`: as text, as JSON, and as annotations of a GitHub workflow."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from app.platform.printable import printable, printable_json
from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind, Severity

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTICE: "dim"}
_SHOWN = 3
"""How many places of each kind the text shows by default."""

_JSON_VERSION = 1
"""Changes only if the form of the JSON report becomes another one."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check; diagnostics are sorted by place."""

    root: Path
    files: int
    diagnostics: Sequence[Diagnostic]

    @property
    def counts(self) -> Mapping[Severity, int]:
        """Return the number of diagnostics of each severity, the most severe first."""
        counts = Counter(diagnostic.severity for diagnostic in self.diagnostics)
        return {severity: counts[severity] for severity in reversed(Severity)}

    @property
    def groups(self) -> Iterator[Sequence[Diagnostic]]:
        """Yield the diagnostics of each kind and severity: severe ones first, then frequent ones.

        Kinds of equal number are in the order of the documentation.
        """
        groups: defaultdict[tuple[Severity, DiagnosticKind], list[Diagnostic]] = defaultdict(list)
        for diagnostic in self.diagnostics:
            groups[diagnostic.severity, diagnostic.kind].append(diagnostic)
        order = list(DiagnosticKind)
        for _, group in sorted(
            groups.items(), key=lambda item: (-item[0][0], -len(item[1]), order.index(item[0][1]))
        ):
            yield group

    def path_of(self, diagnostic: Diagnostic) -> str:
        """Return the path of a file as seen from the working directory, if it is below it."""
        path = (self.root / diagnostic.path).absolute()
        try:
            return path.relative_to(Path.cwd()).as_posix()
        except ValueError:
            return path.as_posix()


def _print_text(report: CheckReport, show_all: bool) -> None:
    console = Console(soft_wrap=True, highlight=False)
    for group in report.groups:
        first, shown = group[0], group if show_all else group[:_SHOWN]
        console.print(Text(f"{first.kind.meaning} ({first.kind}): {len(group)}", style="bold"))
        for diagnostic in shown:
            console.print(_line(diagnostic))
        if len(group) > len(shown):
            console.print(f"        and {len(group) - len(shown)} more: see majlis check --all")
    summary = ", ".join(f"{count} {severity.label}s" for severity, count in report.counts.items())
    console.print(f"{report.files} files: {summary}")


def _line(diagnostic: Diagnostic) -> Text:
    style = _STYLES[diagnostic.severity]
    return Text.assemble(
        (f"{diagnostic.severity.label:8}", style),
        (printable(diagnostic.location), "bold"),
        printable(f" {diagnostic.message} {diagnostic.suggestion}"),
    )


def _print_json(report: CheckReport, _: bool) -> None:
    body = {
        "version": _JSON_VERSION,
        "folder": str(report.root),
        "files": report.files,
        "counts": {severity.label: count for severity, count in report.counts.items()},
        "diagnostics": [
            {
                "file": each.path,
                "line": each.line,
                "column": each.column,
                "code": each.kind,
                "severity": each.severity.label,
                "message": each.message,
                "fix": each.suggestion,
            }
            for each in report.diagnostics
        ],
    }
    click.echo(printable_json(body, indent=2))


def _print_github(report: CheckReport, _: bool) -> None:
    for each in report.diagnostics:
        place = {"file": report.path_of(each), "line": each.line, "col": each.column}
        properties = {**place, "title": each.kind.meaning}
        given = ",".join(
            f"{name}={_escaped(str(value), _IN_PROPERTIES)}"
            for name, value in properties.items()
            if value is not None
        )
        text = _escaped(f"{each.message} {each.suggestion} ({each.kind})", _IN_TEXTS)
        click.echo(printable(f"::{each.severity.label} {given}::{text}"))


_IN_TEXTS = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = _IN_TEXTS | str.maketrans({":": "%3A", ",": "%2C"})


def _escaped(text: str, table: Mapping[int, str]) -> str:
    return text.translate(table)


REPORTS: Mapping[str, Callable[[CheckReport, bool], None]] = {
    "text": _print_text,
    "json": _print_json,
    "github": _print_github,
}
"""Each prints a report, all of it or, if it is for readers, the first places of each kind."""
