"""Decodes compact traces. It was written from docs/formats/compact.md alone.

usage: python3 decoder.py FILE >V4       writes the v4 file, and the headers to standard error
       python3 decoder.py --cases        reads many files from standard input

With --cases, each file is preceded by its length, a u32. The answer to each is a byte (0: decoded,
1: decoded, but a header contradicts the contents, 2: damaged, 3: compressed with zstd, for which
there is no decoder), the v4 file, and a message, each preceded by its length, a u32.

Bodies are decompressed by Python's module compression.zstd, from 3.14 on, or by the system's
libzstd.
"""

import ctypes
import struct
import sys
from collections import namedtuple

MAGIC = bytes.fromhex('89 72 74 62 0d 0a 1a 0a')
HEADER = struct.Struct('<8sIHHIIIIIIQQQQQII16sQQQ')
Header = namedtuple('Header', [
    'magic', 'header_crc', 'kind', 'compression', 'body_size', 'body_crc', 'plain_size', 'v4_size',
    'records', 'mappings', 'v4_before', 'records_before', 'earliest', 'latest', 'lost', 'threads',
    'totals_distance', 'events', 'latest_so_far', 'previous_mappings', 'offset'])

KIND = 1
TOTALS = 2
KINDS_TO_REJECT = 32768
MAX_SIZE = 16 << 20
MAX_DEFINITIONS = 3824
NONE = MASK = 2**64 - 1

V4_HEADER = struct.pack('<QQQ', 2**64 - 1, 0xF2B177CB0AA429B4, 4)
DROPPED = 2**64 - 2
CONTEXT = 2**63 + 2**32 - 1

INTEGER, STRING, REST = range(3)


class Damage(Exception):
    """A file that does not comply with the document."""

    def __init__(self, offset, message):
        super().__init__(f'offset {offset}: {message}')


class NotSupported(Exception):
    """A body that needs zstd."""


def decompress(frame, size, offset):
    """Decompresses a frame that contains `size` bytes."""
    try:
        from compression import zstd
    except ImportError:
        pass
    else:
        try:
            plain = zstd.decompress(frame)
        except zstd.ZstdError as error:
            raise Damage(offset, str(error)) from None
        if len(plain) != size:
            raise Damage(offset, f'the frame contains {len(plain)} bytes instead of {size}')
        return plain
    try:
        decode = ctypes.CDLL('libzstd.so.1').ZSTD_decompress
    except OSError:
        raise NotSupported(f'offset {offset}: the body is compressed with zstd') from None
    decode.restype = ctypes.c_size_t
    decode.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    plain = ctypes.create_string_buffer(max(size, 1))
    if decode(plain, size, frame, len(frame)) != size:
        raise Damage(offset, f'the frame is damaged, or does not contain {size} bytes')
    return plain.raw[:size]


def crc32c_table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


