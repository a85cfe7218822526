"""Analyzer2: every way to use **kwargs gets all keyword arguments."""

import functools
import sys

import simpletrace

events, trace = sys.argv[1:]


def shown(kwargs):
    return [(name, getattr(value, 'name', value)) for name, value in sorted(kwargs.items())]


def passes_on(method):
    @functools.wraps(method)
    def wrapper(self, *rec_args, **kwargs):
        return method(self, *rec_args, **kwargs)

    return wrapper


class Base(simpletrace.Analyzer2):
    seen = ()

    def say(self, text):
        if text not in self.seen:
            self.seen += (text,)
            print(text)


class Direct(Base):
    def bdrv_open_common(self, *rec_args, **kwargs):
        self.say(shown(kwargs))

    def qcow2_writev_start_req(self, co, offset, num_bytes, *, pid, **others):
        (lambda: self.say((pid, shown(others))))()

    @passes_on
    def qcow2_writev_done_req(self, co, ret, *, timestamp_ns, **kwargs):
        self.say(timestamp_ns)

    def catchall(self, *rec_args, event, **kwargs):
        other = eval('kwargs')
        self.say(sorted(other))


class Ignoring(Base):
    def bdrv_open_common(self, bs, filename, flags, format_name, **kwargs):
        self.say(filename)

    def qcow2_writev_start_req(self, co, offset, num_bytes, pid, timestamp_ns=None, **_):
        self.say((pid, timestamp_ns))

    @staticmethod
    def qcow2_writev_done_req(co, ret, *, event_id, **kwargs):
        print(event_id, ret)


for analyzer in (Direct(), Ignoring()):
    simpletrace.process(events, trace, analyzer)


class Twice(Base):
    def bdrv_open_common(self, bs, pid, event, *rest, **kwargs):
        print('not called')


try:
    simpletrace.process(events, trace, Twice())
except TypeError as error:
    print(type(error).__name__)
