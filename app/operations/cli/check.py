"""`majlis check`: prints every problem of the content, with its location and a remedy."""

import os
import secrets
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches, unified_diff
from functools import cache, partial
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text as StyledText

from app.console import command_settings
from app.operations.cli.rendering import image_diagnostics, rendering
from app.operations.importing import foreign_source
from app.platform import memory
from app.platform.clock import utc_now
from app.platform.printable import printable, printable_json
from knowledge.checks.autofix import FixedFile, fix_folder
from knowledge.checks.content_linter import by_place, check_content
from knowledge.checks.glossary import glossary_diagnostics
from knowledge.diagnostics.diagnostic import (
    ContentFileError,
    Diagnostic,
    DiagnosticKind,
    Severity,
)
from knowledge.diagnostics.explanations import EXPLANATIONS
from knowledge.diagnostics.messages import Text, translated
from knowledge.documents import front_matter
from knowledge.documents.files import read_document
from knowledge.documents.parsed_files import ParsedFiles
from knowledge.fields.interface_texts import CHECK_DOMAIN, catalog
from knowledge.locales.locale import Language
from knowledge.snapshot.loading import load_content

_JSON_VERSION = 1
"""Changes only if the form of the JSON report becomes another one."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check; diagnostics are sorted by place."""

    root: Path
    files: int
    diagnostics: Sequence[Diagnostic]
    say: Callable[[str], str]
    """Returns a text in the language of the report."""

    def line(self, diagnostic: Diagnostic) -> str:
        """Return message and suggestion in the language of the report."""
        texts = (diagnostic.message, diagnostic.suggestion)
        return " ".join(translated(each, self.say) for each in texts)

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


_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTICE: "dim"}
_SHOWN = 3
"""How many places of each kind the text shows by default."""


def _print_text(report: CheckReport, show_all: bool) -> None:
    console = Console(soft_wrap=True, highlight=False)
    for group in report.groups:
        first, shown = group[0], group if show_all else group[:_SHOWN]
        meaning = report.say(first.kind.meaning)
        console.print(StyledText(f"{meaning} ({first.kind}): {len(group)}", style="bold"))
        for diagnostic in shown:
            console.print(_line(report, diagnostic))
        if rest := len(group) - len(shown):
            more = translated(Text("and {} more: see majlis check --all", rest), report.say)
            console.print(f"        {more}")
    summary = Text(
        "{} files: {} errors, {} warnings, {} notices", report.files, *report.counts.values()
    )
    console.print(translated(summary, report.say))


def _line(report: CheckReport, diagnostic: Diagnostic) -> StyledText:
    label = report.say(diagnostic.severity.label)
    return StyledText.assemble(
        (f"{label:8}", _STYLES[diagnostic.severity]),
        (printable(diagnostic.location), "bold"),
        printable(f" {report.line(diagnostic)}"),
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
                "message": translated(each.message, report.say),
                "fix": translated(each.suggestion, report.say),
            }
            for each in report.diagnostics
        ],
    }
    click.echo(printable_json(body, indent=2))


_IN_TEXTS = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = _IN_TEXTS | str.maketrans({":": "%3A", ",": "%2C"})


def _print_github(report: CheckReport, _: bool) -> None:
    for each in report.diagnostics:
        place = {"file": report.path_of(each), "line": each.line, "col": each.column}
        properties = {**place, "title": report.say(each.kind.meaning)}
        given = ",".join(
            f"{name}={str(value).translate(_IN_PROPERTIES)}"
            for name, value in properties.items()
            if value is not None
        )
        text = f"{report.line(each)} ({each.kind})".translate(_IN_TEXTS)
        click.echo(printable(f"::{each.severity.label} {given}::{text}"))


REPORTS: Mapping[str, Callable[[CheckReport, bool], None]] = {
    "text": _print_text,
    "json": _print_json,
    "github": _print_github,
}
"""Each prints a report, all of it or, if it is for readers, the first places of each kind."""

_ALL = "all"


def _explain(context: click.Context, _: click.Parameter, code: str | None) -> None:
    """Print what a code means, or all codes, and end the command."""
    if code is None:
        return
    kind = next((each for each in DiagnosticKind if each == code), None)
    if code == _ALL:
        for each in DiagnosticKind:
            click.echo(f"{each:24}{each.meaning}")
    elif kind:
        explanation = EXPLANATIONS[kind]
        click.echo(f"{kind}: {kind.meaning}.\n\n{explanation.text}")
        for path, text in explanation.example.items():
            lines = "".join(f"\n    {printable(line)}" for line in text.splitlines())
            click.echo(f"\nExample, {path}:\n{lines}")
    else:
        near = get_close_matches(code, DiagnosticKind, cutoff=0.5)
        raise click.BadParameter(
            f"There is no code “{printable(code)}”. "
            + (f"Near it: {', '.join(near)}. " if near else "")
            + "All codes: majlis check --explain"
        )
    context.exit()


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--all", "show_all", is_flag=True, help="Print all places of each kind.")
@click.option(
    "--format",
    "report_format",
    type=click.Choice(tuple(REPORTS)),
    default="text",
    help="text for readers, json for programs, github for annotations of a workflow.",
)
@click.option(
    "--lang",
    "language",
    type=click.Choice([each.value for each in Language]),
    help="Language of the report (default: that of LC_ALL, LC_MESSAGES or LANG).",
)
@click.option("--fix", is_flag=True, help="Correct what is unambiguous, and write the files.")
@click.option("--dry-run", is_flag=True, help="With --fix: show what would change, as a diff.")
@click.option(
    "--explain",
    is_flag=False,
    flag_value=_ALL,
    metavar="[CODE]",
    callback=_explain,
    expose_value=False,
    is_eager=True,
    help="Print what a code means, or all codes, and check nothing.",
)
def check(
    folder: Path | None,
    files: tuple[Path, ...],
    show_all: bool,
    report_format: str,
    language: str | None,
    fix: bool,
    dry_run: bool,
) -> None:
    """Check the content of FOLDER (default: CONTENT_DIR), or FILES of it alone.

    Prints errors, warnings and notices by kind, with the first three places of each. Exits with 1
    if there is an error or a warning; with --fix --dry-run if a file would change.
    """
    if dry_run and not fix:
        raise click.UsageError("--dry-run needs --fix.")
    if folder and folder.is_file():
        files, folder = (folder, *files), None
    parsed = None
    if files or folder is None:
        settings = command_settings()
        folder = folder or settings.content_dir
        parsed = ParsedFiles(settings.cache_dir, folder)
    root, paths = folder, _paths_in(folder, files) if files else None
    report_language = Language(language) if language else environment_language()
    if problem := foreign_source(root):
        click.echo(printable(translated(problem, _say(report_language))), err=True)
    try:
        if fix:
            _fix(root, dry_run, paths)
        report = _checked(root, report_language, paths, parsed)
    except OSError as error:
        raise click.ClickException(f"Cannot read {root}: {error.strerror}.") from None
    REPORTS[report_format](report, show_all)
    if report.counts[Severity.ERROR] or report.counts[Severity.WARNING]:
        sys.exit(1)


