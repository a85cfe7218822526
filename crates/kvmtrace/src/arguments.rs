//! The values of a record, by the keys that definitions use.

use crate::Record;

/// A key of a definition's format: the name in `%(name)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// `tsc`: the timestamp. If the clock frequency is known, it is in seconds, with a fraction.
    Tsc,
    /// `ts`: the timestamp exactly as recorded.
    Ts,
    /// `reltsc` and `relts`: the time since the previous timestamp, in the record's unit.
    SinceLast,
    /// `event`
    Event,
    /// `vcpu`
    Vcpu,
    /// `pid`
    Pid,
    /// `1` to `5`: the record's words. The index counts from 0. A missing word is 0.
    Word(usize),
}

impl Key {
    /// Returns the key called `name`.
    pub fn from_name(name: &[u8]) -> Option<Key> {
        Some(match name {
            b"tsc" => Key::Tsc,
            b"ts" => Key::Ts,
            b"reltsc" | b"relts" => Key::SinceLast,
            b"event" => Key::Event,
            b"vcpu" => Key::Vcpu,
            b"pid" => Key::Pid,
            [digit @ b'1'..=b'5'] => Key::Word(usize::from(digit - b'1')),
            _ => return None,
        })
    }
}

/// The names of the two time keys in a listing of all keys.
///
/// Formatters before July 2008 supported only `tsc` and `reltsc`, later ones only `ts` and `relts`.
/// The later ones also dropped the option `-c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeNames {
    /// `tsc`, `reltsc`: cycles.
    Tsc,
    /// `ts`, `relts`: nanoseconds.
    Ts,
}

impl TimeNames {
    /// Returns all keys with their names, in the order in which Python 2 printed this dictionary.
    pub fn listing(self) -> [(&'static str, Key); 10] {
        let [one, two, three, four, five] = ["1", "2", "3", "4", "5"]
            .map(|name| (name, Key::from_name(name.as_bytes()).unwrap_or(Key::Event)));
        let (event, vcpu, pid) = (("event", Key::Event), ("vcpu", Key::Vcpu), ("pid", Key::Pid));
        match self {
            TimeNames::Tsc => {
                let (tsc, reltsc) = (("tsc", Key::Tsc), ("reltsc", Key::SinceLast));
                [one, three, reltsc, five, four, vcpu, two, pid, tsc, event]
            }
            TimeNames::Ts => {
                let (ts, relts) = (("ts", Key::Ts), ("relts", Key::SinceLast));
                [one, three, two, five, four, relts, vcpu, pid, ts, event]
            }
        }
    }
}

/// A value, with the types that Python 2 distinguishes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// An `int`.
    Int(i64),
    /// A `long`. Its `repr` has a suffix, even if the value would fit an `int`.
    Long(i128),
    /// A `float`.
    Float(f64),
}

/// The values of one record.
#[derive(Debug, Clone, Copy)]
pub struct Arguments {
    tsc: Value,
    ts: Value,
    since_last: Value,
    record: Record,
    time_names: TimeNames,
}

impl Arguments {
    /// Returns the value of `key`.
    pub fn value(&self, key: Key) -> Value {
        let word = |word: u32| Value::Int(word.into());
        match key {
            Key::Tsc => self.tsc,
            Key::Ts => self.ts,
            Key::SinceLast => self.since_last,
            Key::Event => word(self.record.event),
            Key::Vcpu => word(self.record.vcpu),
            Key::Pid => word(self.record.pid),
            Key::Word(index) => word(self.record.words.as_slice().get(index).copied().unwrap_or_default()),
        }
    }

    /// Returns the names of the two time keys in a listing of all keys.
    pub fn time_names(&self) -> TimeNames {
        self.time_names
    }
}

/// Converts records to arguments. It stores the previous timestamp.
#[derive(Debug, Clone)]
pub struct Clock {
    mhz: Option<f64>,
    time_names: TimeNames,
    last: u64,
}

impl Clock {
    /// Creates a clock. With a frequency of `mhz` megahertz, `tsc` is in seconds; with `None` or
    /// zero it stays in ticks.
    pub fn new(mhz: Option<f64>, time_names: TimeNames) -> Clock {
        Clock { mhz: mhz.filter(|mhz| *mhz != 0.0), time_names, last: 0 }
    }

    /// Returns the arguments of the next record of the stream.
    pub fn arguments(&mut self, record: &Record) -> Arguments {
        let now = record.timestamp.unwrap_or(0);
        let ts = if now > i64::MAX.cast_unsigned() {
            Value::Long(now.into())
        } else {
            Value::Int(now.cast_signed())
        };
        Arguments {
            tsc: self.mhz.map_or(ts, |mhz| Value::Float(now as f64 / (mhz * 1e6))),
            ts,
            since_last: self.since_last(record.timestamp),
            record: *record,
            time_names: self.time_names,
        }
    }

    /// Returns zero if the record has no timestamp, or if the previous timestamp is missing or
    /// zero.
    fn since_last(&mut self, timestamp: Option<u64>) -> Value {
        let Some(now) = timestamp else { return Value::Int(0) };
        let last = std::mem::replace(&mut self.last, now);
        if last == 0 {
            return Value::Int(0);
        }
        // Python's difference is a `long` if either operand is.
        match (i64::try_from(now), i64::try_from(last)) {
            (Ok(now), Ok(last)) => Value::Int(now - last),
            _ => Value::Long(i128::from(now) - i128::from(last)),
        }
    }
}
