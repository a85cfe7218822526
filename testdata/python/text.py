"""Analyzer2: prints every record as QEMU's script does."""

import simpletrace


class Text(simpletrace.Analyzer2):
    last_ns = None

    def catchall(self, *values, event, timestamp_ns, pid, event_id):
        last_ns = timestamp_ns if self.last_ns is None else self.last_ns
        self.last_ns = timestamp_ns
        shown = [repr(value) if isinstance(value, bytes) else '0x%x' % value for value in values]
        words = ['%s=%s' % pair for pair in zip(event.args.names(), shown)]
        print('%s %0.3f pid=%d %s' % (event.name, (timestamp_ns - last_ns) / 1000, pid, ' '.join(words)))


simpletrace.run(Text())
