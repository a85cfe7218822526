"""Analyzer: the catchall method gets an event and a tuple."""

import sys

import simpletrace


class Records(simpletrace.Analyzer):
    def catchall(self, event, rec):
        print(event.name, rec)

    def Dropped_Event(self, timestamp, pid, num_events_dropped):
        print('lost', timestamp, pid, num_events_dropped)


simpletrace.run(Records())
