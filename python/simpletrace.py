"""Trace analysis scripts in Python, with the interface of QEMU's module `simpletrace`.

The program `ringtrace` decodes the trace, and this module calls the methods of the script. See
docs/simpletrace-python.md.
"""

import contextlib
import dis
import functools
import inspect
import io
import os
import pickle
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import types
import warnings

__all__ = ['Analyzer', 'Analyzer2', 'process', 'run']

# The version of the format that `ringtrace export --to pickle` writes.
STREAM_VERSION = 1

PIPE_BYTES = 1 << 20


class SimpleException(Exception):
    """An error in the trace, in its declarations or in the arguments of the script."""


class Arguments:
    """The arguments of an event: pairs of type and name."""

    def __init__(self, pairs):
        self._pairs = list(pairs)

    def __iter__(self):
        return iter(self._pairs)

    def __len__(self):
        return len(self._pairs)

    def __getitem__(self, index):
        return self._pairs[index]

    def __str__(self):
        return ', '.join('%s %s' % pair for pair in self._pairs) or 'void'

    def __repr__(self):
        return 'Arguments("%s")' % self

    def names(self):
        """Returns the names of the arguments."""
        return [name for _, name in self._pairs]

    def types(self):
        """Returns the C types of the arguments."""
        return [ctype for ctype, _ in self._pairs]


class Event:
    """A declared event: its name, properties, arguments and format."""

    _DECLARATION = re.compile(r'\s*((?:\w+\s+)*)(\w+)\s*\(([^)]*)\)\s*(.*)', re.DOTALL)
    _ARGUMENT = re.compile(r'(.*[\s*])(\w+)', re.DOTALL)
    _CONVERSION = re.compile(r'%[\d\-+ .#*]*(?:"\s*PRI\w+|(?:hh|h|ll|l|j|z|t|L)?[a-zA-Z%])')

    def __init__(self, declaration, lineno=0, filename=''):
        found = self._DECLARATION.match(declaration)
        if not found:
            raise ValueError('%s:%s: not the declaration of an event: %r' % (filename, lineno, declaration))
        properties, self.name, arguments, fmt = found.groups()
        self.declaration = declaration.strip()
        self.properties = properties.split()
        self.fmt = fmt.strip()
        self.args = Arguments(map(self._pair, self._split(arguments)))
        self.lineno = lineno
        self.filename = filename

    @staticmethod
    def _split(arguments):
        arguments = arguments.strip()
        return [] if arguments in ('', 'void') else arguments.split(',')

    @classmethod
    def _pair(cls, argument):
        found = cls._ARGUMENT.fullmatch(argument.strip())
        ctype, name = found.groups() if found else (argument, '')
        # One blank before the first asterisk, as in `const char *`.
        return (re.sub(r'\s*(\*.*)', r' \1', ' '.join(ctype.split())), name)

    def __repr__(self):
        return "Event('%s %s(%s) %s')" % (' '.join(self.properties), self.name, self.args, self.fmt)

    def formats(self):
        """Returns the conversions in the format."""
        return self._CONVERSION.findall(self.fmt)


# The name at the start of a declaration.
_NAME = re.compile(r'^[^(\n"#]*?(\w+)[ \t]*\(', re.MULTILINE)

_DROPPED = Event('Dropped_Event(uint64_t num_events_dropped)')


def read_events(fobj, fname):
    """Returns the events that the text file `fobj` declares. Messages contain `fname`."""
    lines = ((line, number) for number, line in enumerate(fobj, 1))
    return [Event(line, number, fname) for line, number in lines if line.strip() and line.strip()[0] != '#']