def _paths_in(root: Path, files: Sequence[Path]) -> frozenset[str]:
    """Return the paths of files in a content folder."""
    try:
        found = [(each.parent.resolve() / each.name).relative_to(root.resolve()) for each in files]
    except ValueError:
        above = (each for each in files[0].resolve().parents if (each / "site").is_dir())
        command = shlex.join(["majlis", "check", str(next(above, "FOLDER")), *map(str, files)])
        message = f"{root} does not have all FILES. Write their folder before them: {command}"
        raise click.UsageError(message) from None
    return frozenset(map(Path.as_posix, found))


def _fix(root: Path, dry_run: bool, paths: Container[str] | None) -> None:
    """Correct the files of a folder, each as a whole, and tell of each fault on standard error.

    A dry run prints a diff instead, and ends the command.
    """
    all_fixes = fix_folder(load_content(root), partial(_read, root))
    fixes = [each for each in all_fixes if paths is None or each.path in paths]
    if dry_run:
        for line in _diff(fixes):
            click.echo("\t".join(map(printable, line.split("\t"))))
        sys.exit(1 if fixes else 0)
    for fix in fixes:
        try:
            _replace(root / fix.path, fix)
        except OSError as error:
            message = f"Cannot write {root / fix.path}: {error.strerror}."
            raise click.ClickException(message) from None
        for number, note in fix.notes:
            click.echo(printable(f"mended  {fix.path}:{number} {note}"), err=True)


def environment_language() -> Language:
    """Return the language of the environment, as gettext finds it, if it is one of the service."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next(filter(None, map(os.environ.get, names)), "")
    return Language.parse(locale[:2]) or Language.EN


def _checked(
    root: Path, language: Language, paths: frozenset[str] | None, parsed: ParsedFiles | None
) -> CheckReport:
    with memory.gc_frozen():
        loaded, now = load_content(root, parsed=parsed), utc_now()
    files = [each for each in loaded.files if paths is None or each in paths]
    # All pages may show what is no document, such as a template.
    only = paths if paths and paths <= loaded.files.keys() else None
    with rendering(loaded.snapshot, now, only) as rendered:
        checked = check_content(loaded, now, only)
        images = image_diagnostics(root, loaded.snapshot.images) if only is None else ()
        found = {*checked, *images, *rendered, *glossary_diagnostics(root, files)}
    asked = (each for each in found if paths is None or each.path in paths)
    return CheckReport(root, len(files), by_place(_with_lines(root, asked)), _say(language))


def _with_lines(root: Path, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Give diagnostics the lines of their keys, which documents in memory do not keep."""
    read = cache(lambda path: front_matter.parse_or_body(read_document(root, path)))
    for each in found:
        line = each.line
        if each.key:
            keys = (int(part) if part.isdigit() else part for part in each.key.split("."))
            with suppress(ContentFileError):  # it was removed meanwhile
                line = read(each.path).line_of(tuple(keys))
        yield replace(each, line=line)


def _say(language: Language) -> Callable[[str], str]:
    """Return what gives a text of the check in a language."""
    return str if language is Language.EN else catalog(language, CHECK_DOMAIN).gettext


def _diff(fixes: Sequence[FixedFile]) -> Iterator[str]:
    """Yield the lines of a unified diff."""
    for fix in fixes:
        names = (f"a/{fix.path}", f"b/{fix.path}")
        before, after = (text.split("\n") for text in (fix.before, fix.after))
        for line in unified_diff(before, after, *names, lineterm=""):
            yield line.rstrip("\r")


def _read(root: Path, path: str) -> str | None:
    """Return the text of a file with its line ends; None if it is not UTF-8, or has other ones."""
    try:
        text = (root / path).read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\r" in text.replace("\r\n", "") else text


def _replace(path: Path, fix: FixedFile) -> None:
    """Replace a file at once, unless it has changed meanwhile; a link stays a link."""
    target = path.resolve(strict=True)
    if target.read_bytes() != fix.before.encode():
        raise OSError(0, "it has changed meanwhile")
    written = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with written.open("xb") as file:
            os.fchmod(file.fileno(), target.stat().st_mode & 0o7777)
            file.write(fix.after.encode())
            file.flush()
            os.fsync(file.fileno())
        written.replace(target)
    finally:
        written.unlink(missing_ok=True)
