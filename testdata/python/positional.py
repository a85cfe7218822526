"""Analyzer: the number of a method's parameters decides which arguments it gets."""

import simpletrace


class Images(simpletrace.Analyzer):
    def begin(self):
        print('begin')

    def bdrv_open_common(self, bs, filename, flags, format_name):
        print('open', hex(bs), filename, flags, format_name)

    def qcow2_writev_start_req(self, timestamp, co, offset, num_bytes):
        print('write', timestamp, offset, num_bytes)

    def qcow2_writev_done_req(self, timestamp, pid, co, ret):
        print('written', timestamp, pid, ret)

    def end(self):
        print('end')


simpletrace.run(Images())
