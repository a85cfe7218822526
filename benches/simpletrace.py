#!/usr/bin/env python3
"""Compares ringtrace's Python module with QEMU's, on the same trace with the same analyses.

usage: benches/simpletrace.py SCRIPTS [--records N] [--rounds N] [--trace EVENTS TRACE]

SCRIPTS is the folder `scripts` of QEMU's source tree, with simpletrace.py. ringtrace's module
runs the program named by RINGTRACE_TOOL, or `ringtrace` in PATH. The records of TRACE (v4, by default
testdata/boot-small.bin) are repeated until there are N [default: 1000000]. Both modules run each
analysis in turn, as separate processes, and must print the same text. The table shows medians. Processor time
counts the work of both processes, and depends less on other programs.
"""

import argparse
import os
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

HEADER_BYTES = 24
MAPPING_BYTES = 20

# Each analysis prints a checksum, so that equal output means equal calls.
START = '''
import sys, simpletrace
class Counts:
    def begin(self):
        self.records = self.sum = 0
    def end(self):
        print(self.records, self.sum)
'''
ANALYSES = {
    'catchall': '''
class Analysis(Counts, simpletrace.Analyzer2):
    def catchall(self, *rec_args, timestamp_ns, **kwargs):
        self.records += 1
        self.sum ^= timestamp_ns
''',
    'a method for each event': '''
class Analysis(Counts, simpletrace.Analyzer2):
    pass
def method(self, first=0, *rec_args, timestamp_ns, **kwargs):
    self.records += 1
    self.sum ^= timestamp_ns
for name in sys.argv.pop().split(','):
    setattr(Analysis, name, method)
''',
    'a method for one event': '''
class Analysis(Counts, simpletrace.Analyzer2):
    pass
def method(self, first=0, *rec_args, timestamp_ns, **kwargs):
    self.records += 1
    self.sum ^= timestamp_ns
setattr(Analysis, sys.argv.pop().split(',')[0], method)
''',
    'catchall of Analyzer': '''
class Analysis(Counts, simpletrace.Analyzer):
    def catchall(self, event, rec):
        self.records += 1
        self.sum ^= rec[1]
''',
}
NEEDS_NAMES = ('a method for each event', 'a method for one event')


def repeat(trace, wanted, out):
    """Writes the records of `trace` to the file `out` until there are `wanted`. Returns the names of
    the events that occur, the most frequent first."""
    with open(trace, 'rb') as file:
        data = file.read()
    header, version = data[:HEADER_BYTES], struct.unpack_from('<Q', data, 16)[0]
    if version != 4:
        sys.exit('error: %s is not a little-endian trace of version 4' % trace)
    mappings, names, records, counts, offset = [], {}, [], {}, HEADER_BYTES
    while offset < len(data):
        if struct.unpack_from('<Q', data, offset)[0] == 0:
            number, length = struct.unpack_from('<QL', data, offset + 8)
            end = offset + MAPPING_BYTES + length
            names[number] = data[offset + MAPPING_BYTES:end].decode()
            mappings.append(data[offset:end])
        else:
            number, timestamp_ns, length = struct.unpack_from('<QQL', data, offset + 8)
            end = offset + 8 + length
            records.append((timestamp_ns, data[offset:offset + 16], data[offset + 24:end]))
            counts[number] = counts.get(number, 0) + 1
        offset = end
    times = [timestamp_ns for timestamp_ns, _, _ in records]
    span_ns = max(times) - min(times) + 1000
    with open(out, 'wb') as file:
        file.write(header + b''.join(mappings))
        for number in range(wanted):
            turn, index = divmod(number, len(records))
            timestamp_ns, start, rest = records[index]
            file.write(start + struct.pack('<Q', timestamp_ns + turn * span_ns) + rest)
    return [names[number] for number in sorted(counts, key=counts.get, reverse=True) if number in names]


def processor_s():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(folder, script, arguments):
    """Returns the seconds and the processor seconds that an analysis takes, and what it prints."""
    environment = dict(os.environ, PYTHONPATH=folder)
    command = [sys.executable, '-B', '-W', 'ignore', script] + arguments
    begin, processor_begin = time.perf_counter(), processor_s()
    output = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return time.perf_counter() - begin, processor_s() - processor_begin, output.stdout


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].split('\n')[0])
    parser.add_argument('scripts')
    parser.add_argument('--records', type=int, default=1000000)
    parser.add_argument('--rounds', type=int, default=7)
    default = [os.path.join(ROOT, 'testdata', name) for name in ('boot-small.events', 'boot-small.bin')]
    parser.add_argument('--trace', nargs=2, default=default, metavar=('EVENTS', 'TRACE'))
    options = parser.parse_args()
    modules = {'ringtrace': os.path.join(ROOT, 'python'), 'QEMU': os.path.abspath(options.scripts)}
    columns = ['analysis', 'QEMU, s', 'ringtrace, s']
    columns += ['times as fast (lowest to highest)', 'in processor time']
    print('| %s |' % ' | '.join(columns))
    print('|' + ' --- |' * len(columns))
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, 'trace')
        events = os.path.abspath(options.trace[0])
        names = repeat(options.trace[1], options.records, trace)
        script = os.path.join(folder, 'analysis.py')
        for title, analysis in ANALYSES.items():
            with open(script, 'w') as file:
                file.write(START + analysis + 'simpletrace.run(Analysis())\n')
            arguments = [events, trace] + ([','.join(names)] if title in NEEDS_NAMES else [])
            seconds = {name: [] for name in modules}
            processor = {name: [] for name in modules}
            for _ in range(options.rounds):
                printed = set()
                for name, module in modules.items():
                    took, worked, output = measure(module, script, arguments)
                    seconds[name].append(took)
                    processor[name].append(worked)
                    printed.add(output)
                if len(printed) != 1:
                    sys.exit('error: the modules disagree: %s' % sorted(printed))
            ratios, worked = ([theirs / ours for theirs, ours in zip(times['QEMU'], times['ringtrace'])]
                              for times in (seconds, processor))
            medians = [statistics.median(seconds[name]) for name in ('QEMU', 'ringtrace')]
            row = (title, *medians)
            for times in (ratios, worked):
                row += (statistics.median(times), min(times), max(times))
            print('| %s | %.2f | %.2f | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) |' % row, flush=True)


if __name__ == '__main__':
    main()
