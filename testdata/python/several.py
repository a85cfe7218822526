"""process() with files, file objects and a list of declarations. Checks which files stay open."""

import gzip
import io
import os
import subprocess
import sys

import simpletrace

events, trace = sys.argv[1:]


class Count(simpletrace.Analyzer2):
    def __init__(self):
        self.opened = 0

    def bdrv_open_common(self, *rec_args, **kwargs):
        self.opened += 1


def count(events, log, **options):
    analyzer = Count()
    print(simpletrace.process(events, log, analyzer, **options), analyzer.opened)


with open(trace, 'rb') as file:
    data = file.read()
count(events, trace)
with open(events) as declarations, open(trace, 'rb') as log:
    count(declarations, log)
    print(declarations.closed, log.closed)
count(open(events, 'rb'), io.BytesIO(data))
# A file object is read from its position.
with open('moved', 'wb') as file:
    file.write(b'junk' + data)
with open('moved', 'rb') as log:
    log.read(4)
    count(events, log)
with gzip.open('packed', 'wb') as file:
    file.write(data)
with gzip.open('packed') as log:
    count(events, log)
with subprocess.Popen(['cat', trace], stdout=subprocess.PIPE) as cat:
    count(events, cat.stdout)
with open(events) as file:
    declared = simpletrace.read_events(file, events)
count(declared, trace)
print(repr(declared[0]))
print(declared[0].args.names(), declared[0].args.types(), declared[0].formats())
# A name that looks like an option.
os.link('moved', '-moved')
with open('-moved', 'rb') as log:
    log.seek(4)
    with open('--trace', 'wb') as file:
        file.write(log.read())
count(events, '--trace')
