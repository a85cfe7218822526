//! What is told beside the records of a trace: their names, which no event has, for there is a `:` in them.

use crate::shapes::Shape;
use crate::value::Kind;

const NUMBER: Kind = Kind::Unsigned(8);

pub(super) fn span_begin() -> Shape {
    Shape::own("ringtrace:span_begin", &[("pair", Kind::Text), ("span", NUMBER), ("track", Kind::Text)])
}

pub(super) fn span_step() -> Shape {
    Shape::own("ringtrace:span_step", &[("pair", Kind::Text), ("span", NUMBER), ("track", Kind::Text)])
}

pub(super) fn span_end() -> Shape {
    Shape::own(
        "ringtrace:span_end",
        &[
            ("pair", Kind::Text),
            ("span", NUMBER),
            ("track", Kind::Text),
            ("begin_ns", NUMBER),
            ("latency_ns", NUMBER),
        ],
    )
}

pub(super) fn span_restarted() -> Shape {
    Shape::own(
        "ringtrace:span_restarted",
        &[("pair", Kind::Text), ("span", NUMBER), ("track", Kind::Text), ("begin_ns", NUMBER)],
    )
}

/// Values beyond what a signed integer can hold have another shape of the same name.
pub(super) fn counter(signed: bool) -> Shape {
    let value = if signed { Kind::Signed(8) } else { Kind::Unsigned(8) };
    Shape::own("ringtrace:counter", &[("counter", Kind::Text), ("track", Kind::Text), ("value", value)])
}

pub(super) fn open_spans() -> Shape {
    Shape::own("ringtrace:open_spans", &[("pair", Kind::Text), ("count", NUMBER)])
}

pub(super) fn paused() -> Shape {
    Shape::own("ringtrace:paused", &[])
}

pub(super) fn resumed(with_duration: bool) -> Shape {
    let fields = [("duration_ns", NUMBER)];
    Shape::own("ringtrace:resumed", if with_duration { &fields } else { &[] })
}

pub(super) fn time_beyond() -> Shape {
    Shape::own("ringtrace:time_beyond", &[("time_ns", NUMBER)])
}