class Analyzer:
    """Base class of scripts whose methods take positional arguments. QEMU deprecates it.

    A method with the name of an event is called with the values of each record. If it has one
    parameter more than the event, the first is the time; with two more, the time and the process id.
    """

    def begin(self):
        """Called before the first record."""

    def catchall(self, event, rec):
        """Called for records of events without a method. `rec` contains the event's name, the
        time, the process and the values."""

    def end(self):
        """Called after the last record, unless there was an exception."""

    def __enter__(self):
        self.begin()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        if exc_type is None:
            self.end()

    def _adapted(self, method, event, count):
        """Returns a function of a record that calls `method`, which has the name of the event."""
        extra = len(inspect.getfullargspec(method).args) - 1 - len(event.args)
        prefix = {1: 'timestamp_ns, ', 2: 'timestamp_ns, pid, '}.get(extra, '')
        return _adapter(count, prefix + '{values}')(method, event)

    def _adapted_catchall(self, event, count):
        catchall = self.catchall
        return lambda record: catchall(event, record)


class Analyzer2(Analyzer):
    """Base class of scripts whose methods take the values of a record and keyword arguments.

    The keyword arguments are `event`, `event_id`, `timestamp_ns` and `pid`. A method names the ones
    that it needs and has `**kwargs` for the others.
    """

    def catchall(self, *rec_args, event, timestamp_ns, pid, event_id, **kwargs):
        """Called for records of events without a method."""

    def _adapted(self, method, event, count):
        keywords = ', '.join('%s=%s' % (word, word) for word in _used_keywords(method))
        return _adapter(count, '{values}' + keywords)(method, event)

    def _adapted_catchall(self, event, count):
        return self._adapted(self.catchall, event, count)


_KEYWORDS = ('event', 'event_id', 'timestamp_ns', 'pid')

# Functions that may read the variables of their caller.
_READ_VARIABLES = frozenset(
    ('breakpoint', 'currentframe', 'dir', 'eval', 'exec', '_getframe', 'locals', 'vars')
)


def _used_keywords(method):
    """Returns the keyword arguments to pass to a method.

    Most methods declare `**kwargs` only to ignore it. Without these arguments, a call takes two
    thirds of the time.
    """
    code = getattr(getattr(method, '__func__', method), '__code__', None)
    if not isinstance(code, types.CodeType) or not code.co_flags & inspect.CO_VARKEYWORDS:
        return _KEYWORDS
    named = code.co_argcount + code.co_kwonlyargcount
    kwargs = code.co_varnames[named + bool(code.co_flags & inspect.CO_VARARGS)]
    operands = (instruction.argval for instruction in dis.get_instructions(code))
    if any(operand == kwargs or isinstance(operand, tuple) and kwargs in operand for operand in operands):
        return _KEYWORDS
    if not _READ_VARIABLES.isdisjoint(code.co_names):
        return _KEYWORDS
    return [word for word in _KEYWORDS if word in code.co_varnames[:named]]


@functools.lru_cache(maxsize=None)
def _adapter(count, passed):
    """Returns a function that combines a method and an event into a function of a record.

    A record has `count` values, or any number if `count` is None. A call with a known number of
    arguments takes half the time of a call with `*values` and keywords.
    """
    values = '*values, ' if count is None else ''.join('value%d, ' % index for index in range(count))
    source = '''
def adapt(method, event):
    def handle(record):
        event_id, timestamp_ns, pid, {values} = record
        method({passed})
    return handle
'''
    names = {}
    code = source.format(values=values, passed=passed.format(values=values))
    exec(compile(code, '<simpletrace>', 'exec'), names)
    return names['adapt']


def _ignore(record):
    pass


_INTERFACE = frozenset(name for name in dir(Analyzer2))
_MISSING = object()


def _has_catchall(analyzer):
    method = getattr(analyzer.catchall, '__func__', analyzer.catchall)
    return method not in (Analyzer.catchall, Analyzer2.catchall)


def _handler(analyzer, event, count):
    """Returns a function to call with each record of `event`."""
    method = _MISSING if event.name in _INTERFACE else getattr(analyzer, event.name, _MISSING)
    if method is not _MISSING:
        return analyzer._adapted(method, event, count)
    return analyzer._adapted_catchall(event, count) if _has_catchall(analyzer) else _ignore


