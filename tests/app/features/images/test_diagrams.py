"""Diagrams: drawn by a program in the background, and shown above their code once they are."""

from __future__ import annotations

import asyncio
import re
import stat
from pathlib import Path

import pytest
from cases import cases
from click.testing import CliRunner
from conftest import Content, Visit
from live.server import until

from app.factory import create_app
from app.features.images.pictures import Diagrams
from app.features.images.store import ImageStore
from app.operations.cli import main
from app.settings import Settings
from knowledge.documents.images import diagram_name
from knowledge.markdown.inline import diagrams as diagrams_in

CODE = 'graph TD\n  accTitle: Paid & "late"\n  A --> B["<script>alert(1)</script>"]'
TITLE = "---\ntitle: {en: T, ar: ت}\n---\n"
PAGE = f"{TITLE}Text.\n\n```mermaid\n{CODE}\n```\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 80.4 60"><script/></svg>'
DRAWS = f'cat > "$0.in"; echo x >> "$0.runs"; echo \'{SVG}\''
IMAGE = re.compile(r'<img src="(/static/images/diagram-[0-9a-f]{24}\.svg)" alt="([^"]*)" [^>]*>')
PRE = re.compile(r'<pre [^>]*><code class="language-mermaid">.*?</code></pre>', re.DOTALL)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that draws the same for any code, and keeps what it was given and how often."""
    return script(tmp_path, DRAWS)


def script(folder: Path, text: str) -> Path:
    """Write a program."""
    path = folder / "draw"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def told(program: Path, what: str) -> str:
    """Return what a program has written beside itself."""
    return Path(f"{program}.{what}").read_text()


async def test_a_running_service_draws_and_then_shows(
    content: Content, tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the page has the code, then the diagram above it; another text is drawn as well."""
    monkeypatch.setattr("app.features.images.pictures._CHECK_SECONDS", 0.01)
    folder = content({"pages/x.md": PAGE, "pages/y.md": PAGE})
    settings = Settings(
        _env_file=None,
        content_dir=folder,
        image_dir=tmp_path / "images",
        index_dir=tmp_path / "index",
        database_url=f"sqlite:///{tmp_path}/majlis.db",
        mermaid_program=str(program),
    )
    await asyncio.to_thread(script, tmp_path, f'until [ -e "$0.go" ]; do sleep 0.01; done; {DRAWS}')
    app = create_app(settings)
    async with app.test_app():
        client = app.test_client()

        async def page() -> str:
            reply = await client.get("/ae/en/x", headers={"Accept": "text/html"})
            return str(await reply.get_data(as_text=True))

        async with asyncio.timeout(30):
            assert PRE.search(html := await page())
            assert not IMAGE.search(html)
            await asyncio.to_thread(Path(f"{program}.go").touch)
            while not IMAGE.search(html := await page()):
                pass
            (folder / "pages/x.md").write_text(PAGE.replace("A -->", "C -->"))
            while not IMAGE.search(later := await page()) or "C --" not in later:
                pass
    assert IMAGE.findall(html) != IMAGE.findall(later)
    assert told(program, "runs") == "x\nx\n"