CRC32C = list(crc32c_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC32C[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


assert crc32c(b'123456789') == 0xE3069283


class Contents:
    """The facts about the v4 data of a block that its header states."""

    def __init__(self):
        self.records = self.mappings = self.lost = 0
        self.earliest, self.latest = NONE, 0
        self.threads, self.events = set(), bytearray(16)

    def record(self, id, time, payload):
        self.records += 1
        self.earliest = min(self.earliest, time)
        self.latest = max(self.latest, time)
        if id != DROPPED:
            self.threads.add(id >> 32)
        elif len(payload) >= 8:
            self.lost = (self.lost + int.from_bytes(payload[:8], 'little')) & MASK
        bit = ((id & 0xFFFFFFFF) * 0x9E3779B1 & 0xFFFFFFFF) >> 25
        self.events[bit // 8] |= 1 << bit % 8

    def v4_data(self, data, offset, is_start):
        """Counts whole records. `offset` is the place of `data` in the file."""
        at = 0
        if is_start and data[:24] == V4_HEADER:
            at = 24
        while at < len(data):
            if len(data) - at < 20:
                raise Damage(offset + at, 'a v4 record is truncated')
            type, id, length = struct.unpack_from('<QQI', data, at)
            if type == 0:
                size = 20 + length
            elif len(data) - at < 32:
                raise Damage(offset + at, 'a v4 record is truncated')
            else:
                time, length = struct.unpack_from('<QI', data, at + 16)
                if length < 24:
                    raise Damage(offset + at, f'the length of a v4 record is {length}, less than 24')
                size = 8 + length
            if size > len(data) - at:
                raise Damage(offset + at, f'a v4 record of {size} bytes is truncated')
            if type == 0:
                self.mappings += id != CONTEXT
            else:
                self.record(id, time, data[at + 32:at + size])
            at += size


class Body:
    """A body without compression. `offset` is its place in the file."""

    def __init__(self, data, offset):
        self.data, self.offset, self.at = data, offset, 0

    def damage(self, message):
        return Damage(self.offset + self.at, message)

    def bytes(self, size, what):
        if size > len(self.data) - self.at:
            raise self.damage(f'{what} needs {size} bytes, {len(self.data) - self.at} remain')
        self.at += size
        return self.data[self.at - size:self.at]

    def integer(self, size, what):
        return int.from_bytes(self.bytes(size, what), 'little')


class Definition:
    """A definition, and the values of its previous record."""

    def __init__(self, body):
        self.id = body.integer(8, 'the id of a definition')
        self.pid = body.integer(4, 'the process id of a definition')
        count = body.integer(1, 'the number of fields')
        packed = body.integer((count + 3) // 4, 'the kinds of the fields')
        self.kinds = [packed >> 2 * number & 3 for number in range(count)]
        if any(kind > REST for kind in self.kinds):
            raise body.damage('a field has kind 3')
        if REST in self.kinds[:-1]:
            raise body.damage('a field follows the rest of the payload')
        self.previous = [0 if kind == INTEGER else None for kind in self.kinds]


def changed(body, code, previous):
    """Decodes a time or an integer."""
    if code > 8:
        raise body.damage(f'an integer has the code {code}')
    stored = body.integer(code, 'a difference')
    difference = stored >> 1 ^ (MASK if stored & 1 else 0)
    return (previous + difference) & MASK


def text(body, code, previous):
    """Decodes a string or the rest of a payload."""
    if code == 15:
        if previous is None:
            raise body.damage('a text repeats the previous one, but there is none')
        return previous
    if code > 8:
        raise body.damage(f'a text has the code {code}')
    return body.bytes(body.integer(code, 'the length of a text'), 'a text')


def decode_record(body, definition, previous_time):
    """Returns the time and the payload."""
    count = 1 + len(definition.kinds)
    packed = body.bytes((count + 1) // 2, 'the codes')
    codes = [packed[number // 2] >> 4 * (number % 2) & 15 for number in range(count)]
    time = changed(body, codes[0], previous_time)
    payload = bytearray()
    for number, (kind, code) in enumerate(zip(definition.kinds, codes[1:])):
        previous = definition.previous[number]
        if kind == INTEGER:
            value = changed(body, code, previous)
            payload += value.to_bytes(8, 'little')
        else:
            value = text(body, code, previous)
            if kind == STRING:
                payload += struct.pack('<I', len(value))
            payload += value
        definition.previous[number] = value
    return time, bytes(payload)


def decode_body(body, v4_size):
    """Returns the v4 data, and the items: the offset of each in the file, and its v4 data."""
    v4, items = bytearray(), []
    definitions, time = [], 0
    while body.at < len(body.data):
        start = body.offset + body.at
        first = body.integer(1, 'an item')
        if first == 255:
            length = body.integer(4, 'the length of v4 records')
            item, start = body.bytes(length, 'v4 records'), start + 5
        elif first == 254:
            if len(definitions) == MAX_DEFINITIONS:
                raise Damage(start, f'more than {MAX_DEFINITIONS} definitions')
            definitions.append(Definition(body))
            continue
        else:
            index = first
            if first >= 240:
                index = 240 + 256 * (first - 240) + body.integer(1, 'an index')
            if index >= len(definitions):
                raise Damage(start, f'a record of definition {index}, but there are {len(definitions)}')
            definition = definitions[index]
            time, payload = decode_record(body, definition, time)
            item = struct.pack('<QQQII', 1, definition.id, time, 24 + len(payload), definition.pid) + payload
        v4 += item
        if len(v4) > v4_size:
            raise Damage(start, f'the block contains more v4 data than the {v4_size} bytes in the header')
        items.append((start, item))
    if len(v4) < v4_size:
        raise body.damage(f'the block contains {len(v4)} bytes of v4 data, {v4_size} according to the header')
    return bytes(v4), items


def check_header(header, offset, items, is_start, expected):
    """Compares a header with the contents of its block. `expected` are the fields that depend on
    previous blocks."""
    contents = Contents()
    for at, data in items:
        contents.v4_data(data, at, is_start and at == items[0][0])
    expected.update(
        records=contents.records, mappings=contents.mappings, earliest=contents.earliest,
        latest=contents.latest, lost=contents.lost, threads=len(contents.threads),
        events=bytes(contents.events), latest_so_far=max(expected['latest_so_far'], contents.latest))
    for name, found in expected.items():
        stated = getattr(header, name)
        if stated != found:
            raise Damage(offset, f'{name} is {stated} in the header, but {found} in the blocks')


def check_totals(header, offset, totals, expected):
    """Compares the header of a block of totals with the previous blocks."""
    expected = dict(
        expected, compression=0, body_size=0, body_crc=0, plain_size=0, v4_size=0, records=0, mappings=0,
        earliest=totals['earliest'], latest=totals['overlap'], lost=totals['lost'], threads=0,
        events=struct.pack('<QQ', totals['blocks'], totals['saved']))
    for name, found in expected.items():
        stated = getattr(header, name)
        if stated != found:
            raise Damage(offset, f'{name} is {stated} in the header of totals, expected {found}')


def add_to_totals(totals, header, latest_before):
    """Adds a block of records, whose header is true."""
    totals['blocks'] += 1
    totals['earliest'] = min(totals['earliest'], header.earliest)
    totals['overlap'] = max(totals['overlap'], latest_before - header.earliest)
    totals['lost'] = (totals['lost'] + header.lost) & MASK
    totals['saved'] = (totals['saved'] + header.plain_size - header.body_size) & MASK


def restore(data):
    """Decodes a compact file. Returns the v4 file, the headers, and the first contradiction between a
    header and the contents, or None."""
    v4, headers, contradiction = bytearray(), [], None
    before = {'v4_before': 0, 'records_before': 0, 'latest_so_far': 0, 'previous_mappings': NONE}
    totals = {'blocks': 0, 'earliest': NONE, 'overlap': 0, 'lost': 0, 'saved': 0}
    last_totals = None
    offset = 0
    while offset < len(data):
        if len(data) - offset < HEADER.size:
            raise Damage(offset, 'a header is truncated')
        header = Header(*HEADER.unpack_from(data, offset))
        if header.magic != MAGIC:
            raise Damage(offset, 'this is not a header')
        if header.header_crc != crc32c(data[offset + 12:offset + HEADER.size]):
            raise Damage(offset + 8, 'the CRC of the header is wrong')
        if header.kind >= KINDS_TO_REJECT:
            raise Damage(offset + 12, f'the kind {header.kind} is unknown')
        start = offset + HEADER.size
        body = data[start:start + header.body_size]
        if header.kind == KIND:
            for at, size in [(16, header.body_size), (24, header.plain_size), (28, header.v4_size)]:
                if size > MAX_SIZE:
                    raise Damage(offset + at, f'the size {size} exceeds 16 MiB')
        if len(body) < header.body_size:
            raise Damage(start, f'a body is truncated: {header.body_size} bytes needed, {len(body)} remain')
        distance = 0 if last_totals is None else offset - last_totals
        expected = dict(before, offset=offset, totals_distance=distance if distance < 2**32 else 0)
        if header.kind == TOTALS:
            try:
                check_totals(header, offset, totals, expected)
            except Damage as error:
                contradiction = contradiction or error
            last_totals = offset
        if header.kind == KIND:
            if header.body_crc != crc32c(body):
                raise Damage(offset + 20, 'the CRC of the body is wrong')
            if header.compression == 1:
                body = decompress(body, header.plain_size, start)
            elif header.compression != 0:
                raise Damage(offset + 14, f'the compression {header.compression} is unknown')
            elif header.plain_size != header.body_size:
                raise Damage(offset + 24, f'the size without compression is {header.plain_size}')
            block, items = decode_body(Body(body, start), header.v4_size)
            if contradiction is None:
                try:
                    check_header(header, offset, items, not v4, expected)
                except Damage as error:
                    contradiction = error
            if not v4 and not block.startswith(V4_HEADER):
                contradiction = contradiction or Damage(start, 'the v4 file has no header')
            v4 += block
            add_to_totals(totals, header, before['latest_so_far'])
            before['v4_before'] += header.v4_size
            before['records_before'] += header.records
            before['latest_so_far'] = header.latest_so_far
            if header.mappings:
                before['previous_mappings'] = offset
            headers.append(header)
        offset = start + header.body_size
    return bytes(v4), headers, contradiction


def decode(data):
    """Decodes a compact file. Returns the v4 file and the headers, which are true."""
    v4, headers, contradiction = restore(data)
    if contradiction:
        raise contradiction
    return v4, headers


def answer(data):
    try:
        v4, _, contradiction = restore(data)
        return (0, v4, '') if contradiction is None else (1, v4, str(contradiction))
    except Damage as error:
        return 2, b'', str(error)
    except NotSupported as error:
        return 3, b'', str(error)


def main(arguments):
    if arguments == ['--cases']:
        while length := sys.stdin.buffer.read(4):
            data = sys.stdin.buffer.read(int.from_bytes(length, 'little'))
            status, v4, message = answer(data)
            message = message.encode()
            sys.stdout.buffer.write(bytes([status]) + struct.pack('<I', len(v4)) + v4)
            sys.stdout.buffer.write(struct.pack('<I', len(message)) + message)
            sys.stdout.buffer.flush()
    elif len(arguments) == 1 and not arguments[0].startswith('-'):
        try:
            with open(arguments[0], 'rb') as file:
                v4, headers = decode(file.read())
        except (Damage, NotSupported) as error:
            sys.exit(f'{arguments[0]}: {error}')
        sys.stdout.buffer.write(v4)
        for header in headers:
            print(header, file=sys.stderr)
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main(sys.argv[1:])