def _wanted(analyzer, declarations):
    """Returns the names of the events for which the analyzer has a method, or None if it needs every
    event.

    The attributes are not listed with dir(), because that slows down later accesses to them.
    """
    if declarations is None or _has_catchall(analyzer):
        return None
    names = _NAME.findall(declarations) + [_DROPPED.name]
    return [name for name in names if name not in _INTERFACE and hasattr(analyzer, name)]


def process(events, log, analyzer, read_header=True):
    """Calls the methods of `analyzer` for the records of a trace.

    Args:
        events: the declarations: a path, a text file, or a list of events. None for a trace that
            describes itself.
        log: the trace: a path or a binary file.
        analyzer: an instance of a class derived from `Analyzer2` or `Analyzer`.
        read_header: False for a trace without a header, where ids are positions in `events`.

    Raises:
        SimpleException: the trace is damaged, or an event is not declared. All records before the
            damage were processed.
    """
    with contextlib.ExitStack() as stack:
        arguments = ['export', '--to', 'pickle', '--output', '-', '--pairs', 'none']
        declarations = None
        if events is not None:
            path, declarations = _read_events(events, stack)
            arguments += ['--events', path]
        if not read_header:
            arguments.append('--no-header')
        trace, stdin = _open_trace(log, stack)
        if not isinstance(analyzer, Analyzer2):
            warnings.warn('the class Analyzer is deprecated, use Analyzer2', DeprecationWarning, stacklevel=2)
        with analyzer:
            # Methods may be set in begin().
            wanted = _wanted(analyzer, declarations)
            if wanted is not None:
                # Dropped records are always selected.
                arguments += ['--event=' + name for name in wanted or [_DROPPED.name]]
            with _Tool(arguments + ['--', trace], stdin) as tool:
                tool.check_version()
                _dispatch(tool, analyzer)
                tool.finish()


def _dispatch(tool, analyzer):
    handlers = {}
    while True:
        batch = tool.load()
        if batch is None:
            return
        records, events, _ = batch
        for name, is_dropped, count, declaration in events:
            event = _DROPPED if is_dropped else Event(declaration)
            handlers[name] = _handler(analyzer, event, count)
        for record in records:
            handlers[record[0]](record)


def run(analyzer):
    """Calls the methods of `analyzer` for the trace that is named on the command line.

    The declarations can be omitted for a trace that describes itself.
    """
    arguments = sys.argv[1:]
    read_header = arguments[:1] != ['--no-header']
    files = arguments if read_header else arguments[1:]
    if len(files) == 1 and read_header:
        files = [None] + files
    if len(files) != 2:
        name = sys.argv[0]
        raise SimpleException('usage: %s [--no-header] [<trace-events>] <trace-file>\n' % name)
    process(files[0], files[1], analyzer, read_header)


def _is_path(value):
    return isinstance(value, (str, os.PathLike))


def _safe_path(path):
    """Returns a path that cannot be taken for an option or for standard input."""
    path = os.fspath(path)
    return os.path.join('.', path) if path.startswith('-') else path


def _read_events(events, stack):
    """Returns the path of a file with the declarations, and its text. The file exists as long as
    `stack` is open."""
    path = None
    if _is_path(events):
        with open(events, 'rb') as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                path = _safe_path(events)
            text = file.read()
    elif hasattr(events, 'read'):
        text = events.read()
    else:
        text = ''.join(_declaration(event) + '\n' for event in events)
    if isinstance(text, str):
        text = text.encode('utf-8', 'surrogateescape')
    if path is None:
        copy = stack.enter_context(tempfile.NamedTemporaryFile(prefix='trace-events-'))
        copy.write(text)
        copy.flush()
        path = copy.name
    return path, text.decode('utf-8', 'surrogateescape')


def _declaration(event):
    """Returns the declaration of an event. It may be an object of QEMU's module `tracetool`."""
    declaration = getattr(event, 'declaration', None)
    if declaration is None:
        parts = [*event.properties, '%s(%s)' % (event.name, event.args), event.fmt]
        declaration = ' '.join(parts)
    return declaration


