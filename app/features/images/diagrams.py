"""Diagrams: a program draws the Mermaid code of texts ahead, and pages show what has been drawn.

No request runs the program. One process draws for all; the others find the files in the folder.
The code may be hostile: it reaches the program by a pipe, and the program has neither the settings
of the service nor much time. The result is only shown as an image, in which no script runs.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from shutil import which
from time import time_ns

from app.features.images.store import ImageStore
from app.platform.concurrency.programs import run_program, variables_named
from knowledge.documents.images import DIAGRAM, diagram_name, svg_size
from knowledge.markdown.inline import diagrams
from knowledge.snapshot.snapshot import Snapshot

log = logging.getLogger(__name__)

MAX_DIAGRAMS = 1_000
"""The diagrams of a site beyond this number are shown as code, and so are larger ones."""
MAX_CHARACTERS = 20_000
MAX_SVG_BYTES = 1024 * 1024
MAX_SECONDS = 30.0
_TICK_NS = 1_000_000_000
_ARGUMENTS = ("--quiet", "--input", "-", "--output", "-", "--outputFormat", "svg")
_VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "PUPPETEER_")
"""How the names of the environment variables begin that the program gets."""

Sizes = Mapping[str, tuple[int, int]]


def wanted(snapshot: Snapshot) -> Mapping[str, str]:
    """Return the code of the diagrams of all texts, by the names of their files."""
    bodies = (document.body for _, document in snapshot.by_path.values())
    codes = (code for body in bodies for code in diagrams(body) if len(code) <= MAX_CHARACTERS)
    return dict(islice(((diagram_name(code), code) for code in codes), MAX_DIAGRAMS))


class Diagrams:
    """The diagrams in a folder, and the program that draws further ones."""

    def __init__(self, store: ImageStore, program: str) -> None:
        self._store = store
        self._program = which(program)
        self._sizes: Sizes = {}
        self._listed_ns: int | None = None
        self._failed: set[str] = set()

    def read(self, name: str) -> bytes | None:
        """Return a diagram that has been drawn, or None."""
        return self._store.read(name)

    def drawn(self) -> Sizes:
        """Return the sizes of the diagrams in the folder; a file is read once. Blocks.

        The folder may have many pictures, so it is listed only after a change.
        """
        changed_ns = self._store.changed_ns
        if changed_ns == self._listed_ns:
            return self._sizes
        # What is added in the same tick of the disk's clock does not change the time.
        self._listed_ns = changed_ns if time_ns() - changed_ns > _TICK_NS else None
        found = {
            name: self._sizes.get(name) or self._size(name) for name in self._store.names(DIAGRAM)
        }
        self._sizes = {name: size for name, size in found.items() if size}
        return self._sizes

    def missing(self, snapshot: Snapshot) -> Mapping[str, str]:
        """Return what can be drawn but has not been, as `wanted` does. Blocks."""
        if self._program is None:
            return {}
        known = self.drawn().keys() | self._failed
        return {name: code for name, code in wanted(snapshot).items() if name not in known}

    async def draw(self, name: str, code: str) -> bool:
        """Draw a diagram, once; return whether that succeeded."""
        try:
            svg = await _output(str(self._program), code)
            svg_size(svg)
        except Exception as error:  # the parser raises more than it documents
            reason = str(error) or type(error).__name__
            log.warning("%s cannot be drawn: %s\n%s", name, reason, code[:200])
            self._failed.add(name)
            return False
        await asyncio.to_thread(self._store.get, name, lambda: svg)
        return True

    async def draw_all(self, codes: Mapping[str, str]) -> int:
        """Draw diagrams one after another; return how many succeeded."""
        return sum([await self.draw(name, code) for name, code in codes.items()])

    def prune(self, snapshot: Snapshot) -> int:
        """Delete the diagrams that no text has any longer; return how many. Blocks."""
        if not self.drawn():
            return 0
        kept = wanted(snapshot)
        return self._store.prune(lambda name: not name.startswith(DIAGRAM) or name in kept)

    def _size(self, name: str) -> tuple[int, int] | None:
        with suppress(Exception):  # as above
            return svg_size(self._store.read(name) or b"")
        return None


async def _output(program: str, code: str) -> bytes:
    """Return what a program makes of a code; raises OSError, TimeoutError or ValueError."""
    ended = await run_program(
        program,
        *_ARGUMENTS,
        variables=variables_named(*_VARIABLES),
        seconds=MAX_SECONDS,
        most_bytes=MAX_SVG_BYTES,
        given=code.encode(),
    )
    if ended.status:
        raise ValueError(f"the program ended with status {ended.status}")
    return ended.output
