"""An editor helps with rulesets: the real YAML language server reads the schema.

It is run where it is installed, on the path or in this folder:
``npm install --no-save yaml-language-server``.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final, cast

import pytest
from click.testing import CliRunner

from cardrun.cli import cardrun
from cardrun.interpreter.text.reader import read
from cardrun.interpreter.text.schema import SCHEMA_FILE
from cardrun.interpreter.text.source import Source
from cardrun.interpreter.text.tree import Mapping, Node, Scalar, Sequence

ROOT = Path(__file__).parent.parent
SCHEMA_LINE = "# yaml-language-server: $schema={}schemas/ruleset.json\n"
SHIPPED = sorted(
    path for path in (ROOT / "rulesets").rglob("*.yaml") if path.parent.name != "text"
)
# A server that says nothing any more is ended, and its test fails.
PATIENCE: Final = 120
SETTINGS: Final = {
    "yaml": {
        "schemaStore": {"enable": False},
        "validate": True,
        "hover": True,
        "completion": True,
    }
}
ABILITIES: Final = {
    "textDocument": {
        "completion": {"completionItem": {"documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
    }
}
SEEN: Final = "# where cards lie, and who sees them"
Message = dict[str, object]


def find_server() -> str | None:
    """Return the command of the server, if it is installed."""
    folder = str(ROOT / "node_modules" / ".bin")
    name = "yaml-language-server"
    return shutil.which(name) or shutil.which(name, path=folder)


class Editor:
    """Speaks to the server as an editor does: messages over its standard streams."""

    def __init__(self, command: str) -> None:
        """Start the server and agree with it on what both can do."""
        self.process = subprocess.Popen(
            [command, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._watch = threading.Timer(PATIENCE, self.process.kill)
        self._watch.start()
        self._asked = 0
        self.ask(
            "initialize",
            {"processId": None, "rootUri": ROOT.as_uri(), "capabilities": ABILITIES},
        )
        self.tell("initialized", {})
        self.tell("workspace/didChangeConfiguration", {"settings": SETTINGS})

    def close(self) -> None:
        """End the server as the protocol says, and wait for its end."""
        try:
            self.ask("shutdown", None)
            self.tell("exit", None)
            self.process.wait()
        finally:
            self._watch.cancel()
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()

    def open(self, path: Path, text: str) -> list[str]:
        """Open a text as if it lay at a path, and return what is marked in it."""
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        while True:
            message = self._receive()
            given = cast(Message, message.get("params") or {})
            if (
                message.get("method") == "textDocument/publishDiagnostics"
                and given["uri"] == uri
            ):
                marks = cast(list[Message], given["diagnostics"])
                return [str(mark["message"]) for mark in marks]

    def hover(self, path: Path, line: int, column: int) -> str:
        """Return what is shown at a place, counted from 0."""
        result = cast(Message, self._at("hover", path, line, column))
        return str(cast(Message, result["contents"])["value"]) if result else ""

    def complete(self, path: Path, line: int, column: int) -> dict[str, str]:
        """Return the keys that are offered at a place, with what is said of them."""
        result = cast(Message, self._at("completion", path, line, column))
        items = cast(list[Message], result["items"])
        return {str(item["label"]): str(item["documentation"]) for item in items}

    def _at(self, what: str, path: Path, line: int, column: int) -> object:
        place = {
            "textDocument": {"uri": path.as_uri()},
            "position": {"line": line, "character": column},
        }
        return self.ask(f"textDocument/{what}", place)

    def ask(self, method: str, given: object) -> object:
        """Send a request and return the result of the answer."""
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": given})
        while True:
            message = self._receive()
            if message.get("id") == self._asked and "method" not in message:
                assert "error" not in message
                return message["result"]

    def tell(self, method: str, given: object) -> None:
        """Send a message that has no answer."""
        self._send({"method": method, "params": given})

    def _send(self, message: Message) -> None:
        stream = self.process.stdin
        assert stream is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stream.flush()

    def _receive(self) -> Message:
        """Return the next message; what the server asks is answered on the way."""
        stream = self.process.stdout
        assert stream is not None
        while True:
            size = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    size = int(value)
            assert size, "the server has ended"
            message = cast(Message, json.loads(stream.read(size)))
            if "method" not in message or "id" not in message:
                return message
            given = cast(Message, message.get("params") or {})
            asked = cast(list[object], given.get("items") or [])
            answer = [SETTINGS["yaml"]] * len(asked) if asked else None
            self._send({"id": message["id"], "result": answer})


def list_keys(node: Node | None) -> Iterator[Scalar]:
    """Return all keys of a file, with their places."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield key
            yield from list_keys(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from list_keys(item)


def list_properties(part: object) -> Iterator[str]:
    """Return all keys that a part of the schema knows."""
    if isinstance(part, dict):
        known = part.get("properties")
        yield from known if isinstance(known, dict) else ()
        for value in part.values():
            yield from list_properties(value)
    elif isinstance(part, list):
        for value in part:
            yield from list_properties(value)


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    """Yield an editor with the real server, where it is installed."""
    command = find_server()
    if command is None:
        pytest.skip("not here: npm install --no-save yaml-language-server")
    made = Editor(command)
    yield made
    made.close()


def test_no_shipped_ruleset_has_a_mark(editor: Editor) -> None:
    """Games, house rules and libraries are as the schema says."""
    marked = {
        path.name: marks
        for path in SHIPPED
        if (marks := editor.open(path, path.read_text(encoding="utf-8")))
    }
    assert marked == {}


def test_an_unknown_key_is_marked(editor: Editor) -> None:
    """By its name."""
    text = (ROOT / "rulesets" / "idiot.yaml").read_text(encoding="utf-8")
    text = text.replace("players: 2..5", "playrs: 2..5")
    marks = editor.open(ROOT / "rulesets" / "misspelt.yaml", text)
    assert "Property playrs is not allowed." in marks


def test_a_section_is_explained_under_the_mouse(editor: Editor) -> None:
    """With what the reference says of it in a line."""
    path = ROOT / "rulesets" / "hover.yaml"
    text = SCHEMA_LINE.format("../") + "cardrun: 1\nzones:\n  deck: {holds: deck}\n"
    editor.open(path, text)
    assert "Where cards lie, and who sees them." in editor.hover(path, 2, 2)


def test_sections_that_are_not_there_yet_are_offered(editor: Editor) -> None:
    """Each with what it is for."""
    path = ROOT / "rulesets" / "sections.yaml"
    editor.open(path, SCHEMA_LINE.format("../") + "cardrun: 1\nname: Mine\n\n")
    offered = editor.complete(path, 3, 0)
    assert {"players", "deck", "zones", "moves", "play", "result"} <= set(offered)
    assert "name" not in offered
    assert offered["family"].startswith("The kind of game")


def test_keys_of_a_zone_are_offered(editor: Editor) -> None:
    """Inside the zone, and nothing else."""
    path = ROOT / "rulesets" / "zone.yaml"
    text = SCHEMA_LINE.format("../") + "cardrun: 1\nzones:\n  hand:\n    \n"
    editor.open(path, text)
    offered = editor.complete(path, 4, 4)
    assert {"per", "piles", "face", "seen_by", "sorted", "holds"} <= set(offered)
    assert "zones" not in offered


def test_a_house_rule_has_keys_of_its_own(editor: Editor) -> None:
    """Where the file extends a game, what changes it is offered."""
    path = ROOT / "rulesets" / "house" / "mine.yaml"
    text = SCHEMA_LINE.format("../../") + "extends: idiot.yaml\nname: Mine\n\n"
    editor.open(path, text)
    offered = editor.complete(path, 3, 0)
    assert {"replace", "add", "remove", "conflicts_with", "options"} <= set(offered)
    assert "zones" not in offered


def test_every_key_is_explained_under_the_mouse(editor: Editor) -> None:
    """Files with every key that there is; each tells what it is for."""
    properties = set(
        list_properties(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
    )
    seen, untold = set(), []
    for path in sorted((ROOT / "tests" / "editor").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        assert editor.open(path, text) == []
        root, _ = read(Source(str(path), text))
        for key in list_keys(root):
            if key.text not in properties:
                continue
            seen.add(key.text)
            said = editor.hover(path, key.span.line - 1, key.span.column)
            # A title, what it is for, and the name of the schema.
            if len(said.split("\n\n")) < 3:
                untold.append((path.stem, key.text))
    assert untold == []
    assert properties - seen == set()


def test_a_new_file_is_helped_along(editor: Editor, tmp_path: Path) -> None:
    """It names the schema, wherever it lies; its first lines show it at once."""
    path = tmp_path / "a folder" / "mine.yaml"
    path.parent.mkdir()
    made = CliRunner().invoke(cardrun, ["new", str(path)])
    assert made.exit_code == 0
    text = path.read_text(encoding="utf-8")
    assert editor.open(path, text) == []
    line = text.splitlines().index("zones:" + " " * 47 + SEEN)
    assert "Where cards lie, and who sees them." in editor.hover(path, line, 1)
    editor.open(path, text + "\n")
    assert "limit" in editor.complete(path, len(text.splitlines()), 0)


def test_a_new_house_rule_is_helped_along(editor: Editor, tmp_path: Path) -> None:
    """Its keys are those of a variant."""
    path = tmp_path / "ours.yaml"
    made = CliRunner().invoke(cardrun, ["new", str(path), "--extends", "idiot"])
    assert made.exit_code == 0
    text = path.read_text(encoding="utf-8") + "\n"
    assert editor.open(path, text) == []
    offered = editor.complete(path, len(text.splitlines()) - 1, 0)
    assert {"replace", "add", "remove", "conflicts_with"} <= set(offered)
    assert "zones" not in offered
