"""What all tests share: the repository, the tool `ringtrace`, and traces in every format."""

from __future__ import annotations

import json
import os
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
TESTDATA = ROOT / "testdata"
TOOL = ROOT / "target/debug/ringtrace"


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs each test in the root of the repository, as the examples in documents expect."""
    monkeypatch.chdir(ROOT)


def run_tool(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    """Runs `ringtrace`, which may fail."""
    assert TOOL.exists(), f"{TOOL} is missing: cargo build -p ringtrace-cli --bins"
    return subprocess.run([TOOL, *map(os.fspath, map(str, arguments))], capture_output=True, check=False)


def tool(*arguments: object) -> bytes:
    """Runs `ringtrace`, and returns its output."""
    done = run_tool(*arguments)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def json_lines(*arguments: object) -> list[dict[str, Any]]:
    """Returns the records that `ringtrace print --style jsonl` prints."""
    return [json.loads(line) for line in tool("print", "--style", "jsonl", *arguments).splitlines()]


class Made:
    """Makes a trace like those of ringtrace's runtime, with the events `begin` and `end`."""

    def __init__(
        self,
        host: str = "one",
        boot: str = "b-1",
        trace: str = "aa",
        zero_s: int | None = 1_795_000_000,
        declarations: tuple[str, ...] = ('begin(int key) "key=%d"', 'end(int key) "key=%d"'),
    ) -> None:
        self.data = bytearray(struct.pack("<QQQ", (1 << 64) - 1, 0xF2B177CB0AA429B4, 4))
        self.pieces = 0
        self.metadata("version=1")
        if zero_s is not None:
            self.metadata(f"anchor=0 {zero_s * 1_000_000_000}")
        for key, value in [("host", host), ("boot", boot), ("trace", trace)]:
            self.metadata(f"{key}={value}")
        for number, declaration in enumerate(declarations, 1):
            self.metadata(f"declaration={declaration}")
            self.mapping(number, declaration.split("(")[0])

    def metadata(self, text: str) -> None:
        self.mapping((1 << 63) + self.pieces, f"ringtrace.{text}")
        self.pieces += 1

    def mapping(self, number: int, name: str) -> None:
        self.data += struct.pack("<QQI", 0, number, len(name.encode())) + name.encode()

    def event(self, number: int, ns: int, *arguments: int | bytes, thread: int = 1) -> Made:
        payload = b"".join(
            struct.pack("<I", len(argument)) + argument
            if isinstance(argument, bytes)
            else struct.pack("<Q", argument % (1 << 64))
            for argument in arguments
        )
        self.data += struct.pack("<QQQII", 1, thread << 32 | number, ns, 24 + len(payload), 7) + payload
        return self

    def write(self, path: Path) -> str:
        path.write_bytes(self.data)
        return str(path)


#: The recordings of testdata, with their declarations.
RECORDINGS = [
    ("boot-small.bin", "boot-small.events"),
    ("qemu-io.bin", "qemu-io.events"),
    ("compressed/qemu-io.bin.gz", "qemu-io.events"),
    ("compressed/qemu-io.bin.xz", "qemu-io.events"),
    ("compressed/qemu-io.bin.zst", "qemu-io.events"),
    ("export/everything.trace", None),
    ("export/far.trace", None),
    ("export/empty.trace", None),
]


@pytest.fixture(scope="session")
def long_trace(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A trace of half a million records, which is larger than all batches in flight."""
    path = tmp_path_factory.mktemp("long") / "long.trace"
    boot = TESTDATA / "boot-small.bin"
    tool("convert", "--events", TESTDATA / "boot-small.events", *[boot] * 30, path)
    return str(path)
