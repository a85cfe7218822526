"""Compares the objects of `ringtrace export --to pickle` on standard input with JSON lines."""

import json
import pickle
import sys

with open(sys.argv[1], encoding='utf-8') as lines:
    expected = [json.loads(line) for line in lines]


def equal(what, found, wanted):
    if found != wanted:
        sys.exit('%s: found %r, expected %r' % (what, found, wanted))


def as_recorded(value):
    """Returns a value of a JSON line as text or as an integer of 64 bits, whatever its C type."""
    if isinstance(value, str) and value.startswith('0x'):
        return int(value, 16)
    if isinstance(value, str) and value.lstrip('-').isdigit():
        value = int(value)
    return value


def same(value, shown):
    if isinstance(value, bytes):
        return value == shown.encode('utf-8', 'surrogateescape')
    if isinstance(value, float):
        # JSON lines contain 'NaN' and 'inf' as strings.
        return repr(value) == repr(float(shown))
    shown = as_recorded(shown)
    # JSON lines contain the integer as its declared type.
    return any((value - shown) % (1 << bits) == 0 for bits in (8, 16, 32, 64)) or shown is (value != 0)


stream = sys.stdin.buffer
equal('version', pickle.load(stream), ('ringtrace', 1))
records, events, pauses = [], [], []
while True:
    try:
        more = pickle.load(stream)
    except EOFError:
        break
    for found, part in zip((records, events, pauses), more):
        found += part
equal('number of records', len(records), len(expected))
for record, row in zip(records, expected):
    name, timestamp_ns, pid, *values = record
    equal('name', {'dropped': 'Dropped_Event'}.get(name, name), row['event'])
    equal('time', timestamp_ns, int(row['time_ns']))
    equal('process', pid, row['pid'])
    equal('number of values', len(values), len(row['args']))
    for value, shown in zip(values, row['args'].values()):
        if not same(value, shown):
            sys.exit('%s: found %r, expected %r' % (name, value, shown))
names = [name for name, _, _, _ in events]
equal('events', sorted(names), sorted({record[0] for record in records}))
for name, is_dropped, count, declaration in events:
    equal('dropped', is_dropped, name == 'dropped')
    equal('values of ' + name, {len(record) - 3 for record in records if record[0] == name}, {count})
    equal('declaration', declaration.split('(')[0], '' if is_dropped else name)
equal('pauses', pauses, [(9007199254741630, 9007200254741630), (9007201254745827, None)])
print('everything is equal')