def _open_trace(log, stack):
    """Returns the name of the trace for `ringtrace`, and the file that is its standard input."""
    if _is_path(log):
        file = open(log, 'rb', buffering=0)
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            return _safe_path(log), None
        return '-', stack.enter_context(file)
    # Only these classes return the bytes of their descriptor unchanged. A GzipFile also has one.
    plain = log.raw if type(log) in (io.BufferedReader, io.BufferedRandom) else log
    if type(plain) is io.FileIO and log.seekable():
        os.lseek(plain.fileno(), log.tell(), os.SEEK_SET)
        return '-', log
    return '-', _Copy(log)


class _Copy:
    """Copies a file object to the standard input of `ringtrace`."""

    def __init__(self, file):
        self.file = file
        self.error = None

    def write_to(self, pipe):
        try:
            with pipe:
                shutil.copyfileobj(self.file, pipe, PIPE_BYTES)
        except BrokenPipeError:
            pass
        except Exception as error:  # raised by the thread that processes the records
            self.error = error


def _program():
    """Returns the path of `ringtrace`: RINGTRACE_TOOL, else the program in PATH, else the one in
    the same package."""
    package = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../bin')
    program = os.environ.get('RINGTRACE_TOOL') or shutil.which('ringtrace')
    program = program or shutil.which('ringtrace', path=package)
    if program is None:
        raise SimpleException(
            'cannot find the program ringtrace: add its folder to PATH, or set RINGTRACE_TOOL'
        )
    return program


class _Tool:
    """A running `ringtrace`. Its output is a sequence of pickles."""

    def __init__(self, arguments, stdin):
        self.stdin = stdin
        self.copier = None
        self.program = _program()
        # Use a file, because nothing reads a pipe during the analysis.
        self.messages = tempfile.TemporaryFile()
        try:
            self.child = subprocess.Popen(
                [self.program] + arguments,
                stdin=subprocess.PIPE if isinstance(stdin, _Copy) else stdin,
                stdout=subprocess.PIPE,
                stderr=self.messages,
                bufsize=PIPE_BYTES,
            )
        except OSError as error:
            self.messages.close()
            raise SimpleException('cannot run %s: %s' % (self.program, error.strerror)) from error
        if isinstance(stdin, _Copy):
            self.copier = threading.Thread(target=stdin.write_to, args=(self.child.stdin,), daemon=True)
            self.copier.start()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.child.kill()
        self.child.wait()
        self.child.stdout.close()
        self.messages.close()

    def load(self):
        """Returns the next object, or None after the last."""
        try:
            return pickle.load(self.child.stdout)
        except EOFError:
            return None
        except Exception as error:
            # The program was killed, or is not ringtrace.
            self.finish()
            raise SimpleException('cannot read the output of %s' % self.program) from error

    def check_version(self):
        version = self.load()
        if version is None:
            self.finish()
        if version != ('ringtrace', STREAM_VERSION):
            raise SimpleException('%s is incompatible with this module: update both' % self.program)

    def finish(self):
        """Waits for the end of `ringtrace`. Raises its error, or prints its warnings."""
        status = self.child.wait()
        if self.copier is not None:
            self.copier.join()
            if self.stdin.error is not None:
                raise self.stdin.error
        self.messages.seek(0)
        lines = self.messages.read().decode('utf-8', 'replace').splitlines(keepends=True)
        # Hide notes about the event filter, which this module added.
        text = ''.join(line for line in lines if not line.startswith('note: no event matches'))
        if status < 0:
            raise SimpleException('%sringtrace was killed by signal %d' % (text, -status))
        if status > 0:
            raise SimpleException(re.sub('^error: ', '', text, flags=re.MULTILINE).strip())
        sys.stderr.write(text)


if __name__ == '__main__':
    # As a script, print the trace as QEMU's module does.
    try:
        os.execv(_program(), ['simpletrace'] + sys.argv[1:])
    except SimpleException as failed:
        sys.exit(str(failed))
