"""Values are bytes, or integers as recorded, whatever their declared type."""

import simpletrace


class Values(simpletrace.Analyzer2):
    def signed_integers(self, *values, **kwargs):
        print('signed', values[:4])

    def others(self, *values, event, **kwargs):
        print(values, list(event.args))

    def text(self, first, second, **kwargs):
        print(first[:40], len(first), second[:40], len(second))

    def bare(self, **kwargs):
        print('bare', sorted(kwargs), kwargs['event'].fmt, str(kwargs['event'].args))

    def Dropped_Event(self, num_events_dropped, *, event, event_id, **kwargs):
        print(event, event_id, num_events_dropped)


simpletrace.run(Values())