def test_the_command_draws_each_diagram_once(
    visit: Visit, content: Content, tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages then show it, also without the program; other forms stay; what no text has is gone."""
    arabic = f"{TITLE}```{{mermaid}}\ngraph TD\n```\n"
    files = {"pages/x.md": PAGE, "pages/y.md": PAGE, "pages/z.md": arabic}
    folder, images = content(files), tmp_path / "images"
    before = visit(files, image_dir=tmp_path / "none", mermaid_program="")
    monkeypatch.setenv("CONTENT_DIR", str(folder))
    monkeypatch.setenv("IMAGE_DIR", str(images))
    monkeypatch.setenv("MERMAID_PROGRAM", str(program))
    assert "2 of 2 diagrams drawn." in CliRunner().invoke(main, ["images"]).output
    assert "diagrams" not in CliRunner().invoke(main, ["images"]).output
    assert told(program, "runs") == "x\nx\n"
    visitor = visit(files, image_dir=images, mermaid_program="")
    html, plain = visitor.get("/ae/en/x").text, before.get("/ae/en/x").text
    assert not IMAGE.search(plain)
    [(path, alt)] = IMAGE.findall(html)
    assert alt == "Paid &amp; &#34;late&#34;"
    assert ' width="80" height="60" loading="lazy"' in html
    [code] = PRE.findall(plain)
    assert f"<details><summary>Code</summary>\n{code}</details>" in html
    assert IMAGE.findall(visitor.get("/ae/ar/z").text)[0][1] == "مخطط توضيحي"
    for form in ("md", "json"):
        assert visitor.get(f"/ae/en/x.{form}").body == before.get(f"/ae/en/x.{form}").body
    reply = visitor.get(path)
    assert (reply.status, reply.body.decode()) == (200, f"{SVG}\n")
    assert reply.headers["Content-Type"] == "image/svg+xml"
    assert "immutable" in reply.headers["Cache-Control"]
    assert "sandbox" in reply.headers["Content-Security-Policy"]
    assert visitor.get(f"/static/images/{diagram_name('other')}").status == 404
    assert visitor.get("/static/images/diagram-").status == 404
    (folder / "pages/z.md").write_text(TITLE)
    CliRunner().invoke(main, ["images"])
    assert len(list(images.glob("diagram-*"))) == 1


BIG = "head -c 2000000 /dev/zero"
HANGS = "trap '' TERM; sleep 60 & echo $! > \"$0.pid\"; wait; wait"


@cases("text", ["cat; exit 1", "exit 3", "echo text", "", BIG, HANGS])
async def test_a_program_that_fails_leaves_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """It may end with an error, hang, write something else or too much; all of it is ended."""
    monkeypatch.setattr("app.features.images.pictures.MAX_SECONDS", 0.5)
    monkeypatch.setattr("app.platform.concurrency.programs._STOP_SECONDS", 0.1)
    program = script(tmp_path, f'echo $$ > "$0.pid"; {text}')
    drawing = Diagrams(ImageStore(tmp_path / "images"), str(program))
    assert not await drawing.draw(diagram_name(CODE), CODE)
    assert drawing.drawn() == {}
    await until(lambda: not is_running(told(program, "pid").strip()))


def is_running(process: str) -> bool:
    """Return whether a process has not ended, whoever is to be told of its end."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


async def test_hostile_code_reaches_only_the_input(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No shell reads it, and the program does not get the settings of the service."""
    code = "$(touch /tmp/x); `id` --help\n'\"\\ &amp; لا"
    drawing = Diagrams(ImageStore(tmp_path / "images"), str(program))
    script(tmp_path, f'env > "$0.env"; echo "$@" > "$0.args"; {DRAWS}')
    monkeypatch.setenv("WEBHOOK_SECRET", "secret")
    assert await drawing.draw(diagram_name(code), code)
    assert told(program, "in") == code
    assert told(program, "args") == "--quiet --input - --output - --outputFormat svg\n"
    assert "secret" not in told(program, "env")


def test_the_diagrams_of_a_text_are_those_that_pages_name(visit: Visit, tmp_path: Path) -> None:
    """Also in lists and call-outs, with tabs and entities, and in the form of other generators."""
    code = "graph LR\n\tA --> B\n  &lt;b&gt; & <c>\n\n  end"
    indented = "\n".join(f"  {line}" for line in code.split("\n"))
    quoted = "\n".join(
        f"> {line}" for line in f"[!NOTE]\n```mermaid\n{code} quoted\n```".split("\n")
    )
    listed = f"- item\n\n  ```mermaid\n{indented}\n  ```"
    body = f'{listed}\n\n{quoted}\n\n~~~ mermaid title="a"\n{code}\n~~~\n'
    found = list(dict.fromkeys(diagrams_in(body)))
    store = ImageStore(tmp_path / "images")
    for each in found:
        store.get(diagram_name(each), SVG.encode)
    visitor = visit({"pages/x.md": TITLE + body}, image_dir=tmp_path / "images")
    html = visitor.get("/ae/en/x").text
    assert len(IMAGE.findall(html)) == len(PRE.findall(html)) == 3
