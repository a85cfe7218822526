"""Makes the traces of the notebook: disk requests of two hosts, during six hours.

The second host has a slow disk, and the first one a slow hour. The numbers are random, but the same
every time.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path

SECOND = 1_000_000_000
HOURS = 6
REQUESTS = 6000
DECLARATIONS = (
    'blk_begin(uint64_t req, uint64_t sector, uint32_t bytes) "req=%u sector=%u bytes=%u"',
    'blk_end(uint64_t req, int ret) "req=%u ret=%d"',
)


def make(path: str, host: str, seed: int, factor: float, slow_hour: int | None = None) -> None:
    """Writes a trace in ringtrace's format to `path`."""
    data = bytearray(struct.pack("<QQQ", (1 << 64) - 1, 0xF2B177CB0AA429B4, 4))

    def mapping(number: int, name: str) -> None:
        data.extend(struct.pack("<QQI", 0, number, len(name)) + name.encode())

    # 2026-11-23, 06:00 UTC
    facts = ["version=1", f"anchor=0 {1_795_413_600 * SECOND}", f"host={host}", f"boot={host}", f"trace={host}"]
    facts += [f"declaration={declaration}" for declaration in DECLARATIONS]
    for number, fact in enumerate(facts):
        mapping((1 << 63) + number, f"ringtrace.{fact}")
    for number, declaration in enumerate(DECLARATIONS, 1):
        mapping(number, declaration.split("(")[0])

    chance = random.Random(seed)
    records = []
    for req in range(REQUESTS):
        begin = int(req * HOURS * 3600 * SECOND / REQUESTS + chance.random() * SECOND)
        size = chance.choice([4096, 4096, 4096, 65536])
        latency_us = factor * chance.lognormvariate(4.6, 0.5) * (2 if size > 4096 else 1)
        if begin // (3600 * SECOND) == slow_hour and chance.random() < 0.2:
            latency_us *= 8
        end = begin + int(latency_us * 1000)
        records.append((begin, struct.pack("<QQQ", req, chance.randrange(1 << 20), size), 1))
        records.append((end, struct.pack("<QQ", req, 0), 2))
    for time, arguments, event in sorted(records):
        data.extend(struct.pack("<QQQII", 1, 100 << 32 | event, time, 24 + len(arguments), 100) + arguments)
    Path(path).write_bytes(data)


def make_all() -> None:
    """Writes `alpha.trace` and `beta.trace` to the current folder."""
    make("alpha.trace", "alpha", seed=1, factor=1.0, slow_hour=3)
    make("beta.trace", "beta", seed=2, factor=1.4)
