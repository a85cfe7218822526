"""Attributes that are used as methods, and others that are not."""

import functools
import sys

import simpletrace

events, trace = sys.argv[1:]


def process(analyzer):
    try:
        simpletrace.process(events, trace, analyzer)
    except Exception as error:
        print(type(error).__name__, error)


class New(simpletrace.Analyzer2):
    """Methods may be set in begin(), and any attribute may have the name of an event."""

    def begin(self):
        self.requests = 0
        self.qcow2_writev_start_req = self.count

    def count(self, *rec_args, **kwargs):
        self.requests += 1

    def end(self):
        print(self.requests)


process(New())


class NoKeywords(simpletrace.Analyzer2):
    def bdrv_open_common(self, bs, filename, flags, format_name):
        print('not called')

    def end(self):
        print('not called')


process(NoKeywords())


class TooFew(simpletrace.Analyzer):
    def bdrv_open_common(self, bs):
        print('not called')


process(TooFew())


class Raises(simpletrace.Analyzer2):
    def bdrv_open_common(self, *rec_args, **kwargs):
        raise KeyError('of the script')

    def __exit__(self, exc_type, exc_val, exc_tb):
        print('exit', exc_type)
        return super().__exit__(exc_type, exc_val, exc_tb)


process(Raises())


class Inherits(New):
    """A base class with a method, a method of the class, and a callable object."""

    def begin(self):
        super().begin()
        self.bdrv_open_common = functools.partial(self.opened, 'opened')

    def opened(self, word, bs, filename, *rec_args, **kwargs):
        print(word, filename)

    @classmethod
    def qcow2_writev_done_req(cls, *rec_args, pid, **kwargs):
        print(cls.__name__, pid, kwargs['event'].fmt)


process(Inherits())
process(simpletrace.Analyzer2())


class Dynamic(simpletrace.Analyzer2):
    """Has a method for any event."""

    def __getattr__(self, name):
        if not name.startswith('bdrv_open'):
            raise AttributeError(name)
        return lambda *rec_args, **kwargs: print(name, rec_args)


process(Dynamic())
