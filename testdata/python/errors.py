"""Errors are raised as exceptions after all readable records."""

import sys

import simpletrace


class Last(simpletrace.Analyzer2):
    def begin(self):
        self.records = 0

    def catchall(self, *rec_args, **kwargs):
        self.records += 1

    def end(self):
        print('no error')


events, trace = [name or None for name in sys.argv[1:]]
last = Last()
try:
    simpletrace.process(events, trace, last)
except Exception as error:
    print(type(error).__name__)
    print(error)
print(getattr(last, 'records', 'begin was not called'))
