"""Analyzer2: methods with values only, with the time, and with time and process."""

import simpletrace


class Images(simpletrace.Analyzer2):
    def begin(self):
        print('begin')

    def bdrv_open_common(self, bs, filename, flags, format_name, **kwargs):
        print('open', hex(bs), filename, flags, format_name)

    def qcow2_writev_start_req(self, co, offset, num_bytes, *, timestamp_ns, **kwargs):
        print('write', timestamp_ns, offset, num_bytes)

    def qcow2_writev_done_req(self, co, ret, *, timestamp_ns, pid, event, event_id, **kwargs):
        print('written', timestamp_ns, pid, event.name, event_id, ret, kwargs)

    def end(self):
        print('end')


simpletrace.run(Images())
